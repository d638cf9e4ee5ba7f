"""What takes or gives many rows at once is refused where a function of one row is asked, when the pipeline is built."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest

import dpcore as dp
from dpcore.errors import DPError
from dpcore.learning import PCA

d: Any = dp
NUMBERS: Final[Any] = dp.rows(dp.integers(0, 9))
VECTORS: Final[Any] = dp.rows(dp.vector(dp.numbers(0, 9, 1), 2))
LogisticRegression: Final[Any] = import_module("sklearn.linear_model").LogisticRegression
DecisionTreeClassifier: Final[Any] = import_module("sklearn.tree").DecisionTreeClassifier
X: Final = np.arange(10).reshape(-1, 1)
TREE: Final[Any] = DecisionTreeClassifier().fit(X, (X > 4).ravel())
LINEAR: Final[Any] = LogisticRegression().fit(X, (X > 4).ravel())


def more(x: Any, by: Any = 1) -> Any:
    return x + by


VECTORIZED: Final[list[Any]] = [
    np.vectorize(more),
    partial(np.vectorize(more), by=2),
    partial(partial(np.vectorize(more)), by=2),
]
OF_MANY: Final[list[Any]] = [
    TREE.predict,
    partial(TREE.predict),
    TREE.predict_proba,
    LINEAR.predict,
    LINEAR.decision_function,
    PCA(d.pure(1)).transform,
]
WHERE: Final[list[Callable[[Any], Any]]] = [
    lambda f: d.row_map(f, d.integers(0, 20)),
    lambda f: d.filter(f),
    lambda f: d.partition([1], f),
    lambda f: d.histogram(f, bins=[1]),
    lambda f: NUMBERS >> d.flat_map(f, d.integers(0, 9), 1),
]


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("function", VECTORIZED)
def test_what_gives_arrays_is_refused_when_it_is_built(where: Callable[[Any], Any], function: Any) -> None:
    with pytest.raises(DPError, match=r"a numpy\.vectorize, which gives an array even of one number(.|\n)*f\.pyfunc"):
        where(function)


@pytest.mark.parametrize("function", VECTORIZED)
def test_of_vectors_it_gives_vectors(function: Any) -> None:
    made = VECTORS >> d.row_map(function, d.vector(d.numbers(0, 20, 1), 2))
    assert made([[1, 2]]) == [list(function(np.array([1, 2])))]


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("function", OF_MANY)
def test_an_estimator_is_refused_when_it_is_built(where: Callable[[Any], Any], function: Any) -> None:
    with pytest.raises(DPError, match=r"which is given many rows(.|\n)*lambda row: f\(\[row\]\)\[0\]"):
        where(function)


def test_what_is_said_to_be_used_works() -> None:
    f = TREE.predict
    numbers = NUMBERS >> d.row_map(lambda x: f([[x]])[0].item(), d.booleans())
    assert numbers([1, 7]) == [False, True]
    g = LogisticRegression().fit(np.column_stack([X, X]), (X > 4).ravel()).predict
    vectors = VECTORS >> d.row_map(lambda row: g([row])[0].item(), d.booleans())
    assert vectors([[1, 1], [8, 8]]) == [False, True]
    pyfunc: Any = np.vectorize(more).pyfunc
    assert (NUMBERS >> d.row_map(pyfunc, d.integers(0, 20)))([1, 2]) == [2, 3]


def test_other_methods_of_these_names_are_functions() -> None:
    class Model:
        def predict(self, x: int) -> int:
            return x + 1

    assert (NUMBERS >> d.row_map(Model().predict, d.integers(0, 20)))([1]) == [2]
    assert (NUMBERS >> d.row_map(np.abs, d.integers(0, 20)))([1]) == [1]
