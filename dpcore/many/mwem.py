"""Multiplicative weights with the exponential mechanism: synthetic data that answer many queries at the price of a few.

Each round picks a query that the synthetic data answer badly, asks it with noise, and moves the weights towards the answer
(Hardt, Ligett and McSherry 2012). It is a strategy that asks a filter of the whole budget, and each question is made of
dpcore's own steps: which query, and then its answer,

    rows >> linear_queries(q_1, ..., q_k, norm=LInfDistance) >> absolute_errors(guess) >> exponential(scale)
    rows >> linear_queries(q_i) >> laplace(scale)

The guess is what the weights say, so it is made of releases. One row moves each answer by at most 1, so each error too:
the choice loses `2/scale` and the answer `1/scale`, in ZCDP `1/(2 scale^2)` each. Both have one scale, with which T rounds
cost the budget: `3T/epsilon`, or `sqrt(T/rho)`. The account of the filter adds up what is asked and answers nothing beyond:
nothing here is the user's word. In a certificate the filter stands with the first choice as its premise, which is known
beforehand; the others differ from it in the guess alone. How far off the weights are, `weighing` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar, final

import numpy as np

from dpcore.core import Measurement, Space
from dpcore.core.checks import number_of, some_number_of
from dpcore.core.origins import MADE, Call, Contents, Part, Placed, SomeSpace
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import ME, D
from dpcore.domains import Rows
from dpcore.errors import a_list
from dpcore.expressions import Expression
from dpcore.expressions.expr import Expr, Value
from dpcore.interaction.curators import Curator
from dpcore.interaction.interactive import interactive, view
from dpcore.many.public import figure_of, size_of
from dpcore.many.roots import root_above
from dpcore.many.synthetic import Synthetic
from dpcore.many.universe import Floats, layout_of, universe_of
from dpcore.many.weighing import Plan, Weighed, Weights
from dpcore.measurements.selection import exponential
from dpcore.measures import ZCDP, PureDP
from dpcore.measures.losses import InMeasure, PureLoss, ZCDPLoss
from dpcore.metrics import LInfDistance, RowMetric
from dpcore.transformations.absolute_errors import absolute_errors
from dpcore.transformations.linear_queries import LinearQueries, structures

M = TypeVar("M", bound=RowMetric)


@final
@dataclass(frozen=True, slots=True)
class Asking:
    """The strategy: what is asked depends on answers and on what is public."""

    plan: Plan
    all_of_them: LinearQueries[Any, LInfDistance]

    def __call__(self, curator: Curator[Any, Any, Any]) -> Synthetic:
        plan, space = self.plan, curator.space
        answers, state = curator.after(self.all_of_them), Weights(plan)
        heard: list[tuple[int, Fraction]] = []
        for _ in range(plan.rounds):
            worst = answers.ask(answers.space >> self.guessed(state.said, answers.space) >> self.choice())
            answer = curator.ask(plan.asking(space, worst))
            heard.append((worst, Fraction(answer[0])))
            state.hear(worst, float(heard[-1][1]) / plan.size)
        return Synthetic(plan.universe, plan.size, Weighed(plan, tuple(heard), state))

    def choice(self) -> Any:
        return exponential(self.plan.scale, measure=PureDP if self.plan.pure else ZCDP)

    def guessed(self, said: Floats, space: SomeSpace) -> Any:
        """The errors of what the weights say, as rows on the grid of the answers."""
        return absolute_errors(on_grid(said, self.plan.size, space))


@lru_cache(maxsize=8)
def asking_by(plan: Plan) -> Asking:
    """The same for the same plan, so that equal steps make equal arrows."""
    return Asking(plan, LinearQueries(plan.queries, LInfDistance))


def on_grid(said: Floats, size: int, space: SomeSpace) -> list[Fraction]:
    """Shares as numbers of rows, on the grid of the vectors of a space."""
    step = Fraction(getattr(space.domain, "of").grid)  # noqa: B009
    return [round(Fraction(float(share)) * size / step) * step for share in said]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Mwem(Step, Placed, Generic[ME]):
    """See `mwem`."""

    queries: tuple[Expression, ...]
    rounds: int
    loss: InMeasure[ME]
    size: int | None
    average: bool

    word = "mwem"
    positional = 3
    defaults: ClassVar[Mapping[str, object]] = {"size": None, "average": False}

    def __call__(self, space: Space[Rows[D], M]) -> Measurement[Rows[D], M, ME, Synthetic]:
        asking, first = self._begun(space)
        asked: Any = view(interactive(space, self.loss, [first]), asking)
        return Measurement(space, asked.measure, asked.derivation, Call(self, (space,)), MADE)

    def contents(self, space: SomeSpace) -> Contents:
        """Of what is asked only the first question is known before."""
        _, first = self._begun(space)
        return Contents((Part(first, space),), None, "what the later rounds of mwem ask")

    def _begun(self, space: Any) -> tuple[Any, Any]:
        """Who asks, and the first question, which is about a guess that nothing is known of."""
        plan = self._plan(space)
        asking = asking_by(plan)
        answers = space >> asking.all_of_them
        said = plan.layout.answers(np.full(plan.universe.shape, 1 / plan.universe.cells))
        return asking, answers >> asking.guessed(said, answers.output) >> asking.choice()

    def _plan(self, space: Space[Rows[D], M]) -> Plan:
        universe = universe_of(row_domain(self, space), self)
        size = size_of(space, self.size, self.word, self)
        queries = tuple([query.on(universe.domain) for query in self.queries])
        LinearQueries(queries, LInfDistance)(space)  # which refuses what is no linear query
        layout = layout_of(universe, queries)
        pure = isinstance(self.loss, PureLoss)
        return Plan(universe, queries, self.rounds, size, scale_of(self.loss, self.rounds), pure, self.average, layout)


def scale_of(loss: object, rounds: int) -> Fraction:
    """The scale with which the rounds cost the budget; a root is rounded up, and the rounds cost a little less."""
    figure = figure_of(loss, PureLoss, ZCDPLoss)
    if isinstance(loss, PureLoss):
        return 3 * rounds / figure
    return root_above(rounds / figure)


def mwem(
    queries: Sequence[Expr[bool] | Expr[Value]],
    rounds: int,
    loss: InMeasure[ME],
    *,
    size: int | None = None,
    average: bool = False,
) -> Mwem[ME]:
    """Synthetic data that answer all these linear queries, `mwem(queries, rounds=10, loss=pure(1), size=2000)`.

    A query is an expression of a row with values in [0, 1]. Rows have finitely many values, at most 10^6 in all. The loss is
    exactly what is said, in PureDP or ZCDP, between data 1 apart; `size` is the public number of rows, where the space does
    not say it. The release has `.weights`, `.answer(query)`, `.rows(n)` and `.error_bound(confidence)`.
    With `average=True` the weights are the average over the rounds, of which the theorem of the source speaks beforehand.
    """
    a_list(queries, "queries")
    figure_of(loss, PureLoss, ZCDPLoss)
    many, of = number_of(rounds, "rounds", 1), some_number_of(size, "size", 1)
    return Mwem(structures(queries), many, loss, of, average)
