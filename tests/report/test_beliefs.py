"""The bounds on beliefs, against mechanisms and priors of small numbers, worked out exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpcore.maps import at_precision, ends, exp, numeral
from dpcore.report.figures import Claim, Part
from dpcore.report.guarantee import _failing, beliefs

F = Fraction
weights = st.lists(st.integers(1, 30), min_size=4, max_size=4)


def _distribution(xs: list[int]) -> list[Fraction]:
    return [F(x, sum(xs)) for x in xs]


def _e(x: Fraction) -> Fraction:
    return at_precision(128, lambda: ends(exp(numeral(x))))[1]


@given(weights, weights, st.integers(1, 30))
def test_odds_leave_the_factor_no_more_often_than_is_said(p: list[int], q: list[int], eps: int) -> None:
    """Whatever the two distributions: delta is the least one for that epsilon, in both orders."""
    first, second, epsilon = _distribution(p), _distribution(q), F(eps, 20)
    low = 1 / _e(-epsilon)  # at or below e^epsilon
    orders = ((first, second), (second, first))
    delta = max(sum((max(F(0), a - low * b) for a, b in zip(x, y, strict=True)), F(0)) for x, y in orders)
    factor = 1 / _e(-2 * epsilon)
    far = [(a, b) for a, b in zip(first, second, strict=True) if a > factor * b or b > factor * a]
    assume(delta < 1)
    assert max(sum(a for a, _ in far), sum(b for _, b in far)) <= _failing((epsilon, delta))


@given(st.lists(weights, min_size=3, max_size=3), weights, st.permutations(range(3)))
def test_beliefs_with_and_without_a_person(rows: list[list[int]], prior: list[int], erase: list[int]) -> None:
    """Any mechanism on three data sets, any prior, and any map of the data as the erasure; the figure is the least epsilon
    that holds of them, as the factor e^epsilon."""
    mechanism, belief = [_distribution(row) for row in rows], _distribution(prior[:3])
    factor = max(
        max(mechanism[x][t] / mechanism[erase[x]][t], mechanism[erase[x]][t] / mechanism[x][t])
        for x in range(3)
        for t in range(4)
    )
    for t in range(4):
        there = [belief[x] * mechanism[x][t] for x in range(3)]
        gone = [belief[x] * mechanism[erase[x]][t] for x in range(3)]
        for some in ((0,), (1,), (0, 2), (1, 2)):
            a = sum(there[x] for x in some) / sum(there)
            b = sum(gone[x] for x in some) / sum(gone)
            assert a <= factor**2 * b
            assert b <= factor**2 * a


def _claim(measure: str, **figures: str) -> Claim:
    return Claim(F(1), measure, tuple(Part(name, None, F(x), at_least=False) for name, x in figures.items()))


@pytest.mark.parametrize(("claim", "says", "silent"), [
    (_claim("pure", epsilon="1"), ("2.719", "7.39", "any statement"), "except"),
    (_claim("approx", epsilon="1", delta="0"), ("2.719", "7.39", "any statement"), "except"),
    (_claim("approx", epsilon="1", delta="1/1000000"), ("7.39", "except", "no bound that is stated here"), "any statement"),
    (_claim("zcdp", rho="1/18"), ("From the claim follows", "except"), "any statement"),
    (_claim("total_variation", delta="1/100"), ("No bound",), "factor"),
    (_claim("approx", epsilon="0", delta="1/100"), ("No bound",), "factor"),
    (_claim("approx", epsilon="1/1000", delta="1/100"), ("No bound",), "factor"),
    (_claim("pure", epsilon="1" + "0" * 400), ("No bound",), "factor"),
])  # fmt: skip
def test_what_is_said(claim: Claim, says: tuple[str, ...], silent: str) -> None:
    found = beliefs(claim, "it been made with one row left out")
    assert all(each in found for each in says), found
    assert silent not in found
