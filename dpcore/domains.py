"""Domains: the sets that data live in. A domain decides membership and inclusion, nothing else.

`member(x)` says whether, `offence(x)` says where not ("row 3, field 'age'"), and neither ever repeats the value.
`canonical(x)` is the one form in which the same member is computed with: a grid number becomes a `Fraction`.
"""

from __future__ import annotations

import datetime
import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Generic, Literal, NoReturn, Protocol, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import InvalidData, InvalidParameter
from dpcore.maps import Exact, Numeric, argument, exact, integer, is_formula, known, substitute, symbols_of, times

Real: TypeAlias = int | float | Fraction | Decimal
"""A number as data hold it. A float is read as its shortest decimal."""

Array: TypeAlias = NDArray[np.generic]
Columns: TypeAlias = Array | Mapping[str, Array]
"""Rows as numpy holds them: one array for single values, one array a field for records."""

Norm: TypeAlias = Literal["L1", "L2", "LInf"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Takes(Protocol[T_co]):
    """What Python type a domain's members may be given in. For type checkers only."""

    def _takes(self) -> T_co: ...


class Gives(Protocol[T_co]):
    """What Python type a domain's members are computed in. For type checkers only."""

    def _gives(self) -> T_co: ...


def phantom() -> NoReturn:
    raise TypeError("this method only speaks to type checkers")


class Of(Protocol[T_co]):
    @property
    def of(self) -> T_co: ...


class Domain(ABC):
    """A set of values."""

    __slots__ = ()

    @abstractmethod
    def offence(self, x: object) -> str | None:
        """None for a member; otherwise the place inside `x` that is none, "" for `x` itself."""

    @abstractmethod
    def includes(self, other: Domain) -> bool:
        """Whether every member of `other` is a member of this domain."""

    def member(self, x: object) -> bool:
        return self.offence(x) is None

    def check(self, x: object, what: str = "the data") -> None:
        """Refuse what is no member, naming the place and the type, never the value."""
        place = self.offence(x)
        if place is not None:
            raise InvalidData(f"{what} {'is' if place else 'are'} not in the input domain{_at(place)}", expected=self)

    def canonical(self, x: object) -> object:
        """A member in the one form that is computed with."""
        return x

    def elements(self) -> tuple[Hashable, ...] | None:
        """All members, in order, where they are few and known."""
        return None

    def symbols(self) -> frozenset[str]:
        return frozenset()

    def bind(self, values: dict[str, Exact]) -> Domain:
        """The domain with numbers in the place of symbols."""
        return self


D = TypeVar("D", bound=Domain)
FEW = 10_000
"""How many elements a domain may have to be listed without being asked."""


def _at(place: str) -> str:
    return f": {place}" if place else ""


def _join(place: str, inner: str) -> str:
    return f"{place}, {inner}" if inner else place


# ---- single values -----------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Integers(Domain):
    """The whole numbers in `[low, high]`; a missing bound is no bound."""

    low: Exact | None = None
    high: Exact | None = None

    def __repr__(self) -> str:
        return _call("integers", self.low, self.high)

    def offence(self, x: object) -> str | None:
        if type(x) is not int and not isinstance(x, np.integer):
            return _not("a whole number", x)
        return None if _within(int(x), self.low, self.high) else "out of bounds"

    def canonical(self, x: object) -> object:
        return int(x) if isinstance(x, np.integer) else x

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Integers) and _contains(self.low, self.high, other.low, other.high)

    def elements(self) -> tuple[Hashable, ...] | None:
        if isinstance(self.low, int) and isinstance(self.high, int) and self.high - self.low < FEW:
            return tuple(range(self.low, self.high + 1))
        return None

    def symbols(self) -> frozenset[str]:
        return symbols_of((self.low, self.high))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return integers(_substitute(self.low, values), _substitute(self.high, values))

    def _takes(self) -> int:
        return phantom()

    def _gives(self) -> int:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Numbers(Domain):
    """The multiples of `step` in `[low, high]`; without a step, all finite numbers there (they cannot be summed)."""

    low: Exact | None = None
    high: Exact | None = None
    step: Exact | None = None

    def __repr__(self) -> str:
        return _call("numbers", self.low, self.high, self.step)

    def offence(self, x: object) -> str | None:
        value = real(x)
        if value is None:
            return _not("a finite number", x)
        if not _within(value, self.low, self.high):
            return "out of bounds"
        if self.step is not None and (value / known(self.step, "step")).denominator != 1:
            return "off the grid"
        return None

    def canonical(self, x: object) -> object:
        return real(x)

    def includes(self, other: Domain) -> bool:
        if isinstance(other, Integers):
            step: Exact | None = 1
        elif isinstance(other, Numbers):
            step = other.step
        else:
            return False
        return _coarser(self.step, step) and _contains(self.low, self.high, other.low, other.high)

    def symbols(self) -> frozenset[str]:
        return symbols_of((self.low, self.high, self.step))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return numbers(_substitute(self.low, values), _substitute(self.high, values), _substitute(self.step, values))

    def _takes(self) -> Real:
        return phantom()

    def _gives(self) -> Fraction:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Booleans(Domain):
    """True and False."""

    def __repr__(self) -> str:
        return "booleans()"

    def offence(self, x: object) -> str | None:
        return None if isinstance(x, (bool, np.bool_)) else _not("a truth value", x)

    def canonical(self, x: object) -> object:
        return bool(x)

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Booleans)

    def elements(self) -> tuple[Hashable, ...] | None:
        return (False, True)

    def _takes(self) -> bool:
        return phantom()

    def _gives(self) -> bool:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Categories(Domain, Generic[T]):
    """A few values that are known beforehand."""

    values: tuple[T, ...]

    def __repr__(self) -> str:
        return _call("categories", *self.values)

    def offence(self, x: object) -> str | None:
        return None if _same_type(x, self.values) else "none of the categories"

    def canonical(self, x: object) -> object:
        return x.item() if isinstance(x, np.generic) else x

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Categories) and all(self.member(x) for x in other.values)

    def elements(self) -> tuple[Hashable, ...] | None:
        return self.values

    def _takes(self) -> T:
        return phantom()

    def _gives(self) -> T:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Text(Domain):
    """Any text."""

    def __repr__(self) -> str:
        return "text()"

    def offence(self, x: object) -> str | None:
        return None if isinstance(x, str) else _not("a text", x)

    def canonical(self, x: object) -> object:
        return str(x)

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Text) or (
            isinstance(other, Categories) and all(isinstance(x, str) for x in other.values)
        )

    def _takes(self) -> str:
        return phantom()

    def _gives(self) -> str:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Dates(Domain):
    """The days from `low` to `high`; a missing bound is no bound."""

    low: datetime.date | None = None
    high: datetime.date | None = None

    def __repr__(self) -> str:
        bounds = (f"'{d.isoformat()}'" if d is not None else "None" for d in (self.low, self.high))
        return f"date({', '.join(bounds)})" if self.low or self.high else "date()"

    def offence(self, x: object) -> str | None:
        day = x.item() if isinstance(x, np.datetime64) else x
        if type(day) is not datetime.date:
            return _not("a date", x)
        inside = (self.low is None or self.low <= day) and (self.high is None or day <= self.high)
        return None if inside else "out of bounds"

    def canonical(self, x: object) -> object:
        return x.item() if isinstance(x, np.datetime64) else x

    def includes(self, other: Domain) -> bool:
        if not isinstance(other, Dates):
            return False
        low = self.low is None or (other.low is not None and self.low <= other.low)
        high = self.high is None or (other.high is not None and other.high <= self.high)
        return low and high

    def elements(self) -> tuple[Hashable, ...] | None:
        if self.low is None or self.high is None or (self.high - self.low).days >= FEW:
            return None
        days = range((self.high - self.low).days + 1)
        return tuple(self.low + datetime.timedelta(days=n) for n in days)

    def _takes(self) -> datetime.date:
        return phantom()

    def _gives(self) -> datetime.date:
        return phantom()


