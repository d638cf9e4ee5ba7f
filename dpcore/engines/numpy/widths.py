"""Floats of 64 and of 32 bits side by side: each stands for the shortest decimal that is read as it.

Let s(f) be that decimal, among floats of its own width: of 32 bits 0.1 is one tenth, though as a double it is
0.10000000149011612. A float of 32 bits is a double too, so floats of either width are compared as doubles; what differs is
with which double a number is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

import numpy as np

from dpcore.engines.numpy import floats
from dpcore.expressions.intervals import Rational


@final
@dataclass(frozen=True)
class Width:
    """What is known of the decimals of floats of one width, all of them given as doubles."""

    at_least: Callable[[Rational], float]
    """The least float f with s(f) >= x; infinity where no float is so large."""

    above: Callable[[Rational], float]
    """The least float f with s(f) > x."""

    float_of: Callable[[Rational], float | None]
    """The float whose shortest decimal is exactly this number, where there is one."""

    is_short: Callable[[int, int], bool]
    """Whether whole numbers up to the first, over the second, are decimals of so few digits that each is the shortest of the
    float next to it, which is found by a division of doubles, for 32 bits with its quotient rounded once more."""


def single_at_least(x: Rational) -> float:
    return next((f for f in _beside(x) if _decimal(f) >= x), math.inf)


def single_above(x: Rational) -> float:
    return next((f for f in _beside(x) if _decimal(f) > x), math.inf)


def single_of(x: Rational) -> float | None:
    return next((f for f in _beside(x) if _decimal(f) == x), None)


def _beside(x: Rational) -> list[float]:
    """The float of 32 bits next to a number, and two on each side, from the least: beyond them none has a decimal on the
    other side of the number, for that of each is no farther from it than half the way to its neighbours."""
    low, high = np.finfo(np.float32).min, np.finfo(np.float32).max
    near = np.float32(float(min(max(Fraction(x), Fraction(float(low))), Fraction(float(high)))))
    with np.errstate(all="ignore"):  # whatever the caller has set: the last float has no neighbour
        below, above = np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))
        least, most = np.nextafter(below, np.float32(-np.inf)), np.nextafter(above, np.float32(np.inf))
    return [float(f) for f in (least, below, near, above, most) if np.isfinite(f)]


def _decimal(f: float) -> Fraction:
    return Fraction(str(np.float32(f)))


def is_short_single(largest: int, denominator: int) -> bool:
    """Up to 6 digits, of which at most 9 stand behind the point.

    No two decimals of so few digits are read as one float, so each is the shortest of its own. It is found by two roundings,
    for they give what one does: let h = a / 10**k be the decimal, not 0, and m a middle of two floats, which is b * 2**j
    with an odd b of 25 bits. Where j >= 0, m is above 2**24, and far above h. Else h = m would say that a * 2**-j is
    b * 10**k, whose odd part is at least b, above 10**6 > a. So the two differ. Where m < 2 * h, 2**-j is above 2**k, and
    those two differ by a multiple of 2**k, which in proportion is 2**k / (b * 10**k) > 1 / (2**25 * 5**9), more
    than 2**-46. So the double next to h lies on the same side of every middle as h does.
    """
    power = next((10**k for k in range(10) if 10**k % denominator == 0), None)
    return power is not None and largest * power // denominator < 10**6


DOUBLE: Final = Width(floats.at_least, floats.above, floats.float_of, floats.is_short)
SINGLE: Final = Width(single_at_least, single_above, single_of, is_short_single)
