"""The model of a table that noisy counts of its fields and of pairs of them lead to. All of it is post-processing.

Counts of pairs are mostly noise where the fields hardly depend on each other, and a model that meets them keeps the
noise. So a tree comes first, of the pairs that depend most on each other. Each of the other pairs is then moved from
what the tree says of it towards what was counted, by the share

    max(0, 1 - k v/S)         k = (m - 1)(n - 1), v the variance of the noise, S the sum of squares that they are apart,

where k v is what noise alone would make of S: the estimator of James and Stein (1961), which for k >= 3 is nearer to the
truth, on average, than the counts; theirs has k - 2 for k. The model is then fitted to all of that, or to as much of it
as leaves it small, the largest moves first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Final

import numpy as np

from dpcore.many.junctions import Fields, junction_of
from dpcore.many.models import ROUGH, Model, Noisy, fitted
from dpcore.many.universe import Floats

MOST_NUMBERS: Final = 8_000
"""A model holds no more than that, unless its tree does."""


def modelled(sizes: Sequence[int], counted: Sequence[Noisy], total: float) -> tuple[Model, tuple[Fields, ...]]:
    """The model, and the pairs of its tree, the strongest first."""
    singles = [_single(i, sizes, counted) for i in range(len(sizes))]
    pairs: dict[Fields, Noisy] = {each.fields: each for each in _merged(counted) if len(each.fields) == 2}
    alone = fitted(junction_of(sizes, ()), singles, total)
    excess = {fields: _excess(each, alone, total) for fields, each in pairs.items()}
    edges = spanning(len(sizes), sorted(pairs, key=lambda fields: -excess[fields]))
    kept = [pairs[edge] for edge in edges]
    tree = fitted(junction_of(sizes, edges), [*singles, *kept], total)
    others = [_shrunk(each, tree, total) for fields, each in pairs.items() if fields not in edges]
    small = [*edges]
    for _, each in sorted(others, key=lambda other: -other[0]):
        if junction_of(sizes, [*small, each.fields]).cells <= MOST_NUMBERS:
            small.append(each.fields)
            kept.append(each)
    if len(kept) == len(edges):
        return tree, edges
    return fitted(junction_of(sizes, small), [*singles, *kept], total, tree.logs), edges


def met(sizes: Sequence[int], counted: Sequence[Noisy], total: float, before: Model | None = None) -> Model:
    """The model that is near to the counts as they are, noise and all; found from the one before."""
    known = _merged(counted)
    pairs = [each.fields for each in known if len(each.fields) == 2]
    return fitted(junction_of(sizes, pairs), known, total, None if before is None else before.logs, ROUGH)


def expected_error(variance: float, cells: int, dimensions: float | None = None) -> float:
    """The sum over all cells of how far noise is off, expected; of noise within so many dimensions, if they are fewer."""
    return sqrt(2 / pi * variance * (cells if dimensions is None else dimensions) * cells)


def _merged(counted: Sequence[Noisy]) -> list[Noisy]:
    """Counts of the same fields as one, weighed by their precision."""
    by_fields: dict[Fields, list[Noisy]] = {}
    for each in counted:
        by_fields.setdefault(each.fields, []).append(each)
    return [_weighed(fields, [(each.counts, each.variance) for each in same]) for fields, same in by_fields.items()]


def _weighed(fields: Fields, known: Sequence[tuple[Floats, float]]) -> Noisy:
    precision = sum(1 / variance for _, variance in known)
    counts: Floats = np.sum([counts / variance for counts, variance in known], axis=0) / precision
    return Noisy(fields, counts, 1 / precision)


def _single(field: int, sizes: Sequence[int], counted: Sequence[Noisy]) -> Noisy:
    """What all counts together say of one field: sums of more cells are noisier."""
    known: list[tuple[Floats, float]] = []
    for each in counted:
        if field in each.fields:
            others = tuple([axis for axis, other in enumerate(each.fields) if other != field])
            known.append((each.counts.sum(axis=others), each.variance * each.counts.size / sizes[field]))
    return _weighed((field,), known)


def _dependence(pair: Noisy, model: Model, total: float) -> tuple[Floats, float]:
    """How far the counts are from the model, without what single fields say; and in how many dimensions."""
    apart = pair.counts - total * model.marginal(pair.fields)
    apart = apart - apart.mean(axis=0, keepdims=True)
    m, n = pair.counts.shape
    return apart - apart.mean(axis=1, keepdims=True), (m - 1) * (n - 1)


def _excess(pair: Noisy, model: Model, total: float) -> float:
    """The sum of these errors beyond what noise alone would make."""
    apart, dimensions = _dependence(pair, model, total)
    return float(np.abs(apart).sum()) - expected_error(pair.variance, apart.size, dimensions)


def _shrunk(pair: Noisy, model: Model, total: float) -> tuple[float, Noisy]:
    """How far the counts move the model, in rows; and what they then stand for."""
    apart, dimensions = _dependence(pair, model, total)
    squares = float(np.square(apart).sum())
    share = max(0.0, 1 - dimensions * pair.variance / squares) if squares > 0 else 0.0
    said = total * model.marginal(pair.fields)
    return share * float(np.abs(apart).sum()), Noisy(pair.fields, said + share * (pair.counts - said), pair.variance)


def spanning(fields: int, pairs: Sequence[Fields]) -> tuple[Fields, ...]:
    """Of pairs the first that make a tree: those of fields that are not joined yet."""
    joined, found = list(range(fields)), list[Fields]()
    for i, j in pairs:
        if joined[i] != joined[j]:
            found.append((i, j))
            joined = [joined[i] if each == joined[j] else each for each in joined]
    return tuple(found)
