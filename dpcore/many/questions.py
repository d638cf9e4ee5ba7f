"""What a synthetic table asks of the data: noisy counts of a field or of two, and which pair a guess fits worst.

Both are made of dpcore's own steps, so what they cost is derived: `s^2/(2 sigma^2)` for counts, s^2 being 1, or 2 where
rows are replaced, and `1/(2 scale^2)` for a choice,

    rows >> histogram(fields, norm=L2Distance) >> gaussian(sigma)
    rows >> linear_queries(cuts of pairs, norm=LInfDistance) >> absolute_errors(guess) >> exponential(scale)

A cut of a field is some of its values against the others; a query counts the rows on one side of a cut of each of two
fields. One row moves each of these counts by at most 1, however many there are. Where errors are allowed to some pairs
more than to others, a second `absolute_errors`, of guesses below 0, adds to each what it is allowed less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from random import Random
from typing import Any, Final, final

import numpy as np

from dpcore.core.origins import SomeSpace
from dpcore.expressions import Expression, field
from dpcore.expressions.expr import Expr
from dpcore.many.junctions import Fields
from dpcore.many.marginals import is_value
from dpcore.many.roots import root_above
from dpcore.many.universe import Floats, Universe
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.selection import exponential
from dpcore.measures import ZCDP
from dpcore.metrics import L2Distance, LInfDistance
from dpcore.transformations.absolute_errors import absolute_errors
from dpcore.transformations.cells import place
from dpcore.transformations.histogram import histogram
from dpcore.transformations.linear_queries import LinearQueries

FEW_VALUES: Final = 5
ALONE: Final = 12
CUTS: Final = 16
"""Of a field of more values: each of so many against the others, and so many cuts into halves."""


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

    @property
    def pairs(self) -> list[Fields]:
        return list(combinations(range(len(self.sizes)), 2))

    def sigma(self, rho: Fraction, times: int = 1) -> Fraction:
        """Of counts that are asked so many times at this price in all; rounded up, so they cost no more."""
        return root_above(times * self.squared / (2 * rho))

    def scale(self, rho: Fraction, times: int = 1) -> Fraction:
        """Of a choice that is made so many times at this price in all."""
        return root_above(times / (2 * rho))

    def place(self, i: int) -> Any:
        """Which of its values a field has, as a number."""
        name, values = self.universe.fields[i]
        by = field(str(name)).structure()
        return place(by, values, self.universe.domain, all_of_them=True)

    def counts(self, fields: tuple[int, ...], space: SomeSpace, sigma: Fraction) -> Any:
        """The question for the noisy counts of a field, or of two."""
        key, many = self.place(fields[0]), self.sizes[fields[0]]
        for i in fields[1:]:
            key, many = key * self.sizes[i] + self.place(i), many * self.sizes[i]
        asked: Any = space
        return asked >> histogram(key, bins=range(many), norm=L2Distance) >> gaussian(sigma=sigma)

    def choice(self, space: SomeSpace, offered: Sequence[Offer], scale: Fraction) -> Any:
        """Which cut, of those of the pairs that are offered, is furthest from its guess, beyond what the pair is allowed."""
        most = max(offer.allowed for offer in offered)
        queries = tuple([query for offer in offered for query in cuts_of(self, offer.pair)])
        guess = [count for offer in offered for count in offer.guess]
        rest = [offer.allowed - most for offer in offered for _ in offer.guess]
        errors: Any = space
        errors = errors >> LinearQueries(queries, LInfDistance) >> absolute_errors(guess)
        if any(rest):  # errors are at least 0, so what lies this far below 0 is this much more than them
            errors = errors >> absolute_errors(rest)
        return errors >> exponential(scale, measure=ZCDP)


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """A pair that may be chosen: what its cuts are guessed to count, and by how much they may be wrong."""

    pair: Fields
    guess: tuple[int, ...]
    allowed: int = 0


def offer(pair: Fields, shares: Floats, size: int, allowed: float = 0) -> Offer:
    """The pair with the guess that follows from the shares of its values."""
    ways = [_sides(count) for count in shares.shape]
    guess = np.rint(size * (ways[0] @ shares @ ways[1].T))  # of more than 64 bits where there is hardly any budget
    return Offer(pair, tuple(map(int, guess.ravel().tolist())), round(allowed))


@lru_cache(maxsize=1 << 8)
def _sides(size: int) -> Floats:
    """Which values lie on the one side of each cut."""
    found = np.zeros((len(cuts(size)), size))
    for number, places in enumerate(cuts(size)):
        found[number, list(places)] = 1
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
def cuts_of(plan: Plan, pair: Fields) -> tuple[Expression, ...]:
    """A query for each two cuts of a pair of fields: the rows that are on the one side of both."""
    ways: list[list[Expr[bool]]] = []
    for i in pair:
        name, values = plan.universe.fields[i]
        each = [[is_value(str(name), values[at], values) for at in places] for places in cuts(len(values))]
        ways.append([reduce(or_, conditions) for conditions in each])
    return tuple([(one & other).structure().on(plan.universe.domain) for one in ways[0] for other in ways[1]])
