"""What a synthetic table asks of the data: noisy counts of a field or of two, and which pair a guess fits worst.

Both are made of dpcore's own steps, so what they cost is derived: `s/(2 sigma^2)` for counts and `s^2/(2 scale^2)` for a
choice, s being 1, or 2 where rows are replaced,

    rows >> histogram(fields, norm=L2Distance) >> gaussian(sigma)
    rows >> marginal_errors(pairs, guesses) >> exponential(scale)

The error of a guess is the sum over all cells of a pair, of which one row moves each by at most s, however many pairs there
are. Where errors are allowed to some pairs more than to others, `absolute_errors`, of guesses below 0, adds to each what it
is allowed less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Any, final

import numpy as np

from dpcore.core.origins import SomeSpace
from dpcore.expressions import Expression, field
from dpcore.many.junctions import Fields
from dpcore.many.roots import root_above
from dpcore.many.universe import Floats, Universe
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.selection import exponential
from dpcore.measures import ZCDP
from dpcore.metrics import L2Distance
from dpcore.transformations.absolute_errors import absolute_errors
from dpcore.transformations.cells import place
from dpcore.transformations.histogram import histogram
from dpcore.transformations.marginal_errors import MarginalErrors


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What is public before anything is asked."""

    universe: Universe
    rho: Fraction
    moved: int
    """How far a row moves the counts of a pair in L1, and so an error: 1, or 2 where rows are replaced. In L2 it is the
    root of that."""

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.universe.shape

    @property
    def pairs(self) -> list[Fields]:
        return list(combinations(range(len(self.sizes)), 2))

    def cells(self, fields: Fields) -> int:
        return prod(self.sizes[i] for i in fields)

    def sigma(self, rho: Fraction, times: int = 1) -> Fraction:
        """Of counts that are asked so many times at this price in all; rounded up, so they cost no more."""
        return root_above(times * self.moved / (2 * rho))

    def scale(self, rho: Fraction, times: int = 1) -> Fraction:
        """Of a choice that is made so many times at this price in all."""
        return root_above(times * self.moved**2 / (2 * rho))

    def price(self, sigma: Fraction, scale: Fraction | None = None) -> Fraction:
        """Of counts, and of a choice before them."""
        choice = Fraction(0) if scale is None else self.moved**2 / (2 * scale * scale)
        return self.moved / (2 * sigma * sigma) + choice

    def counts(self, fields: Fields, space: SomeSpace, sigma: Fraction) -> Any:
        """The question for the noisy counts of a field, or of two."""
        asked: Any = space
        return (
            asked >> histogram(cell(self, fields), range(self.cells(fields)), norm=L2Distance) >> gaussian(sigma=sigma)
        )

    def choice(self, space: SomeSpace, offered: Sequence[Offer], scale: Fraction) -> Any:
        """Which of the pairs that are offered is furthest from its guess, beyond what it is allowed."""
        most = max(offer.allowed for offer in offered)
        rest = [offer.allowed - most for offer in offered]
        errors: Any = space
        errors = errors >> MarginalErrors(
            tuple([cell(self, offer.pair) for offer in offered]), tuple([offer.guess for offer in offered])
        )
        if any(rest):  # errors are at least 0, so what lies this far below 0 is this much more than them
            errors = errors >> absolute_errors(rest)
        return errors >> exponential(scale, measure=ZCDP)


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """A pair that may be chosen: what its cells are guessed to count, and how far that may be off in all."""

    pair: Fields
    guess: tuple[int, ...]
    allowed: int = 0


def offer(pair: Fields, shares: Floats, size: int, allowed: float = 0) -> Offer:
    """The pair with the guess that follows from the shares of its values."""
    guess = np.rint(size * shares)  # of more than 64 bits where there is hardly any budget
    return Offer(pair, tuple(map(int, guess.ravel().tolist())), round(allowed))


@lru_cache(maxsize=1 << 12)
def cell(plan: Plan, fields: Fields) -> Expression:
    """In which cell of the counts of these fields a row is: the place of the last one's value moves fastest."""
    of = plan.universe.domain
    found: Any = 0
    for i in fields:
        name, values = plan.universe.fields[i]
        digit = place(field(str(name)).structure(), values, of, all_of_them=True)
        found = digit if i == fields[0] else found * plan.sizes[i] + digit
    expression: Expression = found.structure()
    return expression.on(of)
