"""Noise is added on the grid of the data, whole steps of it, whatever form the value comes in."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

import dpcore as dp
from dpcore.expressions import Expr
from tests.laws import distributions
from tests.laws.arrows import measurement, release
from tests.laws.distributions import distribution


def test_a_count_beside_shares_gets_noise_of_the_finer_grid() -> None:
    """Cut to whole numbers the noise of the count would be 0 too often: log(2) more than was claimed."""
    rows = dp.rows(dp.record(yes=dp.booleans(), share=dp.numbers(0, 1, "1/10")))
    share = cast("Expr[bool]", dp.field("share"))
    m = rows >> dp.linear_queries(dp.field("yes", bool), share) >> dp.laplace(scale=2)
    drawn = [release(m, [{"yes": True, "share": 0.3}], seed) for seed in range(30)]
    assert any(Fraction(cast("list[Fraction]", values)[0]).denominator == 10 for values in drawn)


@pytest.mark.parametrize("step", ["1/2", "1/10"])
def test_whole_numbers_on_a_finer_grid(step: str) -> None:
    first = dp.rows(dp.integers()) >> dp.clamp(0, 1) >> dp.sum()
    second = dp.value(dp.numbers(step=step), dp.AbsoluteDistance()) >> dp.laplace(scale="1/2")
    m = measurement(first >> second)  # type: ignore[operator]
    p, q = distribution(m, [0]), distribution(m, [1])
    assert distributions.max_log_ratio(p, q) == pytest.approx(2, abs=1e-6)
    assert {Fraction(str(outcome[1])) % Fraction(step) for outcome in p.masses if isinstance(outcome, tuple)} == {0}


def test_gaussian_noise_too() -> None:
    start = dp.value(dp.integers(), dp.AbsoluteDistance())
    f = dp.transformation(int, start, start, lambda d: d)
    second = dp.value(dp.numbers(step="1/4"), dp.AbsoluteDistance()) >> dp.gaussian(sigma="1/2")
    m = measurement(f >> second)  # type: ignore[operator]
    p, q = distribution(m, 0), distribution(m, 1)
    assert distributions.renyi(p, q, 2) <= 2 * 2 + 1e-6


def test_a_distance_between_grid_steps_counts_as_the_step_below() -> None:
    m = dp.value(dp.numbers(step="1/2"), dp.AbsoluteDistance()) >> dp.gaussian(sigma=1, measure=dp.Profile)
    assert m.loss("3/4").delta(1) == m.loss("1/2").delta(1)
    assert m.loss("1/4").delta(0) == 0
