"""Square roots rounded up to rationals: scales of noise and thresholds are made of them."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

PARTS: Final = 1 << 20
"""A root that is no rational is rounded up to such a part."""


def root_above(square: Fraction) -> Fraction:
    """A rational of which the square is at least this; the root itself where it has a short denominator."""
    p, q = square.numerator, square.denominator
    least = isqrt(-(-p * PARTS * PARTS // q))
    return Fraction(least + (least * least * q < p * PARTS * PARTS), PARTS)
