"""Models: regressions, principal components, naive Bayes and k-means, each a pipeline and what is solved of its release.

LinearRegression     sums of all products of (1, x, y), then the normal equations
PCA                  sums of all products of (1, x), then the eigenvectors of the covariance
NaiveBayes           of each class the sums of (1, x, x^2), then means and variances
LogisticRegression   `dpcore.learning.logistic`: `descend`, or of each class the sums of all products of (1, x)
KMeans               `lloyd`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np

from dpcore.errors import InvalidParameter, a_list, printed
from dpcore.expressions import Expr, literal, row
from dpcore.learning.estimators import (
    ANY_ROWS,
    Estimator,
    Matrix,
    amount,
    beside,
    bound_of,
    by_class,
    classes_of,
    codes,
    features_of,
    floats,
    matrix,
    one_each,
    products,
    released,
    short,
    summed,
    symmetric,
    with_one,
)
from dpcore.learning.lloyd import lloyd
from dpcore.learning.logistic import LogisticRegression
from dpcore.learning.rounds import Release
from dpcore.maps import Numeric, counted
from dpcore.measures.losses import Loss, PureLoss
from dpcore.metrics import RowMetric

__all__ = ["PCA", "KMeans", "LinearRegression", "LogisticRegression", "NaiveBayes"]


def _covered(loss: Loss, estimator: Any, entries: int) -> Release:
    """The sums of all products of (1, row)."""
    z: list[Expr[Any]] = [literal(1), *[row()[i] for i in range(entries)]]
    added = summed(loss, products(z), with_one(loss, bound_of(estimator)))(short(estimator, entries))
    return released(loss, added)


@final
class LinearRegression(Estimator):
    """Least squares. `ridge` is added to the diagonal, so that noise does not make the equations unsolvable.

    Rows are (x, y): one of which the norm, with y, is above `bound` is shortened to it, in silence (see `Estimator`).
    """

    kind = "regressor"

    def __init__(
        self, loss: Loss, bound: Numeric = 1, step: Numeric = "0.001", ridge: float = 1.0, metric: RowMetric = ANY_ROWS
    ) -> None:
        self.loss, self.bound, self.step, self.ridge, self.metric = loss, bound, step, ridge, metric

    def measurement(self, features: int) -> Release:
        """The sums of all products of (1, x, y)."""
        features = features_of(features)
        return _covered(self.loss, self, features + 1)

    def fit(self, X: Matrix, y: Matrix) -> Self:
        """Releases the sums, and solves the normal equations."""
        data, ridge = beside(X, y), amount(self.ridge, "ridge")
        features = data.shape[1] - 1
        sums = symmetric(self.measurement(features).release(data), features + 2)
        found = np.linalg.lstsq(sums[:-1, :-1] + ridge * np.eye(features + 1), sums[:-1, -1], rcond=None)[0]
        self.n_features_in_, self.intercept_, self.coef_ = features, float(found[0]), found[1:]
        return self

    def predict(self, X: Matrix) -> Matrix:
        """The values on the plane."""
        return self._features(X) @ self.coef_ + self.intercept_

    def score(self, X: Matrix, y: Matrix) -> float:
        """The share of the variance that is explained. It looks at data of its own, and is not private."""
        found = self.predict(X)
        y = one_each(floats(y, "y"), len(found))
        if not len(y):
            raise InvalidParameter("Expected at least one row to judge by but got none")
        left, whole = float(((y - found) ** 2).sum()), float(((y - y.mean()) ** 2).sum())
        return 1 - left / whole if whole else float(left == 0)


@final
class PCA(Estimator):
    """The directions in which rows vary most, of a covariance with noise."""

    kind = "transformer"

    def __init__(
        self,
        loss: Loss,
        n_components: int = 1,
        bound: Numeric = 1,
        step: Numeric = "0.001",
        metric: RowMetric = ANY_ROWS,
    ) -> None:
        self.loss, self.n_components, self.bound, self.step, self.metric = loss, n_components, bound, step, metric

    def measurement(self, features: int) -> Release:
        """The sums of all products of (1, x)."""
        features = features_of(features)
        components = counted(self.n_components)
        if components is None or not 1 <= components <= features:
            raise InvalidParameter(f"Expected from 1 to {features} components but got {printed(self.n_components)}")
        return _covered(self.loss, self, features)

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Releases the sums, and takes the first eigenvectors of their covariance."""
        data = matrix(X)
        features = data.shape[1]
        sums = symmetric(self.measurement(features).release(data), features + 1)
        n = max(1.0, float(sums[0, 0]))
        self.mean_ = sums[0, 1:] / n
        values, vectors = np.linalg.eigh(sums[1:, 1:] / n - np.outer(self.mean_, self.mean_))
        first = np.argsort(values)[::-1][: counted(self.n_components)]
        self.n_features_in_, self.components_, self.explained_variance_ = features, vectors[:, first].T, values[first]
        return self

    def fit_transform(self, X: Matrix, y: object = None) -> Matrix:
        """Both, on the same rows. The coordinates of the rows are not private."""
        return self.fit(X).transform(X)

    def transform(self, X: Matrix) -> Matrix:
        """Rows in the coordinates of the components."""
        return (self._features(X) - self.mean_) @ self.components_.T


