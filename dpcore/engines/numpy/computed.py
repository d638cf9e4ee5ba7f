"""An expression on columns: what `on_row` gives on each row, at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dpcore.engines.numpy.columns import Codes, Column, Constant, column_of, per_distinct, together
from dpcore.engines.numpy.operations import COLUMNS
from dpcore.expressions.node import Apply, Field, Literal, Node, Row, on_values
from dpcore.expressions.operation import Operation


class Source(Protocol):
    """Where columns are read from: by the name of the field, or by None for rows that are single values."""

    def column(self, name: str | None) -> Column: ...
    def __len__(self) -> int: ...


def computed(node: Node, source: Source) -> Column:
    """The results on many rows, in order."""
    match node:
        case Field(name=name):
            return source.column(name)
        case Row():
            return source.column(None)
        case Literal(value=value):
            return Constant(value, len(source))
        case Apply(operation=operation, operands=operands):
            return _applied(operation, [computed(operand, source) for operand in operands], len(source))
    raise AssertionError(f"a node of another kind: {node!r}")


def _applied(operation: Operation, columns: Sequence[Column], size: int) -> Column:
    """The operation on every row: at once where it can be, by its row function otherwise."""
    varying = [column for column in columns if not isinstance(column, Constant)]
    if not varying:
        return Constant(on_values(operation, [c.value for c in columns if isinstance(c, Constant)]), size)
    if len(varying) == 1 and isinstance(varying[0], Codes):
        table = varying[0].table
        values = [[c.value] * len(table) if isinstance(c, Constant) else list(table) for c in columns]
        return per_distinct(varying[0], [on_values(operation, args) for args in zip(*values, strict=True)])
    if not operation.sees_nulls and any(isinstance(c, Constant) and c.value is None for c in columns):
        return Constant(None, size)
    at_once = COLUMNS[operation.name](*columns) if operation.name in COLUMNS else None
    if at_once is None:
        return column_of([on_values(operation, args) for args in zip(*(c.python() for c in columns), strict=True)])
    return at_once if operation.sees_nulls else _null_where_any_is(at_once, varying)


def _null_where_any_is(column: Column, operands: Sequence[Column]) -> Column:
    null = None
    for operand in operands:
        null = together(null, operand.nulls())
    return column if null is None else column.masked(null)
