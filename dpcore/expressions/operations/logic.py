"""Logic on truth values that may be null. The table is in `dpcore.expressions.nulls`."""

from __future__ import annotations

from typing import Final

import numpy as np

from dpcore.domains import Booleans, Domain
from dpcore.expressions.columns import Column, Constant, Mask, Truths
from dpcore.expressions.nulls import both, either
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import BOTH, EITHER, XOR, logic, prefix
from dpcore.expressions.shapes import TRUTH, Shape, expect


def negation(x: bool) -> bool:
    return not x


def exclusive(x: bool, y: bool) -> bool:
    return x is not y


def _sides(x: Column) -> tuple[Mask, Mask] | None:
    """Where it is True, and where it is False; where it is neither, it is null."""
    if isinstance(x, Truths):
        return (x.values, ~x.values) if x.null is None else (x.values & ~x.null, ~x.values & ~x.null)
    if isinstance(x, Constant):
        return np.full(len(x), x.value is True), np.full(len(x), x.value is False)
    return None


def _truths(true: Mask, false: Mask) -> Truths:
    null = ~(true | false)
    return Truths(true, null if null.any() else None)


def _both_columns(x: Column, y: Column) -> Column | None:
    if isinstance(x, Truths) and isinstance(y, Truths) and x.null is None and y.null is None:
        return Truths(x.values & y.values)
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else _truths(first[0] & second[0], first[1] | second[1])


def _either_columns(x: Column, y: Column) -> Column | None:
    if isinstance(x, Truths) and isinstance(y, Truths) and x.null is None and y.null is None:
        return Truths(x.values | y.values)
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else _truths(first[0] | second[0], first[1] & second[1])


def _exclusive_columns(x: Column, y: Column) -> Column | None:
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else Truths(first[0] ^ second[0])


def _negation_columns(x: Column) -> Column | None:
    return Truths(~x.values) if isinstance(x, Truths) else None


def _kleene(x: Shape, y: Shape) -> Shape:
    for operand in (x, y):
        if operand.values is not None:
            expect(operand.values, TRUTH)
    return Shape(Booleans(), x.null or y.null)


def _strict(*operands: Domain) -> Shape:
    for operand in operands:
        expect(operand, TRUTH)
    return Shape(Booleans())


TABLE: Final = (
    Operation("and", 2, both, _kleene, logic("&", BOTH), _both_columns, sees_nulls=True),
    Operation("or", 2, either, _kleene, logic("|", EITHER), _either_columns, sees_nulls=True),
    Operation("xor", 2, exclusive, _strict, logic("^", XOR), _exclusive_columns),
    Operation("not", 1, negation, _strict, prefix("~"), _negation_columns),
)
