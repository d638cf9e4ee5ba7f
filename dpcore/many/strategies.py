"""Which counts a synthetic table is made of: three strategies, each of which asks a filter of the whole budget.

All pairs: each pair of fields is counted once, and nothing is chosen. What the noise hides, `estimates` leaves out.

A tree, as MST of McKenna, Miklau and Sheldon (2021): a third of the budget for the counts of each field, a third for
choosing which pairs are neighbours, d - 1 times, a third for the counts of these pairs. The pair that is chosen is the
one that is furthest from independence, among pairs that are not joined yet.

In rounds, as AIM of McKenna, Mullins, Sheldon and Miklau (2022): the counts of each field, then again and again the pair
that the model fits worst, beyond what the noise of its counts would make, and these counts. Where counts move the model
by no more than their noise would, the next ones have half of the noise. What is left when no two rounds can be paid goes
into the last. Pairs that would make the model too large are not offered. AIM weighs what it may choose by how much of the
workload it says something of: of all pairs of fields that is the same for each pair, so nothing is weighed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal, Protocol, TypeAlias, final

import numpy as np

from dpcore.core.origins import SomeSpace
from dpcore.interaction.curators import Curator
from dpcore.many.estimates import MOST_NUMBERS, expected_error, spanning
from dpcore.many.junctions import Fields, junction_of
from dpcore.many.models import Model
from dpcore.many.questions import Offer, Plan, offer
from dpcore.many.synthetic_table import Counted, SyntheticTable, nearest

Asked: TypeAlias = Curator[Any, Any, Any]
Method: TypeAlias = Literal["pairs", "mst", "aim"]

THIRD: Final = Fraction(1, 3)
TO_CHOOSE: Final = Fraction(1, 10)
"""Of the price of a round of AIM."""

ROUNDS: Final = 16
"""For each field: so many rounds there would be if the noise never fell."""


class Strategy(Protocol):
    """Who asks. What is asked depends on answers and on what is public."""

    def first(self, space: SomeSpace) -> Any:
        """The first question, which is known before."""

    def __call__(self, curator: Asked) -> SyntheticTable: ...


def _ask(curator: Asked, plan: Plan, fields: Fields, sigma: Fraction) -> Counted:
    counts = curator.ask(plan.counts(fields, curator.space, sigma))
    return Counted(fields, tuple([int(count) for count in counts]), sigma * sigma)


def _size(counted: Sequence[Counted]) -> int:
    return max(1, round(sum(sum(each.counts) for each in counted) / len(counted)))


@final
@dataclass(frozen=True, slots=True)
class AllPairs:
    """Each pair is counted once; a table of one field is that field."""

    plan: Plan

    @property
    def asked(self) -> list[Fields]:
        return self.plan.pairs or [(0,)]

    def sigma(self) -> Fraction:
        return self.plan.sigma(self.plan.rho, len(self.asked))

    def first(self, space: SomeSpace) -> Any:
        return self.plan.counts(self.asked[0], space, self.sigma())

    def __call__(self, curator: Asked) -> SyntheticTable:
        counted = [_ask(curator, self.plan, fields, self.sigma()) for fields in self.asked]
        return SyntheticTable(self.plan.universe, _size(counted), tuple(counted))


@final
@dataclass(frozen=True, slots=True)
class OneTree:
    """Each field, then d - 1 choices, then the pairs that were chosen."""

    plan: Plan

    def sigmas(self) -> tuple[Fraction, Fraction, Fraction]:
        """Of the counts of a field, of a choice, and of the counts of a pair."""
        plan, third, many = self.plan, self.plan.rho * THIRD, len(self.plan.sizes)
        if many == 1:
            return plan.sigma(plan.rho), Fraction(1), Fraction(1)
        return plan.sigma(third, many), plan.scale(third, many - 1), plan.sigma(third, many - 1)

    def first(self, space: SomeSpace) -> Any:
        return self.plan.counts((0,), space, self.sigmas()[0])

    def __call__(self, curator: Asked) -> SyntheticTable:
        plan, edges = self.plan, list[Fields]()
        of_field, scale, of_pair = self.sigmas()
        counted = [_ask(curator, plan, (i,), of_field) for i in range(len(plan.sizes))]
        size = _size(counted)
        alone = nearest(plan.sizes, counted, size)
        while len(edges) < len(plan.sizes) - 1:
            left = [pair for pair in plan.pairs if len(spanning(len(plan.sizes), [*edges, pair])) > len(edges)]
            offered = [offer(pair, alone.marginal(pair), size) for pair in left]
            edges.append(_chosen(curator, plan, offered, scale))
        counted += [_ask(curator, plan, edge, of_pair) for edge in edges]
        return SyntheticTable(plan.universe, size, tuple(counted))


def _chosen(curator: Asked, plan: Plan, offered: Sequence[Offer], scale: Fraction) -> Fields:
    """The pair that is furthest from its guess."""
    chosen: int = curator.ask(plan.choice(curator.space, offered, scale))
    return offered[chosen].pair


@final
@dataclass(frozen=True, slots=True)
class InRounds:
    """Each field, then rounds of a choice and the counts of the pair that was chosen."""

    plan: Plan

    @property
    def rounds(self) -> int:
        return ROUNDS * len(self.plan.sizes)

    def sigma(self) -> Fraction:
        """Of the counts of each field, and of the first pairs."""
        many = len(self.plan.sizes)
        return self.plan.sigma(self.plan.rho * (1 if many == 1 else 1 - TO_CHOOSE), 1 if many == 1 else self.rounds)

    def first(self, space: SomeSpace) -> Any:
        return self.plan.counts((0,), space, self.sigma())

    def __call__(self, curator: Asked) -> SyntheticTable:
        plan, sigma = self.plan, self.sigma()
        counted = [_ask(curator, plan, (i,), sigma) for i in range(len(plan.sizes))]
        left, size = plan.rho - len(counted) * plan.price(sigma), _size(counted)
        scale = plan.scale(plan.rho * TO_CHOOSE, self.rounds)
        model = nearest(plan.sizes, counted, size)
        last = len(plan.sizes) == 1
        while not last:
            price = plan.price(sigma, scale)
            last = left < 2 * price
            if last:
                sigma, scale = plan.sigma(left * (1 - TO_CHOOSE)), plan.scale(left * TO_CHOOSE)
            pair = _chosen(curator, plan, _offers(plan, model, size, sigma), scale)
            counted.append(_ask(curator, plan, pair, sigma))
            if not last:
                left, before = left - price, model
                model = nearest(plan.sizes, counted, size, before)
                moved = size * float(np.abs(model.marginal(pair) - before.marginal(pair)).sum())
                if moved <= expected_error(float(sigma) ** 2, plan.cells(pair)):
                    sigma, scale = sigma / 2, scale / 2
        return SyntheticTable(plan.universe, size, tuple(counted))


def _offers(plan: Plan, model: Model, size: int, sigma: Fraction) -> list[Offer]:
    """The pairs that leave the model small, or are counted in it already; each may be off by as much as noise would be."""
    small = [
        pair
        for pair in plan.pairs
        if model.junction.home(pair) is not None
        or junction_of(plan.sizes, [*model.junction.cliques, pair]).cells <= MOST_NUMBERS
    ]
    return [
        offer(pair, model.marginal(pair), size, expected_error(float(sigma) ** 2, plan.cells(pair)))
        for pair in small or plan.pairs
    ]


BY_METHOD: Final[dict[Method, Callable[[Plan], Strategy]]] = {"pairs": AllPairs, "mst": OneTree, "aim": InRounds}


@lru_cache(maxsize=64)
def asking_by(plan: Plan, method: Method) -> Strategy:
    """The same for the same plan, so that equal steps make equal arrows."""
    return BY_METHOD[method](plan)
