"""Arithmetic on columns of multiples, where no result can leave int64. Floats are only mirrored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.engines.numpy.columns import Column, Constant, Floats, Ints, Multiples, OnColumns
from dpcore.engines.numpy.grids import Grid, aligned, combined, fits, grid
from dpcore.expressions.intervals import absolute


def _multiply(x: Column, y: Column) -> Column | None:
    first, second = grid(x), grid(y)
    if first is None or second is None:
        return None
    if not fits(*(a * b for a in (first.low, first.high) for b in (second.low, second.high))):
        return None
    return Multiples(first.values * second.values, first.step * second.step)


def _divide(x: Column, y: Column) -> Column | None:
    """By a constant only: the step shrinks, the multiples stay."""
    dividend = grid(x)
    if dividend is None or not isinstance(y, Constant):
        return None
    value = y.value
    if not isinstance(value, (int, Fraction)):
        return None
    if value == 0:
        return Constant(None, len(x))
    if value < 0 and not fits(dividend.low):
        return None
    values = -dividend.values if value < 0 else dividend.values
    return Multiples(values, Fraction(dividend.step) / absolute(value))


def _floored(x: Column, y: Column, compute: Callable[[Ints, Ints], Ints], *, on_grid: bool) -> Column | None:
    pair = aligned(x, y)
    # The one quotient that leaves int64 is -2**63 // -1.
    if pair is None or not fits(pair[0].low, pair[1].low):
        return None
    dividend, divisor = pair
    zero = divisor.values == 0
    found = Multiples(compute(dividend.values, np.where(zero, 1, divisor.values)), dividend.step if on_grid else 1)
    return found.masked(np.broadcast_to(zero, found.values.shape)) if zero.any() else found


def _floor_divide(x: Column, y: Column) -> Column | None:
    return _floored(x, y, lambda a, b: a // b, on_grid=False)


def _modulo(x: Column, y: Column) -> Column | None:
    return _floored(x, y, lambda a, b: a % b, on_grid=True)


def _negate(x: Column) -> Column | None:
    if isinstance(x, Floats):
        return Floats(-x.values)
    found = grid(x)
    return None if found is None or not fits(found.low) else Multiples(-found.values, found.step)


def _magnitude(x: Column) -> Column | None:
    if isinstance(x, Floats):
        return Floats(np.abs(x.values))
    found = grid(x)
    return None if found is None or not fits(found.low) else Multiples(np.abs(found.values), found.step)


def _sums(x: Grid, y: Grid) -> tuple[int, ...]:
    return x.low + y.low, x.high + y.high


def _differences(x: Grid, y: Grid) -> tuple[int, ...]:
    return x.low - y.high, x.high - y.low


COLUMNS: Final[Mapping[str, OnColumns]] = {
    "add": combined(lambda x, y: x + y, _sums),
    "subtract": combined(lambda x, y: x - y, _differences),
    "multiply": _multiply,
    "divide": _divide,
    "floor_divide": _floor_divide,
    "modulo": _modulo,
    "negate": _negate,
    "abs": _magnitude,
    "minimum": combined(np.minimum, lambda x, y: ()),
    "maximum": combined(np.maximum, lambda x, y: ()),
}
