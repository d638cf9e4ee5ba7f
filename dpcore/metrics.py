"""Metrics: how far apart two inputs may be. Every metric can be executed, `metric.distance(x, y)`.

Maps compute with distances in the form in which they are carried: the L2 distance as its square, so that `sqrt(2)*d`
stays rational and a zCDP budget can be spent whole; every other distance as it is.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, TypeAlias, TypeVar, cast, final

from dpcore.bounds import Bound
from dpcore.domains import (
    Domain,
    Graphs,
    Integers,
    Norm,
    Numbers,
    Parts,
    Record,
    Rows,
    Vector,
    raised_norm,
    real,
)
from dpcore.errors import InvalidData, InvalidDistance, InvalidParameter, Vacuous
from dpcore.maps import Exact, Number, exact, is_formula, numeral, sqrt

Carried: TypeAlias = int | Fraction | float
"""A distance as it is carried; the only float is `math.inf`."""


class Metric(ABC):
    """A distance on the members of some domains."""

    __slots__ = ()

    whole: ClassVar[bool] = False
    """Whether distances are whole numbers, and members k apart are joined by k steps of 1."""

    @abstractmethod
    def measures(self, domain: Domain) -> bool:
        """Whether any two members of the domain have a distance."""

    @abstractmethod
    def carried(self, x: object, y: object) -> Carried:
        """The distance in the form in which maps carry it, `math.inf` where no number of steps leads from x to y."""

    @abstractmethod
    def words(self) -> str:
        """What being at distance 1 means, for a reader."""

    def distance(self, x: object, y: object) -> Bound | float:
        """How far apart x and y are; `math.inf` where nothing leads from the one to the other."""
        found = self.carried(x, y)
        if isinstance(found, float):
            return found
        value = numeral(found)
        return Bound.of(lambda: self.shown(value))

    def carry(self, d: Number) -> Number:
        """A distance, in the form in which it is carried."""
        return d

    def shown(self, carried: Number) -> Number:
        """The distance itself, from the form in which it is carried."""
        return carried

    def check(self, d_in: object, domain: Domain) -> Exact:
        """The distance, refused where this metric can take no such value."""
        d = exact(d_in, "d_in") if not isinstance(d_in, (tuple, list, dict)) else _no_distance(d_in)
        if is_formula(d):
            return d
        if d < 0:
            raise InvalidDistance(f"Expected d_in of at least 0 but got d_in={d}", produced=d, expected=self)
        if self.whole and isinstance(d, Fraction) and d.denominator != 1:
            raise InvalidDistance(
                f"{self!r} counts whole steps: expected a whole number but got d_in={d}", produced=d, expected=self
            )
        return d


def _no_distance(d_in: object) -> Exact:
    raise InvalidDistance(f"Expected one number for d_in but got a {type(d_in).__name__}", produced=d_in)


# ---- rows --------------------------------------------------------------------------------------------------------


class RowMetric(Metric):
    """A distance between multisets of rows. The order of rows never counts."""

    __slots__ = ()
    whole = True

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Rows)


@final
@dataclass(frozen=True, slots=True)
class SymmetricDistance(RowMetric):
    """Rows added plus rows removed."""

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() + (right - left).total()

    def words(self) -> str:
        return "one row more or one row less"

    def check(self, d_in: object, domain: Domain) -> Exact:
        d = Metric.check(self, d_in, domain)
        if isinstance(domain, Rows) and domain.size is not None and d == 1:
            raise Vacuous(
                f"no two data sets of {domain.size} rows are 1 apart: adding or removing one changes the size",
                produced=d,
                expected="d_in=2 to replace one row, or the metric ChangeOneDistance()",
            )
        return d


@final
@dataclass(frozen=True, slots=True)
class ChangeOneDistance(RowMetric):
    """Rows replaced by others. Infinite between different sizes: the number of rows counts as public."""

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() if left.total() == right.total() else math.inf

    def words(self) -> str:
        return "one row replaced by another; the number of rows is public"


@final
@dataclass(frozen=True, slots=True)
class PersonDistance(RowMetric):
    """Persons whose rows are all added or all removed. The named field says whose row it is."""

    by: str

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Rows) and isinstance(domain.of, Record) and domain.of.domain(self.by) is not None

    def carried(self, x: object, y: object) -> Carried:
        left, right = self._persons(x), self._persons(y)
        return sum(
            bool(left.get(p)) + bool(right.get(p)) for p in {*left, *right} if left.get(p) != right.get(p)
        )  # rows that differ: taken out, then put in

    def _persons(self, x: object) -> dict[Hashable, Counter[Hashable]]:
        persons: dict[Hashable, Counter[Hashable]] = {}
        for row in _rows(x):
            if not isinstance(row, Mapping):
                raise InvalidData("PersonDistance reads the person from a record", expected=self)
            persons.setdefault(frozen(row[self.by]), Counter())[frozen(row)] += 1
        return persons

    def words(self) -> str:
        return f"all rows of one {self.by} added or removed"


@final
@dataclass(frozen=True, slots=True)
class Granularity(Metric):
    """A neighbour relation of the user's own, by its executable distance.

    `rows`, where given, is the user's word that one step changes at most so many rows; it is what `to_metric` relies on.
    """

    name: str
    function: Callable[[object, object], float | Fraction]
    rows: int | None = None
    whole: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"granularity({self.name!r}, {getattr(self.function, '__qualname__', '...')}, rows={self.rows})"

    def measures(self, domain: Domain) -> bool:
        return True

    def carried(self, x: object, y: object) -> Carried:
        found = self.function(x, y)
        if isinstance(found, float) and found == math.inf:
            return found
        value = real(found)
        if value is None or value < 0:
            raise InvalidData(
                f"the distance {self.name} gave a {type(found).__name__} that is no number of at least 0", left=self
            )
        return value

    def words(self) -> str:
        return f"one step of {self.name}"


def granularity(
    name: str, distance: Callable[[object, object], float | Fraction], rows: int | None = None
) -> Granularity:
    """A user's own neighbour relation, `granularity("a week", weeks_apart, rows=7)`."""
    if not callable(distance):
        raise InvalidParameter(f"Expected a function for distance but got a {type(distance).__name__}")
    if rows is not None and (type(rows) is not int or rows < 1):
        raise InvalidParameter(f"Expected rows to be a whole number of at least 1 but got rows={rows!r}")
    return Granularity(name, distance, rows)


