"""Onto an interval and onto a grid: `clip(low, high)` and `round(step)`. What a sum needs of real-valued data.

Vectors are rounded entry by entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.domains import Domain, Vector
from dpcore.expressions import floats, intervals
from dpcore.expressions.columns import Column, Constant, Entries, Floats, Multiples
from dpcore.expressions.grids import combined, extent, fits
from dpcore.expressions.intervals import Rational, nearest
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import method
from dpcore.expressions.shapes import Shape, interval, numeric


def clipped(x: Rational, low: Rational, high: Rational) -> Rational:
    return min(max(x, low), high)


def rounded(x: Rational | Sequence[Rational], step: Rational) -> Rational | list[Rational]:
    """The nearest multiple of the step; of two that are as near, the even multiple."""
    return [nearest(each, step) for each in x] if isinstance(x, Sequence) else nearest(x, step)


def _number(column: Column) -> Rational:
    assert isinstance(column, Constant)
    assert isinstance(column.value, (int, Fraction))
    return column.value


_maximum: Final = combined(np.maximum, lambda x, y: ())
_minimum: Final = combined(np.minimum, lambda x, y: ())


def _clip_columns(x: Column, low: Column, high: Column) -> Column | None:
    if isinstance(x, Floats):
        return _clip_floats(x, _number(low), _number(high))
    raised = _maximum(x, low)
    return None if raised is None else _minimum(raised, high)


def _clip_floats(x: Floats, low: Rational, high: Rational) -> Column | None:
    """Floats stay floats where both ends are decimals that a float stands for."""
    least, most = floats.float_of(low), floats.float_of(high)
    # Then s(f) < low exactly if f < least, because s is increasing and s(least) is low.
    return None if least is None or most is None else Floats(np.clip(x.values, least, most))


def _round_columns(x: Column, step: Column) -> Column | None:
    size = _number(step)
    if isinstance(x, Entries):
        columns = [_round_columns(each, step) for each in x.columns]
        known = [column for column in columns if column is not None]
        return Entries(tuple(known), x.null) if len(known) == len(columns) else None
    if isinstance(x, Floats):
        counts = floats.rounded(x.values, size)
        return None if counts is None else Multiples(counts, size)
    if not isinstance(x, Multiples):
        return None
    ratio = Fraction(x.step) / size
    if ratio.denominator == 1:
        # Every value is on the grid already; how many steps it is from zero does not matter.
        return x
    p, q = ratio.numerator, ratio.denominator
    low, high = extent(x.values)
    if not fits(2 * (low * p - q), 2 * (high * p + q), 2 * q):
        return None
    counts = x.values * np.int64(p)
    below = counts // q
    twice = 2 * (counts - below * q)
    up = (twice > q) | ((twice == q) & (below % 2 == 1))
    return Multiples(below + up, size)


def _clip_shape(x: Domain, low: Domain, high: Domain) -> Shape:
    return numeric(intervals.clip(interval(x), _point(low), _point(high)))


def _round_shape(x: Domain, step: Domain) -> Shape:
    if isinstance(x, Vector):
        each = _round_shape(x.of, step).domain()
        return Shape(Vector(each, x.size))
    return numeric(intervals.round_to(interval(x), _point(step)))


def _point(domain: Domain) -> Rational:
    low = interval(domain).low
    assert not isinstance(low, float)
    return low


def _two_bounds(low: object, high: object) -> str | None:
    for bound in (low, high):
        if not _is_number(bound):
            return f"Expected a number as a bound but got {bound!r}"
    assert isinstance(low, (int, Fraction))
    assert isinstance(high, (int, Fraction))
    return None if low <= high else f"Expected low <= high but got low={low}, high={high}"


def _positive(step: object) -> str | None:
    if not _is_number(step):
        return f"Expected a number as the step but got {step!r}"
    assert isinstance(step, (int, Fraction))
    return None if step > 0 else f"Expected a positive step but got step={step}"


def _is_number(x: object) -> bool:
    return isinstance(x, (int, Fraction)) and not isinstance(x, bool)


TABLE: Final = (
    Operation("clip", 3, clipped, _clip_shape, method("clip"), _clip_columns, constants=1, demand=_two_bounds),
    Operation("round", 2, rounded, _round_shape, method("round"), _round_columns, constants=1, demand=_positive),
)
