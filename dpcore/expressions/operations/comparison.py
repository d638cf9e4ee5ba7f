"""Comparison and membership: numbers with numbers, texts with texts (by code point), days with days."""

from __future__ import annotations

import datetime
import operator
from fractions import Fraction
from typing import Final

from dpcore.domains import Booleans, Categories, Domain, key
from dpcore.expressions.intervals import Rational
from dpcore.expressions.operation import Operation
from dpcore.expressions.operations.logic import both
from dpcore.expressions.printing import comparison, method
from dpcore.expressions.shapes import CATEGORY, DATE, NUMBER, TEXT, TRUTH, Alike, Shape, Unfit, expect, same_kind

# ---- on one row --------------------------------------------------------------------------------------------------


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


# ---- on domains --------------------------------------------------------------------------------------------------


_comparable: Final = Alike((NUMBER, TEXT, DATE), Shape(Booleans()))


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
    Operation("lt", 2, operator.lt, _comparable, comparison("<")),
    Operation("le", 2, operator.le, _comparable, comparison("<=")),
    Operation("gt", 2, operator.gt, _comparable, comparison(">")),
    Operation("ge", 2, operator.ge, _comparable, comparison(">=")),
    Operation("equals", 2, same, _equatable, comparison("==")),
    Operation("differs", 2, different, _equatable, comparison("!=")),
    Operation("isin", 1, among, _equatable, method("isin"), constants=1, more=True),
    Operation("between", 3, between, _between_shape, method("between"), sees_nulls=True),
)
