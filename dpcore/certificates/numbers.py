"""What the numbers of a certificate can be, each by the name of its field: for whoever binds symbols, and for the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

_FROM_ONE = "[1-9][0-9]*"
_OVER = "(/[1-9][0-9]*)?"


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """A set of numbers: in words, by membership, and by how they are written (as far as that can tell)."""

    name: str
    says: str
    holds: Callable[[Fraction], bool]
    pattern: str


def _whole(x: Fraction) -> bool:
    return x.denominator == 1


NUMBER: Final = Kind("number", "a number", lambda x: True, f"^(0|-?{_FROM_ONE}{_OVER})$")
LEAST: Final = Kind("notNegative", "of at least 0", lambda x: x >= 0, f"^(0|{_FROM_ONE}{_OVER})$")
POSITIVE: Final = Kind("positive", "above 0", lambda x: x > 0, f"^{_FROM_ONE}{_OVER}$")
UNIT: Final = Kind("between0And1", "between 0 and 1", lambda x: 0 < x < 1, f"^{_FROM_ONE}/{_FROM_ONE}$")
ORDER: Final = Kind("above1", "above 1", lambda x: x > 1, f"^{_FROM_ONE}{_OVER}$")
WHOLE: Final = Kind("whole", "that is whole", _whole, f"^(0|-?{_FROM_ONE})$")
WHOLE_FROM_0: Final = Kind("wholeFrom0", "that is whole, from 0", lambda x: _whole(x) and x >= 0, f"^(0|{_FROM_ONE})$")
COUNT: Final = Kind("wholeFrom1", "that is whole, from 1", lambda x: _whole(x) and x >= 1, f"^{_FROM_ONE}$")
FROM_2: Final = Kind("wholeFrom2", "that is whole, from 2", lambda x: _whole(x) and x >= 2, "^([2-9]|[1-9][0-9]+)$")

KINDS: Final = (NUMBER, LEAST, POSITIVE, UNIT, ORDER, WHOLE, WHOLE_FROM_0, COUNT, FROM_2)

NUMBERS: Final[Mapping[str, Kind]] = {
    name: kind
    for kind, names in (
        (POSITIVE, "scale threshold_scale query_scale sigma_squared step d_in"),
        (LEAST, "column bound epsilon"),
        (UNIT, "delta slack p at_most"),
        (ORDER, "alpha"),
        (COUNT, "limit k hits b size rows"),
        (WHOLE_FROM_0, "a"),
        (FROM_2, "at_least"),
        (WHOLE, "threshold"),
        (NUMBER, "low high"),
    )
    for name in names.split()
}
"""For each parameter, witness and field that is one number, which numbers it can be."""
