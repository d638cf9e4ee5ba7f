"""A synthetic table: noisy counts of each field and of the pairs that depend most, and the tree that is nearest to them.

As MST of McKenna, Miklau and Sheldon (2021): a part of the budget for the counts of each field, a part for choosing
which pairs are neighbours, the rest for the counts of these pairs. It is a strategy that asks a filter of the whole
budget, and each question is made of dpcore's own steps: d times, d - 1 times and d - 1 times,

    rows >> histogram(field, norm=L2Distance) >> gaussian(sigma)
    rows >> linear_queries(cuts of pairs, norm=LInfDistance) >> absolute_errors(guess) >> exponential(scale)
    rows >> histogram(pair, norm=L2Distance) >> gaussian(sigma)

A cut of a field is some of its values against the others; a query counts the rows on one side of a cut of each of two
fields, and its guess is what that would be if the two were independent, made of the counts that were released. The
cut that is furthest from its guess says which pair comes next; pairs that are joined already are no candidates. MST
looks at the sum of the errors of all cells of a pair, of which the error of the best cut is a part; that would need a
rule of its own, and costs twice where rows are replaced.

Scales are such that the parts cost what they may, in ZCDP: `d s^2/(2 sigma^2)` for the counts, s^2 being 1, or 2
where rows are replaced, and `(d - 1)/(2 scale^2)` for the choices. A root is rounded up, so the whole costs at most
the budget, which is the loss.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from random import Random
from typing import Any, Final, TypeVar, final

import numpy as np

from dpcore.core import Measurement, Space
from dpcore.core.checks import number_of, row_domain
from dpcore.core.key_columns import key_columns
from dpcore.core.origins import MADE, Call, Contents, Part, Placed, SomeSpace
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Record, Rows
from dpcore.engines.frames.results import framing_of
from dpcore.errors import DomainMismatch, InvalidParameter
from dpcore.expressions import Expression, literal, when
from dpcore.expressions.expr import Expr
from dpcore.interaction.curators import Curator
from dpcore.interaction.interactive import interactive, view
from dpcore.many.marginals import is_value
from dpcore.many.mwem import figure_of
from dpcore.many.roots import root_above
from dpcore.many.trees import Edge, Noisy, Places, Tree, fitted
from dpcore.many.universe import MOST_CELLS, Floats, Universe, universe_of
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.selection import exponential
from dpcore.measures import ZCDP
from dpcore.measures.losses import ZCDPLoss
from dpcore.metrics import ChangeOneDistance, L2Distance, LInfDistance, RowMetric
from dpcore.noise.bits import BitSource, system_bits
from dpcore.transformations.absolute_errors import absolute_errors
from dpcore.transformations.histogram import histogram
from dpcore.transformations.linear_queries import LinearQueries

M = TypeVar("M", bound=RowMetric)

SHARES: Final = (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
"""Of the budget for the counts of fields, for the choices, and for the counts of pairs."""

MOST_VALUES: Final = 500
FEW_VALUES: Final = 5
ALONE: Final = 12
CUTS: Final = 16
"""Of a field of more values: each of so many against the others, and so many cuts into halves."""

MOST_QUERIES: Final = 20_000
"""So many cuts of pairs are looked at in a choice."""


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What is public before anything is asked."""

    universe: Universe
    rho: Fraction
    squared: int
    """How far a row moves a histogram in L2, squared."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([str(name) for name, _ in self.universe.fields])

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.universe.shape

    def sigmas(self) -> tuple[Fraction, Fraction, Fraction]:
        """Of the counts of a field, of a choice, and of the counts of a pair."""
        d = len(self.names)
        if d == 1:
            return root_above(self.squared / (2 * self.rho)), Fraction(1), Fraction(1)
        one, two, three = [share * self.rho for share in SHARES]
        return (
            root_above(d * self.squared / (2 * one)),
            root_above((d - 1) / (2 * two)),
            root_above((d - 1) * self.squared / (2 * three)),
        )

    def place(self, i: int) -> Any:
        """Which of its values a field has, as a number."""
        name, values = self.universe.fields[i]
        found: Any = literal(len(values) - 1)
        for place in reversed(range(len(values) - 1)):
            found = when(is_value(str(name), values[place])).then(place).otherwise(found)
        return found

    def counts(self, fields: tuple[int, ...], space: SomeSpace, sigma: Fraction) -> Any:
        """The question for the noisy counts of a field, or of two."""
        key, many = self.place(fields[0]), self.sizes[fields[0]]
        for i in fields[1:]:
            key, many = key * self.sizes[i] + self.place(i), many * self.sizes[i]
        asked: Any = space
        return asked >> histogram(key, bins=range(many), norm=L2Distance) >> gaussian(sigma=sigma)


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """Noisy counts of one field or of two, by their places, and the variance of the noise."""

    fields: tuple[int, ...]
    counts: tuple[int, ...]
    variance: Fraction


@final
@dataclass(frozen=True, slots=True)
class SyntheticTable:
    """A distribution of rows that stands for a table: a tree over its fields. All of it is post-processing of releases.

    made = (people >> dp.synthesize(dp.zcdp("1/8"))).release(table)
    made.rows(1000, like=table)                    # a table of the same library
    """

    universe: Universe
    edges: tuple[tuple[str, str], ...]
    """Which fields are neighbours, in the order in which they were chosen."""
    size: int
    """About how many rows the table has, by the noisy counts."""
    counted: tuple[Counted, ...] = field(repr=False)
    """What it is made of: the noisy counts of each field, then of each pair of neighbours."""

    def marginal(self, *names: str) -> Floats:
        """The shares of the values of one field, or of the pairs of values of two."""
        known = [str(name) for name, _ in self.universe.fields]
        if not 1 <= len({*names}) == len(names) <= 2 or not {*names} <= {*known}:
            raise InvalidParameter(
                f"Expected the names of one field or of two but got {names}", produced=names, expected=known
            )
        places = [known.index(name) for name in names]
        tree = tree_of(self)
        return tree.singles[places[0]] if len(places) == 1 else tree.pair(places[0], places[1])

    def rows(self, n: int | None = None, *, like: object = None, bits: BitSource | None = None) -> object:
        """n rows, or about as many as there are: a list, or a table of the library of `like`. `bits` is for tests."""
        source = system_bits() if bits is None else bits
        many = number_of(self.size if n is None else n, "n", 1)
        places = tree_of(self).sampled(many, np.random.default_rng(source.bits(128)))
        columns = dict(self._columns(places))
        framing = None if like is None else framing_of(like)
        if framing is None:
            if like is not None and not isinstance(like, (list, tuple)):
                raise InvalidParameter(
                    f"Expected a table of a library for like but got a {type(like).__name__}",
                    bridge="a frame, or nothing",
                )
            return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        made: dict[str, Any] = {}
        for name, column in columns.items():
            made |= key_columns(name, column)
        return framing(made)

    def _columns(self, places: Sequence[Places]) -> Iterator[tuple[str, list[Hashable]]]:
        assert isinstance(self.universe.domain, Record)
        declared = dict(self.universe.domain.fields)
        for (name, values), column in zip(self.universe.fields, places, strict=True):
            of = declared[str(name)]
            given: list[Any] = [*values] if of.gives_as_it_holds() else [of.given_out(value) for value in values]
            yield str(name), [given[i] for i in column.tolist()]


def fit(universe: Universe, edges: Sequence[Edge], counted: Sequence[Counted], size: int) -> Tree:
    """The tree that is nearest to the counts."""
    noisy = [
        Noisy(
            each.fields,
            np.array(each.counts, float).reshape([universe.shape[i] for i in each.fields]),
            float(each.variance),
        )
        for each in counted
    ]
    return fitted(universe.shape, edges, noisy, size)


@lru_cache(maxsize=16)
def tree_of(table: SyntheticTable) -> Tree:
    """It follows from the counts, and is found when it is first asked for."""
    edges = [(each.fields[0], each.fields[1]) for each in table.counted if len(each.fields) == 2]
    return fit(table.universe, edges, table.counted, table.size)


@final
@dataclass(frozen=True, slots=True)
class Asking:
    """The strategy: what is asked depends on answers and on what is public."""

    plan: Plan

    def __call__(self, curator: Curator[Any, Any, Any]) -> SyntheticTable:
        plan, edges = self.plan, list[Edge]()
        of_field, of_choice, of_pair = plan.sigmas()
        counted = [self._counted(curator, (i,), of_field) for i in range(len(plan.sizes))]
        size = max(1, round(sum(sum(each.counts) for each in counted) / len(counted)))
        if len(plan.sizes) > 1:
            alone = fit(plan.universe, [], counted, size)
            while len(edges) < len(plan.sizes) - 1:
                edges.append(self._next(curator, edges, alone, size, of_choice))
        counted += [self._counted(curator, edge, of_pair) for edge in edges]
        named = tuple([(plan.names[i], plan.names[j]) for i, j in edges])
        return SyntheticTable(plan.universe, named, size, tuple(counted))

    def _counted(self, curator: Curator[Any, Any, Any], fields: tuple[int, ...], sigma: Fraction) -> Counted:
        counts = curator.ask(self.plan.counts(fields, curator.space, sigma))
        return Counted(fields, tuple([int(count) for count in counts]), sigma * sigma)

    def _next(
        self, curator: Curator[Any, Any, Any], edges: Sequence[Edge], alone: Tree, size: int, scale: Fraction
    ) -> Edge:
        """The pair of the cut that is furthest from independence, among pairs that are not joined yet."""
        plan = self.plan
        joined = _joined(len(plan.sizes), edges)
        candidates = [(i, j) for i, j in combinations(range(len(plan.sizes)), 2) if joined[i] != joined[j]]
        asked = [(pair, query) for pair in candidates for query in cuts_of(plan, pair)]
        guess = [round(size * p) for i, j in candidates for p in np.outer(_cut(alone, i), _cut(alone, j)).ravel()]
        space: Any = curator.space
        errors = space >> LinearQueries(tuple([query for _, query in asked]), LInfDistance) >> absolute_errors(guess)
        chosen: int = curator.ask(errors >> exponential(scale, measure=ZCDP))
        return asked[chosen][0]


def _cut(alone: Tree, i: int) -> Floats:
    """The share of the rows in each cut of a field."""
    return np.array([alone.singles[i][list(places)].sum() for places in cuts(alone.sizes[i])])


def _joined(fields: int, edges: Sequence[Edge]) -> list[int]:
    """For each field a number that it shares with those that it is joined to."""
    found = list(range(fields))
    for i, j in edges:
        found = [found[i] if each == found[j] else each for each in found]
    return found


@lru_cache(maxsize=1 << 8)
def cuts(size: int) -> tuple[tuple[int, ...], ...]:
    """Values of a field against the others: all such cuts of a few values, else some, drawn once and for all."""
    if size <= FEW_VALUES:
        halves = [places for n in range(1, size) for places in combinations(range(size), n)]
        return tuple([places for places in halves if 0 in places]) or ((0,),)
    dice = Random(size)
    halves = [tuple(sorted(dice.sample(range(size), size // 2))) for _ in range(CUTS)]
    return (*((place,) for place in range(min(size, ALONE))), *halves)


@lru_cache(maxsize=1 << 12)
def cuts_of(plan: Plan, pair: Edge) -> tuple[Expression, ...]:
    """A query for each two cuts of a pair of fields: the rows that are on the one side of both."""
    ways: list[list[Expr[bool]]] = []
    for i in pair:
        name, values = plan.universe.fields[i]
        each = [[is_value(str(name), values[place]) for place in places] for places in cuts(len(values))]
        ways.append([reduce(or_, conditions) for conditions in each])
    return tuple([(one & other).structure().on(plan.universe.domain) for one in ways[0] for other in ways[1]])


@lru_cache(maxsize=64)
def asking_by(plan: Plan) -> Asking:
    """The same for the same plan, so that equal steps make equal arrows."""
    return Asking(plan)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Synthesize(Step, Placed):
    """See `synthesize`."""

    loss: ZCDPLoss

    word = "synthesize"
    positional = 1

    def printed(self, value: object) -> str:
        return repr(value)

    def __call__(self, space: Space[Rows[D], M]) -> Measurement[Rows[D], M, ZCDP, SyntheticTable]:
        plan = self._plan(space)
        asked: Any = view(interactive(space, self.loss, [_first(plan, space)]), asking_by(plan))
        return Measurement(space, asked.measure, asked.derivation, Call(self, (space,)), MADE)

    def _plan(self, space: Space[Rows[D], M]) -> Plan:
        of = row_domain(self, space)
        if not isinstance(of, Record):
            raise DomainMismatch(
                "cannot chain: a table has fields",
                right=self,
                produced=of,
                expected="record(...)",
                bridge="select(name=...)",
            )
        universe = universe_of(of, self, most=MOST_CELLS**20)
        many = sum(len(cuts(m)) * len(cuts(n)) for m, n in combinations(universe.shape, 2))
        if many > MOST_QUERIES or max(universe.shape) > MOST_VALUES:
            raise DomainMismatch(
                "the fields are too many, or one has too many values, for all pairs to be looked at",
                right=self,
                produced=of,
                expected=f"at most {MOST_VALUES} values each",
                bridge="select(...) of fewer fields, or of wider ranges, field('age') // 10",
            )
        return Plan(universe, figure_of(self.loss), 2 if isinstance(space.metric, ChangeOneDistance) else 1)

    def contents(self, space: SomeSpace) -> Contents:
        """Of what is asked only the first question is known before."""
        known: Any = space
        return Contents((Part(_first(self._plan(known), known), space),), None, "what synthesize asks next")


def _first(plan: Plan, space: Any) -> Any:
    """The counts of the first field."""
    return plan.counts((0,), space, plan.sigmas()[0])


def synthesize(loss: ZCDPLoss) -> Synthesize:
    """A synthetic table in the place of a table, `people >> synthesize(zcdp("1/8"))`: a tree over its fields.

    Rows are records whose fields have finitely many values. The loss is exactly what is said. The release has
    `.rows(n, like=table)`, which is a table of the same library, `.marginal("age", "region")` and `.edges`: which fields are
    neighbours.
    """
    if not isinstance(loss, ZCDPLoss):
        raise InvalidParameter("Expected a budget in ZCDP", produced=loss, bridge="zcdp('1/8')")
    figure_of(loss)
    return Synthesize(loss)
