"""Row expressions: `field("age") >= 18`. What a row function may say, and the face that users see.

    Expression     a total function of one row, without side effects, as steps and rules hold it: a value, equal by structure
    Expr[V]        the same as users write it, known to give a V: its operators, `==` too, make expressions

Where an `Expr` enters a step, its `structure()` is kept: what holds expressions then compares as any value does, and
nothing else has to know that `==` makes an expression.

Arithmetic and comparison take plain constants as they are typed: 0.1 is one tenth. Logic does not take plain truth
values: `"N" in names` or `x is None` is worked out by Python at once, and must not slip into a condition. What null means
is in `dpcore.expressions.operations.logic`.
"""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, Generic, NoReturn, Self, TypeAlias, TypeVar, final, overload

from dpcore.calculus.parameters.data import Data
from dpcore.domains import Array, Constant, Domain, listed
from dpcore.errors import InvalidExpression
from dpcore.expressions.node import DECLARED, Apply, Field, Literal, Node, Row, literal_node
from dpcore.maps import exact, known

V = TypeVar("V")
T = TypeVar("T")


@final
class Value:
    """Any value, not known to be a truth value. For type checkers only."""

    __slots__ = ()

    def __new__(cls) -> NoReturn:
        raise TypeError("Value only speaks to type checkers")


@dataclass(frozen=True, slots=True, repr=False)
class Expression(Constant):
    """A function of one row, as data. Equal by structure; `repr` writes what rebuilds it under `from dpcore import *`."""

    node: Node

    def __repr__(self) -> str:
        return self.node.printed().text

    def __bool__(self) -> bool:
        raise InvalidExpression(
            f"{self!r} has no truth value until it meets a row",
            produced=self,
            bridge="& for and, | for or, ~ for not, .isin(...) for in, .between(low, high) for low <= x <= high, "
            ".same_as(...) for whether two expressions are one",
        )

    def __iter__(self) -> NoReturn:
        raise InvalidExpression(f"{self!r} is one value and cannot be iterated over", produced=self)

    def structure(self) -> Expression:
        """The same function as a value, which steps and rules hold: `==` compares it."""
        return self if type(self) is Expression else Expression(self.node)

    def constant(self) -> object:
        return self.node.value if isinstance(self.node, Literal) else self

    def same_as(self, other: Expression) -> bool:
        """Whether both are written alike: the same operations on the same operands."""
        return self.node == other.node

    def domain(self, rows: Domain) -> Domain:
        """A domain that holds every result on rows of the given domain. Refuses what cannot be read from them."""
        return self.node.domain(rows)

    def on(self, rows: Domain) -> Self:
        """As rows of that domain understand it: a text that reads as a day is that day, where it stands beside days."""
        return type(self)(self.node.on(rows))

    def on_row(self, row: object) -> object:
        """The result on one canonical row."""
        return self.node.on_row(row)

    def fields(self) -> frozenset[str]:
        """The fields that it reads."""
        found: set[str] = set()
        pending: list[Node] = [self.node]
        while pending:
            node = pending.pop()
            if isinstance(node, Field):
                found.add(node.name)
            pending.extend(node.children())
        return frozenset(found)

    def data(self) -> Data:
        """As JSON holds it. `expression_from` reads it back."""
        return self.node.data()


Plain: TypeAlias = int | float | Fraction | Decimal | str | datetime.date
Operand: TypeAlias = Expression | Plain
"""An expression, or a constant that becomes one."""


def lift(x: object) -> Node:
    return x.node if isinstance(x, Expression) else literal_node(x)


def apply(name: str, *operands: object) -> Apply:
    return Apply(name, tuple(map(lift, operands)))


def _operand(x: object) -> object:
    if x is None:
        raise InvalidExpression("a comparison or a computation with None is always null", bridge=".is_null()")
    return x


