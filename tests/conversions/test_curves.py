"""Between the profile and the trade-off curve: there and back never promises more than there was."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias, cast
from unittest import mock

import pytest

import dpcore as dp
from dpcore.conversions import between_curves, conversion
from dpcore.maps.search import greatest
from tests.conversions.claims import claimed

EPSILONS = [Fraction(e) for e in ("0", "1/2", "1", "2")]
RATES = [Fraction(a) for a in ("0", "1/100", "1/4", "1/2", "3/4", "1")]

WHOLE = dp.value(dp.integers(), dp.AbsoluteDistance())
Profiled: TypeAlias = dp.types.Measurement[dp.types.Integers, dp.AbsoluteDistance, dp.Profile, object]


def profiled(x: object) -> Profiled:
    """Whatever it releases."""
    assert isinstance(x, dp.types.Measurement)
    assert isinstance(x.measure, dp.Profile)
    return cast(Profiled, x)


PROFILES: dict[str, Profiled] = {
    "gaussian": profiled(claimed(dp.GaussianDP(), lambda d: d).to(dp.Profile)),
    "discrete gaussian": profiled(WHOLE >> dp.gaussian(sigma=1, measure=dp.Profile)),
    "pure": profiled(claimed(dp.PureDP(), lambda d: d).to(dp.Profile)),
    "approx": profiled(claimed(dp.ApproxDP(), lambda d: (d, d / 10)).to(dp.Profile)),
    "total variation": profiled(claimed(dp.TotalVariation(), lambda d: d / 3).to(dp.Profile)),
    "many answers": profiled(dp.compose_optimal([claimed(dp.PureDP(), lambda d: d / 2)] * 5)),
}
TRADEOFFS = {
    "gaussian": claimed(dp.GaussianDP(), lambda d: d).to(dp.Tradeoff),
    "pure": claimed(dp.PureDP(), lambda d: d).to(dp.Tradeoff),
    "approx": claimed(dp.ApproxDP(), lambda d: (d, d / 10)).to(dp.Tradeoff),
    "total variation": claimed(dp.TotalVariation(), lambda d: d / 3).to(dp.Tradeoff),
}


@pytest.mark.spread(3)
@pytest.mark.parametrize("name", PROFILES)
def test_profile_there_and_back(name: str) -> None:
    """Few halvings are enough to see that the bound is safe; how close it comes is another test's affair."""
    start = PROFILES[name]
    profile = start.loss(1)
    with mock.patch.object(between_curves, "greatest", lambda rising, cost, splits: greatest(rising, cost, 12)):
        again = start.to(dp.Tradeoff).to(dp.Profile).loss(1)
        for epsilon in EPSILONS:
            assert again.delta(epsilon).upper >= profile.delta(epsilon).lower - Fraction(1, 1 << 40)


@pytest.mark.spread(3)
@pytest.mark.parametrize("name", TRADEOFFS)
def test_tradeoff_to_profile_is_near(name: str) -> None:
    """The same losses straight to a profile: not below it, and above by at most 1e-3.

    So loose it is only where the curve is straight with slope `-e^eps`: all its points are then equally good, and halving
    intervals leaves none of them out.
    """
    direct, through = PROFILES[name].loss(1), TRADEOFFS[name].to(dp.Profile).loss(1)
    for epsilon in EPSILONS:
        true, found = direct.delta(epsilon), through.delta(epsilon)
        assert found.upper >= true.lower
        assert found.upper <= true.upper + Fraction(1, 1000)


@pytest.mark.parametrize("name", TRADEOFFS)
def test_profile_to_tradeoff_is_near(name: str) -> None:
    """Lower is safe: the curve that comes out is never above the true one, and below by little."""
    direct, through = TRADEOFFS[name].loss(1), PROFILES[name].to(dp.Tradeoff).loss(1)
    for rate in RATES:
        true, found = direct.beta(rate), through.beta(rate)
        assert found.lower <= true.upper
        assert found.upper >= true.lower - Fraction(1, 10**6)


def test_curves_of_no_distance() -> None:
    """Of equal inputs nothing can be told."""
    for name, m in PROFILES.items():
        assert m.loss(0).delta(0).upper == 0, name
    for rate in RATES:
        assert TRADEOFFS["pure"].loss(0).beta(rate) == 1 - rate
        assert TRADEOFFS["total variation"].loss(0).beta(rate) == 1 - rate


@pytest.mark.parametrize("name", PROFILES)
def test_epsilon_and_delta_are_inverse(name: str) -> None:
    profile = PROFILES[name].loss(1)
    for delta in ("1/5", "3/8", "9/10"):
        if name == "total variation" and Fraction(delta) < Fraction(1, 3):
            with pytest.raises(dp.errors.InvalidParameter):
                profile.epsilon(delta)
            continue
        epsilon = profile.epsilon(delta)
        assert profile.delta(epsilon.upper).upper <= Fraction(delta)
        if epsilon > 0:
            just_below = epsilon.upper * (1 - Fraction(1, 10**9))
            assert profile.delta(just_below).upper > Fraction(delta)


def test_refusals() -> None:
    """No way leads back to a finite epsilon without delta."""
    for measure in (dp.ApproxDP, dp.ZCDP, dp.RenyiDP, dp.GaussianDP, dp.TotalVariation, dp.Profile, dp.Tradeoff):
        with pytest.raises(dp.errors.NoConversion):
            conversion(measure, dp.PureDP, {})
    with pytest.raises(dp.errors.NoConversion):
        claimed(dp.TotalVariation(), lambda d: d / 3).to(dp.ZCDP)


def test_a_witness_is_only_a_witness() -> None:
    """Any order, and any epsilon, gives a pair that holds: none may lie below the exact profile."""
    exact = PROFILES["discrete gaussian"].loss(1)
    gaussian = WHOLE >> dp.gaussian(sigma=1)
    for order in ("1001/1000", "3/2", 4, 50):
        loss = gaussian.to(dp.ApproxDP, delta="1/1000", alpha=order).loss(1)
        assert exact.delta(loss.epsilon.upper).upper <= Fraction(1, 1000)
    for epsilon in (0, "1/3", 2):
        pair = PROFILES["discrete gaussian"].to(dp.ApproxDP, epsilon=epsilon).loss(1)
        assert pair.delta == exact.delta(epsilon)
