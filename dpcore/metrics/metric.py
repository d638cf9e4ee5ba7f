"""What every metric is: a distance that can be executed, and that maps compute with; and data as distances
compare them: multisets of rows, sets of edges, numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar, TypeAlias

from dpcore.domains import Domain, Key, Rows, by_name, key, real
from dpcore.errors import FreeSymbols, Given, InvalidData, InvalidDistance, Vacuous
from dpcore.maps import Exact, Number, exact, is_formula, numeral
from dpcore.maps.bounds import Bound

Carried: TypeAlias = int | Fraction | float
"""A distance as it is carried; the only float is `math.inf`."""


class Metric(Given):
    """A distance on the members of some domains."""

    __slots__ = ()

    domains: ClassVar[tuple[type[Domain], ...]]
    """On the members of which domains it is a distance, as `Space` reads it."""

    made_of: ClassVar[type[object]] = object
    """What these are made of."""

    whole: ClassVar[bool] = False
    """Whether distances are whole numbers, and members k apart are joined by k steps of 1."""

    come_and_go: ClassVar[bool] = False
    """Whether what differs at distance 1 is there or not: of data of one known size no two are 1 apart."""

    one_apart: ClassVar[str]
    """What being at distance 1 means, in words that may name attributes, as `{self.by}` does."""

    @abstractmethod
    def carried(self, x: object, y: object) -> Carried:
        """The distance in the form in which maps carry it, `math.inf` where no number of steps leads from x to y."""

    def words(self) -> str:
        """What being at distance 1 means, for a reader."""
        return self.one_apart.format(self=self)

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

    def check(self, d_in: object, domain: Domain) -> int | Fraction:
        """The distance, refused where this metric can take no such value."""
        d = d_in if type(d_in) is int and d_in >= 0 else self._read(d_in)
        if d == 1 and self.come_and_go and isinstance(domain, Rows) and domain.size is not None:
            raise Vacuous(
                f"no two data sets of {domain.size} rows are 1 apart: adding or removing one changes the size",
                produced=d,
                bridge="d_in=2 to replace one row, or the metric ChangeOneDistance",
            )
        return d

    def _read(self, d_in: object) -> int | Fraction:
        """What a user wrote for a distance."""
        if isinstance(d_in, Bound):
            # A distance that another map gave. Maps are monotone, so its upper end is on the safe side.
            d_in = d_in.upper
        d = exact(d_in, "d_in") if not isinstance(d_in, (tuple, list, dict)) else _no_distance(d_in)
        if is_formula(d):
            raise FreeSymbols(f"d_in is still the symbol {d}: the map itself is the formula", produced=d, bridge=".map")
        if d < 0:
            raise InvalidDistance(f"Expected d_in of at least 0 but got d_in={d}", produced=d, expected=self)
        if self.whole and isinstance(d, Fraction) and d.denominator != 1:
            raise InvalidDistance(
                f"{self} counts whole steps: expected a whole number but got d_in={d}", produced=d, expected=self
            )
        return d


def _no_distance(d_in: object) -> Exact:
    raise InvalidDistance(f"Expected one number for d_in but got a {type(d_in).__name__}", produced=d_in)


def multiset(x: object) -> Counter[Key]:
    return Counter(map(key_of, items(x)))


def key_of(row: object) -> Key:
    """Of an object whose class names its fields, that of the record."""
    fields = by_name(row)
    return key(row if fields is None else fields)


def edges(x: object) -> frozenset[frozenset[object]]:
    return frozenset(frozenset(items(e)) for e in items(x))


def items(x: object) -> Iterable[object]:
    if isinstance(x, (Sequence, frozenset, set)) or (hasattr(x, "__array__") and isinstance(x, Iterable)):
        return x
    raise InvalidData(f"expected a collection but got a {type(x).__name__}")


def real_of(x: object) -> Fraction:
    value = real(x)
    if value is None:
        raise InvalidData(f"expected a finite number but got a {type(x).__name__}")
    return value
