"""Columns of an engine as members of a domain: as which words they are read, and what shows that they are.

Of each column one aggregate counts what is no member, and is asked along with the answer. Where it is not 0, or more may be
there than can be told, the answer is thrown away and the rows are read in batches, which names the first offence.
"""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Generic, TypeAlias, final

from dpcore.domains import Booleans, Categories, Dates, Domain, Integers, Numbers, Optional, Text, key
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.operations import plain, rounded_floats
from dpcore.engines.queries.words import (
    COUNTS,
    DAYS,
    FLOATS,
    SINGLES,
    TEXTS,
    TRUTHS,
    WIDTHS,
    Layout,
    Word,
    fits,
    is_number,
)
from dpcore.errors import all_are
from dpcore.expressions.intervals import Rational
from dpcore.maps import Exact, known

Values: TypeAlias = Collection[Figure]
Admits: TypeAlias = Callable[[Values], bool]

MOST: Final = (1 << 63) - 1
"""The greatest whole number that an engine has in 64 bits."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Check(Generic[X]):
    """An aggregate of all rows that counts those on which a column is no member; null counts for 0."""

    misses: X
    of: X
    admits: Admits
    """Of values of the column: where rows are grouped by it, its values are seen and nothing need be asked."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column(Generic[X]):
    """A column of the engine: doubles, floats of 32 bits as doubles, whole numbers of at most 64 bits, truth values, days or
    texts. Decimals are whole multiples of their last place, and moments that are no midnight a day that no domain has."""

    expr: X
    layout: Layout
    low: int = 0
    high: int = 0
    """Of whole numbers, the least and the greatest that their type holds."""

    step: Rational = 1
    """What each of them is a multiple of."""

    code: X | None = None
    """Of texts that the engine holds as codes: rows are grouped by these in less time, and the groups named by the texts."""

    among: frozenset[str] | None = None
    """Texts of which each value is one, where the type of the column says so."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Read(Generic[X]):
    """A column as a word of a domain, null aside."""

    word: Word[X]
    member: X | None = None
    """True, or null where the column is; None where whatever its type holds is a member."""

    admits: Admits = lambda values: True
    """Of values of the column that are not null."""


def read(dialect: Dialect[X], column: Column[X], domain: Domain) -> tuple[Word[X], list[Check[X]]]:
    """The column as a word of that domain, and what is to be checked."""
    if not isinstance(domain, Optional):
        found = _proper(dialect, column, domain)
        misses = dialect.nulls(column.expr) if found.member is None else dialect.misses(found.member)
        return found.word, [Check(misses, column.expr, lambda values: None not in values and found.admits(values))]
    if column.layout in WIDTHS:  # as in arrays: where null may be, NaN says that nothing was observed
        null = dialect.literal(None, 0.0)
        observed = dialect.choose(dialect.is_nan(column.expr), null, column.expr)
        column = Column(observed, column.layout)
    found = _proper(dialect, column, domain.of)
    if found.member is None:
        return found.word, []
    misses = dialect.how_often(dialect.negation(found.member))
    return found.word, [Check(misses, column.expr, lambda values: found.admits(set(values) - {None}))]


def _proper(dialect: Dialect[X], column: Column[X], domain: Domain) -> Read[X]:
    reader = READERS.get((type(domain), column.layout))
    if isinstance(domain, Categories):
        return _category(dialect, column, domain)
    if reader is None:
        raise NoWord
    found: Read[X] = reader(dialect, column, domain)
    return found


def _as_it_is(dialect: Dialect[X], column: Column[X], domain: Domain) -> Read[X]:
    return Read(Word(column.expr, column.layout, code=column.code))


def _integers(dialect: Dialect[X], column: Column[X], domain: Integers) -> Read[X]:
    if column.step != 1:
        raise NoWord
    return _whole(dialect, column, domain.low, domain.high)


def _on_a_grid(dialect: Dialect[X], column: Column[X], domain: Numbers) -> Read[X]:
    found = _whole(dialect, column, domain.low, domain.high)
    if domain.step is None:
        return found
    ratio = Fraction(known(domain.step, "step")) / column.step
    if ratio.numerator == 1:  # then every value is one of the domain's
        return found
    if ratio.denominator != 1:
        raise NoWord
    every = ratio.numerator
    fits(every, int(found.word.low) - every, int(found.word.high) + every)
    quotient = dialect.floor_divided(column.expr, every)
    on_grid = dialect.equal(dialect.times(quotient, dialect.literal(every, 0)), column.expr)
    member = on_grid if found.member is None else dialect.both(found.member, on_grid)

    def admits(values: Values) -> bool:
        return found.admits(values) and all(isinstance(value, int) and value % every == 0 for value in values)

    return Read(found.word, member, admits)


def _whole(dialect: Dialect[X], column: Column[X], low: Exact | None, high: Exact | None) -> Read[X]:
    least, most = _ends(low, high, column.step)
    lowest = column.low if least is None else max(column.low, least)
    highest = column.high if most is None else min(column.high, most)
    if lowest > highest or lowest > MOST or highest < -MOST:
        raise NoWord
    # Said in 64 bits also where the type has more: such a value raises, and must be looked at.
    least_here, most_here = max(lowest, -MOST - 1), min(highest, MOST)
    member = None
    if lowest > column.low and highest < column.high:
        member = dialect.within(column.expr, least_here, most_here)
    elif lowest > column.low:
        member = dialect.negation(dialect.less(column.expr, dialect.literal(least_here, 0)))
    elif highest < column.high:
        member = dialect.negation(dialect.less(dialect.literal(most_here, 0), column.expr))

    def admits(values: Values) -> bool:
        whole = list(values)
        return not whole or (all_are(whole, int) and lowest <= min(whole) and max(whole) <= highest)

    return Read(Word(column.expr, COUNTS, lowest, highest, column.step), member, admits)


def _ends(low: Exact | None, high: Exact | None, step: Rational) -> tuple[int | None, int | None]:
    """The least and the greatest multiple of the step between them."""
    least, most = (None if end is None else Fraction(known(end, "a bound of the domain")) / step for end in (low, high))
    return (None if least is None else ceil(least)), (None if most is None else floor(most))


def _real(dialect: Dialect[X], column: Column[X], domain: Numbers) -> Read[X]:
    """NaN is below no number; so it is not below the upper end, whether an engine takes it for the greatest or for none."""
    width = WIDTHS[column.layout]
    first = -sys.float_info.max if domain.low is None else width.at_least(known(domain.low, "low"))
    beyond = math.inf if domain.high is None else width.above(known(domain.high, "high"))
    word = Word(column.expr, column.layout, first, beyond)
    below = dialect.less(column.expr, dialect.literal(first, 0.0))
    inside = dialect.both(dialect.negation(below), dialect.less(column.expr, dialect.literal(beyond, 0.0)))
    if domain.step is None:
        return Read(word, inside, _never)
    step = known(domain.step, "step")
    counts = rounded_floats(dialect, word, step)
    numerators = dialect.times(counts.expr, dialect.literal(step.numerator, 0))
    on_grid = dialect.real_over(dialect.as_real(numerators), float(step.denominator))
    if column.layout is SINGLES:
        on_grid = dialect.nearest_single(on_grid)
    return Read(counts, dialect.both(inside, dialect.equal(on_grid, column.expr)), _never)


def _never(values: Values) -> bool:
    """Doubles are no keys."""
    return not values


def _days(dialect: Dialect[X], column: Column[X], domain: Dates) -> Read[X]:
    low, high = domain.low or datetime.date.min, domain.high or datetime.date.max
    below = dialect.less(column.expr, dialect.literal(low, EPOCH))
    above = dialect.less(dialect.literal(high, EPOCH), column.expr)

    def admits(values: Values) -> bool:
        return all(isinstance(value, datetime.date) and low <= value <= high for value in values)

    return Read(Word(column.expr, DAYS), dialect.negation(dialect.either(below, above)), admits)


EPOCH: Final = datetime.date(1970, 1, 1)

KINDS: tuple[tuple[type, Layout], ...] = ((str, TEXTS), (int, COUNTS), (bool, TRUTHS), (datetime.date, DAYS))


def _category(dialect: Dialect[X], column: Column[X], domain: Categories[object]) -> Read[X]:
    """Categories of one type, which the column has."""
    layout = next((layout for kind, layout in KINDS if domain.types() == {kind}), None)
    if layout is None or layout is not column.layout or column.step != 1 or None in domain.values:
        raise NoWord
    members = frozenset(map(key, domain.values))
    no_other = column.among is not None and members.issuperset(map(key, column.among))
    member = None if no_other else dialect.among(column.expr, [plain(value) for value in domain.values])
    values = [value for value in domain.values if is_number(value)]
    low, high = (min(values), max(values)) if layout is COUNTS else (0, 0)
    word = Word(column.expr, layout, int(low), int(high), code=column.code)
    return Read(word, member, lambda values: members.issuperset(map(key, values)))


READERS: Final[Mapping[tuple[type[Domain], Layout], Callable[..., Read[Any]]]] = {
    (Integers, COUNTS): _integers,
    (Numbers, COUNTS): _on_a_grid,
    (Numbers, FLOATS): _real,
    (Numbers, SINGLES): _real,
    (Dates, DAYS): _days,
    (Booleans, TRUTHS): _as_it_is,
    (Text, TEXTS): _as_it_is,
}
"""A domain that is not here is read in batches."""
