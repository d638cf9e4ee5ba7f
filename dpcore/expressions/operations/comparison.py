"""Comparison and membership: numbers with numbers, texts with texts (by code point), days with days."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeGuard

import numpy as np

from dpcore.domains import Array, Booleans, Categories, Domain, key
from dpcore.expressions import floats
from dpcore.expressions.columns import (
    Column,
    Constant,
    Days,
    Floats,
    Mask,
    Multiples,
    Truths,
)
from dpcore.expressions.grids import aligned, grid
from dpcore.expressions.intervals import Rational
from dpcore.expressions.nulls import both
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import comparison, method
from dpcore.expressions.shapes import CATEGORY, DATE, NUMBER, TEXT, TRUTH, Shape, Unfit, expect, same_kind

# ---- on one row --------------------------------------------------------------------------------------------------


def below(x: Rational, y: Rational) -> bool:
    return x < y


def at_most(x: Rational, y: Rational) -> bool:
    return x <= y


def above(x: Rational, y: Rational) -> bool:
    return x > y


def at_least(x: Rational, y: Rational) -> bool:
    return x >= y


PLAIN: Final = frozenset({bool, int, Fraction, str, datetime.date})
"""Types of which two values are the same exactly if Python finds them equal."""


def same(x: object, y: object) -> bool:
    """Numbers by value, a float as its shortest decimal. A truth value is no number: True is not 1."""
    return x == y if type(x) is type(y) and type(x) in PLAIN else key(x) == key(y)


def different(x: object, y: object) -> bool:
    return not same(x, y)


def among(x: object, *values: object) -> bool:
    return any(same(x, value) for value in values)


def between(x: Rational | None, low: Rational | None, high: Rational | None) -> bool | None:
    """Both ends belong to it."""
    return both(
        None if x is None or low is None else low <= x,
        None if x is None or high is None else x <= high,
    )


# ---- on columns --------------------------------------------------------------------------------------------------


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


# ---- on domains --------------------------------------------------------------------------------------------------


def _comparable(x: Domain, y: Domain) -> Shape:
    same_kind(x, y, NUMBER, TEXT, DATE)
    return Shape(Booleans())


def _equatable(x: Domain, *others: Domain) -> Shape:
    for y in others:
        same_kind(x, y, NUMBER, TRUTH, TEXT, DATE, CATEGORY)
        _may_be_equal(x, y)
    return Shape(Booleans())


def _may_be_equal(x: Domain, y: Domain) -> None:
    """Refuses a category that there is not, most likely a misspelt one. Two constants may differ."""
    if not isinstance(x, Categories) or not isinstance(y, Categories) or len(x.values) == len(y.values) == 1:
        return
    few, many = sorted((x, y), key=lambda d: len(d.values))
    if not any(same(a, b) for a in few.values for b in many.values):
        raise Unfit(few, "one of " + ", ".join(map(repr, many.values)))


def _between_shape(x: Shape, low: Shape, high: Shape) -> Shape:
    for bound in (low, high):
        if x.values is not None and bound.values is not None:
            _comparable(x.values, bound.values)
        elif bound.values is not None:
            expect(bound.values, NUMBER, TEXT, DATE)
    return Shape(Booleans(), x.null or low.null or high.null)


TABLE: Final = (
    Operation("lt", 2, below, _comparable, comparison("<"), _ordered("<", _by(np.less))),
    Operation("le", 2, at_most, _comparable, comparison("<="), _at_most),
    Operation("gt", 2, above, _comparable, comparison(">"), _ordered(">", _by(np.greater))),
    Operation("ge", 2, at_least, _comparable, comparison(">="), _at_least),
    Operation("equals", 2, same, _equatable, method("equals"), _equal),
    Operation("differs", 2, different, _equatable, method("differs"), _ordered("!=", _by(np.not_equal))),
    Operation("isin", 1, among, _equatable, method("isin"), _among, constants=1, more=True),
    Operation("between", 3, between, _between_shape, method("between"), _between, sees_nulls=True),
)
