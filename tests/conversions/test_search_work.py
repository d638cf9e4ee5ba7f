"""A search within a search is a rough one: the class of curves of curves on which `certify` worked for minutes.

What is counted is how often the innermost curve is asked, and nothing is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.calculus.parameters.data import entries, text
from dpcore.conversions import between_curves, shared
from dpcore.conversions.between_curves import best_lines, worst_test
from dpcore.conversions.shared import highest_lines, spread_out, two_lines
from dpcore.maps import Number, ends, exp, maximum, numeral, precision
from dpcore.maps.envelope import highest
from tests.certificates.tools import rejection
from tests.laws.arrows import measurement


def test_the_best_line_of_a_profile_that_is_searched_itself_asks_little() -> None:
    asked = [0]

    def tradeoff(alpha: Number) -> Number:
        asked[0] += 1
        return maximum(1 - 3 * alpha, (1 - alpha) / 3, numeral(0))

    def profile(epsilon: Number) -> Number:
        _, high, _ = worst_test(tradeoff, epsilon)
        return numeral(high)

    best_lines(profile)(numeral(Fraction(1, 2)))
    assert asked[0] < 250 * 200

    asked[0] = 0
    profile(numeral(Fraction(1, 3)))
    assert asked[0] > 2000, "what is not within another search is as fine as before"


# ---- many lines, many points -------------------------------------------------------------------------------------------

SLOPES = st.fractions(0, 6, max_denominator=50)


@given(st.lists(st.tuples(SLOPES, st.fractions(0, 1, max_denominator=50)), min_size=1, max_size=12))
def test_the_highest_line_is_looked_up(points: list[tuple[Fraction, Fraction]]) -> None:
    """Of any lines, those of no convex curve too: what is looked up is as high as the highest, but for rounding."""
    deltas = dict(points)
    with precision(128):
        lines = highest_lines(lambda x: numeral(deltas[ends(x)[0]]), list(deltas))
        for alpha in (numeral(Fraction(i, 12)) for i in range(13)):
            low, high = ends(lines(alpha))
            best = maximum(*(two_lines(alpha, numeral(x), numeral(delta)) for x, delta in deltas.items()))
            assert abs(high - ends(best)[1]) < Fraction(1, 10**30)
            assert low <= ends(best)[1]


@given(st.lists(st.tuples(SLOPES, SLOPES), min_size=1, max_size=12), st.fractions(-1, 7))
def test_no_line_is_above_the_one_looked_up(lines: list[tuple[Fraction, Fraction]], x: Fraction) -> None:
    place = highest([(numeral(a), numeral(b)) for a, b in lines])(numeral(x))
    heights = [a - b * x for a, b in lines]
    assert max(heights) - heights[place] < Fraction(1, 10**30)


def test_one_line_is_looked_at_for_each_point(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]

    def counting(alpha: Number, epsilon: Number, delta: Number) -> Number:
        asked[0] += 1
        return two_lines(alpha, epsilon, delta)

    monkeypatch.setattr(shared, "two_lines", counting)
    lines = highest_lines(lambda x: exp(-x), [Fraction(i, 100) for i in range(500)])
    for i in range(100):
        lines(numeral(Fraction(i, 100)))
    assert asked[0] == 100


COUNT = dp.rows(dp.integers(0, 1)) >> dp.count()
CURVES: dict[str, Callable[[], object]] = {
    "of GaussianDP": lambda: (COUNT >> dp.laplace(1)).to(dp.GaussianDP).to(dp.Tradeoff).to(dp.Profile),
    "of discrete Gaussian noise": lambda: (COUNT >> dp.gaussian(2, measure=dp.Profile)).to(dp.Tradeoff).to(dp.Profile),
    "there and back": lambda: (COUNT >> dp.laplace(1)).to(dp.Tradeoff).to(dp.Profile).to(dp.Tradeoff),
}


@pytest.mark.parametrize("name", CURVES)
def test_curves_of_curves_are_certified(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer cuts than there are, as the checkers look at each of them: its limit of work allows for all."""
    monkeypatch.setattr(between_curves, "MANY", 64)
    assert rejection(dp.certify(measurement(CURVES[name]()), 1, at=["1/2"]).text()) is None


AT_A_KINK: dict[str, Callable[[], object]] = {
    "of PureDP": lambda: (COUNT >> dp.laplace(2)).to(dp.Tradeoff).to(dp.Profile),
    "of ApproxDP": lambda: (COUNT >> dp.gaussian(2)).to(dp.ApproxDP, delta="1e-6").to(dp.Tradeoff).to(dp.Profile),
}


@pytest.mark.parametrize("name", AT_A_KINK)
def test_cuts_are_no_finer_than_figures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a curve has a kink, halving ends: cuts of 1,800 bits and files of 2 MB, which took `dpcheck` minutes."""
    monkeypatch.setattr(between_curves, "MANY", 512)
    tree = dp.certify(measurement(AT_A_KINK[name]()), 1, at=["1/10"]).document.derivation
    cuts = [Fraction(text(cut)) for cut in entries(tree.witness["alphas"])]
    assert max(cut.denominator.bit_length() for cut in cuts) < 200


def test_what_a_curve_of_many_points_costs_the_checker() -> None:
    """As many lines as points while a checker can look at each at each; of more points, few."""
    for many in (1, 40, 316, 317, 2000, 6000):
        found = spread_out([numeral(Fraction(i, many)) for i in [*range(many), 0]])
        assert len(found) == (many if many <= 316 else 16)
        assert len(found) * many <= 10**5
        assert ends(found[0])[0] == 0
        assert ends(found[-1])[0] == Fraction(many - 1, many)
