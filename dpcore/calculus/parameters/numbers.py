"""Which numbers a parameter may be: for certificates, for whoever binds symbols, and for the schema."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dpcore.calculus.parameters.data import Json
from dpcore.calculus.parameters.formulas import bound_to, is_open
from dpcore.calculus.parameters.kind import Many, NumberKind
from dpcore.errors import DPError, InvalidDistance, InvalidParameter
from dpcore.maps import Exact, is_formula

_FROM_ONE = "[1-9][0-9]*"
_OVER = "(/[1-9][0-9]*)?"


class Square(NumberKind):
    """What a user wrote as a number, and is carried as its square, which does not show that the number is negative."""

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        NumberKind.check(self, name, bound, before, values)
        check_bases(name, before, values)


class Distance(Square):
    """How far a step moves what a part is given; of L2 it is the square."""

    def refused(self, why: str, written: str) -> DPError:
        return InvalidDistance(why, produced=Fraction(written))


def check_bases(name: str, x: Json, values: Mapping[str, Exact]) -> None:
    """Refuse powers of negative numbers in a formula."""
    if not isinstance(x, dict) or not is_open(x) or "of" not in x:
        return
    of = x["of"]
    assert isinstance(of, list)
    if x["op"] == "power" and is_open(of[0]):
        value = bound_to(of[0], values)
        if not is_formula(value) and value < 0:
            raise InvalidParameter(f"Expected {name} to be the square of a positive number but got ({value})^2")
    for each in of:
        check_bases(name, each, values)


def _is_whole(x: Fraction) -> bool:
    return x.denominator == 1


NUMBER: Final = NumberKind("number", "a number", lambda x: True, f"^(0|-?{_FROM_ONE}{_OVER})$")
AT_LEAST_0: Final = NumberKind("notNegative", "of at least 0", lambda x: x >= 0, f"^(0|{_FROM_ONE}{_OVER})$")
POSITIVE: Final = NumberKind("positive", "above 0", lambda x: x > 0, f"^{_FROM_ONE}{_OVER}$")
UNIT: Final = NumberKind("between0And1", "between 0 and 1", lambda x: 0 < x < 1, f"^{_FROM_ONE}/{_FROM_ONE}$")
ABOVE_1: Final = NumberKind("above1", "above 1", lambda x: x > 1, f"^{_FROM_ONE}{_OVER}$")
WHOLE: Final = NumberKind("whole", "that is whole", _is_whole, f"^(0|-?{_FROM_ONE})$")
WHOLE_FROM_0: Final = NumberKind(
    "wholeFrom0", "that is whole, from 0", lambda x: _is_whole(x) and x >= 0, f"^(0|{_FROM_ONE})$"
)
COUNT: Final = NumberKind("wholeFrom1", "that is whole, from 1", lambda x: _is_whole(x) and x >= 1, f"^{_FROM_ONE}$")
FROM_2: Final = NumberKind(
    "wholeFrom2", "that is whole, from 2", lambda x: _is_whole(x) and x >= 2, "^([2-9]|[1-9][0-9]+)$"
)

NUMBERS: Final = (NUMBER, AT_LEAST_0, POSITIVE, UNIT, ABOVE_1, WHOLE, WHOLE_FROM_0, COUNT, FROM_2)
"""Each with a definition of its own in the schema."""

SQUARE: Final = Square(POSITIVE.name, POSITIVE.says, POSITIVE.holds, POSITIVE.pattern)
STEPS: Final = Many(
    "rowsOfFigures", Many("", Distance(AT_LEAST_0.name, AT_LEAST_0.says, AT_LEAST_0.holds, AT_LEAST_0.pattern))
)
"""Vectors of distances."""

FIGURES: Final = Many("figures", NUMBER)
ORDERS: Final = Many("orders", ABOVE_1)
LOSS: Final = Many("loss", AT_LEAST_0)
ROWS_OF_FIGURES: Final = Many("rowsOfFigures", Many("", AT_LEAST_0))
COUNTS_OF_EACH: Final = Many("countsOfEach", Many("", WHOLE_FROM_0))
