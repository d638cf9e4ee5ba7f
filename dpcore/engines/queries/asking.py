"""A query: what is asked of all rows, together with the checks that they are members. And of parts of them, all in one.

An answer is None where the engine raised, or a check did not hold: then whoever asked goes the way of batches, which says
what is wrong, or answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, final

from dpcore.domains import Key
from dpcore.domains.keys import keys_of
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import Mask
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.membership import Check, Column
from dpcore.engines.queries.words import COUNTS, WIDTHS, Word
from dpcore.engines.table import Table
from dpcore.errors import all_are

Answer: TypeAlias = Sequence[Figure] | None
FigureColumns: TypeAlias = Sequence[Sequence[Figure]]
"""Of each aggregate what it gives of each group. There may be many groups, and a tuple for each costs more than the query
where Python looks for garbage among them."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Rows by the value of an expression: the values, of which none is there twice, and aggregates of the rows of each."""

    values: Sequence[Figure]
    columns: FigureColumns


@final
@dataclass(frozen=True, slots=True, eq=False)
class ByKey:
    """The same by key: at which place of the columns each stands."""

    places: Mapping[Key, int]
    columns: FigureColumns

    def of(self, keys: Sequence[Key]) -> FigureColumns:
        """The columns in the order of these keys, with null for keys that no row has."""
        places = list(map(self.places.get, keys))
        return [[None if place is None else column[place] for place in places] for column in self.columns]


class Engine(ABC, Generic[X]):
    """Where the rows are, and queries are run."""

    dialect: Dialect[X]

    steady: bool
    """Whether the rows are the same whenever they are read: in memory, and not in a file that may be written to. Where they
    are not, all that one question is answered by is of one reading: so the rows that are added up are those that were
    checked, and a source that gives other rows when it is read again moves no sum further than its bounds."""

    borrowed: bool = False
    """Whether whoever gave the rows may write into them later on."""

    @abstractmethod
    def column(self, name: str | None) -> Column[X]:
        """A column by its name; None is the only one. Raises `NoWord` where its type is none of those."""

    @abstractmethod
    def ask(self, figures: Sequence[X]) -> Sequence[Figure]:
        """Aggregates of all rows, in one pass."""

    @abstractmethod
    def ask_by(self, group: X, figures: Sequence[X], of_all: Sequence[X]) -> tuple[Groups, Sequence[Figure]]:
        """The values of an expression, null too, and for each aggregates of the rows that have it; and aggregates of all
        rows. In one pass, if the engine can."""

    def ask_all(
        self, groups: Sequence[tuple[X, Sequence[X]]], of_all: Sequence[X]
    ) -> tuple[Sequence[Groups], Sequence[Figure]]:
        """For each value of each of some expressions aggregates of the rows that have it, and aggregates of all rows, in one
        reading; raises `NoWord` where there would be several."""
        if not groups:
            return [], self.ask(of_all)
        if len(groups) > 1:
            raise NoWord
        parts, whole = self.ask_by(*groups[0], of_all)
        return [parts], whole

    def in_memory(self) -> Engine[X] | None:
        """The same, of the columns that were named, read once; None where they go the way of batches."""
        return None

    def held(self, fields: Sequence[X], condition: X | None) -> Held[X]:
        """The fields of the rows of which the condition is True, of an engine that is in memory."""
        raise NoWord  # an engine that is not in memory is never asked


class Held(ABC, Generic[X]):
    """Fields of rows, in memory."""

    @abstractmethod
    def columns(self) -> Sequence[Given]: ...

    @abstractmethod
    def kept(self, rows: Mask) -> tuple[Engine[X], Sequence[X]]:
        """Some of the rows, and what the fields are there."""


@final
class Query(Generic[X]):
    """Rows of an engine, and what shows that they are members of their domain."""

    def __init__(
        self, engine: Engine[X], size: int | None, checks: Sequence[Check[X]], batches: Callable[[], Table]
    ) -> None:
        self.engine, self.size, self.checks, self.batches = engine, size, checks, batches

    @cached_property
    def slow(self) -> Table:
        """The same rows by the way of batches."""
        return self.batches()

    def ask(self, figures: Sequence[X]) -> Answer:
        """Of all rows."""
        found = self.ask_all([], figures)
        return None if found is None else found[1]

    def ask_by(self, group: Word[X], figures: Sequence[X]) -> ByKey | None:
        """Of the rows that have each key."""
        found = self.ask_all([(group, figures)], [])
        return None if found is None else found[0][0]

    def ask_all(
        self, groups: Sequence[tuple[Word[X], Sequence[X]]], of_all: Sequence[X]
    ) -> tuple[Sequence[ByKey], Sequence[Figure]] | None:
        """Of the rows that have each key of each group, and of all rows."""
        if any(group.layout in WIDTHS for group, _ in groups):
            raise NoWord
        others, sizes = self._to_check([group for group, _ in groups], bool(of_all))
        try:
            by_group = [(group.expr if group.code is None else group.code, figures) for group, figures in groups]
            parts, whole = self.engine.ask_all(by_group, [*of_all, *(check.misses for check in others), *sizes])
        except (KeyboardInterrupt, NoWord):
            raise
        except BaseException:  # also what polars raises where it gives up
            return None
        seen = all(_admitted(self.checks, group, its.values) for (group, _), its in zip(groups, parts, strict=True))
        if not seen or not self._hold(list(map(number, whole[len(of_all) :])), len(others)):
            return None
        return [_by_key(group, its) for (group, _), its in zip(groups, parts, strict=True)], whole[: len(of_all)]

    def _to_check(self, groups: Sequence[Word[X]], more: bool) -> tuple[list[Check[X]], list[X]]:
        """The checks of columns that rows are not grouped by; and how many rows there are, if that was declared or nothing
        else is asked."""
        grouped = [id(group.expr) for group in groups]
        others = [check for check in self.checks if id(check.of) not in grouped]
        asked = self.size is not None or not (groups or more or others)
        return others, [self.engine.dialect.rows()] if asked else []

    def _hold(self, numbers: Sequence[int], checks: int) -> bool:
        """Whether the first numbers, of rows that are no members, are 0, and there are as many rows as declared."""
        return not any(numbers[:checks]) and (self.size is None or numbers[-1] == self.size)


def number(figure: Figure) -> int:
    """A sum, or a count; null is what some engines give of no rows."""
    if figure is None:
        return 0
    assert isinstance(figure, int)
    return figure


def numbers(figures: Sequence[Figure]) -> Sequence[int]:
    """Of many."""
    if not figures:
        return []
    if all_are(figures, int):
        return figures
    whole = [0 if figure is None else figure for figure in figures]
    assert all_are(whole, int)
    return whole


def _admitted(checks: Sequence[Check[X]], group: Word[X], values: Collection[Figure]) -> bool:
    """Whether the values that rows are grouped by are those that the checks of that column admit."""
    return all(check.admits(values) for check in checks if check.of is group.expr)


def _by_key(group: Word[X], found: Groups) -> ByKey:
    values = found.values
    if group.layout is COUNTS and group.step != 1:
        values = [value * group.step if isinstance(value, int) else value for value in values]
    return ByKey(dict(zip(keys_of(values), range(len(values)), strict=True)), found.columns)
