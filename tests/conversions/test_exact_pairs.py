"""Conversions against pairs of distributions whose divergences are known in closed form.

Every conversion is an upper bound on what such a pair really has; where the pair is the worst of its kind, it is met.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.maps import numeral
from tests.conversions.claims import claimed
from tests.laws.distributions import Distribution, false_negatives, hockey_stick, renyi

EPSILONS = [Fraction(e) for e in ("0", "1/10", "1/2", "1", "2", "5")]
ORDERS = [Fraction(a) for a in ("101/100", "3/2", "2", "5", "30")]
RATES = [Fraction(a) for a in ("0", "1/1000", "1/10", "1/3", "1/2", "9/10", "1")]

levels = st.fractions(Fraction(1, 100), 6, max_denominator=100)
deltas = st.fractions(0, Fraction(99, 100), max_denominator=1000)


def two(p: list[float], q: list[float]) -> tuple[Distribution, Distribution]:
    return Distribution(dict(enumerate(p)), 0), Distribution(dict(enumerate(q)), 0)


def answers(epsilon: Fraction, delta: Fraction) -> tuple[Distribution, Distribution]:
    """With probability delta tell all, else randomized response at epsilon: the worst that (epsilon, delta) allows."""
    e, d = float(epsilon), float(delta)
    true, false = (1 - d) / (1 + math.exp(-e)), (1 - d) / (1 + math.exp(e))
    return two([d, true, false, 0], [0, false, true, d])


def pure(epsilon: Fraction) -> dp.types.Measurement[dp.types.Integers, dp.AbsoluteDistance, dp.PureDP, str]:
    return claimed(dp.PureDP(), lambda d: d * numeral(epsilon))


def approximately(
    epsilon: Fraction, delta: Fraction
) -> dp.types.Measurement[dp.types.Integers, dp.AbsoluteDistance, dp.ApproxDP, str]:
    return claimed(dp.ApproxDP(), lambda d: (d * numeral(epsilon), d * numeral(delta)))


# ---- randomized response is the worst of pure and approximate privacy ----------------------------------------------------


@given(levels, deltas)
def test_curves_of_a_pair_are_those_of_randomized_response(epsilon: Fraction, delta: Fraction) -> None:
    p, q = answers(epsilon, delta)
    m = approximately(epsilon, delta)
    profile, tradeoff = m.to(dp.Profile).loss(1), m.to(dp.Tradeoff).loss(1)
    for x in EPSILONS:
        assert float(profile.delta(x)) == pytest.approx(hockey_stick(p, q, float(x)), abs=1e-12)
    for rate in RATES:
        assert float(tradeoff.beta(rate)) == pytest.approx(false_negatives(p, q, float(rate)), abs=1e-12)
    assert float(m.to(dp.TotalVariation).loss(1).delta) == pytest.approx(hockey_stick(p, q, 0), abs=1e-12)
    assert profile.delta(epsilon).upper >= delta


@given(levels)
def test_pure(epsilon: Fraction) -> None:
    p, q = answers(epsilon, Fraction(0))
    m = pure(epsilon)
    profile, tradeoff, divergences = m.to(dp.Profile).loss(1), m.to(dp.Tradeoff).loss(1), m.to(dp.RenyiDP).loss(1)
    rho, mu = m.to(dp.ZCDP).loss(1).rho, m.to(dp.GaussianDP).loss(1).mu
    for x in EPSILONS:
        assert float(profile.delta(x)) == pytest.approx(hockey_stick(p, q, float(x)), abs=1e-12)
        assert _gaussian(float(mu), float(x)) >= hockey_stick(p, q, float(x)) - 1e-12
    for rate in RATES:
        assert float(tradeoff.beta(rate)) == pytest.approx(false_negatives(p, q, float(rate)), abs=1e-12)
    for order in ORDERS:
        true = renyi(p, q, float(order))
        assert true <= float(divergences.epsilon(order)) + 1e-12
        assert true <= float(rho) * float(order) + 1e-12
    # The Gaussian curve touches that of randomized response at epsilon 0.
    assert _gaussian(float(mu), 0) == pytest.approx(hockey_stick(p, q, 0), abs=1e-12)


@given(levels)
def test_loss_in_one_direction_then_the_other(epsilon: Fraction) -> None:
    """ApproxDP at delta 0 is PureDP, whichever way it is counted."""
    direct, through = pure(epsilon), pure(epsilon).to(dp.ApproxDP)
    for x in EPSILONS:
        assert direct.to(dp.Profile).loss(1).delta(x) == through.to(dp.Profile).loss(1).delta(x)


# ---- Gaussian noise ------------------------------------------------------------------------------------------------------


def _gaussian(mu: float, x: float) -> float:
    with ctx.workprec(400):
        e, m = arb(x), arb(mu)
        return float((_phi(m / 2 - e / m) - e.exp() * _phi(-m / 2 - e / m)).mid()) if mu else 0.0


def _phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


@given(st.fractions(Fraction(1, 50), 8, max_denominator=50))
def test_gaussian(mu: Fraction) -> None:
    m = claimed(dp.GaussianDP(), lambda d: d * numeral(mu))
    profile, tradeoff = m.to(dp.Profile).loss(1), m.to(dp.Tradeoff).loss(1)
    for x in EPSILONS:
        true = _gaussian(float(mu), float(x))
        assert float(profile.delta(x)) == pytest.approx(true, rel=1e-11, abs=1e-300)
    for rate in RATES[1:-1]:
        quantile = arb(NormalDist().inv_cdf(float(1 - rate)))
        beta = float(_phi(quantile - fmpq(mu.numerator, mu.denominator)).mid())
        assert float(tradeoff.beta(rate)) == pytest.approx(beta, rel=1e-9, abs=1e-300)
    assert tradeoff.beta(0) == 1
    assert tradeoff.beta(1) == 0
    # N(0,1) against N(mu,1) has divergence alpha mu^2/2 of every order.
    assert m.to(dp.ZCDP).loss(1).rho == mu * mu / 2
    assert m.to(dp.RenyiDP).loss(1).epsilon(7) == 7 * mu * mu / 2


@given(st.fractions(Fraction(1, 50), 4, max_denominator=50), st.sampled_from(["1/10", "1e-6", "1e-30"]))
def test_zcdp_is_never_better_than_the_gaussian_it_comes_from(mu: Fraction, delta: str) -> None:
    """Of the Gaussian itself the exact epsilon is known: what goes through orders must not lie below it."""
    m = claimed(dp.GaussianDP(), lambda d: d * numeral(mu))
    true = m.to(dp.Profile).loss(1).epsilon(delta)
    rho = m.to(dp.ZCDP)
    tight = rho.to(dp.ApproxDP, delta=delta).loss(1)
    assert true.lower <= tight.epsilon.upper + Fraction(1, 1 << 50)
    assert tight.delta == Fraction(delta)
    for order in (2, 5, "3/2"):
        at_order = rho.to(dp.ApproxDP, delta=delta, alpha=order).loss(1)
        assert tight.epsilon.upper <= at_order.epsilon.upper * (1 + Fraction(1, 10**6))


# ---- Laplace noise -------------------------------------------------------------------------------------------------------


@given(levels)
def test_laplace_is_bounded(epsilon: Fraction) -> None:
    """The continuous Laplace pair at distance d/b = eps: delta(x) = 1 - e^((x - eps)/2), and its Renyi divergences."""
    m = pure(epsilon)
    e = float(epsilon)
    profile, divergences = m.to(dp.Profile).loss(1), m.to(dp.RenyiDP).loss(1)
    for x in EPSILONS:
        true = max(0.0, 1 - math.exp((float(x) - e) / 2))
        assert true <= float(profile.delta(x)) + 1e-12
    for order in ORDERS:
        a = float(order)
        true = math.log(a / (2 * a - 1) * math.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * math.exp(-a * e)) / (a - 1)
        assert true <= float(divergences.epsilon(order)) + 1e-9
