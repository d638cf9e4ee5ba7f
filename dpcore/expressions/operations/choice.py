"""Choosing between values: `when(c).then(a).otherwise(b)`, `is_null()` and `fill_null(value)`."""

from __future__ import annotations

from typing import Final

from dpcore.domains import Booleans
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import choice, method
from dpcore.expressions.shapes import TRUTH, Shape, expect, merged


def chosen(condition: bool | None, then: object, otherwise: object) -> object:
    """A null condition is not True, so it chooses the other value."""
    return then if condition is True else otherwise


def is_null(x: object) -> bool:
    return x is None


def filled(x: object, value: object) -> object:
    return value if x is None else x


def _chosen_shape(condition: Shape, then: Shape, otherwise: Shape) -> Shape:
    if condition.values is not None:
        expect(condition.values, TRUTH)
    return merged(then, otherwise)


def _filled_shape(x: Shape, value: Shape) -> Shape:
    """Null where both are."""
    either = merged(x, value)
    if not x.null:
        return x
    return Shape(either.values, value.null)


TABLE: Final = (
    Operation("when", 3, chosen, _chosen_shape, choice, sees_nulls=True),
    Operation("is_null", 1, is_null, lambda x: Shape(Booleans()), method("is_null"), sees_nulls=True),
    Operation("fill_null", 2, filled, _filled_shape, method("fill_null"), sees_nulls=True),
)
