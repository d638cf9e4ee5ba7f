"""Small universes: all members of a domain that are made of a few atoms."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Final, TypeAlias, TypeVar

from dpcore.assurance.constants import Plain, constants, numbers_among
from dpcore.calculus import Derivation
from dpcore.core.origins import SomeSpace
from dpcore.domains import Dates, Domain, Graphs, Integers, NumberDomain, Optional, Parts, Record, Rows, Text, Vector
from dpcore.errors import InvalidParameter
from dpcore.maps import known
from dpcore.metrics import PersonDistance

Members: TypeAlias = tuple[object, ...]
Met: TypeAlias = tuple[Plain, ...]
T = TypeVar("T")

MOST_MEMBERS: Final = 1000
FEW: Final = 4
"""So many values of a field, or of a row, are tried where nobody says which."""


def multisets(atoms: Sequence[T], sizes: Iterable[int]) -> list[list[T]]:
    """All multisets of the atoms, of each of the sizes."""
    return [list(rows) for n in sizes for rows in itertools.combinations_with_replacement(atoms, n)]


def members(space: SomeSpace, atoms: Sequence[object], most: int = 3) -> Members:
    """All members with at most so many rows (or exactly the declared number); of values, the atoms or all vectors."""
    return _all(space.domain, atoms, most)


@singledispatch
def _all(domain: Domain, atoms: Sequence[object], most: int) -> Members:
    return tuple(atoms)


@_all.register(Rows)
def _(domain: Rows[Domain], atoms: Sequence[object], most: int) -> Members:
    sizes = range(most + 1) if domain.size is None else (domain.size,)
    _limit(sum(math.comb(len(atoms) + n - 1, n) if atoms or not n else 0 for n in sizes))
    return tuple(multisets(atoms, sizes))


@_all.register(Parts)
def _(domain: Parts[Domain], atoms: Sequence[object], most: int) -> Members:
    placed = len(domain.keys) * len(atoms)
    _limit(sum(math.comb(placed + n - 1, n) for n in range(most + 1) if placed))
    return tuple(_spread(domain.keys, atoms, most))


@_all.register(Vector)
def _(domain: Vector[Domain], atoms: Sequence[object], most: int) -> Members:
    _limit(len(atoms) ** domain.size)
    return tuple(v for v in map(list, itertools.product(atoms, repeat=domain.size)) if domain.member(v))


@_all.register(Graphs)
def _(domain: Graphs, atoms: Sequence[object], most: int) -> Members:
    edges = list(itertools.combinations(range(domain.nodes), 2))
    _limit(2 ** len(edges))
    return tuple(list(g) for n in range(len(edges) + 1) for g in itertools.combinations(edges, n))


def _limit(n: int) -> None:
    if n > MOST_MEMBERS:
        raise InvalidParameter(
            f"Expected at most {MOST_MEMBERS} data sets but there are {n} in this universe",
            bridge="a universe of fewer values, or fewer rows",
        )


def _spread(keys: Sequence[object], atoms: Sequence[object], most: int) -> Iterator[dict[object, list[object]]]:
    """Every way to put at most so many rows into parts."""
    for rows in multisets(list(itertools.product(keys, atoms)), range(most + 1)):
        parts: dict[object, list[object]] = {key: [] for key in keys}
        for key, row in rows:
            parts[key].append(row)
        yield parts


def records(**fields: Sequence[object]) -> Members:
    """All records with these values in their fields."""
    return tuple(dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))


# ---- where nobody says which values ------------------------------------------------------------------------------------


def some_atoms(space: SomeSpace, derivation: Derivation) -> Members:
    """A few values that the data of a space can hold: the ends of its domain, and the constants of the derivation."""
    domain = space.domain.of if isinstance(space.domain, Vector) else space.domain
    by = space.metric.by if isinstance(space.metric, PersonDistance) else None
    return _some(domain, constants(derivation), by)


@singledispatch
def _some(domain: Domain, met: Met, first: str | None = None) -> Members:
    """A few members, or a few rows of those that consist of rows; which come first says `first`, of records."""
    return _few(domain, domain.elements() or ())


@_some.register(Rows)
@_some.register(Parts)
def _(domain: Rows[Domain] | Parts[Domain], met: Met, first: str | None = None) -> Members:
    return _some(domain.of, met, first)


@_some.register(Graphs)
def _(domain: Graphs, met: Met, first: str | None = None) -> Members:
    return ()


@_some.register(Optional)
def _(domain: Optional[Domain], met: Met, first: str | None = None) -> Members:
    return (None, *_some(domain.of, met))[:FEW]


@_some.register(Record)
def _(domain: Record, met: Met, first: str | None = None) -> Members:
    fields = sorted(domain.fields, key=lambda field: field[0] == first)  # what comes last changes from row to row
    return records(**{name: _some(of, met)[:2] for name, of in fields})[: 2 * FEW]


@_some.register(Vector)
def _(domain: Vector[Domain], met: Met, first: str | None = None) -> Members:
    vectors = map(list, itertools.product(_some(domain.of, met)[:3], repeat=min(domain.size, 6)))
    return tuple(v for v in vectors if domain.member(v))[: 2 * FEW]


@_some.register(NumberDomain)
def _(domain: NumberDomain, met: Met, first: str | None = None) -> Members:
    ends = [known(end) for end in (domain.low, domain.high) if end is not None]
    step = Fraction(known(domain.grid)) if domain.grid is not None else Fraction(1)
    inner = [x for x in numbers_among(met) if domain.member(x)]
    extremes: list[int | Fraction] = [inner[0], *sorted({min(inner), max(inner)})] if inner else []
    plain: list[int | Fraction] = [0, 1, -1, *(step * k for k in (1, -1, 2))]
    found: list[int | Fraction] = [*ends, *extremes, *plain]
    whole = isinstance(domain, Integers)
    return _members(domain, [x.numerator if whole and x.denominator == 1 else x for x in found])


@_some.register(Text)
def _(domain: Text, met: Met, first: str | None = None) -> Members:
    return _members(domain, [*(x for x in met if isinstance(x, str)), "a", "b", ""])


@_some.register(Dates)
def _(domain: Dates, met: Met, first: str | None = None) -> Members:
    days = (x for x in met if isinstance(x, datetime.date))
    return _members(domain, [domain.low, domain.high, *days, datetime.date(2000, 1, 1)])


def _members(domain: Domain, candidates: Iterable[object]) -> Members:
    return _few(domain, tuple(dict.fromkeys(x for x in candidates if domain.member(x))))


def _few(domain: Domain, members: Members) -> Members:
    if not members:
        raise InvalidParameter(f"no values of {domain!r} are known here", bridge="universe=[...], values to try")
    return members[:FEW]
