"""Questions that are noted before they are asked, so that one reading answers all of them.

Releases on the same rows are gone through once up to the first question of each, which is noted and not answered: no noise
is drawn for it. Then all are asked together, and the releases are made, which find their answers. A question that is not
found is asked by itself, so whatever was noted changes how often rows are read, and nothing else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeAlias, final

from dpcore.engines.queries.asking import Answer, ByKey, Query
from dpcore.engines.queries.dialect import Figure, NoWord, X
from dpcore.engines.queries.words import Word

Question: TypeAlias = tuple[object, ...]
Known: TypeAlias = tuple[int, ...]


class Noted(Exception):
    """Raised in place of an answer."""


def identity(made_of: Sequence[object]) -> Known:
    """What is the same for things made of the same objects, as long as these are there."""
    return tuple(map(id, made_of))


@final
class Ahead(Generic[X]):
    """What is asked of a query, now or together with what will be."""

    def __init__(self, query: Query[X]) -> None:
        self.query = query
        self._noter: int | None = None
        self._lock = threading.RLock()
        self._through: dict[Known, Question] = {}
        # What was asked is kept beside it, so that nothing else is ever found under its identity.
        self._noted: dict[Known, tuple[Question, Word[X] | None, Sequence[X]]] = {}
        self._of_all: dict[Known, tuple[Question, Sequence[Figure]]] = {}
        self._by_key: dict[Known, tuple[Question, ByKey]] = {}

    @property
    def noting(self) -> bool:
        """Whether this thread goes through releases; others may ask the same rows meanwhile."""
        return self._noter == threading.get_ident()

    def ask(self, question: Question, figures: Callable[[], Sequence[X]]) -> Answer:
        known = identity(question)
        if known in self._of_all:
            return self._of_all[known][1]
        asked = figures()
        self._note(question, None, asked)
        return self.query.ask(asked)

    def ask_by(self, question: Question, group: Word[X], figures: Sequence[X]) -> ByKey | None:
        known = identity(question)
        if known in self._by_key:
            return self._by_key[known][1]
        self._note(question, group, figures)
        return self.query.ask_by(group, figures)

    def _note(self, question: Question, group: Word[X] | None, figures: Sequence[X]) -> None:
        if self.noting:
            self._noted[identity(question)] = question, group, figures
            raise Noted

    def go_through(self, releases: Sequence[Callable[[], object]], made_of: Sequence[object]) -> None:
        """Notes what these releases, made of that, ask first; and asks it, unless this is done within another such."""
        with self._lock:
            self._go_through(releases, made_of)

    def _go_through(self, releases: Sequence[Callable[[], object]], made_of: Sequence[object]) -> None:
        known, outermost = identity(made_of), not self.noting
        if known in self._through or len(releases) < 2:
            return
        if outermost:
            self._through, self._of_all, self._by_key = {}, {}, {}
        self._through[known] = tuple(made_of)
        self._noter = threading.get_ident()
        try:
            for release in releases:
                _begin(release)
        finally:
            self._noter = None if outermost else self._noter
        if not outermost:
            raise Noted
        noted, self._noted = self._noted, {}
        if len(noted) > 1 and not self._answer(noted):
            for each in noted.items():
                self._answer(dict([each]))

    def _answer(self, noted: Mapping[Known, tuple[Question, Word[X] | None, Sequence[X]]]) -> bool:
        """All in one; of keys that are the same, all figures at once."""
        groups: dict[int, tuple[Word[X], list[X]]] = {}
        of_all: list[X] = []
        places: dict[Known, tuple[list[X], int]] = {}
        for known, (_, group, figures) in noted.items():
            some = of_all if group is None else groups.setdefault(id(group.expr), (group, []))[1]
            places[known] = some, len(some)
            some += figures
        try:
            found = self.query.ask_all(list(groups.values()), of_all)
        except NoWord:
            return False
        if found is None:
            return False
        by_key = dict(zip(groups, found[0], strict=True))
        for known, (question, group, figures) in noted.items():
            its = slice(places[known][1], places[known][1] + len(figures))
            if group is None:
                self._of_all[known] = question, found[1][its]
            else:
                answers = by_key[id(group.expr)]
                self._by_key[known] = question, ByKey(answers.places, answers.columns[its])
        return True


def _begin(release: Callable[[], object]) -> None:
    try:
        release()
    except Exception:  # noted; or what is wrong, which will be said when the release is made
        return
