"""A query: what is asked of all rows, together with the checks that they are members. And of parts of them, all in one.

An answer is None where the engine raised, or a check did not hold: then whoever asked goes the way of batches, which says
what is wrong, or answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeAlias, final

from dpcore.domains import Key, key
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import Mask
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.membership import Check, Column
from dpcore.engines.queries.words import COUNTS, FLOATS, Word
from dpcore.engines.table import Table

Answer: TypeAlias = Sequence[Figure] | None


class Engine(ABC, Generic[X]):
    """Where the rows are, and queries are run."""

    dialect: Dialect[X]

    steady: bool
    """Whether the rows are the same whenever they are read: in memory, and not in a file that may be written to."""

    @abstractmethod
    def column(self, name: str | None) -> Column[X]:
        """A column by its name; None is the only one. Raises `NoWord` where its type is none of those."""

    @abstractmethod
    def ask(self, figures: Sequence[X]) -> Sequence[Figure]:
        """Aggregates of all rows, in one pass."""

    @abstractmethod
    def ask_by(
        self, group: X, figures: Sequence[X], of_all: Sequence[X]
    ) -> tuple[Iterable[Sequence[Figure]], Sequence[Figure]]:
        """For each value of an expression, null too, the value and aggregates of the rows that have it; and aggregates of
        all rows. In one pass, if the engine can."""

    def in_memory(self) -> Engine[X] | None:
        """The same, of the columns that were named, read once; None where they go the way of batches."""
        return None

    def held(self, fields: Sequence[X], condition: X | None) -> Held[X]:
        """The fields of the rows of which the condition is True, of an engine that is in memory."""
        raise NotImplementedError


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
        try:
            answer = self.engine.ask([*figures, *self._asked(self.checks)])
        except KeyboardInterrupt:
            raise
        except BaseException:  # also what polars raises where it gives up
            return None
        return answer[: len(figures)] if self._hold(self.checks, answer[len(figures) :]) else None

    def ask_by(self, group: Word[X], figures: Sequence[X]) -> Mapping[Key, Sequence[Figure]] | None:
        """Of the rows that have each key."""
        if group.layout is FLOATS:
            raise NoWord
        seen = [check for check in self.checks if check.of is group.expr]
        others = [check for check in self.checks if check.of is not group.expr]
        try:
            parts, of_all = self.engine.ask_by(group.expr, figures, self._asked(others))
        except KeyboardInterrupt:
            raise
        except BaseException:  # also what polars raises where it gives up
            return None
        answers = {value: answer for value, *answer in parts}
        if not self._hold(others, of_all) or not all(check.admits(value) for check in seen for value in answers):
            return None
        return {_key(group, value): answer for value, answer in answers.items()}

    def _asked(self, checks: Sequence[Check[X]]) -> list[X]:
        return [self.engine.dialect.rows(), *(each for check in checks for each in check.asked)]

    def _hold(self, checks: Sequence[Check[X]], figures: Sequence[Figure]) -> bool:
        rows, *rest = figures
        place = 0
        for check in checks:
            if not check.holds(rest[place : place + len(check.asked)]):
                return False
            place += len(check.asked)
        return self.size in (None, rows)


def _key(group: Word[X], value: Figure) -> Key:
    return key(value * group.step if group.layout is COUNTS and isinstance(value, int) else value)


def identity(made_of: Sequence[object]) -> tuple[int, ...]:
    """What is the same for things made of the same objects, as long as these are there."""
    return tuple(map(id, made_of))


@final
class Parts(Generic[X]):
    """The rows of each key, asked together: the first part that asks a question asks it for all."""

    def __init__(
        self, query: Query[X], group: Word[X], keys: Sequence[Key], batches: Callable[[], Sequence[Table]]
    ) -> None:
        self._query, self._group, self._keys, self._batches = query, group, keys, batches
        self._answers: dict[tuple[int, ...], tuple[object, int, Mapping[Key, Sequence[Figure]] | None]] = {}

    @cached_property
    def slow(self) -> Sequence[Table]:
        return self._batches()

    def ask(self, place: int, question: tuple[object, ...], figures: Callable[[], Sequence[X]]) -> Answer:
        """What is asked of the part at this place; `question` is the same for parts of which the same is asked."""
        known = identity(question)
        if known not in self._answers:
            asked = figures()
            # What was asked is kept beside the answer, so that nothing else is ever found under its identity.
            self._answers[known] = question, len(asked), self._query.ask_by(self._group, asked)
        _, size, answers = self._answers[known]
        return None if answers is None else answers.get(self._keys[place], [0] * size)  # of no rows
