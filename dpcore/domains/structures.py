"""Domains built from others: optional values, records, vectors, rows, parts by key; and graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Generic, TypeGuard, TypeVar, final

from dpcore.domains.bridges import UNDECLARED
from dpcore.domains.domain import Array, Columns, Domain, Gives, Norm, Of, Takes, expected_a, join, phantom
from dpcore.domains.instances import by_name
from dpcore.domains.keys import key
from dpcore.domains.missing import is_missing
from dpcore.domains.numeric import bind_bound, raised, raised_norm, real
from dpcore.domains.typed import as_typed, is_keyword
from dpcore.domains.values import Integers, NumberDomain
from dpcore.errors import InvalidParameter
from dpcore.maps import Exact, argument, is_formula, known, symbols_of

D = TypeVar("D", bound="Domain")
T = TypeVar("T")

if TYPE_CHECKING:
    from typing_extensions import TypeVar as WithDefault  # checkers know it without its being installed

    R = WithDefault("R", default=Mapping[str, object])
else:
    R = TypeVar("R")

OCTETS: Final = (str, bytes, bytearray, memoryview)
"""Sequences of letters or octets, which nobody means as sequences of values."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Optional(Domain, Generic[D]):
    """A member of another domain, or None. NaN, and the NA and NaT of pandas, are None as well."""

    of: D

    def __repr__(self) -> str:
        return f"optional({self.of!r})"

    def offence(self, x: object) -> str | None:
        return None if x is None or is_missing(x) else self.of.offence(x)

    def canonical(self, x: object) -> object:
        return None if x is None or is_missing(x) else self.of.canonical(x)

    def given_out(self, x: object) -> object:
        return None if x is None else self.of.given_out(x)

    def includes(self, other: Domain) -> bool:
        return self.of.includes(other.of if isinstance(other, Optional) else other)

    def elements(self) -> tuple[Hashable, ...] | None:
        inner = self.of.elements()
        return None if inner is None else (None, *inner)

    def types(self) -> frozenset[type]:
        return self.of.types()

    def inner(self) -> tuple[Domain, ...]:
        return (self.of,)

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Optional(self.of.bind(values))

    def _takes(self: Of[Takes[T]]) -> T | None:
        return phantom()

    def _gives(self: Of[Gives[T]]) -> T | None:
        return phantom()


