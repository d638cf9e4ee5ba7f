"""Into approximate zCDP and out of it: figures by hand, and what follows without it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.errors import InvalidParameter, NoConversion

ROWS = dp.rows(dp.text())
LAPLACE = ROWS >> dp.count() >> dp.laplace(scale=2)
GAUSSIAN = ROWS >> dp.count() >> dp.gaussian(sigma=2)
KEYS = ROWS >> dp.threshold_release(scale=2, threshold=20)
SLACKS = ("1e-3", "1e-6", "1e-12")


def test_into_it_by_hand() -> None:
    assert LAPLACE.to(dp.ApproxZCDP).loss(3) == dp.zcdp("9/8", 0)
    assert GAUSSIAN.to(dp.ApproxZCDP).loss(3) == dp.zcdp("9/8", 0)
    found = KEYS.to(dp.ApproxZCDP).loss(2)
    assert found.rho == dp.types.Bound("1/2")
    assert found.delta == KEYS.loss(2).delta


@pytest.mark.parametrize("slack", SLACKS)
def test_without_a_delta_it_is_what_follows_of_zcdp(slack: str) -> None:
    assert GAUSSIAN.to(dp.ApproxZCDP).to(dp.ApproxDP, slack=slack).loss(1) == GAUSSIAN.to(
        dp.ApproxDP, delta=slack
    ).loss(1)
    at = Fraction(1, 2)
    profile, other = GAUSSIAN.to(dp.ApproxZCDP).to(dp.Profile).loss(1), GAUSSIAN.to(dp.Profile).loss(1)
    assert profile.delta(at).upper == other.delta(at).upper


@pytest.mark.parametrize("slack", SLACKS)
def test_the_delta_that_was_there_is_added(slack: str) -> None:
    before = KEYS.loss(1).delta.upper
    found = KEYS.to(dp.ApproxZCDP).to(dp.ApproxDP, slack=slack).loss(1)
    assert before + Fraction(slack) <= found.delta.upper <= (before + Fraction(slack)) * (1 + Fraction(1, 10**30))


def test_what_it_does_not_lead_to_is_said() -> None:
    with pytest.raises(NoConversion, match="an event of probability delta may reveal everything"):
        KEYS.to(dp.ApproxZCDP).to(dp.PureDP)
    with pytest.raises(NoConversion, match=r"to\(Profile\).to\(Tradeoff\)"):
        KEYS.to(dp.ApproxZCDP).to(dp.Tradeoff)
    with pytest.raises(InvalidParameter, match="takes slack, alpha, but got 'delta'"):
        KEYS.to(dp.ApproxZCDP).to(dp.ApproxDP, delta="1e-6")
    with pytest.raises(InvalidParameter, match="0 < slack < 1"):
        KEYS.to(dp.ApproxZCDP).to(dp.ApproxDP, slack=1)
