"""What expressions start from: fields, rows and constants, and the functions that are no methods."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import TypeVar, overload

from dpcore.errors import InvalidExpression
from dpcore.expressions.expr import Expr, Operand, Value, apply
from dpcore.expressions.node import DECLARED, Field, Row, literal_node
from dpcore.maps import counted, exact, known

T = TypeVar("T")


@overload
def field(name: str) -> Expr[Value]: ...
@overload
def field(name: str, of: type[T]) -> Expr[T]: ...
def field(name: str, of: type[object] | None = None) -> Expr[Value] | Expr[T]:
    """The value of a field, `field("age")`. A truth value says so, `field("married", bool)`, to be used in logic.

    `int` and `float` say that the domain is one of whole numbers, or of numbers: checked when the rows are known.
    """
    if not isinstance(name, str):
        raise InvalidExpression(f"Expected the name of a field but got a {type(name).__name__}", produced=name)
    return Expr(Field(str(name), _declared(of)))


@overload
def row() -> Expr[Value]: ...
@overload
def row(of: type[T]) -> Expr[T]: ...
def row(of: type[object] | None = None) -> Expr[Value] | Expr[T]:
    """The row itself, where rows are single values."""
    return Expr(Row(_declared(of)))


def _declared(of: type[object] | None) -> str | None:
    if of is None:
        return None
    for name, declared in DECLARED.items():
        if of is declared:
            return name
    raise InvalidExpression(
        f"Expected bool, int, float or str as the type but got {of!r}; leave out any other", produced=of
    )


def literal(value: T) -> Expr[T]:
    """A constant. Plain constants become one by themselves wherever an operand is expected."""
    return Expr(literal_node(value))


def day(text: str | datetime.date) -> Expr[datetime.date]:
    """A day as a constant, `day("2020-01-31")`."""
    if type(text) is datetime.date:
        return literal(text)
    try:
        return literal(datetime.date.fromisoformat(str(text)))
    except ValueError:
        raise InvalidExpression(f"Expected a day such as '2020-01-31' but got {text!r}", produced=text) from None


def ratio(numerator: int, denominator: int) -> Expr[Value]:
    """A constant that no decimal writes, `ratio(1, 3)`."""
    over, under = _whole(numerator, "numerator"), _whole(denominator, "denominator")
    if under == 0:
        raise InvalidExpression("Expected a denominator other than 0", produced=denominator)
    return Expr(literal_node(known(exact(Fraction(over, under)))))


def _whole(value: object, name: str) -> int:
    found = counted(value)
    if found is None:
        raise InvalidExpression(f"Expected a whole number for {name} but got a {type(value).__name__}", produced=value)
    return found


def minimum(x: Operand, y: Operand) -> Expr[Value]:
    """The lesser of two numbers; null if either is null."""
    return Expr(apply("minimum", x, y))


def maximum(x: Operand, y: Operand) -> Expr[Value]:
    """The greater of two numbers; null if either is null."""
    return Expr(apply("maximum", x, y))
