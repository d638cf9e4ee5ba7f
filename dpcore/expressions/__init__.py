"""Row expressions: typed, total functions of one row, that print, serialise and know where their results lie."""

from dpcore.expressions.build import day, literal, maximum, minimum, ratio, when
from dpcore.expressions.data import expression_from
from dpcore.expressions.expr import Expr, Expression, Operand, Value, field, row

__all__ = [
    "Expr",
    "Expression",
    "Operand",
    "Value",
    "day",
    "expression_from",
    "field",
    "literal",
    "maximum",
    "minimum",
    "ratio",
    "row",
    "when",
]
