"""Choosing between values: `when(c).then(a).otherwise(b)`, `is_null()` and `fill_null(value)`."""

from __future__ import annotations

import datetime
from typing import Final

import numpy as np

from dpcore.domains import Booleans
from dpcore.expressions.columns import Codes, Column, Constant, Days, Floats, Mask, Multiples, Objects, Truths
from dpcore.expressions.grids import aligned
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


def _choose(mask: Mask, then: Column, otherwise: Column) -> Column | None:
    """`then` where the mask is set, in a layout that both fit into; None where there is no such layout."""
    values = _mixed(mask, then, otherwise)
    nulls = [c.nulls() for c in (then, otherwise)]
    if values is None or (nulls[0] is None and nulls[1] is None):
        return values
    nowhere = np.zeros(len(mask), dtype=np.bool_)
    null = np.where(mask, *(nowhere if n is None else n for n in nulls))
    return values.masked(null) if null.any() else values


def _mixed(mask: Mask, then: Column, otherwise: Column) -> Column | None:
    if isinstance(then, Constant) and isinstance(otherwise, Constant):
        return Codes(np.where(mask, np.int64(0), np.int64(1)), (then.value, otherwise.value))
    for one, other in ((then, otherwise), (otherwise, then)):
        if isinstance(one, Constant) and one.value is None and not isinstance(other, (Objects, Codes)):
            return other
    if isinstance(then, Floats) and isinstance(otherwise, Floats):
        return Floats(np.where(mask, then.values, otherwise.values))
    days = _days(then), _days(otherwise)
    if days[0] is not None and days[1] is not None:
        return Days(np.where(mask, days[0], days[1]))
    truths = _truths(then), _truths(otherwise)
    if truths[0] is not None and truths[1] is not None:
        return Truths(np.where(mask, truths[0], truths[1]))
    pair = aligned(then, otherwise)
    return None if pair is None else Multiples(np.where(mask, pair[0].values, pair[1].values), pair[0].step)


def _days(x: Column) -> np.ndarray[tuple[int, ...], np.dtype[np.datetime64]] | None:
    if isinstance(x, Days):
        return x.values
    if isinstance(x, Constant) and isinstance(x.value, datetime.date):
        return np.array(x.value, dtype="datetime64[D]")
    return None


def _truths(x: Column) -> Mask | None:
    if isinstance(x, Truths):
        return x.values
    return np.array(x.value) if isinstance(x, Constant) and isinstance(x.value, bool) else None


def _chosen_columns(condition: Column, then: Column, otherwise: Column) -> Column | None:
    if isinstance(condition, Constant):
        return then if condition.value is True else otherwise
    return _choose(condition.true(), then, otherwise) if isinstance(condition, Truths) else None


def _is_null_columns(x: Column) -> Column | None:
    null = x.nulls()
    return Truths(np.zeros(len(x), dtype=np.bool_) if null is None else null)


def _filled_columns(x: Column, value: Column) -> Column | None:
    null = x.nulls()
    return x if null is None else _choose(null, value, _unmasked(x))


def _unmasked(x: Column) -> Column:
    """With the valid values that lie under the mask, which the choice passes over."""
    if isinstance(x, Multiples):
        return Multiples(x.values, x.step)
    if isinstance(x, Floats):
        return Floats(x.values)
    if isinstance(x, Truths):
        return Truths(x.values)
    return Days(x.values) if isinstance(x, Days) else x


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
    Operation("when", 3, chosen, _chosen_shape, choice, _chosen_columns, sees_nulls=True),
    Operation(
        "is_null", 1, is_null, lambda x: Shape(Booleans()), method("is_null"), _is_null_columns, sees_nulls=True,
    ),
    Operation("fill_null", 2, filled, _filled_shape, method("fill_null"), _filled_columns, sees_nulls=True),
)  # fmt: skip