@final
@dataclass(frozen=True, slots=True, repr=False)
class Record(Domain, Generic[R]):
    """Values under names. A row of a table. Where it is `open`, what is given beside these fields is left aside.

    A row is a mapping, or an object whose class names its fields. `R` is the type of a row, for type checkers only.
    """

    fields: tuple[tuple[str, Domain], ...]
    open: bool = False

    def __repr__(self) -> str:
        ignored = ", extra='ignore'" if self.open else ""
        if all(is_keyword(name) for name, _ in self.fields):
            return f"record({', '.join(f'{name}={domain!r}' for name, domain in self.fields)}{ignored})"
        return f"record(**{{{', '.join(f'{name!r}: {domain!r}' for name, domain in self.fields)}}}{ignored})"

    def domain(self, name: str) -> Domain | None:
        return next((domain for n, domain in self.fields if n == name), None)

    def offence(self, x: object) -> str | None:
        row = x if isinstance(x, Mapping) else by_name(x)
        if row is None:
            return expected_a("a record", x)
        for name, domain in self.fields:
            if name not in row:
                return f"field {name!r} is missing"
            inner = domain.offence(row[name])
            if inner is not None:
                return join(f"field {name!r}", inner)
        return None if self.open or len(row) == len(self.fields) else UNDECLARED  # whose names a row made up

    def missing(self, name: str, columns: Iterable[object]) -> str:
        """A field that none of the columns has, and the one of another name that may have been meant."""
        from difflib import get_close_matches  # only to say it better

        others = {each.casefold(): each for each in columns if isinstance(each, str) and self.domain(each) is None}
        near = get_close_matches(name.casefold(), others, n=1)
        return f"field {name!r} is missing" + "".join(f"; did you mean {others[each]!r}?" for each in near)

    def undeclared(self, columns: Iterable[object]) -> str:
        """Which columns are none of the fields. The name of a column is no value of a row, and may be told."""
        declared = {name for name, _ in self.fields}
        return f"{UNDECLARED}: " + ", ".join(repr(name) for name in columns if name not in declared)

    def canonical(self, x: object) -> object:
        row = x if isinstance(x, Mapping) else by_name(x)
        assert row is not None
        return {name: domain.canonical(row[name]) for name, domain in self.fields}

    def given_out(self, x: object) -> object:
        assert isinstance(x, Mapping)
        return {name: domain.given_out(x[name]) for name, domain in self.fields}

    def includes(self, other: Domain) -> bool:
        """Of rows as arrows hold them, which is by the declared fields alone, whether or not more is let in."""
        if not isinstance(other, Record) or {n for n, _ in self.fields} != {n for n, _ in other.fields}:
            return False
        theirs = dict(other.fields)
        return all(domain.includes(theirs[name]) for name, domain in self.fields)

    def inner(self) -> tuple[Domain, ...]:
        return tuple(domain for _, domain in self.fields)

    def bind(self, values: dict[str, Exact]) -> Record[R]:
        return Record(tuple((name, domain.bind(values)) for name, domain in self.fields), self.open)

    def _takes(self) -> R:
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

    def __post_init__(self) -> None:
        if self.bound is not None and not is_formula(self.bound) and self.bound < 0:
            raise InvalidParameter(f"Expected a bound of at least 0 but got bound={self.bound}", produced=self.bound)

    def __repr__(self) -> str:
        limit = "" if self.norm is None else f", norm={self.norm}Distance, bound={argument(self.bound)}"
        return f"vector({self.of!r}, {self.size}{limit})"

    def offence(self, x: object) -> str | None:
        import numpy as np

        if isinstance(x, OCTETS) or not isinstance(x, (Sequence, np.ndarray)) or getattr(x, "ndim", 1) != 1:
            return expected_a("a vector", x)
        if len(x) != self.size:
            return f"a vector of another size than {self.size}"
        if self._surely_inside(x):
            return None
        for i, value in enumerate(entries(x)):
            inner = self.of.offence(value)
            if inner is not None:
                return join(f"coordinate {i}", inner)
        if self.norm is not None and self.bound is not None:
            length = raised_norm([real(v) or Fraction(0) for v in entries(x)], self.norm)
            if length > known(raised(known(self.bound, "bound"), self.norm)):
                return f"a vector longer than the bound of its {self.norm} norm"
        return None

    def _surely_inside(self, x: object) -> bool:
        """An array of whole numbers is looked at as a whole: by its least and its greatest entry."""
        if not _whole_numbers(x) or not isinstance(self.of, Integers):
            return False
        return self.norm is None and (not len(x) or all(self.of.member(int(end)) for end in (x.min(), x.max())))

    def canonical(self, x: object) -> object:
        import numpy as np

        assert isinstance(x, (Sequence, np.ndarray))
        if _whole_numbers(x) and isinstance(self.of, Integers):
            return x.tolist()
        return [self.of.canonical(v) for v in entries(x)]

    def given_out(self, x: object) -> object:
        assert isinstance(x, list)
        return [self.of.given_out(v) for v in x]

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

    def inner(self) -> tuple[Domain, ...]:
        return (self.of,)

    def symbols(self) -> frozenset[str]:
        return self.of.symbols() | symbols_of((self.bound,))

    def bind(self, values: dict[str, Exact]) -> Domain:
        return Vector(self.of.bind(values), self.size, self.norm, bind_bound(self.bound, values))

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
        import numpy as np

        if isinstance(x, (*OCTETS, Mapping)) or not isinstance(x, (Sequence, np.ndarray)) or getattr(x, "ndim", 1) == 0:
            return expected_a("a sequence of rows", x)
        if self.size is not None and len(x) != self.size:
            return f"another number of rows than the declared {self.size}"
        for i, row in enumerate(x):
            inner = self.of.offence(row)
            if inner is not None:
                return join(f"row {i}", inner)
        return None

    def canonical(self, x: object) -> object:
        import numpy as np

        assert isinstance(x, (Sequence, np.ndarray))
        return [self.of.canonical(row) for row in x]

    def includes(self, other: Domain) -> bool:
        return isinstance(other, Rows) and self.size in (None, other.size) and self.of.includes(other.of)

    def inner(self) -> tuple[Domain, ...]:
        return (self.of,)

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
        return f"Parts({self.of!r}, {as_typed(self.keys)})"

    def __eq__(self, other: object) -> bool:
        """The same keys, and True is not 1, though Python finds them equal."""
        return isinstance(other, Parts) and (self.of, key(self.keys)) == (other.of, key(other.keys))

    def __hash__(self) -> int:
        return hash((self.of, key(self.keys)))

    def held(self, x: object) -> Mapping[Hashable, object] | None:
        """What is under each of the keys, however the data write it; None where the keys are others."""
        if not isinstance(x, Mapping):
            return None
        given = {key(name): part for name, part in x.items()}
        mine = {key(name): name for name in self.keys}
        if len(x) != len(mine) or given.keys() != mine.keys():
            return None
        return {name: given[place] for place, name in mine.items()}

    def offence(self, x: object) -> str | None:
        if not isinstance(x, Mapping):
            return expected_a("rows by key", x)
        parts = self.held(x)
        if parts is None:
            return "other keys than the declared ones"
        rows = Rows(self.of)
        for i, part in enumerate(parts.values()):
            inner = rows.offence(part)
            if inner is not None:
                return join(f"part {i}", inner)
        return None

    def canonical(self, x: object) -> object:
        parts = self.held(x)
        assert parts is not None
        return {name: Rows(self.of).canonical(part) for name, part in parts.items()}

    def includes(self, other: Domain) -> bool:
        return (
            isinstance(other, Parts)
            and set(map(key, self.keys)) == set(map(key, other.keys))
            and self.of.includes(other.of)
        )

    def inner(self) -> tuple[Domain, ...]:
        return (self.of,)

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
            return expected_a("a collection of edges", x)
        for i, edge in enumerate(x):
            if not (isinstance(edge, (Sequence, frozenset, set)) and len(edge) == 2):
                return f"edge {i} is no pair"
            if not all(type(v) is int and 0 <= v < self.nodes for v in edge) or len(set(edge)) != 2:
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


def _whole_numbers(x: object) -> TypeGuard[Array]:
    """Whether all entries are whole numbers by their type: none is masked."""
    import numpy as np

    return isinstance(x, np.ndarray) and x.dtype.kind in "iu" and not np.ma.is_masked(x)


def entries(x: Iterable[object]) -> Iterator[object]:
    """What a sequence or an array holds; a masked entry is null."""
    import numpy as np

    return (None if value is np.ma.masked else value for value in x)


def norm_bound(domain: Vector[D], norm: Norm) -> Exact | None:
    """A bound on the norm of every member, as it is carried: the declared one, or what the coordinates' bounds give."""
    if domain.norm == norm and domain.bound is not None:
        return raised(domain.bound, norm)
    largest = _magnitude(domain.of)
    if largest is None or is_formula(largest):
        return None
    return largest if norm == "LInf" else domain.size * (largest if norm == "L1" else largest * largest)


def _magnitude(domain: Domain) -> Exact | None:
    """The largest absolute value in a bounded numeric domain."""
    if not isinstance(domain, NumberDomain) or domain.low is None or domain.high is None:
        return None
    if is_formula(domain.low) or is_formula(domain.high):
        return None
    return max(abs(Fraction(domain.low)), abs(Fraction(domain.high)))
