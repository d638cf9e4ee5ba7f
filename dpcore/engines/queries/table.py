"""The table that asks its engine: steps are put together to one query, which is run when a number is asked for.

For what the engine has no exact words for, and where an answer cannot be trusted, the same steps are done on batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Generic, TypeAlias, TypeVar, final

from dpcore.domains import Domain, Key, Record, Rows
from dpcore.engines.frames.batched import table_of
from dpcore.engines.frames.reading import fields_of, wanted
from dpcore.engines.frames.source import Source
from dpcore.engines.queries.ahead import Ahead, Noted, identity
from dpcore.engines.queries.asking import Answer, Engine, Query
from dpcore.engines.queries.choosing import kept
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.membership import Check, read
from dpcore.engines.queries.operations import less, said, truth_of
from dpcore.engines.queries.parts import Parts
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
    return QueryTable(domain.of, Asked(Ahead(Query(engine, domain.size, checks, batches)), words))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plan(Generic[X]):
    """How sums are asked for: for each the word, the halves that are added up, and its least and greatest where asked."""

    sums: Sequence[tuple[Word[X], Sequence[tuple[X, int]], Sequence[X]]]
    of_parts: list[Sequence[Total] | None] = field(default_factory=list)
    """The sums of each part by its place, once one of them was asked for."""

    def figures(self) -> Sequence[X]:
        return [figure for _, half, ends in self.sums for figure in (*(each for each, _ in half), *ends)]

    def totals(self, answer: Answer) -> Sequence[Total] | None:
        """None where there is no answer, or what was added up is not what was checked."""
        if answer is None:
            return None
        left, totals = iter(answer), list[Total]()
        for word, half, ends in self.sums:
            total = 0
            for _, weight in half:
                total += _number(next(left)) * weight
            if ends and not _between(word, [next(left) for _ in ends]):
                return None
            totals.append(total * word.step if word.layout is COUNTS else total)
        return totals


@final
@dataclass(frozen=True, slots=True, eq=False)
class Asked(Generic[X]):
    """What a table stands for: rows of a query that a condition is True of, and their fields as words.

    A condition that is null is not True, and no aggregate takes it for that. Parts have one in common, but for their place.
    """

    ahead: Ahead[X]
    fields: Fields[X]
    condition: X | None = None
    parts: Parts[X] | None = None
    place: int = 0
    steps: tuple[Step, ...] = ()
    question: tuple[object, ...] = ()
    """What the steps were made of."""
    nexts: dict[tuple[int, ...], tuple[object, Asked[X]]] = field(default_factory=dict)
    """What was made of it, and of what, so that it is made once for all parts."""
    plans: dict[tuple[int, ...], tuple[object, Plan[X]]] = field(default_factory=dict)
    choices: dict[tuple[int, ...], tuple[object, Asked[X]]] = field(default_factory=dict)

    @property
    def query(self) -> Query[X]:
        return self.ahead.query

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
        if self.ahead.noting:
            raise Noted
        start = self.query.slow if self.parts is None else self.parts.slow[self.place]
        return reduce(lambda rows, step: step(rows), self.steps, start)

    def ask(self, place: int, what: tuple[object, ...], figures: Callable[[], Sequence[X]]) -> Answer:
        try:
            if self.parts is None:
                return self.ahead.ask((*self.question, *what), figures)
            return self.parts.ask((*self.question, *what), figures)[place]
        except NoWord:
            return None

    def totals(self, place: int, plan: Plan[X], exprs: Sequence[object]) -> Sequence[Total] | None:
        question = (*self.question, "sums", *exprs)
        try:
            if self.parts is None:
                return plan.totals(self.ahead.ask(question, plan.figures))
            if not plan.of_parts:
                plan.of_parts.extend(map(plan.totals, self.parts.ask(question, plan.figures)))
            return plan.of_parts[place]
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

    def next(self, made_of: tuple[object, ...], step: Step, change: Callable[[], Asked[X]]) -> Asked[X]:
        """After a step, which is made of these."""
        known = identity(made_of)
        if known not in self.nexts:
            changed = change()
            steps, question = (*self.steps, step), (*self.question, *made_of)
            self.nexts[known] = (
                made_of,
                replace(changed, steps=steps, question=question, nexts={}, plans={}, choices={}),
            )
        return self.nexts[known][1]

    def plan(self, exprs: Sequence[Expression | None]) -> Plan[X]:
        """Of the sums of these. In memory, the checks of the columns have seen the very rows that are added up."""
        known = identity(exprs)
        if known not in self.plans:
            words = [self.fields[None] if expr is None else self.said(expr) for expr in exprs]
            steady = self.query.engine.steady
            self.plans[known] = exprs, Plan([(w, _halves(self, w), [] if steady else _ends(self, w)) for w in words])
        return self.plans[known][1]


@final
class QueryTable(Table, Generic[X]):
    """Rows of an engine."""

    __slots__ = ("_common", "_place")

    def __init__(self, domain: Domain, common: Asked[X], place: int = 0) -> None:
        self.domain, self._common, self._place = domain, common, place

    @property
    def _asked(self) -> Asked[X]:
        return replace(self._common, place=self._place) if self._place else self._common

    def _next(self, made_of: tuple[object, ...], domain: Domain, step: Step, change: Callable[[], Asked[X]]) -> Table:
        return QueryTable(domain, self._common.next(made_of, step, change), self._place)

    # -- a table from this one --

    def filter(self, condition: Expression | UserFunction) -> Table:
        asked = self._common
        if isinstance(condition, UserFunction):
            return self._asked.slow().filter(condition)

        def holding() -> Asked[X]:
            return replace(asked, condition=asked.where(truth_of(asked.dialect, asked.said(condition))))

        try:
            return self._next(("filter", condition), self.domain, lambda rows: rows.filter(condition), holding)
        except NoWord:
            return self._asked.slow().filter(condition)

    def select(self, expr: Expression, domain: Domain) -> Table:
        asked = self._common

        def selected() -> Asked[X]:
            return replace(asked, fields={None: asked.said(expr)})

        try:
            return self._next(("select", expr, domain), domain, lambda rows: rows.select(expr, domain), selected)
        except NoWord:
            return self._asked.slow().select(expr, domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        asked = self._common

        def selected() -> Asked[X]:
            return replace(asked, fields={name: asked.said(expr) for name, expr in exprs.items()})

        made_of = ("record", domain, *(each for pair in exprs.items() for each in pair))
        try:
            return self._next(made_of, domain, lambda rows: rows.select_record(exprs, domain), selected)
        except NoWord:
            return self._asked.slow().select_record(exprs, domain)

    def narrowed(self, domain: Domain) -> Table:
        return self._next(("narrowed", domain), domain, lambda rows: rows.narrowed(domain), lambda: self._common)

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

    def _grouped(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[Table]:
        asked = self._asked
        if isinstance(by, UserFunction) or asked.parts is not None:
            return asked.slow()._grouped(by, places)
        try:
            group = asked.said(by)
        except NoWord:
            return asked.slow()._grouped(by, places)
        made_of = (*asked.question, "parts", by)
        parts = Parts(asked.ahead, made_of, group, list(places), lambda: asked.slow()._grouped(by, places))
        each = replace(asked, parts=parts, steps=(), question=(), nexts={}, plans={}, choices={})
        return [QueryTable(self.domain, each, place) for place in range(len(places))]

    # -- numbers --

    def count(self) -> int:
        answer = self._common.ask(self._place, ("count",), lambda: [self._common.size()])
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
            answers = asked.ahead.ask_by((*asked.question, "tally", by), asked.said(by), [asked.size()])
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
        try:
            plan = self._common.plan(exprs)
        except NoWord:
            return slow(self._asked.slow())
        totals = self._common.totals(self._place, plan, exprs)
        return slow(self._asked.slow()) if totals is None else totals

    def _entry_sums(self, size: int) -> Sequence[Total]:
        return self._asked.slow()._entry_sums(size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        asked = self._asked

        def figures() -> list[X]:
            dialect, word = asked.dialect, asked.fields[None]
            below = [less(dialect, word, Constant(c)) for c in candidates]
            above = [less(dialect, Constant(c), word) for c in candidates]
            return [dialect.how_often(asked.where(each)) for each in below + above]

        answer = asked.ask(self._place, ("ranks", candidates), figures)
        if answer is None:
            return asked.slow()._ranks(candidates)
        counts = list(map(_number, answer))
        return list(zip(counts[: len(candidates)], counts[len(candidates) :], strict=True))

    def look_ahead(self, releases: Sequence[Callable[[object], object]]) -> None:
        ways = [partial(release, self) for release in releases]
        self._common.ahead.go_through(ways, [*self._common.question, *releases])

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
