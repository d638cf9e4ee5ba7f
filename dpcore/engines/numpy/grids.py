"""Whole-number arithmetic on columns of multiples, done in int64 only where no result can leave it.

The guard is the least and the greatest entry that the column really holds, so it does not rest on any declared bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

import numpy as np

from dpcore.engines.numpy.columns import LIMIT, Column, Constant, Ints, Multiples, extent
from dpcore.expressions.intervals import Rational, absolute, common_step


@final
@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Multiples of a step, the least and the greatest of them. A constant is one entry, without rows."""

    values: Ints
    step: Rational
    low: int
    high: int

    def scaled(self, factor: int) -> Ints:
        return self.values if factor == 1 else self.values * np.int64(factor)


def grid(column: Column) -> Grid | None:
    """The column as multiples; None if it holds anything else."""
    if isinstance(column, Multiples):
        low, high = extent(column.values)
        return Grid(column.values, column.step, low, high)
    if isinstance(column, Constant):
        value = column.value
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            sign = (value > 0) - (value < 0)
            return Grid(np.array(sign, dtype=np.int64), absolute(value) or 1, sign, sign)
    return None


def aligned(x: Column, y: Column) -> tuple[Grid, Grid] | None:
    """Both as multiples of one step; None where that would leave int64."""
    first, second = grid(x), grid(y)
    if first is None or second is None:
        return None
    if first.step == second.step:
        return first, second
    step = common_step(first.step, second.step)
    assert step is not None
    scaled = [_rescaled(g, step) for g in (first, second)]
    one, other = scaled
    return None if one is None or other is None else (one, other)


def _rescaled(g: Grid, step: Rational) -> Grid | None:
    factor = int(Fraction(g.step) / step)
    low, high = g.low * factor, g.high * factor
    if not fits(low, high) or factor > LIMIT:
        return None
    return Grid(g.scaled(factor), step, low, high)


def fits(*values: int) -> bool:
    return all(-LIMIT <= value <= LIMIT for value in values)


Linear: TypeAlias = Callable[[Ints, Ints], Ints]
Bounds: TypeAlias = Callable[[Grid, Grid], tuple[int, ...]]


def combined(compute: Linear, corners: Bounds) -> Callable[[Column, Column], Column | None]:
    """An operation on two columns of one step, whose results are bounded by the corners and multiples of that step."""

    def columns(x: Column, y: Column) -> Column | None:
        pair = aligned(x, y)
        if pair is None or not fits(*corners(*pair)):
            return None
        return Multiples(compute(pair[0].values, pair[1].values), pair[0].step)

    return columns
