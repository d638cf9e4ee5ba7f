"""What the dialects of SQL have in common: words as text, and queries made of them without a name in anybody's catalog.

Columns are called `c0`, `c1`, ... before anything else is done, and what is used more than once is a column `m0`, `m1`, ...
of a query around it: so no name of the user's meets one that is made here. Functions are called by their whole names, for
SQL lets users give a `sum` or a `+` of their own to every query of a session.
"""

from __future__ import annotations

import datetime
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from dpcore.engines.queries.asking import Engine, FigureColumns, Groups, number, numbers
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, Plain

LONG: Final = 400
"""A longer text becomes a column: written out wherever it is used, it would double and double again."""

MADE: Final = re.compile(r"\bm(\d+)\b")
"""What may be a column that was made; in a text that is quoted it is none, and one more column does no harm."""

TYPES: Final[Mapping[type, str]] = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", datetime.date: "DATE"}

MOST_SETS: Final = 30
"""Of these a number of 32 bits tells which one a row is of."""

Rows: TypeAlias = Sequence[Sequence[Figure]]
"""Of an answer: the value of the group, if there is one, then the aggregates."""

Levels: TypeAlias = Sequence[Mapping[str, str]]
"""Columns by name, each of which is made of those of the levels before."""


class SqlDialect(Dialect[str]):
    """Words that every SQL has. The engines differ in how builtin functions are called, and in texts."""

    text_type: str

    def __init__(self) -> None:
        self._made: list[str] = []

    @abstractmethod
    def named(self, function: str) -> str:
        """A function of the engine's own, whatever the user calls by that name."""

    @abstractmethod
    def quoted(self, text: str) -> str:
        """A text, compared by its code points."""

    # -- columns that are made --

    def let(self, x: str) -> str:
        if x.isidentifier():
            return x
        self._made.append(x)
        return f"m{len(self._made) - 1}"

    def levels(self, texts: Iterable[str]) -> Levels:
        """The columns that these texts need, and those that they need in turn."""
        wanted = sorted(self._needed(texts))
        depths: dict[int, int] = {}
        for place in wanted:
            depths[place] = 1 + max((depths[each] for each in self._uses(self._made[place])), default=-1)
        levels: list[dict[str, str]] = [{} for _ in range(1 + max(depths.values(), default=-1))]
        for place in wanted:
            levels[depths[place]][f"m{place}"] = self._made[place]
        return levels

    def _needed(self, texts: Iterable[str]) -> set[int]:
        found: set[int] = set()
        left = list(texts)
        while left:
            more = self._uses(left.pop()) - found
            found |= more
            left += [self._made[place] for place in more]
        return found

    def _uses(self, text: str) -> set[int]:
        return {place for place in map(int, MADE.findall(text)) if place < len(self._made)}

    def said(self, text: str) -> str:
        return self.let(text) if len(text) > LONG else text

    def call(self, function: str, *operands: str) -> str:
        return self.said(f"{self.named(function)}({', '.join(operands)})")

    def aggregate(self, function: str, x: str) -> str:
        return f"{self.named(function)}({x})"

    # -- words --

    def literal(self, value: Plain | None, like: Plain) -> str:
        if isinstance(like, str):
            return f"CAST(NULL AS {self.text_type})" if value is None else self.quoted(str(value))
        kind = TYPES[type(like)]
        # As a text: a sign before a number is a function as well.
        return f"CAST({'NULL' if value is None else _as_text(value)} AS {kind})"

    def one_if(self, x: str) -> str:
        return f"CAST({x} AS BIGINT)"

    def as_real(self, x: str) -> str:
        return f"CAST({x} AS DOUBLE)"

    def nearest_single(self, x: str) -> str:
        return self.said(f"CAST(CAST({x} AS FLOAT) AS DOUBLE)")

    def floored(self, x: str) -> str:
        return f"CAST({self.call('floor', x)} AS BIGINT)"

    def less(self, x: str, y: str) -> str:
        return self.said(f"({x} < {y})")

    def equal(self, x: str, y: str) -> str:
        return self.said(f"({x} = {y})")

    def among(self, x: str, values: Sequence[Plain]) -> str:
        return self.said(f"({x} IN ({', '.join(self.literal(value, value) for value in values)}))")

    def both(self, x: str, y: str) -> str:
        return self.said(f"({x} AND {y})")

    def either(self, x: str, y: str) -> str:
        return self.said(f"({x} OR {y})")

    def negation(self, x: str) -> str:
        return f"(NOT {x})"

    def is_null(self, x: str) -> str:
        return f"({x} IS NULL)"

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        return self.said(f"(CASE WHEN {condition} THEN {then} ELSE {otherwise} END)")

    # -- aggregates --

    def rows(self) -> str:
        return self.aggregate("count", "*")

    def how_often(self, x: str) -> str:
        return self.aggregate("count_if", x)

    def misses(self, x: str) -> str:
        member = self.let(x)
        # Never null, where DuckDB would count null and not 0, if all are null.
        return self.how_often(self.either(self.negation(member), self.is_null(member)))

    def nulls(self, x: str) -> str:
        return self.minus(self.rows(), self.aggregate("count", self.let(x)))