# ---- built from others -------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Optional(Domain, Generic[D]):
    """A member of another domain, or None."""

    of: D

    def __repr__(self) -> str:
        return f"optional({self.of!r})"

    def offence(self, x: object) -> str | None:
        return None if x is None else self.of.offence(x)

    def canonical(self, x: object) -> object:
        return None if x is None else self.of.canonical(x)

    def includes(self, other: Domain) -> bool:
        return self.of.includes(other.of if isinstance(other, Optional) else other)

    def elements(self) -> tuple[Hashable, ...] | None:
        inner = self.of.elements()
        return None if inner is None else (None, *inner)

    def symbols(self) -> frozenset[str]:
        return self.of.symbols()

    def bind(self, values: dict[str, Exact]) -> Domain:
        return optional(self.of.bind(values))

    def _takes(self: Of[Takes[T]]) -> T | None:
        return phantom()

    def _gives(self: Of[Gives[T]]) -> T | None:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Record(Domain):
    """Values under names. A row of a table."""

    fields: tuple[tuple[str, Domain], ...]

    def __repr__(self) -> str:
        return f"record({', '.join(f'{name}={domain!r}' for name, domain in self.fields)})"

    def domain(self, name: str) -> Domain | None:
        return next((domain for n, domain in self.fields if n == name), None)

    def offence(self, x: object) -> str | None:
        if not isinstance(x, Mapping):
            return _not("a record", x)
        for name, domain in self.fields:
            if name not in x:
                return f"field {name!r} is missing"
            inner = domain.offence(x[name])
            if inner is not None:
                return _join(f"field {name!r}", inner)
        return None if len(x) == len(self.fields) else "fields that were not declared"

    def canonical(self, x: object) -> object:
        assert isinstance(x, Mapping)
        return {name: domain.canonical(x[name]) for name, domain in self.fields}

    def includes(self, other: Domain) -> bool:
        if not isinstance(other, Record) or {n for n, _ in self.fields} != {n for n, _ in other.fields}:
            return False
        theirs = dict(other.fields)
        return all(domain.includes(theirs[name]) for name, domain in self.fields)

    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(domain.symbols() for _, domain in self.fields))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Record(tuple((name, domain.bind(values)) for name, domain in self.fields))

    def _takes(self) -> Mapping[str, object]:
        return phantom()

    def _gives(self) -> dict[str, object]:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Vector(Domain, Generic[D]):
    """Sequences of `size` members of `of`, of norm at most `bound` where one is given."""

    of: D
    size: int
    norm: Norm | None = None
    bound: Exact | None = None

    def __repr__(self) -> str:
        limit = "" if self.norm is None else f", norm={self.norm!r}, bound={argument(self.bound)}"
        return f"vector({self.of!r}, {self.size}{limit})"

    def offence(self, x: object) -> str | None:
        if isinstance(x, str) or not isinstance(x, (Sequence, np.ndarray)):
            return _not("a vector", x)
        if len(x) != self.size:
            return f"a vector of another size than {self.size}"
        for i, value in enumerate(x):
            inner = self.of.offence(value)
            if inner is not None:
                return _join(f"coordinate {i}", inner)
        if self.norm is not None and self.bound is not None:
            length = raised_norm([real(v) or Fraction(0) for v in x], self.norm)
            if length > known(raised(known(self.bound, "bound"), self.norm)):
                return f"a vector longer than the bound of its {self.norm} norm"
        return None

    def canonical(self, x: object) -> object:
        assert isinstance(x, (Sequence, np.ndarray))
        return [self.of.canonical(v) for v in x]

    def includes(self, other: Domain) -> bool:
        if not (isinstance(other, Vector) and self.size == other.size and self.of.includes(other.of)):
            return False
        if self.norm is None or self.bound is None:
            return True
        theirs = norm_bound(other, self.norm)
        if theirs is None:
            return False
        mine = raised(self.bound, self.norm)
        return theirs == mine if is_formula(theirs) or is_formula(mine) else theirs <= mine

    def symbols(self) -> frozenset[str]:
        return self.of.symbols() | symbols_of((self.bound,))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Vector(self.of.bind(values), self.size, self.norm, _substitute(self.bound, values))

    def _takes(self: Of[Takes[T]]) -> Sequence[T] | Array:
        return phantom()

    def _gives(self: Of[Gives[T]]) -> list[T]:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Rows(Domain, Generic[D]):
    """Finite multisets of rows, each in `of`; exactly `size` of them where a size is given. Their order means nothing."""

    of: D
    size: int | None = None

    def __repr__(self) -> str:
        return f"Rows({self.of!r})" if self.size is None else f"Rows({self.of!r}, {self.size})"

    def offence(self, x: object) -> str | None:
        if isinstance(x, (str, bytes, Mapping)) or not isinstance(x, (Sequence, np.ndarray)):
            return _not("a sequence of rows", x)
        if self.size is not None and len(x) != self.size:
            return f"another number of rows than the declared {self.size}"
        for i, row in enumerate(x):
            inner = self.of.offence(row)
            if inner is not None:
                return _join(f"row {i}", inner)
        return None

    def canonical(self, x: object) -> object:
        assert isinstance(x, (Sequence, np.ndarray))
        return [self.of.canonical(row) for row in x]

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Rows) and self.size in (None, other.size) and self.of.includes(other.of)

    def symbols(self) -> frozenset[str]:
        return self.of.symbols()

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Rows(self.of.bind(values), self.size) if self.symbols() else self

    def _takes(self: Of[Takes[T]]) -> Sequence[T] | Columns:
        return phantom()

    def _gives(self: Of[Gives[T]]) -> list[T]:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Parts(Domain, Generic[D]):
    """Rows kept apart by key: one multiset of rows for each of the keys, some perhaps empty."""

    of: D
    keys: tuple[Hashable, ...]

    def __repr__(self) -> str:
        return f"Parts({self.of!r}, {self.keys!r})"

    def offence(self, x: object) -> str | None:
        if not isinstance(x, Mapping):
            return _not("rows by key", x)
        if set(x) != set(self.keys):
            return "other keys than the declared ones"
        rows = Rows(self.of)
        for i, key in enumerate(self.keys):
            inner = rows.offence(x[key])
            if inner is not None:
                return _join(f"part {i}", inner)
        return None

    def canonical(self, x: object) -> object:
        assert isinstance(x, Mapping)
        return {key: Rows(self.of).canonical(x[key]) for key in self.keys}

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Parts) and set(self.keys) == set(other.keys) and self.of.includes(other.of)

    def symbols(self) -> frozenset[str]:
        return self.of.symbols()

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Parts(self.of.bind(values), self.keys)

    def _takes(self: Of[Takes[T]]) -> Mapping[Hashable, Sequence[T] | Columns]:
        return phantom()

    def _gives(self: Of[Gives[T]]) -> dict[Hashable, list[T]]:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Graphs(Domain):
    """Undirected graphs on the nodes `0 .. nodes-1`, given by their edges: pairs of different nodes."""

    nodes: int

    def __repr__(self) -> str:
        return f"graphs({self.nodes})"

    def offence(self, x: object) -> str | None:
        if isinstance(x, str) or not isinstance(x, (Sequence, frozenset, set)):
            return _not("a collection of edges", x)
        for i, edge in enumerate(x):
            if not (isinstance(edge, (Sequence, frozenset, set)) and len(edge) == 2):
                return f"edge {i} is no pair"
            if len(set(edge)) != 2 or not all(type(v) is int and 0 <= v < self.nodes for v in edge):
                return f"edge {i} does not join two different nodes"
        return None if len({frozenset(edge) for edge in x}) == len(x) else "an edge twice"

    def canonical(self, x: object) -> object:
        assert isinstance(x, (Sequence, frozenset, set))
        return frozenset(frozenset(edge) for edge in x)

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Graphs) and self.nodes == other.nodes

    def _takes(self) -> Sequence[tuple[int, int]] | frozenset[frozenset[int]]:
        return phantom()

    def _gives(self) -> frozenset[frozenset[int]]:
        return phantom()


