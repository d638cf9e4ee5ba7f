"""Arithmetic: `+ - * / // %`, negation, absolute value, the lesser and the greater. Exact; x / 0 is null."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dpcore.domains import Domain
from dpcore.expressions import intervals
from dpcore.expressions.intervals import Interval, Rational, absolute
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import PRODUCT, SUM, arithmetic, builtin, function, prefix
from dpcore.expressions.shapes import Shape, interval, numeric

# ---- on one row --------------------------------------------------------------------------------------------------


def add(x: Rational, y: Rational) -> Rational:
    return x + y


def subtract(x: Rational, y: Rational) -> Rational:
    return x - y


def multiply(x: Rational, y: Rational) -> Rational:
    return x * y


def divide(x: Rational, y: Rational) -> Rational | None:
    return None if y == 0 else Fraction(x) / y


def floor_divide(x: Rational, y: Rational) -> int | None:
    """Rounded down, also below zero: `-7 // 2` is -4."""
    return None if y == 0 else x // y


def modulo(x: Rational, y: Rational) -> Rational | None:
    """`x - y*(x // y)`, which has the sign of `y`: `-7 % 2` is 1."""
    return None if y == 0 else x % y


def negate(x: Rational) -> Rational:
    return -x


def magnitude(x: Rational) -> Rational:
    return absolute(x)


def lesser(x: Rational, y: Rational) -> Rational:
    return min(x, y)


def greater(x: Rational, y: Rational) -> Rational:
    return max(x, y)


# ---- on domains --------------------------------------------------------------------------------------------------


def _rule(compute: Callable[[Interval, Interval], Interval]) -> Callable[[Domain, Domain], Shape]:
    return lambda x, y: numeric(compute(interval(x), interval(y)))


def _quotient(compute: Callable[[Interval, Interval], Interval | None]) -> Callable[[Domain, Domain], Shape]:
    def shape(x: Domain, y: Domain) -> Shape:
        dividend, divisor = interval(x), interval(y)
        return numeric(compute(dividend, divisor), null=divisor.has_zero)

    return shape


TABLE: Final = (
    Operation("add", 2, add, _rule(intervals.add), arithmetic("+", SUM)),
    Operation("subtract", 2, subtract, _rule(intervals.subtract), arithmetic("-", SUM)),
    Operation("multiply", 2, multiply, _rule(intervals.multiply), arithmetic("*", PRODUCT)),
    Operation("divide", 2, divide, _quotient(intervals.divide), arithmetic("/", PRODUCT)),
    Operation("floor_divide", 2, floor_divide, _quotient(intervals.floor_divide), arithmetic("//", PRODUCT)),
    Operation("modulo", 2, modulo, _quotient(intervals.modulo), arithmetic("%", PRODUCT)),
    Operation("negate", 1, negate, lambda x: numeric(intervals.negate(interval(x))), prefix("-")),
    Operation("abs", 1, magnitude, lambda x: numeric(intervals.magnitude(interval(x))), builtin("abs")),
    Operation("minimum", 2, lesser, _rule(intervals.lesser), function("minimum")),
    Operation("maximum", 2, greater, _rule(intervals.greater), function("maximum")),
)
