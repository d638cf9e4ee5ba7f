"""Groups of k: what a family or a household is promised, where one person is promised a loss."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from sympy import Rational, exp, sympify

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
    assert dp.group_privacy(claimed).loss(100) == dp.types.ApproxLoss(dp.types.Bound("0"), dp.types.Bound("1"))
    assert dp.approx(1, "0.8") + dp.approx(1, "0.8") == dp.types.ApproxLoss(dp.types.Bound("2"), dp.types.Bound("1"))
    assert dp.total_variation("0.9") + dp.total_variation("0.9") == dp.total_variation(1)


def test_the_map_at_1_is_all_that_is_used() -> None:
    """A claim that is known for neighbours only is lifted; what the claim says elsewhere is not asked."""
    claimed = dp.measurement(len, ages, dp.PureDP(), lambda d: Fraction(1, 4))
    assert claimed.loss(8) == dp.pure(Fraction(1, 4))
    assert dp.group_privacy(claimed).loss(8) == dp.pure(2)
    assert str(dp.group_privacy(number >> dp.laplace(dp.symbol("b"))).map) == "d_in/b"


@pytest.mark.parametrize("k", [0, 1, 2, 3, 10, 1000])
@pytest.mark.parametrize("alpha", ["101/100", 2, "7/2", 64])
def test_renyi_divergences_of_gaussian_noise_lose_nothing(k: int, alpha: str | int) -> None:
    """k^2 c alpha of `c alpha`, which is what k steps of Gaussian noise lose."""
    noisy = (number >> dp.gaussian(sigma=3)).to(dp.RenyiDP)
    assert dp.group_privacy(noisy).loss(k).epsilon(alpha) == noisy.loss(k).epsilon(alpha)


def test_renyi_divergences_are_asked_at_an_order_for_each_step() -> None:
    """`k alpha (sum of eps(o)/o)` over the orders `o = k alpha - k + 1, ..., k alpha`."""
    claimed = dp.measurement(len, ages, dp.RenyiDP(), lambda d: lambda alpha: alpha * alpha)
    grouped = dp.group_privacy(claimed)
    assert grouped.loss(2).epsilon(2) == 4 * (3 + 4)
    assert grouped.loss(3).epsilon("4/3") == 4 * (2 + 3 + 4)


def test_the_sum_over_the_steps_of_a_group_of_a_group() -> None:
    """Each sum has a name of its own for what it counts with, also where a symbol has taken the first."""
    twice = dp.group_privacy(dp.group_privacy((number >> dp.gaussian(dp.symbol("i"))).to(dp.RenyiDP)))
    assert str(twice.map) == "epsilon(alpha) = alpha*d_in**2/(2*i**2)"
    claimed = dp.measurement(len, ages, dp.RenyiDP(), lambda d: lambda alpha: alpha * alpha)
    grouped = dp.group_privacy(dp.group_privacy(claimed))
    written = sympify(grouped.map.sympy())
    assert written.subs(dict.fromkeys(written.free_symbols, 2)).doit() == Rational(str(grouped.loss(2).epsilon(2)))


@pytest.mark.parametrize("k", [0, 1, 2, 5, 9])
def test_what_a_test_detects_it_is_allowed_at_the_next_step(k: int) -> None:
    """The line of a delta falls by delta with each step, and not below 0."""
    claimed = dp.measurement(len, ages, dp.Tradeoff(), lambda d: lambda alpha: max(0, 1 - alpha - Fraction(1, 7)))
    assert dp.group_privacy(claimed).loss(k).beta("1/10") == max(0, Fraction(9, 10) - Fraction(k, 7))


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("alpha", ["1/100", "1/10", "1/2", "99/100"])
def test_a_group_of_trade_off_curves_is_no_worse_than_k_epsilon_and_no_better_than_the_truth(
    k: int, alpha: str
) -> None:
    alone = number >> dp.laplace(2)
    direct = alone.to(dp.Tradeoff)
    assert dp.group_privacy(direct).loss(k).beta(alpha).upper >= direct.loss(k).beta(alpha).lower
    mu = alone.to(dp.GaussianDP).to(dp.Tradeoff)  # of which k steps lose k mu exactly
    assert dp.group_privacy(mu).loss(k).beta(alpha).lower <= mu.loss(k).beta(alpha).upper


def test_a_curve_is_followed_for_so_many_steps() -> None:
    noisy = number >> dp.laplace(1)
    with pytest.raises(dp.errors.NoFiniteLoss, match="at most 1000 steps"):
        dp.group_privacy(noisy.to(dp.RenyiDP)).loss(1001).epsilon(2)
    with pytest.raises(dp.errors.NoFiniteLoss, match="at most 1000 steps"):
        dp.group_privacy(noisy.to(dp.Tradeoff)).loss(1001).beta("1/2")


def test_only_group_privacy_lifts_a_tradeoff_curve() -> None:
    with pytest.raises(dp.errors.NoFiniteLoss, match="parallel composition does not lift"):
        ages >> dp.partition([1]) >> dp.parallel((number >> dp.laplace(1)).to(dp.Tradeoff))


def test_parts_lift_a_renyi_curve_as_a_group_does() -> None:
    noisy = (number >> dp.gaussian(sigma=1)).to(dp.RenyiDP)
    for parts in (noisy, {1: noisy, 2: (number >> dp.gaussian(sigma=3)).to(dp.RenyiDP)}):
        both = ages >> dp.partition([1, 2]) >> dp.parallel(parts)
        for d, alpha in itertools.product((1, 2, 3), (2, 5)):
            assert both.loss(d).epsilon(alpha) == dp.group_privacy(noisy).loss(d).epsilon(alpha)
        with pytest.raises(dp.errors.NoFiniteLoss, match="at most 1000 steps"):
            both.loss(1001).epsilon(2)


def test_a_step_of_1_must_exist() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="steps of 1"):
        dp.group_privacy(dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.laplace(1))
    with pytest.raises(dp.errors.Vacuous):
        dp.group_privacy(dp.rows(dp.integers(0, 1), size=4) >> dp.sum() >> dp.laplace(1))
