"""Learning: models fitted in rounds or from sums with noise, all made of the arrows of the layers below.

rounds            a loss shared out, and the noise that costs no more than a share
lloyd             k-means, a round being a partition with a count and a sum of each part
descent           gradient descent, by expressions or by functions of the user on many rows at once
estimators        what estimators share; `models`, those that there are
logistic          regression of two classes, by descent or from an objective with noise
"""

from dpcore.learning.models import PCA, KMeans, LinearRegression, LogisticRegression, NaiveBayes

__all__ = ["PCA", "KMeans", "LinearRegression", "LogisticRegression", "NaiveBayes"]
