"""What an engine has words for. Each means exactly what is said here, for 64 bits, IEEE doubles, code points and days.

Whoever adds an engine writes these and nothing else: what they are put together to, and when that is exact, is said once,
in `words` and `operations`. An operation that an engine cannot do exactly is not written: it raises `NoWord`.
"""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, TypeAlias, TypeVar

X = TypeVar("X")

Plain: TypeAlias = bool | int | float | str | datetime.date
"""A constant: a truth value, a whole number of 64 bits, a double, a text, a day."""

Figure: TypeAlias = Hashable
"""What an aggregate gives: as Python holds it, None for null."""


class NoWord(Exception):
    """The engine has no exact word for it."""


class Dialect(ABC, Generic[X]):
    """Expressions of one engine. Unless it is said otherwise, the result is null where an operand is."""

    def let(self, x: X) -> X:
        """The same, worked out once where it is used more than once, if the engine can be told so."""
        return x

    @abstractmethod
    def literal(self, value: Plain | None, like: Plain) -> X:
        """A constant, or null of the same type as `like`."""

    # -- whole numbers; no result leaves 64 bits, of which the caller has made sure --

    @abstractmethod
    def plus(self, x: X, y: X) -> X: ...
    @abstractmethod
    def minus(self, x: X, y: X) -> X: ...
    @abstractmethod
    def times(self, x: X, y: X) -> X: ...
    @abstractmethod
    def floor_divided(self, x: X, by: int) -> X:
        """Rounded down, by a positive number."""

    @abstractmethod
    def is_odd(self, x: X) -> X: ...
    @abstractmethod
    def one_if(self, x: X) -> X:
        """1 for True, 0 for False."""

    # -- doubles --

    @abstractmethod
    def as_real(self, x: X) -> X:
        """A whole number below 2**53 as the same double."""

    @abstractmethod
    def real_times(self, x: X, by: float) -> X: ...
    @abstractmethod
    def real_over(self, x: X, by: float) -> X:
        """Rounded to nearest, as IEEE says."""

    @abstractmethod
    def floored(self, x: X) -> X:
        """Rounded down to a whole number."""

    @abstractmethod
    def nearest_single(self, x: X) -> X:
        """The float of 32 bits next to a double below 2**53, as a double; the even one of two."""

    def in_steps(self, x: X, p: int, q: int, *, single: bool) -> X | None:
        """What `operations.rounded_floats` gives for steps of p/q, under its conditions, if the engine has a quicker way;
        of floats of 32 bits where it says so."""
        return None

    @abstractmethod
    def is_nan(self, x: X) -> X: ...

    # -- comparison: numbers by value, texts by code points, days by time --

    @abstractmethod
    def less(self, x: X, y: X) -> X: ...
    @abstractmethod
    def equal(self, x: X, y: X) -> X: ...
    @abstractmethod
    def among(self, x: X, values: Sequence[Plain]) -> X: ...

    def within(self, x: X, low: int, high: int) -> X:
        """Whether a whole number lies between these two, or is one of them."""
        below, above = self.less(x, self.literal(low, 0)), self.less(self.literal(high, 0), x)
        return self.both(self.negation(below), self.negation(above))

    # -- truth values: Kleene's, so that False and null is False --

    @abstractmethod
    def both(self, x: X, y: X) -> X: ...
    @abstractmethod
    def either(self, x: X, y: X) -> X: ...
    @abstractmethod
    def negation(self, x: X) -> X: ...

    # -- null --

    @abstractmethod
    def is_null(self, x: X) -> X:
        """True or False, never null."""

    @abstractmethod
    def choose(self, condition: X, then: X, otherwise: X) -> X:
        """`otherwise` where the condition is False or null."""

    # -- days and texts --

    @abstractmethod
    def day_part(self, part: str, x: X) -> X:
        """The `year`, the `month`, the `day` of the month from 1, the `weekday` from 0 for Monday."""

    @abstractmethod
    def day_number(self, x: X) -> X:
        """Counted from 1970-01-01."""

    @abstractmethod
    def length(self, x: X) -> X:
        """In code points."""

    @abstractmethod
    def starts_with(self, x: X, start: str) -> X: ...
    @abstractmethod
    def contains(self, x: X, part: str) -> X: ...

    # -- aggregates of all rows, which for parts of them add up; null counts for nothing --

    @abstractmethod
    def rows(self) -> X:
        """How many there are."""

    @abstractmethod
    def how_often(self, x: X) -> X:
        """On how many rows it is True."""

    @abstractmethod
    def misses(self, x: X) -> X:
        """On how many rows it is False or null; never null itself."""

    def nulls(self, x: X) -> X:
        """On how many rows it is null."""
        return self.how_often(self.is_null(x))

    @abstractmethod
    def sum(self, x: X) -> X:
        """Of whole numbers, exactly, of up to 2**32 rows with up to 31 bits each; 0 or null of none."""