# ---- numbers and vectors -----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class DiscreteDistance(Metric):
    """0 between equal values and 1 between different ones: each person randomises alone (local privacy)."""

    whole = True

    def measures(self, domain: Domain) -> bool:
        return not isinstance(domain, (Rows, Parts))

    def carried(self, x: object, y: object) -> Carried:
        return 0 if frozen(x) == frozen(y) else 1

    def words(self) -> str:
        return "another value"

    def check(self, d_in: object, domain: Domain) -> Exact:
        d = Metric.check(self, d_in, domain)
        if not is_formula(d) and d > 1:
            raise InvalidDistance(f"two values are at most 1 apart but got d_in={d}", produced=d, expected=self)
        return d


@final
@dataclass(frozen=True, slots=True)
class AbsoluteDistance(Metric):
    """`|x - y|`."""

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, (Integers, Numbers))

    def carried(self, x: object, y: object) -> Carried:
        return abs(_real(x) - _real(y))

    def words(self) -> str:
        return "a number that differs by 1"


class VectorMetric(Metric):
    """The length of the difference of two vectors."""

    __slots__ = ()
    norm: ClassVar[Norm]

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Vector) and isinstance(domain.of, (Integers, Numbers))

    def carried(self, x: object, y: object) -> Carried:
        left, right = [_real(v) for v in _rows(x)], [_real(v) for v in _rows(y)]
        if len(left) != len(right):
            raise InvalidData("vectors of different sizes have no distance", expected=self)
        return raised_norm([a - b for a, b in zip(left, right, strict=True)], self.norm)

    def words(self) -> str:
        return f"a vector that differs by 1 in {self.norm}"


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

    def carried(self, x: object, y: object) -> Carried:
        moves = [_real(b) - _real(a) for a, b in zip(_rows(x), _rows(y), strict=True)]
        return max(Fraction(0), *moves) + max(Fraction(0), *(-v for v in moves))

    def words(self) -> str:
        return "scores that all rise, or all fall, by at most 1"


