"""Expressions read back from what `data()` wrote. One encoding: whatever is written in another way is refused."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from dpcore.errors import InvalidExpression
from dpcore.expressions.expr import Expr, Value
from dpcore.expressions.node import DECLARED, Apply, Field, Literal, Node, Row, literal_node


def expression_from(data: object) -> Expr[Value]:
    """The expression that `data()` wrote. Refuses anything that it would not write."""
    try:
        return Expr(_node(data))
    except RecursionError:
        raise InvalidExpression("the expression is nested too deeply") from None


def _node(data: object) -> Node:
    if not isinstance(data, Mapping):
        raise InvalidExpression(f"Expected a node of an expression but got a {type(data).__name__}")
    op = data.get("op")
    if not isinstance(op, str):
        raise InvalidExpression("Expected a node of an expression but its 'op' is missing or no text")
    if op == "field":
        _keys(data, "op", "name", "type")
        return Field(_text(data, "name"), _declared(data))
    if op == "row":
        _keys(data, "op", "type")
        return Row(_declared(data))
    if op in CONSTANTS:
        _keys(data, "op", "value")
        return _constant(op, data)
    _keys(data, "op", "of")
    operands = data.get("of")
    if not isinstance(operands, list):
        raise InvalidExpression(f"Expected a list of operands in {op!r}")
    return Apply(op, tuple(map(_node, operands)))


def _constant(op: str, data: Mapping[object, object]) -> Literal:
    written = data.get("value")
    try:
        node = CONSTANTS[op](written)
    except (ValueError, TypeError, ZeroDivisionError):
        raise InvalidExpression(f"Expected a {op} but got {written!r}") from None
    # One encoding: the node must write what was read. `True` reads as no number, and 1 as no truth value.
    if node.data() != dict(data):
        raise InvalidExpression(f"Expected a {op} as it is written but got {written!r}")
    return node


def _number(written: object) -> Literal:
    return literal_node(Fraction(_as_text(written)))


def _date(written: object) -> Literal:
    return literal_node(datetime.date.fromisoformat(_as_text(written)))


def _as_text(written: object) -> str:
    if not isinstance(written, str):
        raise TypeError
    return written


CONSTANTS: Final[Mapping[str, Callable[[object], Literal]]] = {
    "null": literal_node,
    "truth": literal_node,
    "text": literal_node,
    "number": _number,
    "date": _date,
}


def _keys(data: Mapping[object, object], *allowed: str) -> None:
    extra = [key for key in data if key not in allowed]
    if extra:
        raise InvalidExpression(f"there is no {extra[0]!r} in a node of {data['op']!r}")


def _text(data: Mapping[object, object], key: str) -> str:
    found = data.get(key)
    if not isinstance(found, str):
        raise InvalidExpression(f"Expected a text for {key!r} in a node of {data['op']!r}")
    return found


def _declared(data: Mapping[object, object]) -> str | None:
    if "type" not in data:
        return None
    found = _text(data, "type")
    if found not in DECLARED:
        raise InvalidExpression(f"Expected one of {', '.join(DECLARED)} as the type but got {found!r}")
    return found
