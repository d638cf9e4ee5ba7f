"""Groups of k: what a family or a household is promised, where one person is promised a loss."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import Rational, exp

import dpcore as dp

ages = dp.rows(dp.integers(0, 120))
number = ages >> dp.count()
K = [0, 1, 2, 3, 10]


@pytest.mark.parametrize("k", K)
def test_pure(k: int) -> None:
    """k epsilon."""
    epsilon = Fraction(1, 3)
    alone = number >> dp.laplace(1 / epsilon)
    assert alone.loss(k) == dp.pure(k * epsilon)
    assert dp.group_privacy(alone).loss(k) == dp.pure(k * epsilon)


@pytest.mark.parametrize("k", K)
def test_zcdp(k: int) -> None:
    """k^2 rho: a family of three is exposed nine times as much."""
    alone = number >> dp.gaussian(1)
    assert alone.loss(k) == dp.zcdp(Fraction(k * k, 2))
    assert dp.group_privacy(alone).loss(k) == dp.zcdp(Fraction(k * k, 2))


@pytest.mark.parametrize("k", K)
def test_approx(k: int) -> None:
    """(k eps, delta (e^(k eps) - 1)/(e^eps - 1)): every step passes the delta of the one before on, e^eps times."""
    epsilon, delta = Fraction(1, 3), Fraction(1, 10**6)
    claimed = dp.measurement(len, ages, dp.ApproxDP(), lambda d: (d / 3, d / 10**6))
    loss = dp.group_privacy(claimed).loss(k)
    e = Rational(1, 3)
    true = Rational(1, 10**6) * ((exp(k * e) - 1) / (exp(e) - 1) if k else 0)
    assert loss.epsilon == k * epsilon
    assert loss.delta.lower <= Fraction(str(true.evalf(40))) + Fraction(1, 10**38)
    assert loss.delta.upper >= Fraction(str(true.evalf(40))) - Fraction(1, 10**38)
    assert loss.delta.upper - loss.delta.lower < Fraction(1, 10**30)
    if k > 1:
        assert loss.delta > k * delta, "k delta alone would be too little"


@pytest.mark.parametrize("k", K)
def test_approx_without_epsilon(k: int) -> None:
    """At epsilon 0 the deltas of k steps add up: one random row of n, and k rows replaced."""
    one_row = dp.rows(dp.text(), dp.ChangeOneDistance(), 20) >> dp.random_row()
    assert dp.group_privacy(one_row).loss(k) == dp.approx(0, Fraction(k, 20))
    assert one_row.loss(k) == dp.approx(0, Fraction(k, 20))


@pytest.mark.parametrize("k", K)
def test_gaussian(k: int) -> None:
    """k mu."""
    claimed = dp.measurement(len, ages, dp.GaussianDP(), lambda d: Fraction(1, 2))
    assert dp.group_privacy(claimed).loss(k) == dp.gaussian_dp(Fraction(k, 2))


def test_delta_is_at_most_certainty() -> None:
    claimed = dp.measurement(len, ages, dp.ApproxDP(), lambda d: (0, Fraction(1, 10)))
    assert dp.group_privacy(claimed).loss(100) == dp.ApproxLoss(dp.Bound("0"), dp.Bound("1"))
    assert dp.approx(1, "0.8") + dp.approx(1, "0.8") == dp.ApproxLoss(dp.Bound("2"), dp.Bound("1"))
    assert dp.total_variation("0.9") + dp.total_variation("0.9") == dp.total_variation(1)


def test_the_map_at_1_is_all_that_is_used() -> None:
    """A claim that is known for neighbours only is lifted; what the claim says elsewhere is not asked."""
    claimed = dp.measurement(len, ages, dp.PureDP(), lambda d: Fraction(1, 4))
    assert claimed.loss(8) == dp.pure(Fraction(1, 4))
    assert dp.group_privacy(claimed).loss(8) == dp.pure(2)
    assert str(dp.group_privacy(number >> dp.laplace(dp.symbol("b"))).map) == "d_in/b"


@pytest.mark.parametrize("measure", [dp.RenyiDP, dp.Tradeoff])
def test_no_group_rule_is_made_up(measure: type[dp.RenyiDP] | type[dp.Tradeoff]) -> None:
    with pytest.raises(dp.errors.NoFiniteLoss, match="group rule"):
        dp.group_privacy((number >> dp.laplace(1)).to(measure))


def test_a_step_of_1_must_exist() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="steps of 1"):
        dp.group_privacy(dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.laplace(1))
    with pytest.raises(dp.errors.Vacuous):
        dp.group_privacy(dp.rows(dp.integers(0, 1), size=4) >> dp.sum() >> dp.laplace(1))
