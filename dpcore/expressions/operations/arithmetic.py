"""Arithmetic: `+ - * / // %`, negation, absolute value, the lesser and the greater. Exact; x / 0 is null."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.domains import Domain
from dpcore.expressions import intervals
from dpcore.expressions.columns import Column, Constant, Floats, Ints, Multiples
from dpcore.expressions.grids import Grid, aligned, combined, fits, grid
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


# ---- on columns --------------------------------------------------------------------------------------------------


def _multiply_columns(x: Column, y: Column) -> Column | None:
    first, second = grid(x), grid(y)
    if first is None or second is None:
        return None
    if not fits(*(a * b for a in (first.low, first.high) for b in (second.low, second.high))):
        return None
    return Multiples(first.values * second.values, first.step * second.step)


def _divide_columns(x: Column, y: Column) -> Column | None:
    """By a constant only: the step shrinks, the multiples stay."""
    dividend = grid(x)
    if dividend is None or not isinstance(y, Constant):
        return None
    value = y.value
    if not isinstance(value, (int, Fraction)):
        return None
    if value == 0:
        return Constant(None, len(x))
    if value < 0 and not fits(dividend.low):
        return None
    values = -dividend.values if value < 0 else dividend.values
    return Multiples(values, Fraction(dividend.step) / absolute(value))


def _floored(x: Column, y: Column, compute: Callable[[Ints, Ints], Ints], *, on_grid: bool) -> Column | None:
    pair = aligned(x, y)
    # The one quotient that leaves int64 is -2**63 // -1.
    if pair is None or not fits(pair[0].low, pair[1].low):
        return None
    dividend, divisor = pair
    zero = divisor.values == 0
    found = Multiples(compute(dividend.values, np.where(zero, 1, divisor.values)), dividend.step if on_grid else 1)
    return found.masked(np.broadcast_to(zero, found.values.shape)) if zero.any() else found


def _floor_divide_columns(x: Column, y: Column) -> Column | None:
    return _floored(x, y, lambda a, b: a // b, on_grid=False)


def _modulo_columns(x: Column, y: Column) -> Column | None:
    return _floored(x, y, lambda a, b: a % b, on_grid=True)


def _negate_columns(x: Column) -> Column | None:
    if isinstance(x, Floats):
        return Floats(-x.values)
    found = grid(x)
    return None if found is None or not fits(found.low) else Multiples(-found.values, found.step)


def _magnitude_columns(x: Column) -> Column | None:
    if isinstance(x, Floats):
        return Floats(np.abs(x.values))
    found = grid(x)
    return None if found is None or not fits(found.low) else Multiples(np.abs(found.values), found.step)


def _sums(x: Grid, y: Grid) -> tuple[int, ...]:
    return x.low + y.low, x.high + y.high


def _differences(x: Grid, y: Grid) -> tuple[int, ...]:
    return x.low - y.high, x.high - y.low


# ---- on domains --------------------------------------------------------------------------------------------------


def _rule(compute: Callable[[Interval, Interval], Interval]) -> Callable[[Domain, Domain], Shape]:
    return lambda x, y: numeric(compute(interval(x), interval(y)))


def _quotient(compute: Callable[[Interval, Interval], Interval | None]) -> Callable[[Domain, Domain], Shape]:
    def shape(x: Domain, y: Domain) -> Shape:
        dividend, divisor = interval(x), interval(y)
        return numeric(compute(dividend, divisor), null=divisor.has_zero)

    return shape


TABLE: Final = (
    Operation(
        "add", 2, add, _rule(intervals.add), arithmetic("+", SUM), combined(lambda x, y: x + y, _sums),
    ),
    Operation(
        "subtract", 2, subtract, _rule(intervals.subtract), arithmetic("-", SUM),
        combined(lambda x, y: x - y, _differences),
    ),
    Operation(
        "multiply", 2, multiply, _rule(intervals.multiply), arithmetic("*", PRODUCT), _multiply_columns,
    ),
    Operation(
        "divide", 2, divide, _quotient(intervals.divide), arithmetic("/", PRODUCT), _divide_columns,
    ),
    Operation(
        "floor_divide", 2, floor_divide, _quotient(intervals.floor_divide), arithmetic("//", PRODUCT),
        _floor_divide_columns,
    ),
    Operation(
        "modulo", 2, modulo, _quotient(intervals.modulo), arithmetic("%", PRODUCT), _modulo_columns,
    ),
    Operation(
        "negate", 1, negate, lambda x: numeric(intervals.negate(interval(x))), prefix("-"), _negate_columns,
    ),
    Operation(
        "abs", 1, magnitude, lambda x: numeric(intervals.magnitude(interval(x))), builtin("abs"), _magnitude_columns,
    ),
    Operation(
        "minimum", 2, lesser, _rule(intervals.lesser), function("minimum"), combined(np.minimum, lambda x, y: ()),
    ),
    Operation(
        "maximum", 2, greater, _rule(intervals.greater), function("maximum"), combined(np.maximum, lambda x, y: ()),
    ),
)  # fmt: skip
