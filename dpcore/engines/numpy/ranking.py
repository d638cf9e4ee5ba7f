"""How many entries of a column are below, and how many above, each of some candidates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

import numpy as np

from dpcore.engines.numpy import floats
from dpcore.engines.numpy.columns import Column, Floats, Ints, Multiples, Reals
from dpcore.expressions.intervals import Rational

FEW_EDGES: Final = 128
MANY_VALUES: Final = 1 << 13
BLOCK: Final = 1 << 16
"""Values that stay in the processor's cache while all edges are compared with them."""

ENDS: Final = np.iinfo(np.int64)


def column_ranks(column: Column, candidates: Sequence[Rational]) -> list[tuple[int, int]] | None:
    """For each candidate, none of them twice; None where the column holds no plain numbers.

    For each candidate there is a least entry that is not below it and a least one that is above it. These edges stand in
    ascending order, two for each candidate, and what is below one of them answers for it.
    """
    ordered, null = tuple(sorted(candidates)), column.nulls()
    edges: Ints | Reals | None = None
    if isinstance(column, Floats):
        edges = _float_edges(ordered)
    elif isinstance(column, Multiples):
        edges = _int_edges(ordered, column.step)
    if edges is None or (null is not None and null.any()):
        return None
    assert isinstance(column, Floats | Multiples)
    up_to = _below(edges, column.values)
    found = {c: (up_to[2 * i], len(column) - up_to[2 * i + 1]) for i, c in enumerate(ordered)}
    return [found[c] for c in candidates]


def _below(edges: Ints | Reals, values: Ints | Reals) -> list[int]:
    """How many values are below each edge. Comparing with every edge is five times faster than bisection, if few."""
    if len(edges) <= FEW_EDGES and len(values) >= MANY_VALUES:
        found = [0] * len(edges)
        for at in range(0, len(values), BLOCK):
            block = values[at : at + BLOCK]
            found = [n + int(np.count_nonzero(block < edge)) for n, edge in zip(found, edges.tolist(), strict=True)]
        return found
    slots = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(edges) + 1)
    return list(accumulate(slots[:-1].tolist()))


@lru_cache(maxsize=64)
def _float_edges(ordered: tuple[Rational, ...]) -> Reals:
    return np.array([edge for c in ordered for edge in (floats.at_least(c), floats.above(c))], dtype=np.float64)


@lru_cache(maxsize=64)
def _int_edges(ordered: tuple[Rational, ...], step: Rational) -> Ints | None:
    """The least multiples of the step that are at least, and above, each candidate; None outside 64 bits."""
    edges = [edge for c in ordered for edge in (-(-c // step), c // step + 1)]
    return np.array(edges, dtype=np.int64) if all(ENDS.min <= e <= ENDS.max for e in edges) else None
