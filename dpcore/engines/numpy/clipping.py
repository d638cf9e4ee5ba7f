"""Many vectors brought within a norm at once, in whole numbers of steps. `NumpyColumns` asks."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

import numpy as np

from dpcore.engines.clipping import Clipping, clipped
from dpcore.engines.numpy.columns import Ints
from dpcore.engines.numpy.grids import fits

SMALL: Final = 1 << 58
"""Lengths at most this large are computed in int64."""


def on_counts(clip: Clipping, counts: Ints, step: Fraction) -> Ints | None:
    """In steps, b being the bound: of L1 `floor(|v| b/||v||_1)`, of L2 `floor(sqrt(v^2 b^2/||v||_2^2))`."""
    b = clip.bound / step
    if clip.norm == "LInf":
        return np.clip(counts, -(b // 1), b // 1) if fits(int(b)) else None
    power = 1 if clip.norm == "L1" else 2
    p, q = b.numerator**power, b.denominator**power
    if p > SMALL or q > SMALL:
        return None
    sizes, largest = np.abs(counts), np.abs(counts).max(axis=1)
    measured = largest <= _root_of(SMALL // (q * counts.shape[1]), power)
    lengths = (np.where(measured[:, None], sizes, 0) ** power).sum(axis=1) * q
    long = ~measured | (lengths > p)
    small = long & measured & (largest <= _root_of(SMALL // max(p, 1), power))
    over, by = sizes[small] ** power * p, lengths[small][:, None]
    found = counts.copy()
    found[small] = np.sign(counts[small]) * (over // by if power == 1 else _roots(over, by))
    for i in np.flatnonzero(long & ~small).tolist():
        row = clipped([v * step for v in counts[i].tolist()], clip.bound, clip.norm, step)
        found[i] = [int(v / step) for v in row]
    return found


def _root_of(most: int, power: int) -> int:
    return most if power == 1 else isqrt(most)


def _roots(over: Ints, by: Ints) -> Ints:
    """`floor(sqrt(over/by))`, exactly: what floats say, off by one at most, and then whole numbers decide.

    Both are at most 2^58, so no root is above 2^29 and no product above `(sqrt(over) + 2 sqrt(by))^2 < 2^62`.
    """
    found: Ints = np.sqrt(over / by).astype(np.int64)
    found -= found * found * by > over
    found += (found + 1) * (found + 1) * by <= over
    return found
