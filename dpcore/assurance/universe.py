"""Small universes: all members of a domain that are made of a few atoms."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, TypeAlias, cast

from dpcore.assurance.constants import Plain, constants, numbers_among
from dpcore.derivation import Derivation
from dpcore.domains import (
    Booleans,
    Categories,
    Dates,
    Domain,
    Graphs,
    Integers,
    Numbers,
    Optional,
    Parts,
    Record,
    Rows,
    Text,
    Vector,
)
from dpcore.errors import InvalidParameter
from dpcore.maps import known
from dpcore.metrics import PersonDistance
from dpcore.origins import SomeSpace

Members: TypeAlias = tuple[object, ...]

MOST_MEMBERS: Final = 1000
FEW: Final = 4
"""So many values of a field, or of a row, are tried where nobody says which."""


def multisets(atoms: Sequence[object], sizes: Iterable[int]) -> list[list[object]]:
    """All multisets of the atoms, of each of the sizes."""
    return [list(rows) for n in sizes for rows in itertools.combinations_with_replacement(atoms, n)]


def members(space: SomeSpace, atoms: Sequence[object], most: int = 3) -> Members:
    """All members with at most so many rows (or exactly the declared number); of values, the atoms or all vectors."""
    domain = space.domain
    if isinstance(domain, Rows):
        sizes = range(most + 1) if domain.size is None else (domain.size,)
        _limit(sum(math.comb(len(atoms) + n - 1, n) if atoms or not n else 0 for n in sizes))
        return tuple(multisets(atoms, sizes))
    if isinstance(domain, Parts):
        placed = len(domain.keys) * len(atoms)
        _limit(sum(math.comb(placed + n - 1, n) for n in range(most + 1) if placed))
        return tuple(_spread(domain.keys, atoms, most))
    if isinstance(domain, Vector):
        _limit(len(atoms) ** domain.size)
        return tuple(v for v in map(list, itertools.product(atoms, repeat=domain.size)) if domain.member(v))
    if isinstance(domain, Graphs):
        edges = list(itertools.combinations(range(domain.nodes), 2))
        _limit(2 ** len(edges))
        return tuple(list(g) for n in range(len(edges) + 1) for g in itertools.combinations(edges, n))
    return tuple(atoms)


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
        for key, row in cast("list[tuple[object, object]]", rows):
            parts[key].append(row)
        yield parts


def records(**fields: Sequence[object]) -> tuple[object, ...]:
    """All records with these values in their fields."""
    return tuple(dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))


# ---- where nobody says which values ------------------------------------------------------------------------------------


def some_atoms(space: SomeSpace, derivation: Derivation) -> tuple[object, ...]:
    """A few values that the data of a space can hold: the ends of its domain, and the constants of the derivation."""
    domain = space.domain
    of = domain.of if isinstance(domain, (Rows, Parts, Vector)) else domain
    by = space.metric.by if isinstance(space.metric, PersonDistance) else None
    return () if isinstance(domain, Graphs) else _some(of, constants(derivation), by)


def _some(domain: Domain, met: tuple[Plain, ...], first: str | None = None) -> tuple[object, ...]:
    if isinstance(domain, (Booleans, Categories)):
        return tuple(domain.elements() or ())[:FEW]
    if isinstance(domain, Optional):
        return (None, *_some(domain.of, met))[:FEW]
    if isinstance(domain, Record):
        fields = sorted(domain.fields, key=lambda field: field[0] == first)  # what comes last changes from row to row
        return records(**{name: _some(of, met)[:2] for name, of in fields})[: 2 * FEW]
    if isinstance(domain, Vector):
        vectors = map(list, itertools.product(_some(domain.of, met)[:3], repeat=min(domain.size, 6)))
        return tuple(v for v in vectors if domain.member(v))[: 2 * FEW]
    found = tuple(dict.fromkeys(x for x in _candidates(domain, met) if domain.member(x)))
    if not found:
        raise InvalidParameter(f"no values of {domain!r} are known here", bridge="universe=[...], values to try")
    return found[:FEW]


def _candidates(domain: Domain, met: tuple[Plain, ...]) -> Iterable[object]:
    if isinstance(domain, (Integers, Numbers)):
        ends = [known(end) for end in (domain.low, domain.high) if end is not None]
        step = Fraction(known(domain.step)) if isinstance(domain, Numbers) and domain.step is not None else Fraction(1)
        inner = [x for x in numbers_among(met) if domain.member(x)]
        extremes: list[int | Fraction] = [inner[0], *sorted({min(inner), max(inner)})] if inner else []
        plain: list[int | Fraction] = [0, 1, -1, *(step * k for k in (1, -1, 2))]
        found: list[int | Fraction] = [*ends, *extremes, *plain]
        return [x.numerator if isinstance(domain, Integers) and x.denominator == 1 else x for x in found]
    if isinstance(domain, Text):
        return [*(x for x in met if isinstance(x, str)), "a", "b", ""]
    if isinstance(domain, Dates):
        return [domain.low, domain.high, *(x for x in met if isinstance(x, datetime.date)), datetime.date(2000, 1, 1)]
    return domain.elements() or ()
