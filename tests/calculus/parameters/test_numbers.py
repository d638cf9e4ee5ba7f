"""Kinds of numbers: what is written is read back, and the pattern of the schema holds every member."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.calculus.parameters import ABOVE_1, DIGITS, NUMBERS, UNIT, NumberKind
from dpcore.calculus.parameters.formulas import number

VALUES = sorted({Fraction(sign * n, m) for sign in (1, -1) for n in range(13) for m in range(1, 8)})
TOLD_IN_PART = (UNIT, ABOVE_1)  # a pattern cannot compare two numbers


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.name)
def test_every_member_is_written_as_the_schema_says_and_read_back(kind: NumberKind) -> None:
    members = [value for value in VALUES if kind.holds(value)]
    assert len(members) > 10
    for value in members:
        written = kind.encode(value)
        assert isinstance(written, str)
        assert re.search(kind.pattern, written)
        assert kind.decode(written) == value


@pytest.mark.parametrize("kind", [kind for kind in NUMBERS if kind not in TOLD_IN_PART], ids=lambda kind: kind.name)
def test_the_schema_takes_no_other(kind: NumberKind) -> None:
    taken = [value for value in VALUES if re.search(kind.pattern, str(value))]
    assert taken == [value for value in VALUES if kind.holds(value)]


@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.name)
def test_formulas_in_symbols_are_read_back(kind: NumberKind) -> None:
    formula = 2 * dp.symbol("b") ** 2 / 3 + dp.symbol("c")
    assert kind.decode(kind.encode(formula)) == formula


def test_a_number_of_too_many_digits_is_not_written() -> None:
    assert number(10**DIGITS - 1) == "9" * DIGITS
    for value in (10**DIGITS, Fraction(1, 10**DIGITS)):
        with pytest.raises(dp.errors.NotCertifiable, match="digits"):
            number(value)
