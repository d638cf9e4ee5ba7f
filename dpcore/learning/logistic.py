"""Logistic regression of two classes: by descent, or from the sums of an objective of degree 2.

`method="objective"` is the functional mechanism (Zhang, Zhang, Xiao, Yang and Winslett 2012). The loss of a row,
`log(1 + exp(-t))` with `t = y (w . z)`, `z = (1, x)` and y of 1 or -1, is `log 2 - t/2 + t^2/8` but for terms of t^4 and
more. As y^2 is 1, the sum over all rows is a polynomial in w whose coefficients are sums of products of z:

    n log 2 - (A - B) . w / 2 + w' G w / 8,    A, B the sums of z in the second and the first class, G that of all z z'

So of each class the sums of all products of z are released, with noise, as the sums of `LinearRegression` are: the noise
is drawn exactly, on a grid, and the bound on each row is enforced. What is done with the noisy polynomial costs nothing,
whatever solves it, exactly or not. Its least value is at `2 G^-1 (A - B)`, where it has one. Noise can take that away: so
to each eigenvalue of G is added what noise moves them by, and none is left below that.

It is not objective perturbation (Chaudhuri, Monteleoni and Sarwate 2011), which adds a linear term with real-valued noise
to the objective and releases where the least value is. Its proof is of the exact minimum over real numbers, and of that
alone: a solver that stops near it, in floats, releases something else, of which nothing is proved. That is not claimed.

What is lost beside the loss itself: terms of t^4 and more. As a function of t the polynomial turns up again beyond t = 2,
so rows that are far on their side are pulled back; where classes are well separated the weights are smaller, and the
probabilities nearer to 1/2, than those of the least logistic loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final, Self, final

import numpy as np

from dpcore.core.spaces import rows
from dpcore.domains import numbers, vector
from dpcore.errors import InvalidParameter, is_a, printed
from dpcore.expressions import literal
from dpcore.learning.descent import descend
from dpcore.learning.estimators import (
    ANY_ROWS,
    Estimator,
    Matrix,
    beside,
    bound_of,
    by_class,
    classes_of,
    codes,
    features_of,
    matrix,
    products,
    symmetric,
    with_one,
)
from dpcore.learning.rounds import Release
from dpcore.maps import Numeric
from dpcore.measures.losses import Loss, PureLoss
from dpcore.metrics import RowMetric

METHODS: Final = ("descent", "objective")


@final
class LogisticRegression(Estimator):
    """Of two classes, by descent; or, with `method="objective"`, from an objective of degree 2 that has noise itself.

    By descent `bound` is on the gradient of each row, and `size` is about how many rows there are, a public number. From
    the objective `bound` is on the norm of x alone: a longer x is shortened to it, in silence; x is rounded to `step`,
    and `size`, `rounds` and `rate` are not asked. It is faster, needs nothing to be tuned, and is the functional
    mechanism, not the objective perturbation of textbooks, which holds of exact minima alone (`dpcore.learning.logistic`).
    """

    kind = "classifier"
    most_classes = 2

    def __init__(
        self,
        loss: Loss,
        size: int | None = None,
        classes: Sequence[object] = (0, 1),
        bound: Numeric = 1,
        rounds: int = 30,
        rate: Numeric = 4,
        metric: RowMetric = ANY_ROWS,
        method: str = "descent",
        step: Numeric = "0.001",
    ) -> None:
        self.loss, self.size, self.classes, self.bound = loss, size, classes, bound
        self.rounds, self.rate, self.metric = rounds, rate, metric
        self.method, self.step = method, step

    def measurement(self, features: int) -> Release:
        """The descent, from 0; or of each class the sums of all products of (1, x)."""
        return self._descent(features) if self._by_descent() else self._sums(features)[0]

    def fit(self, X: Matrix, y: Matrix) -> Self:
        """Releases the parameters, or the sums, and finds where the noisy objective is least."""
        data = matrix(X)
        features, of = data.shape[1], codes(self, y, len(data))
        if (of == 2).any():
            raise InvalidParameter(
                "Expected each value to predict to be one of the two classes",
                expected=self.classes,
                bridge=f"classes=(...), the two that y can hold; said were {printed(self.classes)}",
            )
        if self._by_descent():
            *weights, first = [float(v) for v in self._descent(features).release(beside(data, 2.0 * of - 1))]
        else:
            measurement, scale = self._sums(features)
            deviation = float(scale) * (sqrt(2) if isinstance(self.loss, PureLoss) else 1)
            sums = [symmetric(each, features + 1) for each in measurement.release({"x": data, "y": of}).values()]
            first, *weights = least(sums[0], sums[1], deviation)
        self.n_features_in_, self.coef_, self.intercept_ = features, np.array([weights]), np.array([first])
        self.classes_ = np.array(self.classes)
        return self

    def _by_descent(self) -> bool:
        if not is_a(self.method, str) or self.method not in METHODS:
            raise InvalidParameter(
                f"Expected one of {', '.join(METHODS)} as the method but got {printed(self.method)}",
                produced=self.method,
            )
        if len(classes_of(self)) != 2:
            raise InvalidParameter(f"Expected two classes but got {len(self.classes)}", produced=self.classes)
        return self.method == "descent"

    def _descent(self, features: int) -> Release:
        features = features_of(features)
        space: Any = rows(vector(numbers(), features + 1), self.metric)
        start = [0] * (features + 1)
        loss: Any = self.loss
        step = descend(logistic, self.rounds, loss, clip=bound_of(self), start=start, rate=self.rate, size=self.size)
        found: Release = space >> step
        return found

    def _sums(self, features: int) -> tuple[Release, Any]:
        most = with_one(self.loss, bound_of(self))
        return by_class(self, features, lambda x: products([literal(1), *x]), most)

    def decision_function(self, X: Matrix) -> Matrix:
        """How far each row is on the side of the second class."""
        return self._features(X) @ self.coef_[0] + self.intercept_[0]

    def predict_proba(self, X: Matrix) -> Matrix:
        """Of each row how likely the classes are."""
        second = np.exp(-np.logaddexp(0, -self.decision_function(X)))
        return np.column_stack([1 - second, second])

    def predict(self, X: Matrix) -> Matrix:
        """The likelier class."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]


def logistic(theta: Matrix, block: Matrix) -> Matrix:
    """The gradient of `log(1 + exp(-y (x . w + b)))`, y in the last column being 1 or -1."""
    features = np.column_stack([block[:, :-1], np.ones(len(block))])
    weight = -block[:, -1] / (1 + np.exp(block[:, -1] * (features @ theta)))
    return weight[:, None] * features


def least(first: Matrix, second: Matrix, deviation: float) -> list[float]:
    """Where the polynomial of these sums of each class is least, the intercept first.

    `deviation` is that of the noise of one entry of one sum. Both together move the eigenvalues of G by about its root
    of twice as many: a number that does not depend on the data, and that is small beside many rows.
    """
    values, vectors = np.linalg.eigh(first + second)
    moved = deviation * sqrt(2 * len(first))
    found = 2 * vectors @ (vectors.T @ (second[0] - first[0]) / np.maximum(values + moved, moved))
    return [float(v) for v in found]
