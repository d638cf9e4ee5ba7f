"""Tiny universes: all members of a domain that are made of a few atoms, and pairs of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import cast

import dpcore as dp
from dpcore.origins import SomeSpace

Members = tuple[object, ...]
Pair = tuple[object, object]


def multisets(atoms: Sequence[object], sizes: Sequence[int]) -> list[list[object]]:
    """All multisets of the atoms, of each of the sizes."""
    return [list(rows) for n in sizes for rows in itertools.combinations_with_replacement(atoms, n)]


def members(space: SomeSpace, atoms: Sequence[object], most: int = 3) -> Members:
    """All members with at most so many rows (or exactly the declared number); of values, the atoms or all vectors."""
    domain = space.domain
    if isinstance(domain, dp.Rows):
        sizes = range(most + 1) if domain.size is None else (domain.size,)
        return tuple(multisets(atoms, tuple(sizes)))
    if isinstance(domain, dp.Parts):
        return tuple(_spread(domain.keys, atoms, most))
    if isinstance(domain, dp.Vector):
        return tuple(list(v) for v in itertools.product(atoms, repeat=domain.size))
    if isinstance(domain, dp.Graphs):
        edges = list(itertools.combinations(range(domain.nodes), 2))
        return tuple(list(g) for n in range(len(edges) + 1) for g in itertools.combinations(edges, n))
    return tuple(atoms)


def _spread(keys: Sequence[object], atoms: Sequence[object], most: int) -> Iterator[dict[object, list[object]]]:
    """Every way to put at most so many rows into parts."""
    for rows in multisets(list(itertools.product(keys, atoms)), tuple(range(most + 1))):
        parts: dict[object, list[object]] = {key: [] for key in keys}
        for key, row in cast("list[tuple[object, object]]", rows):
            parts[key].append(row)
        yield parts


def pairs(found: Members) -> Iterator[Pair]:
    """All ordered pairs."""
    return ((x, y) for x in found for y in found)


def records(**fields: Sequence[object]) -> tuple[object, ...]:
    """All records with these values in their fields."""
    return tuple(dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))