@final
class NaiveBayes(Estimator):
    """Normal features, independent within a class. The classes are known beforehand."""

    kind = "classifier"

    def __init__(
        self,
        loss: Loss,
        classes: Sequence[object] = (0, 1),
        bound: Numeric = 1,
        step: Numeric = "0.001",
        smoothing: float = 1e-3,
        metric: RowMetric = ANY_ROWS,
    ) -> None:
        self.loss, self.classes, self.bound, self.step = loss, classes, bound, step
        self.smoothing, self.metric = smoothing, metric

    def measurement(self, features: int) -> Release:
        """Of each class the sums of (1, x, x^2)."""
        bound = bound_of(self)
        # (1 + c^2)^2 >= 1 + sum of x^2 + sum of x^4, and 1 + c + c^2 >= 1 + sum of |x| + sum of x^2.
        most = 1 + bound + bound**2 if isinstance(self.loss, PureLoss) else 1 + bound**2
        return by_class(self, features, lambda x: [literal(1), *x, *[v * v for v in x]], most)[0]

    def fit(self, X: Matrix, y: Matrix) -> Self:
        """Releases the sums of each class. Rows of another class than those that were named are in no part."""
        data, smoothing, classes = matrix(X), amount(self.smoothing, "smoothing"), classes_of(self)
        features, of = data.shape[1], codes(self, y, len(data))
        sums = self.measurement(features).release({"x": data, "y": of})
        found = np.array([[float(v) for v in sums[code]] for code in range(len(classes))])
        n = np.maximum(found[:, :1], 1.0)
        self.theta_, self.classes_ = found[:, 1 : features + 1] / n, np.array(self.classes)
        self.var_ = np.maximum(found[:, features + 1 :] / n - self.theta_**2, smoothing)
        self.class_prior_, self.n_features_in_ = (n / n.sum())[:, 0], features
        return self

    def predict_log_proba(self, X: Matrix) -> Matrix:
        """Of each row the logarithms of how likely the classes are."""
        x = self._features(X)[:, None, :]
        each = -0.5 * ((x - self.theta_) ** 2 / self.var_ + np.log(self.var_)).sum(axis=2) + np.log(self.class_prior_)
        return each - np.logaddexp.reduce(each, axis=1)[:, None]

    def predict(self, X: Matrix) -> Matrix:
        """The likeliest class."""
        likely = self.predict_log_proba(X)
        return self.classes_[likely.argmax(axis=1)]


@final
class KMeans(Estimator):
    """Clusters by Lloyd's algorithm, from centres that are chosen without the data."""

    kind = "clusterer"

    def __init__(
        self,
        loss: Loss,
        init: Sequence[Sequence[Numeric]],
        rounds: int = 5,
        bound: Numeric = 1,
        step: Numeric = "0.001",
        metric: RowMetric = ANY_ROWS,
    ) -> None:
        self.loss, self.init, self.rounds, self.bound, self.step = loss, init, rounds, bound, step
        self.metric = metric

    def measurement(self, features: int) -> Release:
        """The rounds."""
        loss: Any = self.loss
        features = features_of(features)
        given = self.init.tolist() if hasattr(self.init, "tolist") else self.init
        a_list(given, "init")
        found: Release = short(self, features) >> lloyd(len(given), self.rounds, loss, given)
        return found

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Releases the centres."""
        data = matrix(X)
        found = self.measurement(data.shape[1]).release(data)
        self.cluster_centers_ = np.array([[float(v) for v in centre] for centre in found])
        self.n_features_in_ = data.shape[1]
        return self

    def predict(self, X: Matrix) -> Matrix:
        """The place of the nearest centre."""
        far = ((self._features(X)[:, None, :] - self.cluster_centers_) ** 2).sum(axis=2)
        return far.argmin(axis=1)
