"""Interval arithmetic on rationals: where the results of arithmetic can lie, and on which grid.

The promise of every function here: if each operand lies in its interval, the result lies in the interval returned.
Bounds are exact. An infinity is a marker that is compared and never computed with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

Rational: TypeAlias = int | Fraction
End: TypeAlias = int | Fraction | float
INFINITY: Final = math.inf


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """The multiples of `step` (any number where it is None) from `low` to `high`; `whole` if they are held as ints."""

    low: End = -INFINITY
    high: End = INFINITY
    step: Rational | None = None
    whole: bool = False

    @property
    def is_point(self) -> bool:
        return self.low == self.high

    @property
    def has_zero(self) -> bool:
        return self.low <= 0 <= self.high

    def tight(self) -> Interval:
        """The same numbers, with bounds on the grid."""
        step = 1 if self.whole else self.step
        if step is None:
            return self
        low = self.low if isinstance(self.low, float) else math.ceil(Fraction(self.low) / step) * step
        high = self.high if isinstance(self.high, float) else math.floor(Fraction(self.high) / step) * step
        return Interval(low, high, step, self.whole)


WHOLE: Final = Interval(step=1, whole=True)


def absolute(x: Rational) -> Rational:
    return -x if x < 0 else x


def common_step(x: Rational | None, y: Rational | None) -> Rational | None:
    """The coarsest grid that holds both: the greatest common divisor of two rationals."""
    if x is None or y is None:
        return None
    if isinstance(x, int) and isinstance(y, int):
        return math.gcd(x, y)
    return Fraction(math.gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)


def _plus(x: End, y: End) -> End:
    """Only ends of the same side are added, so two infinities are the same one."""
    if isinstance(x, float):
        return x
    return y if isinstance(y, float) else x + y


def _times(x: End, y: End) -> End:
    if x == 0 or y == 0:
        return 0
    if isinstance(x, float) or isinstance(y, float):
        return INFINITY if (x > 0) == (y > 0) else -INFINITY
    return x * y


def _inverse(x: End) -> End:
    """Of a number that is not negative."""
    if isinstance(x, float):
        return 0
    return INFINITY if x == 0 else 1 / Fraction(x)


def _span(ends: Iterable[End], step: Rational | None, whole: bool) -> Interval:
    found = list(ends)
    return Interval(min(found), max(found), step, whole)


def add(x: Interval, y: Interval) -> Interval:
    step = common_step(x.step, y.step)
    return Interval(_plus(x.low, y.low), _plus(x.high, y.high), step, x.whole and y.whole)


def negate(x: Interval) -> Interval:
    return Interval(-x.high, -x.low, x.step, x.whole)


def subtract(x: Interval, y: Interval) -> Interval:
    return add(x, negate(y))


def magnitude(x: Interval) -> Interval:
    if x.low >= 0:
        return x
    if x.high <= 0:
        return negate(x)
    return Interval(0, max(-x.low, x.high), x.step, x.whole)


def multiply(x: Interval, y: Interval) -> Interval:
    ends = [_times(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return _span(ends, _product_step(x, y), x.whole and y.whole)


def _product_step(x: Interval, y: Interval) -> Rational | None:
    for one, other in ((x, y), (y, x)):
        if one.is_point and not isinstance(one.low, float):
            if one.low == 0:
                return 1
            return None if other.step is None else other.step * absolute(one.low)
    return None if x.step is None or y.step is None else x.step * y.step


def _reciprocals(y: Interval) -> list[tuple[End, End]]:
    """Where 1/y lies for the y other than zero: at most one interval above zero and one below."""
    parts: list[tuple[End, End]] = []
    for sign, side in ((1, y), (-1, negate(y))):
        if side.high > 0:
            least = side.low if side.low > 0 else side.step or 0
            low, high = _inverse(side.high), _inverse(least)
            parts.append((low, high) if sign > 0 else (-high, -low))
    return parts


def divide(x: Interval, y: Interval) -> Interval | None:
    """The quotients by every y other than zero; None where there is no such y."""
    parts = _reciprocals(y)
    if not parts:
        return None
    ends = [_times(a, b) for a in (x.low, x.high) for part in parts for b in part]
    step = None
    if y.is_point and not isinstance(y.low, float) and x.step is not None:
        step = x.step / abs(Fraction(y.low))
    return _span(ends, step, whole=False)


def floor_divide(x: Interval, y: Interval) -> Interval | None:
    quotient = divide(x, y)
    if quotient is None:
        return None
    return _span((_floor(quotient.low), _floor(quotient.high)), 1, whole=True)


def _floor(x: End) -> End:
    return x if isinstance(x, float) else math.floor(x)


def modulo(x: Interval, y: Interval) -> Interval | None:
    """`x - y*floor(x/y)`: from 0 up to y excluded for a positive y, from y excluded up to 0 for a negative one."""
    if y.low == 0 == y.high:
        return None
    step = common_step(x.step, y.step)
    low: End = 0
    high: End = 0
    if y.high > 0:
        high = _below(y.high, step)
        if x.low >= 0:
            high = min(high, x.high)
    if y.low < 0:
        low = -_below(-y.low, step)
        if x.high <= 0:
            low = max(low, x.low)
    return Interval(low, high, step, x.whole and y.whole)


def _below(x: End, step: Rational | None) -> End:
    return x if isinstance(x, float) or step is None else x - step


def lesser(x: Interval, y: Interval) -> Interval:
    return Interval(min(x.low, y.low), min(x.high, y.high), common_step(x.step, y.step), x.whole and y.whole)


def greater(x: Interval, y: Interval) -> Interval:
    return Interval(max(x.low, y.low), max(x.high, y.high), common_step(x.step, y.step), x.whole and y.whole)


def hull(x: Interval, y: Interval) -> Interval:
    return Interval(min(x.low, y.low), max(x.high, y.high), common_step(x.step, y.step), x.whole and y.whole)


def clip(x: Interval, low: Rational, high: Rational) -> Interval:
    """The bounds join the grid only where they can bind."""
    step, whole = x.step, x.whole
    for bound, binds in ((low, x.low < low), (high, x.high > high)):
        if binds:
            step = common_step(step, absolute(bound))
            whole = whole and isinstance(bound, int)
    return Interval(min(max(x.low, low), high), max(min(x.high, high), low), step or None, whole)


def round_to(x: Interval, step: Rational) -> Interval:
    return Interval(_rounded(x.low, step), _rounded(x.high, step), step, step == 1)


def _rounded(x: End, step: Rational) -> End:
    return x if isinstance(x, float) else nearest(x, step)


def nearest(x: Rational, step: Rational) -> Rational:
    """The nearest multiple of the step; of two that are as near, the even multiple."""
    return round(Fraction(x) / step) * step
