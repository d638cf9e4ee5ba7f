"""The picture is above every attack that is possible, and touches the bound where the bound is reached."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.calculus import Raw, Reading, Rule, curve_in
from dpcore.conversions.from_approx import approx_to_tradeoff
from dpcore.conversions.from_gaussian import gaussian_to_tradeoff
from dpcore.conversions.from_pure import pure_to_tradeoff
from dpcore.maps import ONE, at_precision, ends, numeral
from dpcore.report.figures import Claim, Part
from dpcore.report.power import Point, power

F = Fraction
GRID = [F(k, 97) for k in range(98)] + [F(1, 10**k) for k in range(3, 9)]
EPSILONS = [F(0), F(1, 100), F(1), F(7, 2), F(30), F(10**400)]
NEAR = F(1, 10**12)


def _claim(measure: str, **figures: Fraction) -> Claim:
    return Claim(F(1), measure, tuple(Part(name, None, x, at_least=False) for name, x in figures.items()))


def _points(measure: str, name: str, points: list[Point]) -> Claim:
    return Claim(F(1), measure, tuple(Part(name, ("alpha", x), y, measure == "tradeoff") for x, y in points))


def _true(rule: Rule, loss: Raw) -> Callable[[Fraction], tuple[Fraction, Fraction]]:
    """An enclosure of the largest true-positive rate."""
    reading: Reading = lambda d: loss  # noqa: E731
    curve = curve_in(rule.map(ONE, reading))

    def at(x: Fraction) -> tuple[Fraction, Fraction]:
        low, high = at_precision(256, lambda: ends(curve(numeral(x))))
        return 1 - high, 1 - low

    return at


def _drawn(corners: list[Point], x: Fraction) -> Fraction:
    """The height of the chain of straight pieces."""
    assert corners[0][0] == 0
    assert corners[-1][0] == 1
    found = []
    for (a, y), (b, z) in pairwise(corners):
        assert a <= b
        if a <= x <= b:
            found.append(max(y, z) if a == b else y + (z - y) * (x - a) / (b - a))
    return max(found)


@pytest.mark.parametrize("epsilon", EPSILONS[:-1])
def test_of_pure_it_is_what_randomized_response_reaches(epsilon: Fraction) -> None:
    bound, true = power(_claim("pure", epsilon=epsilon)), _true(pure_to_tradeoff, numeral(epsilon))
    for x in GRID:
        low, high = true(x)
        assert low <= bound.at(x) <= high + NEAR


@pytest.mark.parametrize("delta", [F(0), F(1, 10**6), F(1, 3), F(999, 1000)])
@pytest.mark.parametrize("epsilon", EPSILONS[:-1])
def test_of_approx_it_is_the_two_lines(epsilon: Fraction, delta: Fraction) -> None:
    bound = power(_claim("approx", epsilon=epsilon, delta=delta))
    true = _true(approx_to_tradeoff, (numeral(epsilon), numeral(delta)))
    for x in GRID:
        low, high = true(x)
        assert low <= bound.at(x) <= high + NEAR


@pytest.mark.parametrize("mu", [F(0), F(1, 50), F(1), F(4), F(40)])
def test_of_gaussian_it_is_exact_and_the_picture_above(mu: Fraction) -> None:
    bound, true = power(_claim("gaussian", mu=mu)), _true(gaussian_to_tradeoff, numeral(mu * mu))
    corners = bound.corners()
    for x in GRID[1:-9]:
        low, high = true(x)
        assert low <= bound.at(x) <= high + NEAR
        assert low <= _drawn(corners, x) <= high + F(1, 50)


@pytest.mark.parametrize("rho", [F(0), F(1, 200), F(1, 2), F(8)])
def test_of_zcdp_gaussian_noise_is_below(rho: Fraction) -> None:
    """N(0, 1) against N(mu, 1) has rho = mu^2/2."""
    bound, attack = power(_claim("zcdp", rho=rho)), _true(gaussian_to_tradeoff, numeral(2 * rho))
    for x in GRID:
        assert attack(x)[0] <= bound.at(x)
    if rho < 1:
        assert bound.at(F(1, 100)) < 1, "nothing is excluded at all"


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(3)])
@pytest.mark.parametrize("orders", [[F(2)], [F(3, 2), F(4), F(32)]])
def test_of_renyi_randomized_response_is_below(epsilon: Fraction, orders: list[Fraction]) -> None:
    """Its divergences are at most min(eps, alpha eps^2/2)."""
    claim = _points("renyi", "epsilon", [(a, min(epsilon, a * epsilon * epsilon / 2)) for a in orders])
    bound, attack = power(claim), _true(pure_to_tradeoff, numeral(epsilon))
    for x in GRID:
        assert attack(x)[0] <= bound.at(x)


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(3)])
@pytest.mark.parametrize("rates", [[F(0)], [F(1)], [F(1, 10)], [F(0), F(1, 20), F(1, 2)], [F(1, 3), F(1)]])
def test_of_points_of_a_curve_what_they_allow_is_below(epsilon: Fraction, rates: list[Fraction]) -> None:
    true = _true(pure_to_tradeoff, numeral(epsilon))
    bound = power(_points("tradeoff", "beta", [(a, 1 - true(a)[1]) for a in rates]))
    for x in GRID:
        assert true(x)[0] <= bound.at(x) <= 1
    for a in rates:
        assert bound.at(a) <= true(a)[1] or a == 0


@given(
    st.lists(
        st.tuples(st.fractions(0, 1, max_denominator=50), st.fractions(0, 1, max_denominator=50)),
        min_size=1,
        max_size=5,
    ),
    st.fractions(0, 1, max_denominator=200),
)
def test_the_chain_of_steps_is_the_bound(points: list[Point], x: Fraction) -> None:
    bound = power(_points("tradeoff", "beta", points))
    assert bound.at(x) <= _drawn(bound.corners(), x)
    assert bound.at(x) <= bound.at(min(F(1), x + F(1, 100)))


@given(st.lists(st.tuples(st.fractions(0, 4), st.fractions(0, F(99, 100))), min_size=1, max_size=6), st.fractions(0, 1))
def test_the_chain_of_lines_is_the_bound(points: list[Point], x: Fraction) -> None:
    """Of a profile, claimed at points (epsilon, delta)."""
    bound = power(_points("profile", "delta", points))
    drawn = _drawn(bound.corners(), x)
    assert bound.at(x) <= drawn <= bound.at(x) + NEAR
    best = min(_true(approx_to_tradeoff, (numeral(e), numeral(d)))(x)[0] for e, d in points)
    assert best <= bound.at(x) <= best + NEAR


@pytest.mark.parametrize("measure", ["pure", "zcdp", "gaussian"])
def test_a_loss_beyond_all_use_excludes_nothing(measure: str) -> None:
    (name,) = {"pure": ("epsilon",), "zcdp": ("rho",), "gaussian": ("mu",)}[measure]
    bound = power(_claim(measure, **{name: F(10**400)}))
    assert bound.at(F(1, 100)) == 1
    assert bound.corners()[0][1] == 1
