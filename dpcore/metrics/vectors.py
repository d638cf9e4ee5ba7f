"""Distances between values: different or not, numbers, vectors in several norms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.domains import (
    Booleans,
    Categories,
    Dates,
    Domain,
    Graphs,
    Normed,
    NumberDomain,
    Optional,
    Record,
    Text,
    Vector,
    raised_norm,
)
from dpcore.errors import InvalidData, InvalidDistance
from dpcore.maps import Number, sqrt
from dpcore.metrics.metric import Carried, Metric, items, key_of, real_of


@final
@dataclass(frozen=True, slots=True)
class DiscreteDistance(Metric):
    """0 between equal values and 1 between different ones: each person randomises alone (local privacy)."""

    whole = True
    domains = (NumberDomain, Booleans, Categories, Text, Dates, Optional, Record, Vector, Graphs)
    one_apart = "another value"

    def carried(self, x: object, y: object) -> Carried:
        return 0 if key_of(x) == key_of(y) else 1

    def check(self, d_in: object, domain: Domain) -> int | Fraction:
        d = Metric.check(self, d_in, domain)
        if d > 1:
            raise InvalidDistance(f"two values are at most 1 apart but got d_in={d}", produced=d, expected=self)
        return d


@final
@dataclass(frozen=True, slots=True)
class AbsoluteDistance(Metric):
    """`|x - y|`."""

    domains = (NumberDomain,)
    one_apart = "a number that differs by 1"

    def carried(self, x: object, y: object) -> Carried:
        return abs(real_of(x) - real_of(y))


class VectorMetric(Metric, Normed):
    """The length of the difference of two vectors."""

    __slots__ = ()
    domains = (Vector,)
    made_of = NumberDomain
    one_apart = "a vector that differs by 1 in {self.norm}"

    def carried(self, x: object, y: object) -> Carried:
        left, right = [real_of(v) for v in items(x)], [real_of(v) for v in items(y)]
        if len(left) != len(right):
            raise InvalidData("vectors of different sizes have no distance", expected=self)
        return raised_norm([a - b for a, b in zip(left, right, strict=True)], self.norm)


@final
@dataclass(frozen=True, slots=True)
class L1Distance(VectorMetric):
    """The sum of the coordinates' differences."""

    norm = "L1"


@final
@dataclass(frozen=True, slots=True)
class L2Distance(VectorMetric):
    """The Euclidean length of the difference. Carried as its square."""

    norm = "L2"

    def carry(self, d: Number) -> Number:
        return d * d

    def shown(self, carried: Number) -> Number:
        return sqrt(carried)


@final
@dataclass(frozen=True, slots=True)
class LInfDistance(VectorMetric):
    """The largest of the coordinates' differences."""

    norm = "LInf"


@final
@dataclass(frozen=True, slots=True)
class RangeDistance(VectorMetric):
    """The most that a coordinate goes up plus the most that one goes down: `max(v, 0) + max(-v, 0)` for `v = y - x`.

    The length of a shortest way on which at every step all coordinates move in one direction. Scores that count rows
    move so when a row is added or removed, and selecting among them then costs half.
    """

    norm = "LInf"
    one_apart = "scores that all rise, or all fall, by at most 1"

    def carried(self, x: object, y: object) -> Carried:
        if len(list(items(x))) != len(list(items(y))):
            raise InvalidData("vectors of different sizes have no distance", expected=self)
        moves = [real_of(b) - real_of(a) for a, b in zip(items(x), items(y), strict=True)]
        return max(Fraction(0), *moves) + max(Fraction(0), *(-v for v in moves))