def _as_text(value: Plain) -> str:
    text = value.isoformat() if isinstance(value, datetime.date) else repr(value)
    return f"'{text}'"


def _added_up(columns: FigureColumns) -> Sequence[Figure]:
    """Of all rows, what was asked of the rows of each group."""
    return [sum(numbers(figures)) for figures in columns]


def _column(rows: Rows, place: int) -> Sequence[Figure]:
    return list(map(itemgetter(place), rows))


class SqlEngine(Engine[str]):
    """Columns of whatever answers queries. Files and views may be others when they are read again."""

    dialect: SqlDialect
    steady = False

    @abstractmethod
    def rows_of(self, levels: Levels, group: str | None, figures: Sequence[str]) -> Rows:
        """With these columns made, the aggregates of all rows; or of each group, after the value that it has in common."""

    @abstractmethod
    def rows_of_sets(self, levels: Levels, groups: Sequence[str], figures: Sequence[str]) -> Sequence[Rows]:
        """The same for each of several groups, which are columns that no aggregate names: grouping sets of one reading."""

    def ask(self, figures: Sequence[str]) -> Sequence[Figure]:
        return [figure for (figure,) in self._asked(None, figures)]

    def ask_by(self, group: str, figures: Sequence[str], of_all: Sequence[str]) -> tuple[Groups, Sequence[Figure]]:
        """What is asked of all rows is added up over the groups, so both are of one reading."""
        values, *columns = self._asked(self.dialect.let(group), [*figures, *of_all])
        return Groups(values, columns[: len(figures)]), _added_up(columns[len(figures) :])

    def ask_all(
        self, groups: Sequence[tuple[str, Sequence[str]]], of_all: Sequence[str]
    ) -> tuple[Sequence[Groups], Sequence[Figure]]:
        """Several groups are one query, in which each is asked what any is."""
        if len(groups) < 2:
            return super().ask_all(groups, of_all)
        if len(groups) > MOST_SETS:
            raise NoWord
        by = {f"g{place}": group for place, (group, _) in enumerate(groups)}
        asked = list(dict.fromkeys([*(figure for _, figures in groups for figure in figures), *of_all]))
        levels = [*self.dialect.levels([*by.values(), *asked]), by]
        answers = self.rows_of_sets(levels, list(by), asked)
        parts = [
            Groups(_column(rows, 0), [_column(rows, 1 + asked.index(figure)) for figure in figures])
            for (_, figures), rows in zip(groups, answers, strict=True)
        ]
        return parts, _added_up([_column(answers[0], 1 + asked.index(figure)) for figure in of_all])

    def _asked(self, group: str | None, figures: Sequence[str]) -> FigureColumns:
        """The columns of the answer. Each different aggregate is asked for once."""
        different = list(dict.fromkeys(figures))
        by = [] if group is None else [group]
        levels = self.dialect.levels([*by, *different])
        places = [*range(len(by)), *(len(by) + different.index(figure) for figure in figures)]
        rows = self.rows_of(levels, group, different)
        return [_column(rows, place) for place in places]


def of_sets(rows: Rows, size: int) -> Sequence[Rows]:
    """Rows of grouping sets of one column each, set by set. They begin with the number that has a bit for each column that
    the row is not grouped by, the last column's first, then have all columns, then the figures."""
    found: list[list[Sequence[Figure]]] = [[] for _ in range(size)]
    places = {(1 << size) - 1 - (1 << (size - 1 - place)): place for place in range(size)}
    for row in rows:
        place = places[number(row[0])]
        found[place].append((row[1 + place], *row[1 + size :]))
    return found
