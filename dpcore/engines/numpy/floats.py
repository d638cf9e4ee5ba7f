"""Columns of floats, read as their shortest decimals without making a decimal of each.

Let s(f) be the shortest decimal of the float f. It lies where every number rounds to f, so s is strictly increasing.
So s(f) >= c holds exactly for the floats from one threshold on, and comparing floats is comparing their decimals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.domains import Array
from dpcore.engines.numpy.columns import EXACT, Ints, Mask, Reals
from dpcore.expressions.intervals import Rational, nearest

MARGIN: Final = 2.0**-50
"""More than the relative error of a quotient as computed below: s(f) to f, 1/step to a float, and one product, each
within 2**-53."""

BLOCK: Final = 1 << 15
"""Floats whose quotients stay in the processor's cache."""

LARGEST_QUOTIENT: Final = 2.0**48
"""Above it the margin is too wide for the nearest whole number to be known."""

SMALL_QUOTIENT: Final = 2.0**24
"""Up to it one margin does for all, and hardly ever more than two floats of a block lie within it."""


def decimal(x: float) -> Fraction:
    """The number that was typed."""
    return Fraction(repr(float(x)))


def float_of(x: Rational) -> float | None:
    """The float whose shortest decimal is exactly this number, where there is one."""
    near = _near(x)
    if is_whole_float(x):
        return near
    return near if math.isfinite(near) and decimal(near) == x else None


def is_whole_float(x: Rational) -> bool:
    """Whether x is surely the shortest decimal of the float x itself: every whole number up to 2**53 is a float's value,
    and no other decimal of so few digits lies as near."""
    return x.denominator == 1 and abs(x.numerator) <= EXACT


def _near(x: Rational) -> float:
    try:
        return x.numerator / x.denominator
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def at_least(x: Rational) -> float:
    """The least float f with s(f) >= x; infinity where no float is so large."""
    near = _near(x)
    if is_whole_float(x):
        return near
    for f in (math.nextafter(near, -math.inf), near):
        if math.isfinite(f) and decimal(f) >= x:
            return f
    return math.nextafter(near, math.inf)


def above(x: Rational) -> float:
    """The least float f with s(f) > x."""
    f = at_least(x)
    if is_whole_float(x):
        return math.nextafter(f, math.inf)
    return math.nextafter(f, math.inf) if math.isfinite(f) and decimal(f) == x else f


def rounded(values: Reals, step: Rational) -> Ints | None:
    """For each float the count k for which k*step is nearest to its decimal, even k for ties; None if too large."""
    inverse = step.denominator / step.numerator if _ordinary(step) else math.inf
    if not (values.size and math.isfinite(inverse)):
        return None if values.size else np.empty(0, dtype=np.int64)
    if not max(abs(float(values.min())), abs(float(values.max()))) * inverse <= LARGEST_QUOTIENT:
        return None
    counts = np.empty(len(values), dtype=np.int64)
    for at in range(0, len(values), BLOCK):
        counts[at : at + BLOCK] = _counts(values[at : at + BLOCK], inverse, step)
    return counts


def _counts(values: Reals, inverse: float, step: Rational) -> Ints:
    """Of floats that are not too large, by quotients."""
    with np.errstate(under="ignore"):  # whatever the caller has set: what is too small is settled exactly below
        quotients = values * inverse
    whole = np.rint(quotients)
    counts: Ints = whole.astype(np.int64)
    # Within the margin of a half the true quotient may lie on either side, or be the tie itself: ask the decimal.
    largest = max(-float(whole.min()), float(whole.max()))
    margins = MARGIN * ((largest if largest < SMALL_QUOTIENT else np.abs(quotients)) + 2)
    away = np.abs(np.subtract(quotients, whole, out=whole), out=whole)  # exactly, as they are so near
    # Of twice the margin one is for the error of this difference.
    unsure = np.flatnonzero(away >= 0.5 - margins)
    settled = _beside_halves(values[unsure], np.floor(quotients[unsure]), step) if unsure.size else None
    if settled is not None:
        counts[unsure] = settled
        return counts
    for i, f in zip(unsure.tolist(), values[unsure].tolist(), strict=True):
        counts[i] = int(nearest(decimal(f), step) / Fraction(step))
    return counts


