"""Numbers for certificates: exact where they are rational and short, else rounded up to a few decimal digits."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10

from dpcore.maps import Number, ends, is_rational
from dpcore.parameters.formulas import DIGITS

PLACES = 19
LEAST = Fraction(1, 10**300)
"""What is smaller and not exact is rounded up to this."""


def upper(x: Number) -> Fraction:
    """The number itself, or one a little above it: by less than one part in 10^16, and by enough to spare an auditor whose
    own upper bound is not as close as ours."""
    top = ends(x)[1]
    if is_rational(x) and max(abs(top.numerator), top.denominator) < 10**DIGITS:
        return top
    if top <= LEAST:
        return LEAST
    digits = PLACES - (_magnitude(top) + 1)
    unit = Fraction(10) ** -digits
    return ceil(top * (1 + Fraction(1, 10**30)) / unit) * unit


def lower(x: Number) -> Fraction:
    """The same, from below."""
    bottom = ends(x)[0]
    if is_rational(x) and max(abs(bottom.numerator), bottom.denominator) < 10**DIGITS:
        return bottom
    unit = Fraction(10) ** -(PLACES - (_magnitude(max(bottom, LEAST)) + 1))
    return max(Fraction(0), (bottom * (1 - Fraction(1, 10**30))) // unit * unit)


def readable(x: Fraction, digits: int = 9) -> Fraction:
    """A positive number near this one, of so many digits."""
    unit = Fraction(10) ** (_magnitude(x) + 1 - digits)
    return round(x / unit) * unit


def _magnitude(x: Fraction) -> int:
    """About the decimal logarithm."""
    return round((x.numerator.bit_length() - x.denominator.bit_length()) * log10(2))
