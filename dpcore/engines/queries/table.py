"""The table that asks its engine: steps are put together to one query, which is run when a number is asked for.

For what the engine has no exact words for, and where an answer cannot be trusted, the same steps are done on batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Generic, TypeAlias, TypeVar, final

from dpcore.domains import Domain, Key, Record, Rows
from dpcore.engines.frames.batched import table_of
from dpcore.engines.frames.reading import fields_of, wanted
from dpcore.engines.frames.source import Source
from dpcore.engines.queries.asking import Answer, Engine, Parts, Query
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.membership import Check, read
from dpcore.engines.queries.operations import less, said, truth_of
from dpcore.engines.queries.words import COUNTS, TRUTHS, Constant, Word
from dpcore.engines.table import KeyOf, Table, Total
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction
from dpcore.noise.row_keys import RowKey

D = TypeVar("D", bound=Domain)
Step: TypeAlias = Callable[[Table], Table]
Fields: TypeAlias = Mapping[str | None, Word[X]]

HALF = 1 << 31
"""Larger numbers are added up in two halves."""


def queried(engine: Engine[X], source: Source, domain: Rows[D]) -> Table:
    """The rows as a table that asks the engine, where its columns are of types that it has words for."""
    wanted(source, domain)  # a column that is missing is refused before anything is asked
    batches = partial(table_of, source, domain)
    words: dict[str | None, Word[X]] = {}
    checks: list[Check[X]] = []
    try:
        for name, inner in fields_of(domain.of):
            words[name], more = read(engine.dialect, engine.column(name), inner)
            checks += more
    except NoWord:
        return batches()
    return QueryTable(domain.of, Asked(Query(engine, domain.size, checks, batches), words))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Asked(Generic[X]):
    """What a table stands for: rows of a query that a condition is True of, and their fields as words.

    A condition that is null is not True, and no aggregate takes it for that.
    """

    query: Query[X]
    fields: Fields[X]
    condition: X | None = None
    parts: Parts[X] | None = None
    place: int = 0
    steps: tuple[Step, ...] = ()
    question: tuple[object, ...] = ()
    """What the steps were made of."""

    @property
    def dialect(self) -> Dialect[X]:
        return self.query.engine.dialect

    def said(self, expr: Expression) -> Word[X]:
        """The expression; what is the same in every row is no column, and some engines would count it once."""
        word = said(expr.node, self.dialect, self.fields)
        if isinstance(word, Constant):
            raise NoWord
        return word

    def slow(self) -> Table:
        """The same rows by the way of batches."""
        start = self.query.slow if self.parts is None else self.parts.slow[self.place]
        return reduce(lambda rows, step: step(rows), self.steps, start)

    def ask(self, what: tuple[object, ...], figures: Callable[[], Sequence[X]]) -> Answer:
        try:
            if self.parts is None:
                return self.query.ask(figures())
            return self.parts.ask(self.place, (*self.question, *what), figures)
        except NoWord:
            return None

    def where(self, expr: X) -> X:
        """The truth value, only where the condition holds."""
        return expr if self.condition is None else self.dialect.both(self.condition, expr)

    def held(self, expr: X) -> X:
        """The number, only where the condition holds."""
        return (
            expr if self.condition is None else self.dialect.choose(self.condition, expr, self.dialect.literal(None, 0))
        )

    def size(self) -> X:
        return self.dialect.rows() if self.condition is None else self.dialect.how_often(self.condition)


@final
class QueryTable(Table, Generic[X]):
    """Rows of an engine."""

    __slots__ = ("_asked",)

    def __init__(self, domain: Domain, asked: Asked[X]) -> None:
        super().__init__(domain)
        self._asked = asked

    def _next(self, changed: Asked[X], step: Step, made_of: tuple[object, ...], domain: Domain) -> Table:
        steps, question = (*changed.steps, step), (*changed.question, *made_of)
        return QueryTable(domain, replace(changed, steps=steps, question=question))

    # -- a table from this one --

    def filter(self, condition: Expression | UserFunction) -> Table:
        asked = self._asked
        if isinstance(condition, UserFunction):
            return asked.slow().filter(condition)
        try:
            holds = replace(asked, condition=asked.where(truth_of(asked.dialect, asked.said(condition))))
        except NoWord:
            return asked.slow().filter(condition)
        return self._next(holds, lambda rows: rows.filter(condition), ("filter", condition), self.domain)

    def select(self, expr: Expression, domain: Domain) -> Table:
        try:
            fields: Fields[X] = {None: self._asked.said(expr)}
        except NoWord:
            return self._asked.slow().select(expr, domain)
        selected = replace(self._asked, fields=fields)
        return self._next(selected, lambda rows: rows.select(expr, domain), ("select", expr), domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        try:
            fields: Fields[X] = {name: self._asked.said(expr) for name, expr in exprs.items()}
        except NoWord:
            return self._asked.slow().select_record(exprs, domain)
        names_and_exprs = [each for pair in exprs.items() for each in pair]
        selected = replace(self._asked, fields=fields)
        return self._next(
            selected, lambda rows: rows.select_record(exprs, domain), ("record", *names_and_exprs), domain
        )

    def narrowed(self, domain: Domain) -> Table:
        return self._next(self._asked, lambda rows: rows.narrowed(domain), ("narrowed", domain), domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return self._asked.slow().map_rows(f, domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return self._asked.slow().flat_map(f, domain, limit)

    def padded(self, row: object, times: int) -> Table:
        return self._asked.slow().padded(row, times)

    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        return self._asked.slow().fairly(by, limit, key)

    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        return self._asked.slow().first_of_each(by, limit, order)

    def _grouped(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[Table]:
        asked = self._asked
        if isinstance(by, UserFunction) or asked.parts is not None:
            return asked.slow()._grouped(by, places)
        try:
            group = asked.said(by)
        except NoWord:
            return asked.slow()._grouped(by, places)
        parts = Parts(asked.query, group, list(places), lambda: asked.slow()._grouped(by, places))
        each = replace(asked, parts=parts, steps=(), question=())
        return [QueryTable(self.domain, replace(each, place=place)) for place in range(len(places))]

    # -- numbers --

    def count(self) -> int:
        answer = self._asked.ask(("count",), lambda: [self._asked.size()])
        return self._asked.slow().count() if answer is None else _number(answer[0])

    def _tally(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[int]:
        counts = self._by_key(by)
        if counts is None:
            return self._asked.slow()._tally(by, places)
        return [counts.get(its, 0) for its in places]

    def tally_all(self, by: KeyOf) -> Mapping[Key, int]:
        counts = self._by_key(by)
        return self._asked.slow().tally_all(by) if counts is None else {its: n for its, n in counts.items() if n}

    def _by_key(self, by: KeyOf) -> Mapping[Key, int] | None:
        asked = self._asked
        if isinstance(by, UserFunction) or asked.parts is not None:
            return None
        try:
            answers = asked.query.ask_by(asked.said(by), [asked.size()])
        except NoWord:
            return None
        return None if answers is None else {its: _number(answer[0]) for its, answer in answers.items()}

    def _sum(self, expr: Expression | None) -> Total:
        (total,) = self._added([expr], lambda rows: [rows._sum(expr)])
        return total

    def _sums(self, exprs: Sequence[Expression]) -> Sequence[Total]:
        return self._added(exprs, lambda rows: rows._sums(exprs))

    def _added(self, exprs: Sequence[Expression | None], slow: Callable[[Table], Sequence[Total]]) -> Sequence[Total]:
        """All in one query."""
        asked = self._asked
        try:
            words = [asked.fields[None] if expr is None else asked.said(expr) for expr in exprs]
            halves = [_halves(asked, word) for word in words]
        except NoWord:
            return slow(asked.slow())
        figures = [[*(each for each, _ in half), *_ends(asked, word)] for word, half in zip(words, halves, strict=True)]
        answer = asked.ask(("sums", *exprs), lambda: [each for some in figures for each in some])
        if answer is None:
            return slow(asked.slow())
        totals: list[Total] = []
        place = 0
        for word, half, some in zip(words, halves, figures, strict=True):
            its = answer[place : place + len(some)]
            place += len(some)
            if not _between(word, its[len(half) :]):
                return slow(asked.slow())
            total = sum(_number(figure) * weight for figure, (_, weight) in zip(its, half, strict=False))
            totals.append(total * word.step if word.layout is COUNTS else total)
        return totals

    def _entry_sums(self, size: int) -> Sequence[Total]:
        return self._asked.slow()._entry_sums(size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        asked = self._asked

        def figures() -> list[X]:
            dialect, word = asked.dialect, asked.fields[None]
            below = [less(dialect, word, Constant(c)) for c in candidates]
            above = [less(dialect, Constant(c), word) for c in candidates]
            return [dialect.how_often(asked.where(each)) for each in below + above]

        answer = asked.ask(("ranks", candidates), figures)
        if answer is None:
            return asked.slow()._ranks(candidates)
        counts = list(map(_number, answer))
        return list(zip(counts[: len(candidates)], counts[len(candidates) :], strict=True))

    # -- rows --

    def in_order(self, places: Sequence[int]) -> list[object]:
        return self._asked.slow().in_order(places)

    def in_memory(self) -> list[object]:
        return self._asked.slow().in_memory()

    def read_once(self) -> Table:
        return self if self._asked.query.engine.steady else self._asked.slow().read_once()


def _number(figure: Figure) -> int:
    """A sum of no rows is null in some engines."""
    if figure is None:
        return 0
    assert isinstance(figure, int)
    return figure


def _ends(asked: Asked[X], word: Word[X]) -> list[X]:
    """The least and the greatest of what is added up, seen in the very rows that are added up: so a source that gives other
    rows when it is read again, as a file that is being written, moves no sum further than its bounds."""
    if word.layout is TRUTHS:
        return []
    held = asked.held(word.expr)
    return [asked.dialect.least(held), asked.dialect.greatest(held)]


def _between(word: Word[X], ends: Sequence[Figure]) -> bool:
    return all(end is None or (isinstance(end, int) and word.low <= end <= word.high) for end in ends)


def _halves(asked: Asked[X], word: Word[X]) -> list[tuple[X, int]]:
    """What is added up, and how much each counts."""
    dialect = asked.dialect
    if word.layout is TRUTHS:
        return [(dialect.how_often(asked.where(word.expr)), 1)]
    if word.layout is not COUNTS or max(-word.low, word.high) > 1 << 61:
        raise NoWord
    if max(-word.low, word.high) < HALF:
        return [(dialect.sum(asked.held(word.expr)), 1)]
    upper = dialect.floor_divided(word.expr, HALF)
    lower = dialect.minus(word.expr, dialect.times(upper, dialect.literal(HALF, 0)))
    return [(dialect.sum(asked.held(upper)), HALF), (dialect.sum(asked.held(lower)), 1)]