def _beside_halves(values: Reals, below: Reals, step: Rational) -> Ints | None:
    """The counts of floats that lie near `(below + 1/2) step`; None where that is no decimal that surely is a float's own.

    Where h is the shortest decimal of the float g, `s(f) < h` exactly if f < g, for s is increasing.
    """
    halves: Ints = 2 * below.astype(np.int64) + 1
    middles = nearest_floats(halves, Fraction(step) / 2)
    if middles is None:
        return None
    counts: Ints = (halves - 1) // 2
    up: Mask = (values > middles) | ((values == middles) & (counts % 2 == 1))
    return np.add(counts, up)


def widened(values: Array) -> Reals:
    """Narrow floats as float64 of the same shortest decimals: of at most 9 digits, as a float64 can have."""
    narrow = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    with np.errstate(all="ignore"):  # whatever the caller has set: NaN and infinities are refused elsewhere
        found = narrow.astype(np.float64)
        unsure = widened_at_once(narrow, found) if narrow.dtype == np.float32 else np.arange(len(narrow))
    bits, places = np.unique(narrow[unsure].view(f"u{narrow.dtype.itemsize}"), return_inverse=True)
    found[unsure] = np.array([float(str(value)) for value in bits.view(narrow.dtype)], dtype=np.float64)[places]
    return found


POWERS: Final = 10.0 ** np.arange(23)
"""Those that are floats exactly."""


def widened_at_once(narrow: Array, found: Reals) -> Ints:
    """Writes the decimals that are surely the shortest, of values that are no power of two; gives the places of the others.

    A float32 is the nearest one to all between the middles to its neighbours, and lies itself in the middle of those. So
    of the decimals of so many digits, the nearest one lies there if any does. Up to 6 digits no more than one can, and of
    more digits the shortest is the nearest too. Whole numbers up to 10^9 and `POWERS` are exact, so a quotient of them is
    rounded correctly, and what is between two floats stays between them.
    """
    size = np.abs(found)
    left = np.flatnonzero((size >= 1e-12) & (size < 1e15) & (np.frexp(size)[0] != 0.5))
    low, high = (found + np.nextafter(narrow, np.float32(end)) for end in (-np.inf, np.inf))  # twice the middles
    exponents = np.floor(np.log10(size[left])).astype(np.int64)
    sure = np.zeros(len(narrow), dtype=np.bool_)
    for digits in range(6, 10):
        shift = digits - 1 - exponents
        power, x = POWERS[np.abs(shift)], found[left]
        scaled = np.where(shift >= 0, x * power, x / power)
        whole = np.rint(scaled)
        decimal = np.where(shift >= 0, whole / power, whole * power)
        below, above = low[left], high[left]
        far = 4 * np.abs(decimal - x) > 1.001 * (above - below)  # so that none of so many digits is near enough
        known = (np.abs(np.abs(scaled - whole) - 0.5) > 1e-6) & (np.abs(whole) < 10.0**digits)
        known &= (2 * decimal != below) & (2 * decimal != above)
        fits = known & (2 * decimal > below) & (2 * decimal < above)
        found[left[fits]] = decimal[fits]
        sure[left[fits]] = True
        longer = (known | far) & ~fits
        left, exponents = left[longer], exponents[longer]
    return np.flatnonzero(~sure)


def _ordinary(step: Rational) -> bool:
    """Neither the step nor its inverse is near the ends of the floats, where errors are not relative."""
    return 0 < step.numerator.bit_length() < 500 and step.denominator.bit_length() < 500


def on_grid(values: Reals, counts: Ints, step: Rational) -> Mask | None:
    """Where the decimal of each float is counts*step exactly; None where that needs the decimals themselves."""
    near = nearest_floats(counts, step)
    return None if near is None else np.equal(values, near)


def is_short(largest: int, denominator: int) -> bool:
    """Whether whole numbers up to the largest, over this, are quotients of exact floats and of at most 15 digits."""
    power = next((10**m for m in range(19) if 10**m % denominator == 0), None)
    return power is not None and largest < EXACT and largest * power // denominator < 10**15


def nearest_floats(counts: Ints, step: Rational) -> Reals | None:
    """The floats whose shortest decimals are counts*step; None where that is not sure of all of them.

    A decimal of at most 15 digits is the shortest of the float nearest to it, and a quotient of two exact floats is
    rounded to nearest.
    """
    p, q = step.numerator, step.denominator
    if not counts.size or not is_short(max(abs(int(counts.min())), abs(int(counts.max()))) * p, q):
        return None
    quotients: Reals = (counts * np.int64(p)).astype(np.float64) / float(q)
    return quotients
