"""What a table stands for, as words of its engine; and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Generic, TypeAlias, final

from dpcore.domains import Domain, Record
from dpcore.engines.queries.ahead import Ahead, Noted, identity
from dpcore.engines.queries.asking import Answer, FigureColumns, Query, numbers
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, X
from dpcore.engines.queries.operations import said, truth_of
from dpcore.engines.queries.parts import Parts
from dpcore.engines.queries.words import COUNTS, TRUTHS, Constant, Word
from dpcore.engines.table import Table, Total
from dpcore.expressions import Expression

Step: TypeAlias = Callable[[Table], Table]
Fields: TypeAlias = Mapping[str | None, Word[X]]

HALF = 1 << 31
"""Larger numbers are added up in two halves."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plan(Generic[X]):
    """How sums are asked for: for each the word, and the halves that are added up."""

    sums: Sequence[tuple[Word[X], Sequence[tuple[X, int]]]]
    of_parts: list[Sequence[Sequence[Total]] | None] = field(default_factory=list)
    """Each sum of all parts by their places, once one of them was asked for."""

    def figures(self) -> Sequence[X]:
        return [each for _, half in self.sums for each, _ in half]

    def totals(self, answer: Answer) -> Sequence[Total] | None:
        """None where there is no answer."""
        return None if answer is None else [total for (total,) in self.of_each([[figure] for figure in answer])]

    def of_each(self, answers: FigureColumns) -> Sequence[Sequence[Total]]:
        """Each sum of all of some parts."""
        columns = iter(answers)
        found: list[Sequence[Total]] = []
        for word, half in self.sums:
            halves = [_weighted(next(columns), weight) for _, weight in half]
            totals = halves[0] if len(halves) == 1 else list(map(sum, zip(*halves, strict=True)))
            found.append([n * word.step for n in totals] if word.layout is COUNTS and word.step != 1 else totals)
        return found


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
        question = (*self.question, *what)
        if self.parts is not None:
            columns = self.of_each(question, figures)
            return None if columns is None else [column[place] for column in columns]
        try:
            return self.ahead.ask(question, figures)
        except NoWord:
            return None

    def totals(self, place: int, plan: Plan[X], exprs: Sequence[object]) -> Sequence[Total] | None:
        if self.parts is None:
            try:
                return plan.totals(self.ahead.ask(self._sums_of(exprs), plan.figures))
            except NoWord:
                return None
        if not plan.of_parts:
            plan.of_parts.append(self.totals_of_each(plan, exprs))
        of_all = plan.of_parts[0]
        return None if of_all is None else [totals[place] for totals in of_all]

    def totals_of_each(self, plan: Plan[X], exprs: Sequence[object]) -> Sequence[Sequence[Total]] | None:
        """Each sum of all parts; None where they have to be added up otherwise."""
        answers = self.of_each(self._sums_of(exprs), plan.figures)
        return None if answers is None else plan.of_each(answers)

    def of_each(self, question: tuple[object, ...], figures: Callable[[], Sequence[X]]) -> FigureColumns | None:
        """Of all parts, by their places."""
        assert self.parts is not None
        try:
            return self.parts.ask(question, figures)
        except NoWord:
            return None

    def _sums_of(self, exprs: Sequence[object]) -> tuple[object, ...]:
        return (*self.question, "sums", *exprs)

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

    # -- after a step --

    def filtered(self, condition: Expression) -> Asked[X]:
        def holding() -> Asked[X]:
            return replace(self, condition=self.where(truth_of(self.dialect, self.said(condition))))

        return self._next(("filter", condition), lambda rows: rows.filter(condition), holding)

    def selected(self, expr: Expression, domain: Domain) -> Asked[X]:
        def chosen() -> Asked[X]:
            return replace(self, fields={None: self.said(expr)})

        return self._next(("select", expr, domain), lambda rows: rows.select(expr, domain), chosen)

    def selected_record(self, exprs: Mapping[str, Expression], domain: Record) -> Asked[X]:
        def chosen() -> Asked[X]:
            return replace(self, fields={name: self.said(expr) for name, expr in exprs.items()})

        made_of = ("record", domain, *(each for pair in exprs.items() for each in pair))
        return self._next(made_of, lambda rows: rows.select_record(exprs, domain), chosen)

    def narrowed(self, domain: Domain) -> Asked[X]:
        return self._next(("narrowed", domain), lambda rows: rows.narrowed(domain), lambda: self)

    def _next(self, made_of: tuple[object, ...], step: Step, change: Callable[[], Asked[X]]) -> Asked[X]:
        known = identity(made_of)
        if known not in self.nexts:
            changed = change()
            steps, question = (*self.steps, step), (*self.question, *made_of)
            self.nexts[known] = (
                made_of,
                replace(changed, steps=steps, question=question, nexts={}, plans={}, choices={}),
            )
        return self.nexts[known][1]

    # -- sums --

    def plan(self, exprs: Sequence[Expression | None]) -> Plan[X]:
        """Of the sums of these. The checks of the columns see the very rows that are added up."""
        known = identity(exprs)
        if known not in self.plans:
            words = [self.fields[None] if expr is None else self.said(expr) for expr in exprs]
            self.plans[known] = exprs, Plan([(word, _halves(self, word)) for word in words])
        return self.plans[known][1]


def _weighted(figures: Sequence[Figure], weight: int) -> Sequence[int]:
    return numbers(figures) if weight == 1 else [figure * weight for figure in numbers(figures)]


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
