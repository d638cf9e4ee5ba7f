"""Estimators as scikit-learn has them: `fit`, `predict`, `get_params`, `set_params`. None of scikit-learn is needed.

An estimator is a pipeline of dpcore and what is made of its release with numpy afterwards, which costs nothing more:

    model = LinearRegression(loss=zcdp("1/2"), bound=2)
    model.measurement(3)       the pipeline, for three features: known before there are any data
    model.fit(X, y)            releases it, and solves
    model.certify(3)           the certificate of the pipeline

What it needs to know beforehand (a bound on the rows, the classes, the number of features) is said, and not looked up in
the data. A row is made of its features and what is to be predicted; it is brought within `bound` in the norm of the noise,
L1 for a loss in PureDP and L2 for one in ZCDP, and onto a grid. Rows are neighbours as `metric` says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from math import floor, isqrt
from typing import Any, ClassVar, Final, Self, TypeAlias

import numpy as np

from dpcore.certificates.certificate import Certificate, certify
from dpcore.combinators.parallel import parallel
from dpcore.core import Space
from dpcore.core.checks import number_of
from dpcore.core.spaces import rows
from dpcore.domains import Rows, different, integers, numbers, record, vector
from dpcore.engines.numpy.floats import widened
from dpcore.errors import DomainMismatch, DPError, InvalidParameter, a_list, printed
from dpcore.expressions import Expr, field, row
from dpcore.functions import looked_at
from dpcore.learning.rounds import Release, noisy, scale_costing
from dpcore.maps import Numeric, exact, known, positive, show
from dpcore.measures.losses import Loss, PureLoss
from dpcore.metrics import RowMetric, SymmetricDistance
from dpcore.transformations.clip_norm import clip_norm
from dpcore.transformations.partition import partition
from dpcore.transformations.row_map import select
from dpcore.transformations.sum import sum as vector_sum

Matrix: TypeAlias = Any
"""What numpy makes a matrix or a vector of floats of."""

ANY_ROWS: Final = SymmetricDistance()


class Estimator:
    """What all of them share: parameters by the names of `__init__`, which are kept as they were given.

    A row that is longer than `bound` is shortened to it, in silence: a warning would tell of the rows. So `bound` is to be
    of the size of most rows, as far as that is known beforehand, and columns that are larger are to be scaled first. Rows
    that are shortened draw what is fitted towards 0, and too large a bound costs noise.
    """

    loss: Loss
    metric: RowMetric
    n_features_in_: int

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: object) -> Self:
        """The same estimator with other parameters."""
        unknown = sorted(set(params) - set(self.get_params()))
        if unknown:
            raise InvalidParameter(f"{type(self).__name__} has no parameter {unknown[0]!r}", produced=unknown[0])
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={printed(value)}' for name, value in self.get_params().items())})"

    kind: ClassVar[str | None] = None
    """What scikit-learn calls it: a regressor, a classifier, a transformer or a clusterer."""

    most_classes: ClassVar[int | None] = None

    def __sklearn_tags__(self) -> object:
        """What scikit-learn asks of an estimator; it alone asks, so it is there."""
        utils: Any = import_module("sklearn.utils")
        supervised = self.kind in ("regressor", "classifier")
        return utils.Tags(
            estimator_type=self.kind,
            target_tags=utils.TargetTags(required=supervised),
            transformer_tags=utils.TransformerTags() if self.kind == "transformer" else None,
            classifier_tags=utils.ClassifierTags(multi_class=self.most_classes != 2)
            if self.kind == "classifier"
            else None,
            regressor_tags=utils.RegressorTags() if self.kind == "regressor" else None,
            non_deterministic=True,
        )

    def measurement(self, features: int) -> Release:
        """The pipeline that `fit` releases."""
        raise NotImplementedError

    def certify(self, features: int, d_in: Numeric = 1) -> Certificate:
        """The certificate of the pipeline."""
        return certify(self.measurement(features), d_in=d_in)

    def _fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            raise InvalidParameter(f"{type(self).__name__} was not fitted yet", bridge=".fit(X, y) first")

    def _features(self, X: Matrix) -> Matrix:
        self._fitted()
        found = matrix(X)
        if found.shape[1] != self.n_features_in_:
            name, given = type(self).__name__, found.shape[1]
            raise InvalidParameter(
                f"X has {given} features, but {name} is expecting {self.n_features_in_} features as input"
            )
        return found


DROPPED: Final = "dropping such rows"
TO_NUMBERS: Final = "columns of numbers: of categories one of 0 and 1 for each"


def floats(x: Matrix, what: str) -> Matrix:
    """As an array of finite floats. What numpy says of what is none would repeat a value of the data."""
    if x is None:
        raise InvalidParameter(f"Expected numbers for {what} but got none")
    if looked_at(lambda: hasattr(x, "toarray")):
        raise DomainMismatch(f"sparse input is not supported: {what}", bridge=f"{what}.toarray()")
    try:
        given = np.asarray(x)
        if given.dtype.kind in "mM":
            raise TypeError
        kind, found = given.dtype.kind, np.asarray(given.real, dtype=np.float64)
    except TypeError:
        refusal: DPError = DomainMismatch(
            f"argument must be numbers, or a string for each number: {what}", bridge=TO_NUMBERS
        )
    except Exception:  # whatever objects of another's class may raise when they are asked for a number
        refusal = InvalidParameter(f"Expected numbers for {what}, as many in each row", bridge=TO_NUMBERS)
    else:
        if kind == "c":
            raise InvalidParameter(f"Complex data not supported: {what}", bridge=TO_NUMBERS)
        if np.ma.is_masked(x):
            raise InvalidParameter(f"Expected a number in each place, but {what} is masked in some", bridge=DROPPED)
        if np.isfinite(found).all():
            narrow = kind == "f" and given.dtype.itemsize < 8  # of which each is its shortest decimal, as in all tables
            return widened(given.ravel()).reshape(given.shape) if narrow else found
        refusal = InvalidParameter(f"Expected finite numbers, but {what} contains NaN or inf", bridge=DROPPED)

    raise refusal


def matrix(X: Matrix) -> Matrix:
    found = floats(X, "X")
    if found.ndim != 2:
        raise InvalidParameter(f"Expected a matrix, a row for each row, but got {found.ndim} dimensions")
    return found


def beside(X: Matrix, y: Matrix) -> Matrix:
    """The features, and what is to be predicted as one column more."""
    features = matrix(X)
    return np.column_stack([features, one_each(floats(y, "y"), len(features))])


def one_each(y: Matrix, count: int) -> Matrix:
    """Refuse what is no vector of as many values as there are rows."""
    if y.shape != (count,):
        beside = f", in one dimension, but got {y.ndim}" if y.ndim > 1 else ""
        raise InvalidParameter(f"Expected as many values to predict as there are rows{beside}")
    return y


def classes_of(estimator: Any) -> Sequence[Any]:
    """The classes, which are known beforehand: two or more different ones."""
    given = estimator.classes.tolist() if hasattr(estimator.classes, "tolist") else estimator.classes
    a_list(given, "classes")
    if len(different(given, "classes")) < 2:
        raise InvalidParameter("Expected two or more different classes", produced=given)
    found: Sequence[Any] = given
    return found


LARGEST: Final = 10**50
"""No bound is larger, and nothing that is added: their powers are to be floats."""

MOST_FEATURES: Final = 1 << 16


def features_of(features: object) -> int:
    """How many there are."""
    return number_of(features, "features", 1, MOST_FEATURES)


def amount(x: Numeric, name: str) -> float:
    """A number from 0 on, which is added to what was released; refused before that costs anything."""
    value = known(exact(x, name), name)
    if not 0 <= value <= LARGEST:
        raise InvalidParameter(f"Expected {name} from 0 to 10^50 but got {name}={show(value)}", produced=value)
    return float(value)


def bound_of(estimator: Any) -> Fraction:
    """On the norm of each row."""
    bound = Fraction(known(positive(exact(estimator.bound, "bound"), "bound")))
    if bound > LARGEST:
        raise InvalidParameter(f"Expected a bound of at most 10^50 but got bound={show(bound)}", produced=bound)
    return bound


def short(estimator: Any, entries: int) -> Any:
    """Rows of so many numbers, brought within the bound of the estimator."""
    how = noisy(estimator.loss, type(estimator).__name__)
    space: Any = rows(vector(numbers(), entries), estimator.metric)
    return space >> clip_norm(bound_of(estimator), norm=how.norm, step=estimator.step)


def summed(loss: Loss, entries: Sequence[Expr[Any]], bound: Fraction) -> Any:
    """The sum of these functions of each row, whose vector is within the bound: the bound is enforced, and nobody's word."""
    listed: Any = list(entries)
    norm = noisy(loss, "sums").norm
    return lambda space: space >> select(listed) >> clip_norm(bound, norm=norm) >> vector_sum(norm=norm)


