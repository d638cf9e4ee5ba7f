"""Private multiplicative weights: linear queries asked one after another, most of them answered for nothing.

Weights over all rows that there can be answer every query. An above-threshold compares how far off they are with a noisy
threshold: where that is below, their answer is given; where it is above, the query is asked with noise, that answer is
given, and the weights move towards it (Hardt and Rothblum 2010). Each query may be chosen after all the answers before it,
and one that was answered before is answered from the record, as it was. It is somebody who asks a filter of the whole
budget, and all that he asks is made of dpcore's own steps:

    above_threshold(threshold, ..., hits=updates), of  rows >> filter(q) >> count() >> absolute_errors(guess)
    rows >> filter(q) >> count() >> laplace(scale)                                            at each hit

or where q is a number between 0 and 1, `rows >> select(q) >> sum()` in the place of the count (`totals`). The guess is what
the weights say, so it is made of releases. One row moves a total by at most 1, so its error too. The
comparisons lose `1/b_T + 2 c/b_Q` in all, which is charged when it starts, and each of at most c answers `1/b`: exactly the
budget. In ZCDP each update has an above-threshold of its own, of one hit, and Gaussian noise: c times `(1/b_T + 2/b_Q)^2/2 +
1/(2 sigma^2)`. In a certificate the filter stands with the above-threshold as its premise; what its queries and the answers
are is not known beforehand. The account refuses what does not fit. How far off the answers are, `foresight` says.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, TypeVar, final, overload

import numpy as np

from dpcore.core import Space
from dpcore.core.checks import number_of, some_number_of
from dpcore.core.origins import Call
from dpcore.core.spaces import Named, a_space
from dpcore.core.typing import ME, D
from dpcore.domains import Rows
from dpcore.errors import DomainMismatch, InvalidParameter, MetricMismatch, is_a
from dpcore.expressions import Expression
from dpcore.expressions.expr import Expr, Value
from dpcore.interaction.comparisons import what_was_compared
from dpcore.interaction.curators import Curator
from dpcore.interaction.interactive import Interactive, interactive, led, view
from dpcore.many.foresight import MOST_UPDATES, Foreseen, Wanted, foreseen
from dpcore.many.public import figure_of, size_of
from dpcore.many.synthetic import Synthetic
from dpcore.many.totals import Total, total_of
from dpcore.many.universe import Floats, Layout, Universe, layout_of, universe_of
from dpcore.maps import Numeric, between_0_and_1, confidence_of, known
from dpcore.measures import ZCDP, ApproxDP, PureDP
from dpcore.measures.losses import ApproxLoss, InMeasure, PureLoss, ZCDPLoss
from dpcore.metrics import ChangeOneDistance, RowMetric, SymmetricDistance

M = TypeVar("M", bound=RowMetric)

STEP: Final = 4.0
"""The exponent of a step, in errors: see `foresight`."""


@final
class Moving:
    """Weights on the way, as logarithms: none of them ever becomes 0."""

    def __init__(self, universe: Universe) -> None:
        self._logs: Floats = np.zeros(universe.shape)
        self.now: Floats = np.full(universe.shape, 1 / universe.cells)

    def move(self, layout: Layout, missed: float) -> None:
        """Towards an answer that was missed by so much."""
        self._logs = self._logs + STEP * missed * layout.over_cells(0)
        grown: Floats = np.exp(self._logs - self._logs.max())
        self.now = grown / grown.sum()


@final
@dataclass(frozen=True, slots=True)
class Left:
    """Weights as they were left, and what was answered with them until then."""

    universe: Universe
    plan: Foreseen
    now: Floats
    told: tuple[tuple[Expression, float], ...]

    def weights(self) -> Floats:
        return self.now.copy()

    def error_bound(self, confidence: Fraction) -> float:
        """The answers are near, and the weights are so far from the answers."""
        apart = [abs(share - layout_of(self.universe, [query]).answer(0, self.now)) for query, share in self.told]
        return min(1.0, (1 + 1e-9) * (float(self.plan.within(confidence)) + max(apart, default=0.0)))


@final
class OnlineWeights(Generic[ME]):
    """Answers linear queries one after another, each chosen after the answers before it.

    weights = dp.pmw(people, dp.pure(1), queries=1000).start(data)
    weights.ask(field("age") >= 65)                    # the share of rows
    weights.ask(field("age") / 120)                    # the mean of a number between 0 and 1
    weights.accuracy("0.95")                           # no answer is off by more
    weights.synthetic.rows(1000)                       # as many synthetic rows
    """

    __slots__ = ("_comparisons", "_curator", "_found", "_lock", "_moving", "_plan", "_told", "_universe")

    def __init__(self, curator: Curator[Any, Any, ME], universe: Universe, plan: Foreseen) -> None:
        self._curator, self._universe, self._plan = curator, universe, plan
        self._comparisons = self._begun()
        self._moving, self._told, self._found = Moving(universe), dict[Expression, float](), list[Expression]()
        self._lock = threading.RLock()

    def _begun(self) -> list[Any]:
        """The above-threshold that is asked: in a list, which copies share."""
        curator: Any = self._curator
        return [curator.begin(self._plan.comparisons())]

    @overload
    def ask(self, query: Expr[bool] | Expr[Value]) -> float: ...
    @overload
    def ask(self, query: Sequence[Expr[bool] | Expr[Value]]) -> list[float]: ...
    def ask(self, query: object) -> float | list[float]:
        """The share of the rows that meet a condition, or the mean of a number of each that is known to lie in [0, 1].

        Of a list, what each of them gives, asked in turn. What is refused costs nothing; where it is over in the midst of a
        list, what was answered before is `told`.

        A query that was answered before, the same expression (`.same_as`, as these rows understand it), is given the answer
        of then, whether that was paid for or the weights gave it. It was seen already, so it costs nothing, is none of the
        `queries`, and is given when it is over, too. What `accuracy` says is said of that answer, at once with all others:
        given twice it is as far off as once. The weights of today may have moved away from it, and nobody compared them.
        """
        if isinstance(query, (list, tuple)):
            return [self._told_or_asked(each) for each in [total_of(each, self._curator.space) for each in query]]
        return self._told_or_asked(total_of(query, self._curator.space))

    def _told_or_asked(self, total: Total) -> float:
        query = total.query
        with self._lock:
            if query not in self._told:
                self._expect_more(query)
                self._told[query] = self._asked(total)
            return self._told[query]

    def _asked(self, total: Total) -> float:
        """What the weights say, or where that is found to be wrong, the noisy answer."""
        layout = layout_of(self._universe, [total.query])
        share = min(1.0, max(0.0, layout.answer(0, self._moving.now)))
        if self._comparisons[0].over:
            self._comparisons[:] = self._begun()
        if not self._comparisons[0].ask(total.errors(share * self._plan.wanted.size)):
            return share
        self._found.append(total.query)
        return self._answered(total, layout, share)

    def _answered(self, total: Total, layout: Layout, share: float) -> float:
        """The noisy answer, which teaches the weights. Cut off at 0 and 1 it is no further from the true one."""
        asked = total.of_rows >> self._plan.noise()
        rows = self._curator.ask(asked.to(ApproxDP) if self._curator.measure == ApproxDP() else asked)
        heard = float(min(Fraction(1), max(Fraction(0), Fraction(rows) / self._plan.wanted.size)))
        self._moving.move(layout, heard - share)
        return heard

    def _expect_more(self, query: Expression) -> None:
        self._curator.expect_no_failure()
        if len(self._told) == self._plan.wanted.queries:
            raise InvalidParameter(
                "as many queries were asked as were announced, and of no more the error is known",
                right=query,
                produced=len(self._told),
                bridge="synthetic.answer(query), for nothing; pmw(..., queries=...) of more",
            )
        if self.over:
            raise InvalidParameter(
                "it is over: the weights were as often wrong as they may be",
                right=query,
                produced=self.updates,
                bridge="synthetic.answer(query), for nothing; a higher threshold, or more updates",
            )

    # ---- what is known ---------------------------------------------------------------------------------------------

    def accuracy(self, confidence: Numeric) -> Fraction:
        """With this confidence, over the noise, none of the answers is off by more than this share of the rows.

        It is known before anything is asked, and holds of all queries together, however they are chosen, about data of as
        many rows as was said.
        """
        return self._plan.within(confidence_of(confidence))

    def lasts(self, confidence: Numeric) -> bool:
        """Whether it is known beforehand that, with this confidence, all queries are answered, within `accuracy`."""
        return self._plan.lasts(confidence_of(confidence))

    @property
    def threshold(self) -> Fraction:
        """An error of such a share of the rows is looked for."""
        return Fraction(self._plan.threshold, self._plan.wanted.size)

    @property
    def updates(self) -> int:
        """How often the weights may be found wrong."""
        return self._plan.scales.updates

    @property
    def over(self) -> bool:
        """Whether they were, so that nothing more is answered."""
        return self.found == self.updates

    @property
    def told(self) -> tuple[tuple[Expression, float], ...]:
        """Each query that was answered, with its answer."""
        return tuple(self._told.items())

    @property
    def found(self) -> int:
        """How often the weights were found wrong so far."""
        return len(self._found)

    @property
    def synthetic(self) -> Synthetic:
        """The weights so far as synthetic data, made of the answers alone."""
        left = Left(self._universe, self._plan, self._moving.now, self.told)
        return Synthetic(self._universe, self._plan.wanted.size, left)

    @property
    def transcript(self) -> Interactive[Any, Any, ME, Any]:
        """The filter that answered, with what was asked of it so far."""
        return self._curator.transcript

    def expect_no_failure(self) -> None:
        """Refuse where a question failed while it was answered."""
        self._curator.expect_no_failure()

    def __repr__(self) -> str:
        asked, of = len(self._told), self._plan.wanted.queries
        return f"<weights over {self._universe!r}: {asked} of {of} asked, wrong {self.found} of {self.updates} times>"


@final
@dataclass(frozen=True, slots=True)
class Begins:
    """Begins to answer once there are data."""

    universe: Universe
    plan: Foreseen

    def __call__(self, curator: Curator[Any, Any, ME]) -> OnlineWeights[ME]:
        return OnlineWeights(curator, self.universe, self.plan)


def pmw(
    space: Space[Rows[D], M],
    loss: InMeasure[ME],
    *,
    queries: int,
    updates: int | None = None,
    threshold: Numeric | None = None,
    size: int | None = None,
    confidence: Numeric = "0.95",
) -> Interactive[Rows[D], M, ME, OnlineWeights[ME]]:
    """Linear queries one after another, `pmw(people, pure(1), queries=1000)`: `.start(data)`, then `.ask(query)`.

    Weights over all rows that there can be, at most 10^6, answer while they are near; where they are further off than a
    `threshold`, a share of the rows, they learn from a noisy answer, at most `updates` times. Both are chosen so that with
    this confidence all queries are answered and the error that is known beforehand, `.accuracy(confidence)`, is the least;
    where both are said, fewer may be answered. The loss of all is exactly what is said, in PureDP, ApproxDP or ZCDP, between
    data 1 apart; `size` is the public number of rows, where the space does not say it.
    """
    a_space(space, "space")
    queries = number_of(queries, "queries", 1)
    updates, size = some_number_of(updates, "updates", 1), some_number_of(size, "size", 1)
    if updates is not None and updates > MOST_UPDATES:
        raise InvalidParameter(f"there are at most {MOST_UPDATES} updates", produced=updates)
    share = None if threshold is None else _share(threshold)
    sure = confidence_of(confidence)
    given = _options(queries=queries, updates=updates, size=size, threshold=share, confidence=sure)
    budget = figure_of(loss, PureLoss, ApproxLoss, ZCDPLoss)
    universe, rows = _universe(space), size_of(space, size, "pmw")
    pure = loss.counted != ZCDP()
    wanted = Wanted(universe.cells, rows, budget, queries, sure, pure)
    plan = foreseen(wanted, updates, share)
    first: Any = view(interactive(space, plan.comparisons()), what_was_compared)
    first = first if loss.counted == PureDP() else first.to(loss.counted)
    return led(interactive(space, loss, [first]), Begins(universe, plan), Call(pmw, (space, loss), given))


def _options(**said: object) -> tuple[tuple[str, object], ...]:
    """What was said, as it is printed: neither what was left out nor the usual confidence."""
    usual = {"confidence": confidence_of("0.95")}
    return tuple([(name, x) for name, x in said.items() if x is not None and x != usual.get(name)])


def _share(threshold: Numeric) -> Fraction:
    return Fraction(known(between_0_and_1(threshold, "threshold"), "threshold"))


def _universe(space: Space[Rows[D], M]) -> Universe:
    """All rows that there can be; the rows of the data are counted, or numbers of them added up, one by one."""
    if not is_a(space.domain, Rows):
        raise DomainMismatch("pmw answers queries about rows", produced=space.domain, expected=Named("rows"))
    if not (is_a(space.metric, SymmetricDistance) or is_a(space.metric, ChangeOneDistance)):
        raise MetricMismatch(
            "pmw counts rows, of which one comes, goes or is replaced",
            produced=space.metric,
            expected=Named("SymmetricDistance or ChangeOneDistance"),
            bridge="bound_contributions(limit), then rows of at most so many of a person",
        )
    return universe_of(space.domain.of, Named("pmw"))
