"""Logic on truth values that may be null. The table is in `dpcore.expressions.nulls`."""

from __future__ import annotations

from typing import Final

from dpcore.domains import Booleans, Domain
from dpcore.expressions.nulls import both, either
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import BOTH, EITHER, XOR, logic, prefix
from dpcore.expressions.shapes import TRUTH, Shape, expect


def negation(x: bool) -> bool:
    return not x


def exclusive(x: bool, y: bool) -> bool:
    return x is not y


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
    Operation("and", 2, both, _kleene, logic("&", BOTH), sees_nulls=True),
    Operation("or", 2, either, _kleene, logic("|", EITHER), sees_nulls=True),
    Operation("xor", 2, exclusive, _strict, logic("^", XOR)),
    Operation("not", 1, negation, _strict, prefix("~")),
)