# ---- constructors ------------------------------------------------------------------------------------------------


def integers(low: Numeric | None = None, high: Numeric | None = None) -> Integers:
    """Whole numbers, `integers(0, 120)`; a missing bound is no bound."""
    lowest = None if low is None else integer(low, "low")
    highest = None if high is None else integer(high, "high")
    _ordered(lowest, highest)
    return Integers(lowest, highest)


def numbers(low: Numeric | None = None, high: Numeric | None = None, step: Numeric | None = None) -> Numbers:
    """Numbers on a grid, `numbers(0, 10, "0.01")`. Without a step: any finite numbers, to be rounded before a sum."""
    lowest = None if low is None else exact(low, "low")
    highest = None if high is None else exact(high, "high")
    _ordered(lowest, highest)
    if step is None:
        return Numbers(lowest, highest)
    grid = exact(step, "step")
    if not is_formula(grid):
        if grid <= 0:
            raise InvalidParameter(f"Expected a positive step but got step={grid}", produced=grid)
        for bound, name in ((lowest, "low"), (highest, "high")):
            if bound is not None and not is_formula(bound) and (Fraction(bound) / grid).denominator != 1:
                raise InvalidParameter(f"Expected {name} to be a multiple of step={grid} but got {name}={bound}")
    return Numbers(lowest, highest, grid)