# ---- parts and graphs --------------------------------------------------------------------------------------------

P = TypeVar("P", SymmetricDistance, ChangeOneDistance)


@final
@dataclass(frozen=True, slots=True)
class PartDistance(Metric, Generic[P]):
    """A vector of distances, one for each part, taken together.

    Of SymmetricDistance: their sum. Of ChangeOneDistance: the least number of moves, a move being one row replaced inside
    a part, or taken out of part i and put into part j, or (where rows of no part are left out) taken out or put in.
    """

    of: P
    whole = True

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Parts)

    def carried(self, x: object, y: object) -> Carried:
        out, into = self._surplus(x, y), self._surplus(y, x)
        if isinstance(self.of, SymmetricDistance):
            return sum(out.values()) + sum(into.values())
        # Each move takes at most one row out and puts at most one in, and can always do both.
        return max(sum(out.values()), sum(into.values()))

    def vector(self, x: object, y: object) -> dict[Hashable, Carried]:
        """The symmetric distance within each part."""
        out, into = self._surplus(x, y), self._surplus(y, x)
        return {key: out[key] + into[key] for key in out}

    @staticmethod
    def _surplus(x: object, y: object) -> dict[Hashable, int]:
        if not (isinstance(x, Mapping) and isinstance(y, Mapping) and set(x) == set(y)):
            raise InvalidData("parts with different keys have no distance")
        return {key: (multiset(x[key]) - multiset(y[key])).total() for key in x}

    def words(self) -> str:
        return f"{self.of.words()}, in any of the parts"


@final
@dataclass(frozen=True, slots=True)
class EdgeDistance(Metric):
    """Edges added plus edges removed, on the same nodes."""

    whole = True

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Graphs)

    def carried(self, x: object, y: object) -> Carried:
        return len(edges(x) ^ edges(y))

    def words(self) -> str:
        return "one edge more or one edge less"


@final
@dataclass(frozen=True, slots=True)
class NodeDistance(Metric):
    """Nodes whose edges are drawn anew, on the same nodes: the fewest that touch every edge that differs."""

    whole = True

    def measures(self, domain: Domain) -> bool:
        return isinstance(domain, Graphs)

    def carried(self, x: object, y: object) -> Carried:
        return _cover(edges(x) ^ edges(y))

    def words(self) -> str:
        return "all edges of one node drawn anew"


def _cover(differing: frozenset[frozenset[int]]) -> int:
    """The size of a least vertex cover, by branching on the two ends of an edge."""
    if not differing:
        return 0
    return 1 + min(_cover(frozenset(e for e in differing if node not in e)) for node in next(iter(differing)))


# ---- values as keys ----------------------------------------------------------------------------------------------


def frozen(x: object) -> Hashable:
    """A value by which equal members are found equal; True and 1 are not, one half is however it is written."""
    if isinstance(x, Mapping):
        return frozenset((k, frozen(v)) for k, v in x.items())
    if isinstance(x, (list, tuple)) or (type(x).__module__ == "numpy" and hasattr(x, "__len__")):
        return tuple(frozen(v) for v in cast("Iterable[object]", x))
    number = real(x)
    return (type(x).__name__, x) if number is None else number


def multiset(x: object) -> Counter[Hashable]:
    return Counter(map(frozen, _rows(x)))


def edges(x: object) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(cast("Iterable[int]", e)) for e in _rows(x))


def _rows(x: object) -> Iterable[object]:
    if isinstance(x, (Sequence, frozenset, set)) or hasattr(x, "__array__"):
        return cast("Iterable[object]", x)
    raise InvalidData(f"expected a collection but got a {type(x).__name__}")


def _real(x: object) -> Fraction:
    value = real(x)
    if value is None:
        raise InvalidData(f"expected a finite number but got a {type(x).__name__}")
    return value