def released(loss: Loss, added: Any) -> Release:
    """With noise for the whole loss."""
    how = noisy(loss, "sums")
    found: Release = added >> how.noise(fitting(scale_costing(lambda b: added >> how.noise(b), loss)))
    return found


def fitting(scale: Fraction) -> Fraction:
    """Refuse noise that no float holds, before anything is lost for it."""
    if scale > LARGEST**4:
        raise InvalidParameter(
            "Expected a loss that buys noise of a scale of at most 10^200, as floats are made of what is released"
        )
    return scale


MOST_COLUMNS: Final = 1 << 11
"""Of so many there are 2 million products."""


def products(entries: Sequence[Expr[Any]]) -> list[Expr[Any]]:
    """Of all pairs, each once, and of each with itself."""
    number_of(len(entries), "the number of columns whose products are summed", 1, MOST_COLUMNS)
    return [a * b for i, a in enumerate(entries) for b in entries[i:]]


def with_one(loss: Loss, bound: Fraction) -> Fraction:
    """A bound on the norm of all products of (1, x), where x is within `bound`.

    `sum_(i<=j) |z_i z_j| = ((sum |z_i|)^2 + sum z_i^2)/2 <= ((1 + b)^2 + 1 + b^2)/2 = 1 + b + b^2`, and in the same way
    `sum_(i<=j) z_i^2 z_j^2 <= 1 + b^2 + b^4`. It is enforced, so that more would cost noise, and less would shorten rows.
    """
    if isinstance(loss, PureLoss):
        return 1 + bound + bound**2
    # The root in thousandths, above it by one at most.
    return Fraction(isqrt(floor((1 + bound**2 + bound**4) * 10**6)) + 1, 10**3)