def booleans() -> Booleans:
    """True and False."""
    return Booleans()


H = TypeVar("H", bound=Hashable)


def categories(*values: H) -> Categories[H]:
    """A few values that are known beforehand, `categories("N", "E", "S", "W")`."""
    if not values:
        raise InvalidParameter("Expected at least one category but got none")
    if len({(type(v), v) for v in values}) != len(values):
        raise InvalidParameter("Expected different categories but got one twice", produced=values)
    return Categories(values)


def text() -> Text:
    """Any text."""
    return Text()


def date(low: str | datetime.date | None = None, high: str | datetime.date | None = None) -> Dates:
    """Days, `date("2020-01-01", "2020-12-31")`; a missing bound is no bound."""
    first, last = _day(low, "low"), _day(high, "high")
    if first is not None and last is not None and first > last:
        raise InvalidParameter(f"Expected low <= high but got low={first}, high={last}")
    return Dates(first, last)


def record(**fields: Domain) -> Record:
    """Values under names, `record(age=integers(0, 120), region=categories("N", "S"))`."""
    if not fields:
        raise InvalidParameter("Expected at least one field but got none")
    for name, domain in fields.items():
        _a_domain(domain, f"field {name!r}")
        if isinstance(domain, (Rows, Parts, Record)):
            raise InvalidParameter(f"Expected single values for field {name!r} but got {domain!r}", produced=domain)
    return Record(tuple(fields.items()))


