"""What values an expression can take: a domain of proper values, and whether null is among them.

Operations derive shapes, not domains, so that no rule of theirs has to unwrap `optional(...)`. A symbol in a bound or a
step is read as no bound or no step: the derived domain is wider, never wrong. (A bare `field` or `row` keeps its own.)
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from dpcore.domains import Booleans, Categories, Dates, Domain, Integers, NumberDomain, Numbers, Optional, Text, key
from dpcore.expressions.intervals import INFINITY, End, Interval, Rational, absolute, common_step, hull
from dpcore.maps import Exact, is_formula

NUMBER: Final = "a number"
TRUTH: Final = "a truth value"
TEXT: Final = "a text"
DATE: Final = "a date"
CATEGORY: Final = "a category"


KINDS: Final[tuple[tuple[frozenset[type], str], ...]] = (
    (frozenset({int, Fraction}), NUMBER),
    (frozenset({bool}), TRUTH),
    (frozenset({str}), TEXT),
    (frozenset({datetime.date}), DATE),
)


class Unfit(Exception):
    """An operand of another kind than the operation takes. Becomes `InvalidExpression` in `Apply`."""

    def __init__(self, met: Domain, expected: str) -> None:
        super().__init__(expected)
        self.met, self.expected = met, expected


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """The proper values (None: there are none), and whether null can occur."""

    values: Domain | None
    null: bool = False

    def domain(self) -> Domain:
        if self.values is None:
            nothing: tuple[object, ...] = (None,) if self.null else ()
            return Categories(nothing)
        return Optional(self.values) if self.null else self.values


@final
@dataclass(frozen=True, slots=True)
class Alike:
    """Of two operands that are both of one of these kinds, and the same one, values of a domain."""

    kinds: tuple[str, ...]
    gives: Shape

    def __call__(self, x: Domain, y: Domain) -> Shape:
        same_kind(x, y, *self.kinds)
        return self.gives


ALWAYS_NULL: Final = Shape(None, null=True)


def shape_of(domain: Domain) -> Shape:
    if isinstance(domain, Optional):
        return Shape(shape_of(domain.of).values, null=True)
    if isinstance(domain, Categories):
        if None not in domain.values:
            return Shape(domain)
        proper = tuple([v for v in domain.typed if v is not None])
        return Shape(Categories(proper) if proper else None, null=True)
    return Shape(domain)


def kind(domain: Domain) -> str | None:
    """What operations may be applied to the values; None where nothing may."""
    types = domain.types()
    for members, name in KINDS:
        if types and types <= members:
            return name
    return CATEGORY if isinstance(domain, Categories) else None


def expect(domain: Domain, *kinds: str) -> str:
    found = kind(domain)
    if found is None or found not in kinds:
        raise Unfit(domain, " or ".join(kinds))
    return found


def same_kind(x: Domain, y: Domain, *kinds: str) -> str:
    """Both of one of the kinds, and the same one; categories of several types meet anything."""
    first = expect(x, *kinds)
    second = expect(y, *kinds)
    if first != second and CATEGORY not in (first, second):
        raise Unfit(y, first)
    return first


def interval(domain: Domain) -> Interval:
    """The interval of a numeric domain."""
    expect(domain, NUMBER)
    if isinstance(domain, NumberDomain):
        whole = isinstance(domain, Integers)
        return Interval(_low(domain.low), _high(domain.high), _known(domain.grid), whole).tight()
    assert isinstance(domain, Categories)
    values = [v for v in domain.values if isinstance(v, (int, Fraction))]
    whole = all(type(v) is int for v in values)
    step: Rational | None = 1 if whole else 0
    for v in values:
        step = 1 if whole else common_step(step, absolute(v))
    return Interval(min(values), max(values), step or None, whole)


def _known(x: Exact | None) -> Rational | None:
    return None if x is None or is_formula(x) else x


def _low(x: Exact | None) -> End:
    found = _known(x)
    return -INFINITY if found is None else found


def _high(x: Exact | None) -> End:
    found = _known(x)
    return INFINITY if found is None else found


def numeric(found: Interval | None, *, null: bool = False) -> Shape:
    """The shape of numbers in an interval; None where there is no number."""
    if found is None:
        return ALWAYS_NULL
    tight = found.tight()
    if tight.low > tight.high:
        return Shape(None, null)
    low, high = _bound(tight.low), _bound(tight.high)
    if tight.whole:
        return Shape(Integers(low, high), null)
    return Shape(Numbers(low, high, _lowest(tight.step)), null)


def _bound(x: End) -> Rational | None:
    return None if isinstance(x, float) else _lowest(x)


def _lowest(x: Rational | None) -> Rational | None:
    return x.numerator if x is not None and x.denominator == 1 else x


def union(x: Domain, y: Domain) -> Domain:
    """A domain that includes both."""
    if x == y:
        return x
    first, second = kind(x), kind(y)
    if isinstance(x, Categories) and isinstance(y, Categories) and (first, second) != (NUMBER, NUMBER):
        if first != second and CATEGORY not in (first, second):
            raise Unfit(y, str(first))
        return Categories(distinct((*x.typed, *y.typed)))
    if first is None or first != second:
        raise Unfit(y, first or repr(x))
    if first == NUMBER:
        found = numeric(hull(interval(x), interval(y))).values
        assert found is not None
        return found
    if first == DATE:
        low, high = zip(dates(x), dates(y), strict=True)
        return Dates(_edge(low, min), _edge(high, max))
    return Booleans() if first == TRUTH else Text()


def _edge(
    ends: tuple[datetime.date | None, ...], pick: Callable[[list[datetime.date]], datetime.date]
) -> datetime.date | None:
    known = [end for end in ends if end is not None]
    return pick(known) if len(known) == len(ends) else None


def distinct(values: tuple[object, ...]) -> tuple[object, ...]:
    """Each once, in order; True and 1 are two values."""
    return tuple({key(v): v for v in values}.values())


def dates(domain: Domain) -> tuple[datetime.date | None, datetime.date | None]:
    """The first and the last day of a domain of dates."""
    expect(domain, DATE)
    if isinstance(domain, Dates):
        return domain.low, domain.high
    assert isinstance(domain, Categories)
    days = [v for v in domain.values if isinstance(v, datetime.date)]
    return min(days), max(days)


def merged(x: Shape, y: Shape) -> Shape:
    """Either of the two."""
    if x.values is None or y.values is None:
        return Shape(x.values or y.values, x.null or y.null)
    return Shape(union(x.values, y.values), x.null or y.null)
