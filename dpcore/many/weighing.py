"""Weights over a universe, moved towards noisy answers; and how far off they are.

Argument (Hardt, Ligett and McSherry 2012, with Hoeffding's lemma). Let n be the number of rows, p the true
distribution over N cells, A the weights before a round, `e = q(p) - q(A)` the error of the query that is asked, `m =
q(p) + v` its noisy answer (all as shares) and `r = m - q(A) = e + v`. The weights become proportional to `A exp(s q)`
with s = 2r. As q lies in [0, 1], the relative entropy of p to the weights falls by at least

    s e - s^2/8  =  2 r (r - v) - r^2/2  =  3/2 r^2 - 2 r v  =  3/2 e^2 + e v - v^2/2  >=  e^2 - v^2.

It is at most `ln N` at first and never below 0, so over T rounds the sum of e^2 is at most `ln N` plus that of v^2,
and the mean of |e| at most `sqrt(ln N / T + a^2) <= sqrt(ln N / T) + a`, where every |v| <= a. The query that is
asked is within `c = scale (ln k + t) + 1` rows of the worst, except with probability e^-t (McSherry and Talwar 2007;
the 1 is for the guess, which is rounded to the grid of the answers), and the error of the average of the weights is
at most the mean of their errors: together `sqrt(ln N / T) + a + c/n`, for the average of the weights before each
round. With Laplace noise, t = ln k and a chance of 1/k for each of the 2T draws to be further off that is `sqrt(ln N
/ T) + 9 T ln k / (n epsilon)`, with a confidence of `1 - 2T/k`: Theorem 2.2 of the source, which has `2 sqrt(ln N /
T) + 10 T ln k / (n epsilon)`; its steps are a quarter as long, and its two scales differ.

Between the rounds the answers so far are used again, where they are missed by more than the scale of the noise. Such
a step may raise the relative entropy, by at most `2 |r| a - 3/2 r^2`, which is known once r is: the bound counts it.

Of each of the weights on the way it is known what their worst query was about, so any weights have a bound that is
known afterwards: a round's |r|, plus a and c/n, plus how far the two answer any query apart; the least over the
rounds.

Weights are floats, made of releases and of what is public. The bound is about them as they are, with a billionth
added for how sums of floats are rounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log, sqrt
from typing import Any, Final, final

import numpy as np

from dpcore.core.origins import SomeSpace
from dpcore.core.spaces import value
from dpcore.domains import Numbers
from dpcore.expressions import Expression
from dpcore.many.universe import Floats, Layout, Universe
from dpcore.maps import known
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.laplace import laplace
from dpcore.metrics import AbsoluteDistance, L1Distance, L2Distance
from dpcore.transformations.linear_queries import LinearQueries
from dpcore.transformations.to_metric import to_metric

STEP: Final = 2.0
"""The exponent of a step, in errors: see above."""

PASSES: Final = 20
"""So many times at most the answers so far are used again after each round."""


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What is public before anything is asked."""

    universe: Universe
    queries: tuple[Expression, ...]
    rounds: int
    size: int
    scale: Fraction
    """Of the noise of an answer, and of a choice."""
    pure: bool
    average: bool
    layout: Layout = field(compare=False, repr=False)

    def noise(self) -> Any:
        """What an answer ends with; its types depend on the budget."""
        return laplace(scale=self.scale) if self.pure else gaussian(sigma=self.scale)

    def asking(self, space: SomeSpace, query: int) -> Any:
        """One query with its noise. Of a single number L1 and L2 are the same."""
        asked: Any = space
        asked = asked >> LinearQueries((self.queries[query],), L1Distance)
        return asked >> self.noise() if self.pure else asked >> to_metric(L2Distance) >> self.noise()

    def accuracy(self, query: int, confidence: Fraction) -> float:
        """So many rows the answer to a query is off by no more than, with this confidence."""
        of = self.queries[query].domain(self.universe.domain)
        step = known(of.step, "step") if isinstance(of, Numbers) and of.step is not None else 1
        reached: Fraction = (value(Numbers(step=step), AbsoluteDistance()) >> self.noise()).accuracy(confidence)
        return float(reached)

    def nearly_best(self, log_chance: float) -> float:
        """So many rows no choice is worse than the best by more than, but with a chance of `exp(-log_chance)`."""
        return float(self.scale) * (log(len(self.queries)) + log_chance) + 1


@final
class Weights:
    """Weights on the way: moved towards each answer, and back to those that were missed since."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.now: Floats = np.full(plan.universe.shape, 1 / plan.universe.cells)
        self.total: Floats = np.zeros(plan.universe.shape)
        self.said: Floats = plan.layout.answers(self.now)
        """What the weights before the next round answer."""
        self.heard: list[tuple[int, float]] = []
        self.before: list[tuple[float, Floats]] = []
        """Of each round the |r| of its query, and what the weights before it answered."""
        self.again: list[float] = []
        """The |r| of the steps that were made again."""

    def hear(self, query: int, share: float) -> None:
        """One round: a noisy answer, as a share of the rows. Cut off at 0 and 1 it is no further from the true one."""
        plan, share = self.plan, min(1.0, max(0.0, share))
        self.before.append((abs(share - float(self.said[query])), self.said))
        self.total += self.now
        self.heard.append((query, share))
        self._step(query, share - plan.layout.answer(query, self.now))
        near = float(plan.scale) / plan.size
        for _ in range(PASSES):
            moved = False
            for old, said in self.heard:
                missed = said - plan.layout.answer(old, self.now)
                if abs(missed) > near:
                    self.again.append(abs(missed))
                    self._step(old, missed)
                    moved = True
            if not moved:
                break
        self.said = plan.layout.answers(self.now)

    def _step(self, query: int, missed: float) -> None:
        self.now = self.now * np.exp(STEP * missed * self.plan.layout.over_cells(query))
        self.now /= self.now.sum()


@final
@dataclass(frozen=True, slots=True)
class Weighed:
    """Weights as they follow from the answers."""

    plan: Plan
    heard: tuple[tuple[int, Fraction], ...]
    """The query of each round, and its noisy answer, in rows."""
    state: Weights = field(compare=False, repr=False)

    def weights(self) -> Floats:
        rounds = len(self.heard)
        found: Floats = self.state.total / rounds if self.plan.average else self.state.now.copy()
        return found

    def error_bound(self, confidence: Fraction) -> float:
        """See the module: half of what may fail is left to the noise of the answers, half to the choices."""
        plan, rounds = self.plan, len(self.heard)
        failing = (1 - confidence) / (2 * rounds)
        off = max(plan.accuracy(query, 1 - failing) for query in {query for query, _ in self.heard}) / plan.size
        slack = off + plan.nearly_best(-log(failing)) / plan.size
        says = plan.layout.answers(self.weights())
        told = min(r + slack + float(np.abs(says - said).max()) for r, said in self.state.before)
        promised = inf
        if plan.average:
            rises = sum(max(0.0, 2 * r * off - 1.5 * r * r) for r in self.state.again)
            squares = (log(plan.universe.cells) + rises) / rounds + off * off
            promised = sqrt(squares) + slack - off
        return min(1.0, (1 + 1e-9) * min(told, promised))
