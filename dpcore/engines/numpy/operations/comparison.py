"""Comparison and membership of columns: multiples on one grid, floats by the threshold from which on it is true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, TypeGuard

import numpy as np

from dpcore.domains import Array
from dpcore.engines.numpy import floats
from dpcore.engines.numpy.columns import (
    Column,
    Constant,
    Days,
    Floats,
    Mask,
    Multiples,
    OnColumns,
    Reals,
    Truths,
    plain,
)
from dpcore.engines.numpy.grids import aligned, grid

AGAINST: Final[Mapping[np.ufunc, Callable[[Reals, float, float], Mask]]] = {
    np.less: lambda x, first, after: x < first,
    np.less_equal: lambda x, first, after: x < after,
    np.greater: lambda x, first, after: x >= after,
    np.greater_equal: lambda x, first, after: x >= first,
    np.equal: lambda x, first, after: (x >= first) & (x < after),
    np.not_equal: lambda x, first, after: (x < first) | (x >= after),
}
"""Floats against a number, by the first float that is not below it and the first after it."""

MIRRORED: Final[Mapping[np.ufunc, np.ufunc]] = {
    np.less: np.greater,
    np.less_equal: np.greater_equal,
    np.greater: np.less,
    np.greater_equal: np.less_equal,
}


def _compared(relation: np.ufunc) -> Callable[[Column, Column], Column | None]:
    def columns(x: Column, y: Column) -> Column | None:
        if isinstance(x, Floats) and isinstance(y, Constant):
            return _against(relation, x, y.value)
        if isinstance(y, Floats) and isinstance(x, Constant):
            return _against(MIRRORED.get(relation, relation), y, x.value)
        sides = _sides(x, y)
        return None if sides is None else Truths(np.asarray(relation(*sides), dtype=np.bool_))

    return columns


def _against(relation: np.ufunc, x: Floats, value: object) -> Column | None:
    if not _is_number(value):
        return None
    return Truths(AGAINST[relation](x.values, floats.at_least(value), floats.above(value)))


def _sides(x: Column, y: Column) -> tuple[Array, Array] | None:
    """As arrays that numpy compares as Python does the values."""
    if isinstance(x, Floats) and isinstance(y, Floats):
        return x.values, y.values
    first, second = plain(x), plain(y)
    if first is not None and second is not None:
        return first, second
    pair = aligned(x, y)
    return None if pair is None else (pair[0].values, pair[1].values)


_equal: Final = _compared(np.equal)
_at_most: Final = _compared(np.less_equal)
_at_least: Final = _compared(np.greater_equal)


def _among(x: Column, *values: Column) -> Column | None:
    if not isinstance(x, (Multiples, Floats, Days)):
        return None
    if isinstance(x, Multiples) and len(values) > 8:
        found = grid(x)
        counts = [Fraction(v.value) / x.step for v in values if isinstance(v, Constant) and _is_number(v.value)]
        if found is not None and len(counts) == len(values):
            inside = [int(c) for c in counts if c.denominator == 1 and found.low <= c <= found.high]
            return Truths(np.isin(x.values, np.array(inside, dtype=np.int64)))
    masks = [_equal(x, value) for value in values]
    known = [mask.values for mask in masks if isinstance(mask, Truths)]
    return Truths(np.logical_or.reduce(known)) if known and len(known) == len(masks) else None


def _is_number(x: object) -> TypeGuard[int | Fraction]:
    return isinstance(x, (int, Fraction)) and not isinstance(x, bool)


def _between(x: Column, low: Column, high: Column) -> Column | None:
    """Where no operand can be null, as two comparisons."""
    if any(isinstance(c, Constant) and c.value is None for c in (x, low, high)):
        return None
    if any(c.nulls() is not None for c in (low, high)):
        return None
    first, second = _at_least(x, low), _at_most(x, high)
    if not isinstance(first, Truths) or not isinstance(second, Truths):
        return None
    return Truths(first.values & second.values, x.nulls())


COLUMNS: Final[Mapping[str, OnColumns]] = {
    "lt": _compared(np.less),
    "le": _at_most,
    "gt": _compared(np.greater),
    "ge": _at_least,
    "equals": _equal,
    "differs": _compared(np.not_equal),
    "isin": _among,
    "between": _between,
}
