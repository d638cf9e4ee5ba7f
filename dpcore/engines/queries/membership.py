"""Columns of an engine as members of a domain: as which words they are read, and by which aggregates it shows that they are.

The aggregates are asked along with the answer. Where one of them shows that something is no member, or more may be there
than can be told, the answer is thrown away and the rows are read in batches, which names the first offence.
"""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, final

from dpcore.domains import Booleans, Categories, Dates, Domain, Integers, Numbers, Optional, Text, key
from dpcore.domains.keys import NULL_KEY
from dpcore.engines.numpy import floats
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.operations import plain, rounded_floats
from dpcore.engines.queries.words import COUNTS, DAYS, FLOATS, TEXTS, TRUTHS, Layout, Word, is_number
from dpcore.maps import Exact, known

Holds: TypeAlias = Callable[[Sequence[Figure]], bool]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Check(Generic[X]):
    """Aggregates of all rows, and whether what they give shows that all are members."""

    asked: tuple[X, ...]
    holds: Holds
    of: X | None = None
    admits: Callable[[Figure], bool] = lambda value: False
    """Of a column, and a value of it: where rows are grouped by it, its values are seen and nothing need be asked."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column(Generic[X]):
    """A column of the engine: doubles, whole numbers of at most 64 bits, truth values, days or texts."""

    expr: X
    layout: Layout
    low: int = 0
    high: int = 0
    """Of whole numbers, the least and the greatest that their type holds."""


def none(figures: Sequence[Figure]) -> bool:
    """Whether it was so on no row; null is what some engines count of none."""
    return figures[0] in (0, None)


def read(dialect: Dialect[X], column: Column[X], domain: Domain) -> tuple[Word[X], list[Check[X]]]:
    """The column as a word of that domain, and what is to be checked."""
    if not isinstance(domain, Optional):
        word, checks = _proper(dialect, column, domain)
        return word, [*checks, Check((dialect.nulls(column.expr),), none)]
    if column.layout is FLOATS:  # as in arrays: where null may be, NaN says that nothing was observed
        null = dialect.literal(None, 0.0)
        observed = dialect.choose(dialect.is_nan(column.expr), null, column.expr)
        column = Column(observed, FLOATS)
    return _proper(dialect, column, domain.of)


def _proper(dialect: Dialect[X], column: Column[X], domain: Domain) -> tuple[Word[X], list[Check[X]]]:
    reader = READERS.get((type(domain), column.layout))
    if isinstance(domain, Categories):
        return _category(dialect, column, domain)
    if reader is None:
        raise NoWord
    word, checks = reader(dialect, column, domain)
    return word, checks


def _as_it_is(dialect: Dialect[X], column: Column[X], domain: Domain) -> tuple[Word[X], list[Check[X]]]:
    return Word(column.expr, column.layout), []


def _integers(dialect: Dialect[X], column: Column[X], domain: Integers) -> tuple[Word[X], list[Check[X]]]:
    return _whole(dialect, column, domain.low, domain.high)


def _whole_numbers(dialect: Dialect[X], column: Column[X], domain: Numbers) -> tuple[Word[X], list[Check[X]]]:
    if domain.step is not None:
        raise NoWord
    return _whole(dialect, column, domain.low, domain.high)


def _whole(
    dialect: Dialect[X], column: Column[X], low: Exact | None, high: Exact | None
) -> tuple[Word[X], list[Check[X]]]:
    least, most = _ends(low, high)
    lowest = column.low if least is None else max(column.low, least)
    highest = column.high if most is None else min(column.high, most)
    if lowest > highest:
        raise NoWord
    word = Word(column.expr, COUNTS, lowest, highest)
    if lowest == column.low and highest == column.high:
        return word, []
    return word, [_inside(dialect, column.expr, lambda a, b: lowest <= a and b <= highest)]


def _ends(low: Exact | None, high: Exact | None) -> tuple[int | None, int | None]:
    """The least and the greatest whole number between them."""
    least, most = (None if end is None else known(end, "a bound of the domain") for end in (low, high))
    return (None if least is None else int(-(-least // 1))), (None if most is None else int(most // 1))


def _inside(dialect: Dialect[X], expr: X, inside: Callable[[float, float], bool]) -> Check[X]:
    def holds(figures: Sequence[Figure]) -> bool:
        least, most = figures
        if not isinstance(least, (int, float)) or not isinstance(most, (int, float)):
            return least is None and most is None  # of no rows, or of nulls alone
        return inside(least, most)

    return Check((dialect.least(expr), dialect.greatest(expr)), holds)


def _real(dialect: Dialect[X], column: Column[X], domain: Numbers) -> tuple[Word[X], list[Check[X]]]:
    first = -sys.float_info.max if domain.low is None else floats.at_least(known(domain.low, "low"))
    beyond = math.inf if domain.high is None else floats.above(known(domain.high, "high"))
    word = Word(column.expr, FLOATS, first, beyond)
    nan = dialect.how_often(dialect.is_nan(column.expr))
    checks = [
        _inside(dialect, column.expr, lambda a, b: first <= a and b < beyond),
        Check((nan,), none),
    ]
    if domain.step is None:
        return word, checks
    step = known(domain.step, "step")
    counts = rounded_floats(dialect, word, step)
    numerators = dialect.times(counts.expr, dialect.literal(step.numerator, 0))
    on_grid = dialect.real_over(dialect.as_real(numerators), float(step.denominator))
    off = dialect.how_often(dialect.negation(dialect.equal(on_grid, column.expr)))
    return counts, [*checks, Check((off,), none)]


def _days(dialect: Dialect[X], column: Column[X], domain: Dates) -> tuple[Word[X], list[Check[X]]]:
    low, high = domain.low or datetime.date.min, domain.high or datetime.date.max
    least, most = dialect.least(column.expr), dialect.greatest(column.expr)

    def holds(figures: Sequence[Figure]) -> bool:
        first, last = figures
        if not isinstance(first, datetime.date) or not isinstance(last, datetime.date):
            return first is None and last is None
        return low <= first and last <= high

    return Word(column.expr, DAYS), [Check((least, most), holds)]


KINDS: tuple[tuple[type, Layout], ...] = ((str, TEXTS), (int, COUNTS), (bool, TRUTHS), (datetime.date, DAYS))


def _category(dialect: Dialect[X], column: Column[X], domain: Categories[object]) -> tuple[Word[X], list[Check[X]]]:
    """Categories of one type, which the column has."""
    layout = next((layout for kind, layout in KINDS if domain.types() == {kind}), None)
    if layout is None or layout is not column.layout or None in domain.values:
        raise NoWord
    others = dialect.negation(dialect.among(column.expr, [plain(value) for value in domain.values]))
    members = frozenset([NULL_KEY, *map(key, domain.values)])  # whether null may be is another check
    checks = [Check((dialect.how_often(others),), none, column.expr, lambda value: key(value) in members)]
    values = [value for value in domain.values if is_number(value)]
    low, high = (min(values), max(values)) if layout is COUNTS else (0, 0)
    return Word(column.expr, layout, int(low), int(high)), checks


READERS: Final[Mapping[tuple[type[Domain], Layout], Callable[..., tuple[Word[Any], list[Check[Any]]]]]] = {
    (Integers, COUNTS): _integers,
    (Numbers, COUNTS): _whole_numbers,
    (Numbers, FLOATS): _real,
    (Dates, DAYS): _days,
    (Booleans, TRUTHS): _as_it_is,
    (Text, TEXTS): _as_it_is,
}
"""A domain that is not here is read in batches."""