def a_condition(x: object) -> Expression:
    if not isinstance(x, Expression):
        raise InvalidExpression(
            f"Expected an expression in a condition but got a {type(x).__name__}",
            produced=type(x),
            bridge="literal(True) for a constant",
        )
    return x


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Expr(Expression, Generic[V]):
    """A function of one row that gives a V, or null."""

    __array_ufunc__: ClassVar[None] = None  # numpy scalars leave the arithmetic to us

    # -- comparison --

    # `object` lets Python promise that `==` of anything is a bool. Here it makes an expression, as `<` does, so the two
    # signatures below say what no subtype may say of it: whoever takes an `Expr` for an `object` and compares it is refused
    # at run time, by `__bool__`.

    def __eq__(self, other: object) -> Expr[bool]:  # type: ignore[override]
        """Numbers by value, everything else by type and value: True is not 1. Of the expressions themselves: `.same_as`."""
        return Expr(apply("equals", self, _operand(other)))

    def __ne__(self, other: object) -> Expr[bool]:  # type: ignore[override]
        return Expr(apply("differs", self, _operand(other)))

    def __hash__(self) -> int:
        return hash(self.node)

    def __lt__(self, other: Operand) -> Expr[bool]:
        return Expr(apply("lt", self, _operand(other)))

    def __le__(self, other: Operand) -> Expr[bool]:
        return Expr(apply("le", self, _operand(other)))

    def __gt__(self, other: Operand) -> Expr[bool]:
        return Expr(apply("gt", self, _operand(other)))

    def __ge__(self, other: Operand) -> Expr[bool]:
        return Expr(apply("ge", self, _operand(other)))

    def equals(self, other: Operand) -> Expr[bool]:
        """An old name of `==`."""
        warnings.warn(".equals(...) is written == from now on", DeprecationWarning, stacklevel=2)
        return self == other

    def differs(self, other: Operand) -> Expr[bool]:
        """An old name of `!=`."""
        warnings.warn(".differs(...) is written != from now on", DeprecationWarning, stacklevel=2)
        return self != other

    def isin(self, *values: Plain | Sequence[Plain] | Array) -> Expr[bool]:
        """Whether it equals one of the constants, `isin("N", "S")` or `isin(["N", "S"])`."""
        return Expr(apply("isin", self, *map(_operand, listed(values))))

    def between(self, low: Operand, high: Operand) -> Expr[bool]:
        """Both ends belong to it."""
        return Expr(apply("between", self, _operand(low), _operand(high)))

    # -- arithmetic, exact; division by zero gives null --

    def __add__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("add", self, _operand(other)))

    def __radd__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("add", _operand(other), self))

    def __sub__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("subtract", self, _operand(other)))

    def __rsub__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("subtract", _operand(other), self))

    def __mul__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("multiply", self, _operand(other)))

    def __rmul__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("multiply", _operand(other), self))

    def __truediv__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("divide", self, _operand(other)))

    def __rtruediv__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("divide", _operand(other), self))

    def __floordiv__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("floor_divide", self, _operand(other)))

    def __rfloordiv__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("floor_divide", _operand(other), self))

    def __mod__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("modulo", self, _operand(other)))

    def __rmod__(self, other: Operand) -> Expr[Value]:
        return Expr(apply("modulo", _operand(other), self))

    def __neg__(self) -> Expr[Value]:
        return Expr(apply("negate", self))

    def __abs__(self) -> Expr[Value]:
        return Expr(apply("abs", self))

    def clip(self, low: Plain, high: Plain) -> Expr[Value]:
        """The nearest number in `[low, high]`."""
        return Expr(apply("clip", self, low, high))

    def round(self, step: Plain) -> Expr[Value]:
        """The nearest multiple of the step, the even multiple of two; of a vector, each entry. Whole where the step is 1."""
        return Expr(apply("round", self, known(exact(step, "step")) if isinstance(step, str) else step))

    def __getitem__(self, place: int) -> Expr[Value]:
        """One entry of a vector, counted from 0."""
        return Expr(apply("entry", self, _operand(place)))

    # -- logic, on truth values only --

    def __and__(self: Expr[bool], other: Expr[bool]) -> Expr[bool]:
        return Expr(apply("and", self, a_condition(other)))

    def __or__(self: Expr[bool], other: Expr[bool]) -> Expr[bool]:
        return Expr(apply("or", self, a_condition(other)))

    def __xor__(self: Expr[bool], other: Expr[bool]) -> Expr[bool]:
        return Expr(apply("xor", self, a_condition(other)))

    def __invert__(self: Expr[bool]) -> Expr[bool]:
        return Expr(apply("not", self))

    # -- null --

    def is_null(self) -> Expr[bool]:
        return Expr(apply("is_null", self))

    def fill_null(self, value: Operand) -> Expr[V]:
        """The value where this is null."""
        return Expr(apply("fill_null", self, _operand(value)))

    # -- days --

    def year(self) -> Expr[int]:
        return Expr(apply("year", self))

    def month(self) -> Expr[int]:
        """1 for January."""
        return Expr(apply("month", self))

    def day(self) -> Expr[int]:
        """Of the month, from 1."""
        return Expr(apply("day", self))

    def weekday(self) -> Expr[int]:
        """0 for Monday, 6 for Sunday."""
        return Expr(apply("weekday", self))

    def days_since(self, start: Expression | datetime.date) -> Expr[int]:
        """Negative before it."""
        return Expr(apply("days_since", self, _operand(start)))

    # -- text --

    def lower(self) -> Expr[str]:
        return Expr(apply("lower", self))

    def upper(self) -> Expr[str]:
        return Expr(apply("upper", self))

    def strip(self) -> Expr[str]:
        """Without blanks at either end."""
        return Expr(apply("strip", self))

    def length(self) -> Expr[int]:
        """In code points."""
        return Expr(apply("length", self))

    def starts_with(self, start: str) -> Expr[bool]:
        return Expr(apply("starts_with", self, start))

    def contains(self, part: str) -> Expr[bool]:
        """Whether the text holds this one, as it is written: no pattern."""
        return Expr(apply("contains", self, part))


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