def by_class(
    estimator: Any, features: int, entries: Callable[[list[Expr[Any]]], list[Expr[Any]]], most: Fraction
) -> tuple[Release, Fraction]:
    """Of each class the sum of these functions of its rows, whose vector is within `most`; and the scale of the noise.

    Rows are an x, which is brought within the bound, and a y: which of the classes it is. The number after the last
    class is that of none.
    """
    features = features_of(features)
    how, classes = noisy(estimator.loss, type(estimator).__name__), len(classes_of(estimator))
    person = record(x=vector(numbers(), features), y=integers(0, classes))
    space: Any = rows(person, estimator.metric)
    cell: Any = Space(Rows(person), SymmetricDistance())
    rounded: Any = [field("x")[i].round(estimator.step) for i in range(features)]
    within = cell >> select(rounded) >> clip_norm(bound_of(estimator), norm=how.norm)
    added = summed(estimator.loss, entries([row()[i] for i in range(features)]), most)(within)
    parts = space >> partition(range(classes), field("y"))
    scale = fitting(scale_costing(lambda b: parts >> parallel(added >> how.noise(b)), estimator.loss))
    return parts >> parallel(added >> how.noise(scale)), scale


def codes(estimator: Any, y: Matrix, count: int) -> Matrix:
    """Of each value to predict which class it is; of a value that is none of them, how many classes there are."""
    classes, read = classes_of(estimator), looked_at(lambda: np.asarray(y))
    given = one_each(np.empty(()) if read is None else read, count)
    found = np.full(count, len(classes))
    for code, name in enumerate(classes):
        found[_alike(given, name)] = code
    if np.ma.is_masked(y):
        found[np.ma.getmaskarray(y)] = len(classes)  # what is masked is none of them
    return found


def _alike(given: Matrix, name: object) -> Matrix:
    """Where the values are this one; nowhere, where they cannot be compared with it."""
    found = looked_at(lambda: np.broadcast_to(np.asarray(given == name, dtype=bool), given.shape))
    return np.zeros(given.shape, bool) if found is None else found


def symmetric(upper: Any, size: int) -> Matrix:
    """The matrix of which the upper half is given."""
    found = np.zeros((size, size))
    found[np.triu_indices(size)] = [float(v) for v in upper]
    return found + np.triu(found, 1).T
