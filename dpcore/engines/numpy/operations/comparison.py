"""Comparison and membership of columns: multiples on one grid, floats by the threshold from which on it is true."""

from __future__ import annotations

import datetime
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
    Truths,
)
from dpcore.engines.numpy.grids import aligned, grid


def _ordered(name: str, compute: Callable[[Column, Column], Mask | None]) -> Callable[[Column, Column], Column | None]:
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

    def columns(x: Column, y: Column) -> Column | None:
        if isinstance(x, Floats) and isinstance(y, Constant):
            return _against(name, x, y.value)
        if isinstance(y, Floats) and isinstance(x, Constant):
            return _against(mirrored[name], y, x.value)
        mask = compute(x, y)
        return None if mask is None else Truths(mask)

    return columns


def _against(name: str, x: Floats, value: object) -> Column | None:
    """Floats against a constant, by the threshold from which on the comparison is true."""
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        return None
    first, after = floats.at_least(value), floats.above(value)
    if name == "<":
        return Truths(x.values < first)
    if name == "<=":
        return Truths(x.values < after)
    if name == ">":
        return Truths(x.values >= after)
    if name == ">=":
        return Truths(x.values >= first)
    equal = (x.values >= first) & (x.values < after)
    return Truths(equal if name == "==" else ~equal)


def _by(relation: np.ufunc) -> Callable[[Column, Column], Mask | None]:
    def compute(x: Column, y: Column) -> Mask | None:
        if isinstance(x, Floats) and isinstance(y, Floats):
            return np.asarray(relation(x.values, y.values), dtype=np.bool_)
        first, second = _plain(x), _plain(y)
        if first is not None and second is not None:
            return np.asarray(relation(first, second), dtype=np.bool_)
        pair = aligned(x, y)
        return None if pair is None else np.asarray(relation(pair[0].values, pair[1].values), dtype=np.bool_)

    return compute


def _plain(x: Column) -> Array | None:
    """Days and truth values, which numpy compares as Python does."""
    if isinstance(x, (Days, Truths)):
        return x.values
    if isinstance(x, Constant) and isinstance(x.value, datetime.date):
        return np.array(x.value, dtype="datetime64[D]")
    return np.array(x.value) if isinstance(x, Constant) and isinstance(x.value, bool) else None


_equal: Final = _ordered("==", _by(np.equal))
_at_most: Final = _ordered("<=", _by(np.less_equal))
_at_least: Final = _ordered(">=", _by(np.greater_equal))


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
    "lt": _ordered("<", _by(np.less)),
    "le": _at_most,
    "gt": _ordered(">", _by(np.greater)),
    "ge": _at_least,
    "equals": _equal,
    "differs": _ordered("!=", _by(np.not_equal)),
    "isin": _among,
    "between": _between,
}