def optional(domain: D) -> Optional[D]:
    """A member of the domain, or None."""
    _a_domain(domain, "domain")
    if isinstance(domain, Optional):
        raise InvalidParameter("a domain that is optional already cannot be made so again", produced=domain)
    return Optional(domain)


def vector(domain: D, size: int, norm: Norm | None = None, bound: Numeric | None = None) -> Vector[D]:
    """Vectors of a size, `vector(integers(), 3)`, of norm at most `bound` where one is given."""
    _a_domain(domain, "domain")
    length = integer(size, "size")
    if is_formula(length) or length < 1:
        raise InvalidParameter(f"Expected a size of at least 1 but got size={size!r}", produced=size)
    if (norm is None) != (bound is None):
        raise InvalidParameter("Expected norm and bound together but got only one of them", produced=(norm, bound))
    if norm is None or bound is None:
        return Vector(domain, length)
    if norm not in ("L1", "L2", "LInf"):
        raise InvalidParameter(f"Expected 'L1', 'L2' or 'LInf' but got norm={norm!r}", produced=norm)
    limit = exact(bound, "bound")
    if not is_formula(limit) and limit < 0:
        raise InvalidParameter(f"Expected a bound of at least 0 but got bound={limit}", produced=limit)
    return Vector(domain, length, norm, limit)


def graphs(nodes: int) -> Graphs:
    """Undirected graphs on so many nodes."""
    n = integer(nodes, "nodes")
    if is_formula(n) or n < 1:
        raise InvalidParameter(f"Expected at least one node but got nodes={nodes!r}", produced=nodes)
    return Graphs(n)


# ---- numbers in domains ------------------------------------------------------------------------------------------


def real(x: object) -> Fraction | None:
    """A finite number as it is written: the float 0.1 is one tenth. None for anything else."""
    if type(x) is Fraction:
        return x
    if type(x) is int:
        return Fraction(x)
    if isinstance(x, (bool, np.bool_)):
        return None
    if isinstance(x, np.generic):
        return real(float(x) if isinstance(x, np.float64) else Fraction(str(x))) if _is_number(x) else None
    if isinstance(x, float):
        return Fraction(repr(float(x))) if math.isfinite(x) else None
    if isinstance(x, Decimal):
        return Fraction(x) if x.is_finite() else None
    return Fraction(x) if isinstance(x, (int, Fraction)) else None


