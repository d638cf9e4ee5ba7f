"""Onto an interval and onto a grid: `clip(low, high)` and `round(step)`. What a sum needs of real-valued data.

Vectors are rounded entry by entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from dpcore.domains import Domain, Vector
from dpcore.expressions import intervals
from dpcore.expressions.intervals import Rational, nearest
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import method
from dpcore.expressions.shapes import Shape, interval, numeric


def clipped(x: Rational, low: Rational, high: Rational) -> Rational:
    return min(max(x, low), high)


def rounded(x: Rational | Sequence[Rational], step: Rational) -> Rational | list[Rational]:
    """The nearest multiple of the step; of two that are as near, the even multiple."""
    return [nearest(each, step) for each in x] if isinstance(x, Sequence) else nearest(x, step)


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
    Operation("clip", 3, clipped, _clip_shape, method("clip"), constants=1, demand=_two_bounds),
    Operation("round", 2, rounded, _round_shape, method("round"), constants=1, demand=_positive),
)
