"""Logistic regression from a noisy objective: what is minimised is what is said, and noise leaves it a least value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.errors import InvalidParameter
from dpcore.learning.estimators import with_one
from dpcore.learning.logistic import LogisticRegression, least

DRAWS = np.random.default_rng(1)
X = DRAWS.uniform(-0.5, 0.5, (300, 2)).round(3)
Y = (X[:, 0] + X[:, 1] + DRAWS.normal(0, 0.3, 300) > 0.1).astype(int)
LOSSES = [dp.pure(1), dp.zcdp("1/2")]


def sums(code: int) -> Any:
    z = np.column_stack([np.ones(len(X)), X])[code == Y]
    return z.T @ z


def objective(w: Any) -> float:
    """The sum over rows of `log 2 - t/2 + t^2/8`."""
    t = (2 * Y - 1) * (np.column_stack([np.ones(len(X)), X]) @ w)
    return float((np.log(2) - t / 2 + t**2 / 8).sum())


def test_the_polynomial_is_least_where_it_is_said() -> None:
    found = np.array(least(sums(0), sums(1), 1e-9))
    for move in np.vstack([np.eye(3), -np.eye(3)]) * 0.01:
        assert objective(found + move) > objective(found)


@pytest.mark.parametrize("loss", [dp.pure(10**4), dp.zcdp(10**6)], ids=repr)
def test_with_next_to_no_noise_it_finds_that(loss: Any) -> None:
    model = LogisticRegression(loss, method="objective").fit(X, Y)
    wanted = least(sums(0), sums(1), 1e-9)
    assert np.allclose([model.intercept_[0], *model.coef_[0]], wanted, rtol=0.02, atol=0.02)


def test_what_noise_made_of_the_sums_has_a_least_value() -> None:
    """Also where eigenvalues are below 0, far more than by the noise that was expected."""
    for seed in range(50):
        noise = np.random.default_rng(seed).normal(0, 30, (2, 3, 3))
        noisy = [sums(code) / 20 + noise[code] + noise[code].T for code in (0, 1)]
        found = np.array(least(noisy[0], noisy[1], 1.0))
        pulled = noisy[1][0] - noisy[0][0]
        assert np.isfinite(found).all()
        # The least eigenvalue is left at the root of 6.
        assert np.linalg.norm(found) <= 2 * np.linalg.norm(pulled) / np.sqrt(6) * (1 + 1e-9)


@pytest.mark.parametrize("bound", ["1/3", 1, 2, 10])
def test_products_of_rows_within_the_bound_are_within_theirs(bound: Any) -> None:
    """And the bound is not much more than the most that they reach, so little noise is wasted."""
    b = Fraction(bound)
    draws = np.random.default_rng(0).normal(0, 1, (500, 3)) ** 3
    draws = np.vstack([draws, np.eye(3)])
    for loss, order in ((dp.pure(1), 1), (dp.zcdp(1), 2)):
        rows = draws / np.linalg.norm(draws, ord=order, axis=1)[:, None] * float(b)
        z = np.column_stack([np.ones(len(rows)), rows])
        upper = np.triu_indices(4)
        norms = np.linalg.norm((z[:, :, None] * z[:, None, :])[:, upper[0], upper[1]], ord=order, axis=1)
        most = float(with_one(loss, b))
        assert norms.max() <= most
        assert norms.max() >= most * 0.998


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=repr)
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_it_is_certified_for_its_budget(loss: Any, metric: Any) -> None:
    model = LogisticRegression(loss, method="objective", metric=metric)
    assert model.measurement(3).loss(1) <= loss
    rules = str(model.certify(3).data["derivation"])
    assert "claimed" not in rules
    assert "descend" not in rules


def test_only_two_classes_and_two_methods() -> None:
    with pytest.raises(InvalidParameter, match="descent, objective"):
        LogisticRegression(dp.pure(1), method="newton").measurement(2)
    with pytest.raises(InvalidParameter, match="Expected two classes"):
        LogisticRegression(dp.pure(1), method="objective", classes=(0, 1, 2)).measurement(2)
    for method in ("descent", "objective"):
        with pytest.raises(InvalidParameter, match="one of the two classes"):
            LogisticRegression(dp.pure(1), 300, method=method).fit(X, Y + 1)
    with pytest.raises(InvalidParameter, match="about how many rows"):
        LogisticRegression(dp.pure(1)).measurement(2)
