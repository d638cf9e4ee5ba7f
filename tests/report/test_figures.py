"""Decimals are on the safe side of what they stand for, and close to it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.report.markup import Figure, above, below, percent

numbers = st.one_of(
    st.fractions(0, 10**9),
    st.builds(lambda x, e: Fraction(x) * Fraction(10) ** e, st.integers(1, 10**12), st.integers(-400, 400)),
)


def _value(figure: Figure) -> Fraction:
    return Fraction(figure.digits) * Fraction(10) ** figure.exponent


@given(numbers)
def test_rounded_to_the_safe_side(x: Fraction) -> None:
    up, down = above(x), below(x)
    assert _value(down) <= x <= _value(up)
    assert up.exact == (_value(up) == x)
    assert down.exact == (_value(down) == x)
    assert _value(up) - x <= x / 10**5
    assert x - _value(down) <= x / 10**5


@given(st.fractions(0, 1))
def test_percent_is_rounded_up_and_never_above_all(x: Fraction) -> None:
    digits, _, exponent = percent(x)[:-1].partition("e")
    assert x * 100 <= Fraction(digits) * Fraction(10) ** int(exponent or 0) <= 100


@pytest.mark.parametrize(("x", "shown", "html"), [
    ("0", "0", "0"),
    ("1", "1", "1"),
    ("1/3", "0.333334", "0.333334"),
    ("1/1000000", "1e-6", "10<sup>\N{MINUS SIGN}6</sup>"),
    ("3/2000000", "1.5e-6", "1.5 \N{MULTIPLICATION SIGN} 10<sup>\N{MINUS SIGN}6</sup>"),
    ("9999999", "10000000", "10000000"),
])  # fmt: skip
def test_how_it_is_shown(x: str, shown: str, html: str) -> None:
    figure = above(Fraction(x))
    assert str(figure) == shown
    assert html in figure.html
