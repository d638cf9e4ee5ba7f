"""Synthetic data: weights over all rows that there can be, which were made of releases alone, so that using them is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, final, overload

from dpcore.core.checks import number_of
from dpcore.core.spaces import rows
from dpcore.expressions import Expression
from dpcore.many.universe import Floats, Universe, layout_of, placed
from dpcore.maps import Numeric, confidence_of
from dpcore.metrics import LInfDistance
from dpcore.noise.bits import BitSource, system_bits
from dpcore.transformations.linear_queries import LinearQueries, structure


class Fit(Protocol):
    """How weights were found; equal where they were made of the same releases."""

    def weights(self) -> Floats: ...
    def error_bound(self, confidence: Fraction) -> float: ...


@final
@dataclass(frozen=True, slots=True)
class Synthetic:
    """A distribution over the universe that stands for the data. All of it is post-processing of releases.

    made = (people >> dp.mwem(queries, rounds=10, loss=dp.pure(1))).release(data)
    made.answer(field("age") >= 65)                    # the share of rows
    made.rows(1000)                                    # as many synthetic rows
    made.rows(1000, like=table)                        # a table of the same library
    """

    universe: Universe
    size: int
    """How many rows the data have, as far as is public."""

    fit: Fit = field(repr=False)

    @property
    def weights(self) -> Floats:
        """The weight of each cell of the universe, one axis for each field. They add up to 1."""
        return self.fit.weights()

    def answer(self, query: Expression) -> float:
        """The share of the rows that the query counts: the mean of its values, between 0 and 1."""
        asked = structure(query).on(self.universe.domain)
        LinearQueries((asked,), LInfDistance)(rows(self.universe.domain))  # which refuses what is no linear query
        return layout_of(self.universe, [asked]).answer(0, self.weights)

    @overload
    def rows(self, n: int, *, bits: BitSource | None = None) -> list[object]: ...
    @overload
    def rows(self, n: int, *, like: object, bits: BitSource | None = None) -> object: ...
    def rows(self, n: int, *, like: object = None, bits: BitSource | None = None) -> object:
        """n rows, each cell as often as its weight says, rounded up or down at random: a list, or a table of the library of
        `like`, in which rows that are no records are a column `value`. `bits` is for tests."""
        source = system_bits() if bits is None else bits
        return self.universe.table(placed(self.weights, number_of(n, "n", 1), source), like)

    def error_bound(self, confidence: Numeric) -> float:
        """With this confidence, over the noise, no query that was asked for is off by more than this share of the rows."""
        return self.fit.error_bound(confidence_of(confidence))
