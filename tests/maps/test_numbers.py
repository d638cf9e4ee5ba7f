"""What a user types is read as the number that was typed; what is none is refused by the name of its parameter."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidParameter
from dpcore.maps import exact, integer

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    "typed", [0.1, "0.1", "1/10", Decimal("0.1"), np.float64(0.1), sympy.Rational(1, 10)], ids=repr
)
def test_a_tenth_however_it_is_typed(typed: object) -> None:
    assert exact(typed) == TENTH


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_shortest_decimal_that_reads_back(x: float) -> None:
    assert exact(x) == Fraction(repr(x))


@given(st.fractions())
def test_a_whole_number_is_an_int(x: Fraction) -> None:
    assert isinstance(exact(str(x)), int) == (x.denominator == 1)


@pytest.mark.parametrize("typed", [True, float("nan"), "inf", "1/0", "ten", "1e999999999", None, [1], 1j], ids=repr)
def test_what_is_no_number_is_refused_by_name(typed: object) -> None:
    with pytest.raises(InvalidParameter, match="scale"):
        exact(typed, "scale")


def test_a_whole_number_is_asked_for() -> None:
    assert integer("3.0") == 3
    with pytest.raises(InvalidParameter, match="Expected a whole number but got bins=0\\.5"):
        integer(0.5, "bins")