def _is_number(x: np.generic) -> bool:
    return isinstance(x, (np.integer, np.floating)) and bool(np.isfinite(x))


def raised(x: Exact, norm: Norm) -> Exact:
    """A length as it is carried: the square of an L2 length, any other as it is."""
    return times(x, x) if norm == "L2" else x


def raised_norm(values: Sequence[Fraction], norm: Norm) -> Fraction:
    """The length of a vector as it is carried: squared for L2."""
    if norm == "L1":
        return sum(map(abs, values), Fraction(0))
    if norm == "L2":
        return sum((v * v for v in values), Fraction(0))
    return max(map(abs, values), default=Fraction(0))


def norm_bound(domain: Vector[D], norm: Norm) -> Exact | None:
    """A bound on the norm of every member, as it is carried: the declared one, or what the coordinates' bounds give."""
    if domain.norm == norm and domain.bound is not None:
        return raised(domain.bound, norm)
    largest = magnitude(domain.of)
    if largest is None or is_formula(largest):
        return None
    return largest if norm == "LInf" else domain.size * (largest if norm == "L1" else largest * largest)


def magnitude(domain: Domain) -> Exact | None:
    """The largest absolute value in a bounded numeric domain."""
    if not isinstance(domain, (Integers, Numbers)) or domain.low is None or domain.high is None:
        return None
    if is_formula(domain.low) or is_formula(domain.high):
        return None
    return max(abs(Fraction(domain.low)), abs(Fraction(domain.high)))


def _within(x: int | Fraction, low: Exact | None, high: Exact | None) -> bool:
    return (low is None or known(low, "low") <= x) and (high is None or x <= known(high, "high"))


def _contains(low: Exact | None, high: Exact | None, their_low: Exact | None, their_high: Exact | None) -> bool:
    return _at_most(low, their_low) and _at_most(their_high, high)


def _at_most(x: Exact | None, y: Exact | None) -> bool:
    """Bounds: whether the outer one is no tighter. A missing outer bound always is; symbols must be the same."""
    if x == y:
        return True
    if x is None or y is None:
        return False
    return not is_formula(x) and not is_formula(y) and x <= y


def _coarser(mine: Exact | None, theirs: Exact | None) -> bool:
    """Whether every multiple of their step is a multiple of mine."""
    if mine is None or mine == theirs:
        return True
    if theirs is None or is_formula(mine) or is_formula(theirs):
        return False
    return (Fraction(theirs) / mine).denominator == 1


def _ordered(low: Exact | None, high: Exact | None) -> None:
    if low is not None and high is not None and not is_formula(low) and not is_formula(high) and low > high:
        raise InvalidParameter(f"Expected low <= high but got low={low}, high={high}", produced=(low, high))


def _substitute(x: Exact | None, values: dict[str, Exact]) -> Exact | None:
    return None if x is None else substitute(x, values)


def _same_type(x: object, values: tuple[object, ...]) -> bool:
    item = x.item() if isinstance(x, np.generic) else x
    return any(item == v and type(item) is type(v) for v in values)


def _not(expected: str, x: object) -> str:
    return f"expected {expected} but got a {type(x).__name__}"


def _day(x: str | datetime.date | None, name: str) -> datetime.date | None:
    if x is None or type(x) is datetime.date:
        return x
    try:
        return datetime.date.fromisoformat(str(x))
    except ValueError:
        raise InvalidParameter(f"Expected a date such as '2020-01-31' but got {name}={x!r}", produced=x) from None


def _a_domain(x: object, name: str) -> None:
    if not isinstance(x, Domain):
        raise InvalidParameter(f"Expected a domain for {name} but got a {type(x).__name__}", produced=x)


def _call(name: str, *values: object) -> str:
    kept = list(values)
    while kept and kept[-1] is None:
        kept.pop()
    return f"{name}({', '.join(map(argument, kept))})"
