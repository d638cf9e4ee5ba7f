"""What one map gives, another takes."""

from __future__ import annotations

import math

import pytest

import dpcore as dp

replaced = dp.rows(dp.integers(0, 3), dp.ChangeOneDistance())
tally = replaced >> dp.histogram(norm=dp.L2Distance)
infinite = replaced.metric.distance([1, 2, 3], [1])
noise = dp.value(tally.output.domain, dp.L2Distance()) >> dp.gaussian(sigma=10)


def test_an_exact_distance_stays_exact() -> None:
    to_range = dp.rows(dp.integers(0, 3)) >> dp.histogram(norm=dp.LInfDistance)
    chosen = dp.value(to_range.output.domain, dp.LInfDistance()) >> dp.permute_and_flip(scale=1)
    assert chosen.loss(to_range.stability(3)) == (to_range >> chosen).loss(3) == dp.pure(6)


def test_an_irrational_distance_is_rounded_up() -> None:
    direct, in_two_steps = (tally >> noise).loss(1), noise.loss(tally.stability(1))
    assert direct == dp.zcdp("1/100")
    assert direct <= in_two_steps <= dp.zcdp("0.01000000001")


def test_data_that_no_steps_join_have_no_privacy_from_each_other() -> None:
    assert infinite == math.inf
    with pytest.raises(dp.errors.NoFiniteLoss, match="d_in=inf"):
        (tally >> noise).loss(infinite)
    with pytest.raises(dp.errors.NoFiniteLoss, match="d_in=inf"):
        (tally >> noise).to(dp.ApproxDP, delta="1e-6").loss(infinite)


def test_the_least_of_several_distances() -> None:
    """Of data with the same image the nearest count: some pairs are finitely far apart, others not."""
    distances = [replaced.metric.distance([1, 2], other) for other in ([1], [1, 3], [3, 3], [])]
    assert min(distances) == 1
    assert max(distances) == math.inf
