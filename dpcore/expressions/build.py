"""Constants, and the functions of expressions that are no methods."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, final, overload

from dpcore.errors import InvalidExpression
from dpcore.expressions.expr import Expr, Expression, Operand, Plain, Value, a_condition, apply, lift
from dpcore.expressions.node import literal_node
from dpcore.maps import counted, exact, known

T = TypeVar("T")
V = TypeVar("V")
P = TypeVar("P", bound=Plain | None)


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


@final
@dataclass(frozen=True, slots=True, eq=False)
class When:
    """`when(condition)`, which waits for its values."""

    condition: Expression

    @overload
    def then(self, value: Expr[V]) -> Then[V]: ...
    @overload
    def then(self, value: P) -> Then[P]: ...
    def then(self, value: Expr[V] | P) -> Then[V] | Then[P]:
        return Then(self.condition, Expr(lift(value)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Then(Generic[V]):
    """`when(condition).then(value)`, which waits for the other value."""

    condition: Expression
    value: Expr[V]

    def otherwise(self, value: Operand | None) -> Expr[V]:
        """Typed as the first value is. That the other is of the same kind is checked when the rows are known."""
        return Expr(apply("when", self.condition, self.value, value))


def when(condition: Expr[bool]) -> When:
    """`when(c).then(a).otherwise(b)`: a where c is True, b where it is False or null."""
    return When(a_condition(condition))
