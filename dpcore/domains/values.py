"""Domains of single values: whole numbers, numbers on a grid, truth values, categories, text, days."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Generic, TypeGuard, TypeVar, cast, final

from dpcore.domains.bridges import BEYOND, NO_CATEGORY, NULL_MET
from dpcore.domains.domain import FEW, Domain, Real, as_call, expected_a, phantom
from dpcore.domains.keys import Key, day_of, different, key, value_of
from dpcore.domains.missing import NEVER, is_missing
from dpcore.domains.numeric import bind_bound, coarser, contains, real, unwrapped
from dpcore.domains.typed import as_typed
from dpcore.errors import InvalidData, InvalidParameter, is_a
from dpcore.maps import Exact, integer, is_formula, known, symbols_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class NumberDomain(Domain):
    """Numbers in `[low, high]`; a missing bound is no bound."""

    low: Exact | None = None
    high: Exact | None = None

    def __post_init__(self) -> None:
        low, high = self.low, self.high
        for bound, name in ((low, "low"), (high, "high")):
            if bound is not None and type(bound) not in (int, Fraction) and not is_formula(bound):
                raise InvalidParameter(
                    f"Expected an exact {name} but got a {type(bound).__name__}: see `integers`, `numbers`"
                )
        if isinstance(low, (int, Fraction)) and isinstance(high, (int, Fraction)) and low > high:
            raise InvalidParameter(f"Expected low <= high but got low={low}, high={high}", produced=(low, high))

    def surrounds(self, x: int | Fraction) -> bool:
        """Whether a number lies between the bounds, which are known wherever data are looked at."""
        low, high = self.low, self.high
        return (low is None or (low if isinstance(low, (int, Fraction)) else known(low, "low")) <= x) and (
            high is None or x <= (high if isinstance(high, (int, Fraction)) else known(high, "high"))
        )

    @property
    @abstractmethod
    def grid(self) -> Exact | None:
        """What every member is a multiple of, where there is such a number."""


def on_a_grid(domain: object) -> TypeGuard[NumberDomain]:
    """Whether these are numbers that all are multiples of one."""
    return isinstance(domain, NumberDomain) and domain.grid is not None


@final
@dataclass(frozen=True, slots=True, repr=False)
class Integers(NumberDomain):
    """The whole numbers in `[low, high]`; a missing bound is no bound. A float is one where its value is whole."""

    @property
    def grid(self) -> Exact:
        return 1

    def __repr__(self) -> str:
        return as_call("integers", self.low, self.high)

    def offence(self, x: object) -> str | None:
        value = whole(x)
        if value is None:
            return met("a whole number", x)
        return None if self.surrounds(value) else BEYOND

    def canonical(self, x: object) -> object:
        return x if type(x) is int else whole(x)

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Integers) and contains(self.low, self.high, other.low, other.high)

    def elements(self) -> tuple[Hashable, ...] | None:
        if isinstance(self.low, int) and isinstance(self.high, int) and self.high - self.low < FEW:
            return tuple(range(self.low, self.high + 1))
        return None

    def types(self) -> frozenset[type]:
        return frozenset({int})

    def symbols(self) -> frozenset[str]:
        return symbols_of((self.low, self.high))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Integers(_whole(bind_bound(self.low, values), "low"), _whole(bind_bound(self.high, values), "high"))

    def _takes(self) -> int:
        return phantom()

    def _gives(self) -> int:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Numbers(NumberDomain):
    """The multiples of `step` in `[low, high]`; without a step, all finite numbers there (they cannot be summed)."""

    step: Exact | None = None

    @property
    def grid(self) -> Exact | None:
        return self.step

    def __post_init__(self) -> None:
        NumberDomain.__post_init__(self)
        step = self.step
        if step is None or is_formula(step):
            return
        if step <= 0:
            raise InvalidParameter(f"Expected a positive step but got step={step}", produced=step)
        for bound, name in ((self.low, "low"), (self.high, "high")):
            if bound is not None and not is_formula(bound) and (Fraction(bound) / step).denominator != 1:
                raise InvalidParameter(f"Expected {name} to be a multiple of step={step} but got {name}={bound}")

    def __repr__(self) -> str:
        return as_call("numbers", self.low, self.high, self.step)

    def offence(self, x: object) -> str | None:
        value = real(x)
        if value is None:
            import numpy as np

            infinite = isinstance(x, (float, np.floating)) and np.isinf(x)
            return "expected a finite number but got an infinity" if infinite else met("a number", x)
        if not self.surrounds(value):
            return BEYOND
        if self.step is not None and (value / known(self.step, "step")).denominator != 1:
            return "off the grid"
        return None

    def canonical(self, x: object) -> object:
        return real(x)

    def includes(self, other: Domain) -> bool:
        if not isinstance(other, NumberDomain):
            return False
        return coarser(self.step, other.grid) and contains(self.low, self.high, other.low, other.high)

    def types(self) -> frozenset[type]:
        return frozenset({Fraction})

    def symbols(self) -> frozenset[str]:
        return symbols_of((self.low, self.high, self.step))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Numbers(bind_bound(self.low, values), bind_bound(self.high, values), bind_bound(self.step, values))

    def _takes(self) -> Real:
        return phantom()

    def _gives(self) -> Fraction:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Booleans(Domain):
    """True and False."""

    def __repr__(self) -> str:
        return "booleans()"

    def offence(self, x: object) -> str | None:
        return None if isinstance(unwrapped(x), bool) else met("a truth value", x)

    def canonical(self, x: object) -> object:
        return bool(unwrapped(x))

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Booleans)

    def elements(self) -> tuple[Hashable, ...] | None:
        return (False, True)

    def types(self) -> frozenset[type]:
        return frozenset({bool})

    def _takes(self) -> bool:
        return phantom()

    def _gives(self) -> bool:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Categories(Domain, Generic[T]):
    """A few values that are known beforehand, each in the one form of its key: 0.5 is `Fraction(1, 2)`, True is not 1.

    A category that is handed out is as it was typed, so that it is found under 0.1 where it was typed so.
    """

    values: tuple[T, ...]
    _typed: Mapping[Key, T] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.values:
            raise InvalidParameter("Expected at least one category but got none")
        keys = different(self.values, "categories")
        object.__setattr__(self, "_typed", dict(zip(keys, self.values, strict=True)))
        object.__setattr__(self, "values", tuple(map(value_of, keys)))

    def __repr__(self) -> str:
        return f"categories({', '.join(map(as_typed, self.values))})"

    def __eq__(self, other: object) -> bool:
        """The same keys, in the same order."""
        return isinstance(other, Categories) and tuple(map(key, self.values)) == tuple(map(key, other.values))

    def offence(self, x: object) -> str | None:
        if _key_in_data(x) in self._typed:
            return None
        return met("one of the categories", x) if x is None or is_missing(x) else NO_CATEGORY

    def canonical(self, x: object) -> object:
        return x if type(x) in (str, int, bool) else value_of(key(x))

    def given_out(self, x: object) -> T:
        return self._typed[key(x)]

    @property
    def typed(self) -> tuple[T, ...]:
        """The values as they were typed."""
        return tuple(self._typed.values())

    def gives_as_it_holds(self) -> bool:
        return all(type(v) in (str, int, bool, Fraction, datetime.date, type(None)) for v in self.typed)

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Categories) and all(self.member(x) for x in other.values)

    def elements(self) -> tuple[Hashable, ...] | None:
        return self.values

    def types(self) -> frozenset[type]:
        return frozenset({type(value) for value in self.values if value is not None})

    def _takes(self) -> T:
        return phantom()

    def _gives(self) -> T:
        return phantom()


def whole(x: object) -> int | None:
    """A whole number: an integer, or a float whose shortest decimal is one, as a column has them beside missing values."""
    if type(x) is int:
        return x
    import numpy as np

    if isinstance(x, np.integer):
        return None if is_a(x, np.timedelta64) else int(x)  # numpy counts spans of time among its integers
    value = real(x) if isinstance(x, (float, np.floating)) else None
    return value.numerator if value is not None and value.denominator == 1 else None


def _key_in_data(x: object) -> Key | None:
    """None for what has no key, such as a list that holds itself."""
    if type(x) not in NEVER and _is_deep(x):
        return None
    try:
        return key(x)
    except (InvalidData, RecursionError):
        return None


DEEPEST: Final = 64
"""No category is nested deeper. What is, may hold itself, and Python's stack may end before its own limit does."""


