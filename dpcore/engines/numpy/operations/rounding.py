"""Columns brought onto an interval and onto a grid; those of vectors entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.engines.numpy import floats
from dpcore.engines.numpy.columns import Column, Constant, Entries, Floats, Multiples, OnColumns, extent
from dpcore.engines.numpy.grids import combined, fits
from dpcore.expressions.intervals import Rational


def _number(column: Column) -> Rational:
    assert isinstance(column, Constant)
    assert isinstance(column.value, (int, Fraction))
    return column.value


_maximum: Final = combined(np.maximum, lambda x, y: ())
_minimum: Final = combined(np.minimum, lambda x, y: ())


def _clip(x: Column, low: Column, high: Column) -> Column | None:
    if isinstance(x, Floats):
        return _clip_floats(x, _number(low), _number(high))
    raised = _maximum(x, low)
    return None if raised is None else _minimum(raised, high)


def _clip_floats(x: Floats, low: Rational, high: Rational) -> Column | None:
    """Floats stay floats where both ends are decimals that a float stands for."""
    least, most = floats.float_of(low), floats.float_of(high)
    # Then s(f) < low exactly if f < least, because s is increasing and s(least) is low.
    return None if least is None or most is None else Floats(np.clip(x.values, least, most))


def _round(x: Column, step: Column) -> Column | None:
    size = _number(step)
    if isinstance(x, Entries):
        columns = [_round(each, step) for each in x.columns]
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


COLUMNS: Final[Mapping[str, OnColumns]] = {"clip": _clip, "round": _round}
