"""The rows of each key, asked together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, final

from dpcore.domains import Key
from dpcore.engines.queries.ahead import Ahead, Known, Question, identity
from dpcore.engines.queries.asking import FigureColumns
from dpcore.engines.queries.dialect import X
from dpcore.engines.queries.words import Word
from dpcore.engines.table import Table


@final
class Parts(Generic[X]):
    """The first part that asks a question asks it for all."""

    def __init__(
        self,
        query: Ahead[X],
        made_of: Question,
        group: Word[X],
        keys: Sequence[Key],
        batches: Callable[[], Sequence[Table]],
    ) -> None:
        self._query, self._made_of, self._group, self._keys, self._batches = query, made_of, group, keys, batches
        self._answers: dict[Known, tuple[object, FigureColumns | None]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    @cached_property
    def slow(self) -> Sequence[Table]:
        return self._batches()

    def ask(self, question: Question, figures: Callable[[], Sequence[X]]) -> FigureColumns | None:
        """What is asked of all parts, by their places; `question` is the same for parts of which the same is asked."""
        known = identity(question)
        if known not in self._answers:
            found = self._query.ask_by((*self._made_of, *question), self._group, figures())
            each = None if found is None else found.of(self._keys)
            # What was asked is kept beside the answer, so that nothing else is ever found under its identity.
            self._answers[known] = question, each
        return self._answers[known][1]