def _is_deep(x: object) -> bool:
    level = [x]
    for _ in range(DEEPEST):
        held = [each for each in level if isinstance(each, (list, tuple, Mapping, set, frozenset))]
        inner = (one for each in held for one in (each.values() if isinstance(each, Mapping) else each))
        level = [*{id(one): one for one in inner}.values()]
        if not level:
            return False
    return True


def met(expected: str, x: object) -> str:
    """What is said of a value that is none; what is missing is said to be so, since that has a cure."""
    return f"expected {expected} but got {NULL_MET}" if x is None or is_missing(x) else expected_a(expected, x)


def _whole(x: Exact | None, name: str) -> Exact | None:
    return None if x is None else integer(x, name)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Text(Domain):
    """Any text."""

    def __repr__(self) -> str:
        return "text()"

    def offence(self, x: object) -> str | None:
        return None if isinstance(x, str) else met("a text", x)

    def canonical(self, x: object) -> object:
        return str.__str__(cast(str, x))  # not what a subclass makes of it

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Text) or (
            isinstance(other, Categories) and all(isinstance(x, str) for x in other.values)
        )

    def types(self) -> frozenset[type]:
        return frozenset({str})

    def _takes(self) -> str:
        return phantom()

    def _gives(self) -> str:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Dates(Domain):
    """The days from `low` to `high`; a missing bound is no bound. A moment is a day where it is midnight, of no zone."""

    low: datetime.date | None = None
    high: datetime.date | None = None

    def __repr__(self) -> str:
        bounds = (f"'{d.isoformat()}'" if d is not None else "None" for d in (self.low, self.high))
        return f"date({', '.join(bounds)})" if self.low or self.high else "date()"

    def offence(self, x: object) -> str | None:
        day = day_of(x)
        if day is None:
            return met("a date", x)
        inside = (self.low is None or self.low <= day) and (self.high is None or day <= self.high)
        return None if inside else BEYOND

    def canonical(self, x: object) -> object:
        return day_of(x)

    def includes(self, other: Domain) -> bool:
        if not isinstance(other, Dates):
            return False
        low = self.low is None or (other.low is not None and self.low <= other.low)
        high = self.high is None or (other.high is not None and other.high <= self.high)
        return low and high

    def elements(self) -> tuple[Hashable, ...] | None:
        if self.low is None or self.high is None or (self.high - self.low).days >= FEW:
            return None
        days = range((self.high - self.low).days + 1)
        return tuple(self.low + datetime.timedelta(days=n) for n in days)

    def types(self) -> frozenset[type]:
        return frozenset({datetime.date})

    def _takes(self) -> datetime.date:
        return phantom()

    def _gives(self) -> datetime.date:
        return phantom()
