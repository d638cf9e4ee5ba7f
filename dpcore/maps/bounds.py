"""A real number that is known exactly, or between two rationals. Every figure dpcore states is one.

`Bound` keeps the exact rational where there is one and an enclosure where log, exp or sqrt entered. What a search found
is a rational too, and is printed as the upper bound that it is. `float()` rounds up;
`+` and the comparisons are exact: an undecided comparison is asked again with more bits, and refused at the limit, never
decided by a float.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import NoReturn, final

from dpcore.errors import InvalidParameter, Undecided
from dpcore.maps import (
    PRECISION,
    PRECISION_LIMIT,
    Number,
    Overlap,
    at_precision,
    ends,
    exact,
    fraction_of,
    is_rational,
    is_short,
    known,
    numeral,
    upward,
)


@final
class Bound:
    """A real number: an exact rational, or an enclosure that can be made as narrow as a question needs."""

    __slots__ = ("_again", "above", "value")

    value: Number
    above: bool
    """Whether it may lie above what it stands for, though it is rational: a search found it, or it was rounded up."""

    _again: Callable[[], Number] | None

    def __init__(
        self, value: Number | str | Fraction, again: Callable[[], Number] | None = None, above: bool = False
    ) -> None:
        """A number of the readings, or as it is typed, `Bound('1/3')`."""
        _set_value(self, numeral(known(exact(value))) if isinstance(value, (str, Fraction)) else value)
        _set_again(self, again)
        _set_above(self, above)

    def __reduce__(self) -> tuple[object, ...]:
        return Bound, (self.value, self._again, self.above)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    @classmethod
    def of(cls, compute: Callable[[], Number], above: bool = False) -> Bound:
        """The number that `compute` gives: once if it is rational, at any precision if it is not."""
        try:
            value = compute()
            if is_rational(value):
                made = object.__new__(cls)  # what a rule computed needs no reading
                _set_value(made, value)
                _set_again(made, None)
                _set_above(made, above)
                return made
        except Overlap:
            pass
        return cls(at_precision(PRECISION, compute), compute, above)

    @property
    def exact(self) -> Fraction | None:
        """The number itself where it is rational, None where only an enclosure is known; see also `above`."""
        return ends(self.value)[0] if is_rational(self.value) else None

    @property
    def printable(self) -> Fraction | None:
        """The number itself where it is rational, is meant exactly, and has no more digits than can be printed."""
        written = not self.above and is_rational(self.value) and all(map(is_short, fraction_of(self.value)))
        return self.exact if written else None

    @property
    def lower(self) -> Fraction:
        """A rational at or below the number."""
        return ends(self.value)[0]

    @property
    def upper(self) -> Fraction:
        """A rational at or above the number."""
        return ends(self.value)[1]

    def __float__(self) -> float:
        """The least float at or above the upper end."""
        return upward(self.value)

    @property
    def downward(self) -> float:
        """A float at or below the number, for figures of which more is more private; none of them is below 0."""
        return max(0.0, -upward(-self.lower))

    def __repr__(self) -> str:
        known = self.printable
        return f"Bound('{known}')" if known is not None else f"<Bound <= {float(self)!r}>"

    def __str__(self) -> str:
        known = self.printable
        return str(known) if known is not None else repr(float(self))

    def __hash__(self) -> int:
        return hash(self.exact) if self.exact is not None else hash((self.lower, self.upper))

    def __eq__(self, other: object) -> bool:
        """Equal rationals, or the same enclosure: what is known is the same. Use `<=` to decide between numbers."""
        if isinstance(other, Bound):
            return ends(self.value) == ends(other.value)
        if isinstance(other, (int, float, Fraction, str)) and not isinstance(other, bool):
            try:
                return self.exact is not None and self.exact == exact(other)
            except InvalidParameter:  # NaN, infinities and texts that are no numbers equal nothing
                return False
        return NotImplemented

    def __add__(self, other: Bound | int | Fraction) -> Bound:
        right = bound(other)
        return Bound.of(lambda: self.at() + right.at(), self.above or right.above)

    __radd__ = __add__

    def __mul__(self, other: Bound | int | Fraction) -> Bound:
        right = bound(other)
        return Bound.of(lambda: self.at() * right.at(), self.above or right.above)

    __rmul__ = __mul__

    def __sub__(self, other: Bound | int | Fraction) -> Bound:
        right = bound(other)
        return Bound.of(lambda: self.at() - right.at(), self.above or right.above)

    def __le__(self, other: Bound | int | float | Fraction | str) -> bool:
        return _is_infinite(other) > 0 or (not _is_infinite(other) and self._decide(bound(other), strict=False))

    def __lt__(self, other: Bound | int | float | Fraction | str) -> bool:
        return _is_infinite(other) > 0 or (not _is_infinite(other) and self._decide(bound(other), strict=True))

    def __ge__(self, other: Bound | int | float | Fraction | str) -> bool:
        return _is_infinite(other) < 0 or (not _is_infinite(other) and bound(other)._decide(self, strict=False))

    def __gt__(self, other: Bound | int | float | Fraction | str) -> bool:
        return _is_infinite(other) < 0 or (not _is_infinite(other) and bound(other)._decide(self, strict=True))

    def at(self) -> Number:
        """The number at the precision that is set now."""
        return self.value if self._again is None else self._again()

    def _decide(self, other: Bound, *, strict: bool) -> bool:
        if self is other:
            return not strict
        bits = PRECISION
        (low, high), (their_low, their_high) = ends(self.value), ends(other.value)
        while True:
            if high < their_low or (high == their_low and not strict):
                return True
            if low > their_high or (low == their_high and strict):
                return False
            if (self._again is None and other._again is None) or bits > PRECISION_LIMIT:
                raise Undecided(f"{self} and {other} were not told apart with {bits // 2} bits", left=self, right=other)
            low, high = ends(at_precision(bits, self.at))
            their_low, their_high = ends(at_precision(bits, other.at))
            bits *= 2


# Assignment is refused, so the constructor goes by the slots themselves.
_set_value = Bound.__dict__["value"].__set__
_set_again = Bound.__dict__["_again"].__set__
_set_above = Bound.__dict__["above"].__set__


def _is_infinite(x: object) -> int:
    """1 or -1 for the infinite floats, such as the distance of data that no steps join: every number lies between them."""
    return (x > 0) - (x < 0) if isinstance(x, float) and math.isinf(x) else 0


def bound(x: Bound | int | float | Fraction | str) -> Bound:
    """A number as it is typed: a float is read as its shortest decimal."""
    return x if isinstance(x, Bound) else Bound(numeral(known(exact(x))))
