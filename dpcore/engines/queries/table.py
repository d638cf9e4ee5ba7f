"""The table that asks its engine: steps are put together to one query, which is run when a number is asked for.

For what the engine has no exact words for, and where an answer cannot be trusted, the same steps are done on batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar, final

from dpcore.domains import Domain, Key, Record, Rows
from dpcore.domains.keys import value_of
from dpcore.engines.frames.batched import table_of
from dpcore.engines.frames.source import Source
from dpcore.engines.numpy.arrays import fields_of
from dpcore.engines.queries.ahead import Ahead, identity
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.asking import Engine, Query, number, numbers
from dpcore.engines.queries.by_value import are_few, ranks_among
from dpcore.engines.queries.choosing import kept
from dpcore.engines.queries.dialect import NoWord, X
from dpcore.engines.queries.membership import Check, read
from dpcore.engines.queries.operations import less
from dpcore.engines.queries.parts import Parts
from dpcore.engines.queries.words import Constant, Word
from dpcore.engines.table import KeyOf, Table, Total, as_totals
from dpcore.engines.tables import Tables
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction
from dpcore.noise.row_keys import RowKey

D = TypeVar("D", bound=Domain)


def queried(engine: Engine[X], source: Source, domain: Rows[D]) -> Table:
    """The rows of a source that has all fields, as a table that asks the engine, where this has words for their types."""
    return asking(engine, domain, partial(table_of, source, domain))


def asking(engine: Engine[X], domain: Rows[D], batches: Callable[[], Table]) -> Table:
    """The same, of columns that are there."""
    words: dict[str | None, Word[X]] = {}
    checks: list[Check[X]] = []
    try:
        for name, inner in fields_of(domain.of):
            words[name], more = read(engine.dialect, engine.column(name), inner)
            checks += more
    except NoWord:
        return batches()
    return QueryTable(domain.of, Asked(Ahead(Query(engine, domain.size, checks, batches)), words))


@final
class QueryTable(Table, Generic[X]):
    """Rows of an engine."""

    __slots__ = ("_common", "_place")

    def __init__(self, domain: Domain, common: Asked[X], place: int = 0) -> None:
        self.domain, self._common, self._place = domain, common, place

    @property
    def _asked(self) -> Asked[X]:
        return replace(self._common, place=self._place) if self._place else self._common

    def _after(self, common: Asked[X], domain: Domain) -> Table:
        return QueryTable(domain, common, self._place)

    # -- a table from this one --

    def filter(self, condition: Expression | UserFunction) -> Table:
        if isinstance(condition, UserFunction):
            return self._asked.slow().filter(condition)
        try:
            return self._after(self._common.filtered(condition), self.domain)
        except NoWord:
            return self._asked.slow().filter(condition)

    def select(self, expr: Expression, domain: Domain) -> Table:
        try:
            return self._after(self._common.selected(expr, domain), domain)
        except NoWord:
            return self._asked.slow().select(expr, domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        try:
            return self._after(self._common.selected_record(exprs, domain), domain)
        except NoWord:
            return self._asked.slow().select_record(exprs, domain)

    def narrowed(self, domain: Domain) -> Table:
        return self._after(self._common.narrowed(domain), domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return self._asked.slow().map_rows(f, domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return self._asked.slow().flat_map(f, domain, limit)

    def padded(self, row: object, times: int) -> Table:
        return self._asked.slow().padded(row, times)

    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        asked = self._asked
        if asked.parts is not None or asked.ahead.noting:
            return asked.slow().fairly(by, limit, key)
        made_of = (by, limit, key)
        if identity(made_of) not in asked.choices:
            found = kept(asked.query, asked.fields, asked.condition, self.domain, by, limit, key)
            if found is None:
                return asked.slow().fairly(by, limit, key)
            asked.choices.clear()  # of one key only
            asked.choices[identity(made_of)] = made_of, Asked(Ahead(found[0]), found[1])
        return QueryTable(self.domain, asked.choices[identity(made_of)][1])

    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        return self._asked.slow().first_of_each(by, limit, order)

    def split(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[Table]:
        asked = self._asked
        if isinstance(by, UserFunction) or asked.parts is not None:
            return asked.slow().split(by, places)
        try:
            group = asked.said(by)
        except NoWord:
            return asked.slow().split(by, places)
        made_of = (*asked.question, "parts", by)
        parts = Parts(asked.ahead, made_of, group, list(places), lambda: asked.slow().split(by, places))
        each = replace(asked, parts=parts, steps=(), question=(), nexts={}, plans={}, choices={})
        return QueryTables(self.domain, each, len(places))

    # -- numbers --

    def count(self) -> int:
        answer = self._common.ask(self._place, ("count",), lambda: [self._common.size()])
        return self._asked.slow().count() if answer is None else number(answer[0])

    def tally(self, by: KeyOf, places: Mapping[Key, int]) -> list[int]:
        counts = self._by_key(by)
        if counts is None:
            return self._asked.slow().tally(by, places)
        return [counts.get(its, 0) for its in places]

    def tally_all(self, by: KeyOf) -> Mapping[Key, int]:
        counts = self._by_key(by)
        return self._asked.slow().tally_all(by) if counts is None else {its: n for its, n in counts.items() if n}

    def _by_key(self, by: KeyOf) -> Mapping[Key, int] | None:
        asked = self._asked
        if isinstance(by, UserFunction) or asked.parts is not None:
            return None
        try:
            answers = asked.ahead.ask_by((*asked.question, "tally", by), asked.said(by), [asked.size()])
        except NoWord:
            return None
        return None if answers is None else dict(zip(answers.places, numbers(answers.columns[0]), strict=True))

    def _sum(self, expr: Expression | None) -> Total:
        (total,) = self._added([expr], lambda rows: [rows._sum(expr)])
        return total

    def _sums(self, exprs: Sequence[Expression]) -> Sequence[Total]:
        return self._added(exprs, lambda rows: rows._sums(exprs))

    def _added(self, exprs: Sequence[Expression | None], slow: Callable[[Table], Sequence[Total]]) -> Sequence[Total]:
        """All in one query."""
        try:
            plan = self._common.plan(exprs)
        except NoWord:
            return slow(self._asked.slow())
        totals = self._common.totals(self._place, plan, exprs)
        return slow(self._asked.slow()) if totals is None else totals

    def _entry_sums(self, size: int) -> Sequence[Total]:
        return self._asked.slow()._entry_sums(size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        few = self._asked.parts is None and are_few(self._common.fields[None], candidates)
        found = self._ranks_by_value(candidates) if few else self._ranks_by_candidate(candidates)
        return self._asked.slow()._ranks(candidates) if found is None else found

    def _ranks_by_value(self, candidates: Sequence[Rational]) -> list[tuple[int, int]] | None:
        asked = self._asked
        try:
            answers = asked.ahead.ask_by((*asked.question, "values"), asked.fields[None], [asked.size()])
        except NoWord:
            return None
        if answers is None:
            return None
        found = zip(answers.places, numbers(answers.columns[0]), strict=True)
        return ranks_among({value_of(each): rows for each, rows in found if rows}, candidates)

    def _ranks_by_candidate(self, candidates: Sequence[Rational]) -> list[tuple[int, int]] | None:
        asked = self._asked

        def figures() -> list[X]:
            dialect, word = asked.dialect, asked.fields[None]
            below = [less(dialect, word, Constant(c)) for c in candidates]
            above = [less(dialect, Constant(c), word) for c in candidates]
            return [dialect.how_often(asked.where(each)) for each in below + above]

        answer = asked.ask(self._place, ("ranks", candidates), figures)
        if answer is None:
            return None
        counts = list(map(number, answer))
        return list(zip(counts[: len(candidates)], counts[len(candidates) :], strict=True))

    def look_ahead(self, releases: Sequence[Callable[[object], object]]) -> None:
        ways = [partial(release, self) for release in releases]
        self._common.ahead.go_through(ways, [*self._common.question, *releases])

    # -- rows --

    def in_order(self, places: Sequence[int]) -> list[object]:
        return self._asked.slow().in_order(places)

    def in_memory(self) -> list[object]:
        return self._asked.slow().in_memory()

    def kept(self) -> Table:
        return self._asked.slow().kept() if self._asked.query.engine.borrowed else self

    def read_once(self) -> Table:
        return self if self._asked.query.engine.steady else self._asked.slow().read_once()


@final
class QueryTables(Tables, Generic[X]):
    """Parts of the rows of an engine, which are asked all at once."""

    def __init__(self, domain: Domain, common: Asked[X], size: int) -> None:
        self._domain, self._common, self._size = domain, common, size

    def __len__(self) -> int:
        return self._size

    def at(self, place: int) -> Table:
        return QueryTable(self._domain, self._common, place)

    def _after(self, common: Asked[X], domain: Domain) -> Tables:
        return QueryTables(domain, common, self._size)

    def filter(self, condition: Expression | UserFunction) -> Tables:
        if isinstance(condition, UserFunction):
            return super().filter(condition)
        try:
            return self._after(self._common.filtered(condition), self._domain)
        except NoWord:
            return super().filter(condition)

    def select(self, expr: Expression, domain: Domain) -> Tables:
        try:
            return self._after(self._common.selected(expr, domain), domain)
        except NoWord:
            return super().select(expr, domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Tables:
        try:
            return self._after(self._common.selected_record(exprs, domain), domain)
        except NoWord:
            return super().select_record(exprs, domain)

    def narrowed(self, domain: Domain) -> Tables:
        return self._after(self._common.narrowed(domain), domain)

    def counts(self) -> Sequence[int]:
        answers = self._common.of_each((*self._common.question, "count"), lambda: [self._common.size()])
        return super().counts() if answers is None else numbers(answers[0])

    def totals(self) -> Sequence[Total]:
        try:
            plan = self._common.plan([None])
        except NoWord:
            return super().totals()
        of_each = self._common.totals_of_each(plan, [None])
        return super().totals() if of_each is None else as_totals(of_each[0], self._domain)
