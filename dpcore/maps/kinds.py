"""The three kinds of number that rules are read with, told apart and enclosed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from flint import arb, fmpq

from dpcore.errors import FreeSymbols, Undecided

if TYPE_CHECKING:
    from typing_extensions import TypeIs
from dpcore.maps.numbers import Number, as_number, is_formula, numeral, rational_in


def ball_of(x: Number) -> arb:
    return arb(cast(Any, x))


def is_rational(x: object) -> bool:
    return isinstance(x, (fmpq, int))


def fraction_of(x: Any) -> tuple[int, int]:
    return (x, 1) if isinstance(x, int) else (int(x.p), int(x.q))


def is_symbolic(x: object) -> bool:
    """Whether the number is a formula of the symbolic reading."""
    return not isinstance(x, (fmpq, arb, int))


def is_zero(x: Number) -> bool:
    """Whether the number is known to be zero (a formula is not): a rational, or a ball of radius 0."""
    return not is_symbolic(x) and bool(x == 0)


def few(x: Number, most: int) -> int | None:
    """The number itself where it is known to be a whole one from 0 to `most`, and None otherwise."""
    if not is_rational(x):
        return None
    p, q = fraction_of(x)
    return p if q == 1 and 0 <= p <= most else None


def surely_at_least_one(x: Number) -> bool:
    """Whether the whole enclosure of the number lies at or above 1."""
    return not is_symbolic(x) and bool(cast(Any, x) >= 1)


def is_number(x: object) -> TypeIs[Number]:
    """Whether a rule could have computed it: a rational, a ball or a formula."""
    return isinstance(x, (fmpq, arb)) or is_formula(x)


def is_finite(x: Number) -> bool:
    return not isinstance(x, arb) or bool(x.is_finite())


def sympy_module() -> Any:
    import sympy

    return sympy


def ends(x: Number) -> tuple[Fraction, Fraction]:
    """Two rationals that enclose the number; the same one twice where it is exact."""
    value = rational_in(x)
    if value is not None:
        return value, value
    if isinstance(x, arb) and x.is_finite():
        # Midpoint and radius are exact; `x.lower()` would be rounded to the precision that is set now.
        (low, high), (_, radius) = _dyadic(x.mid()), _dyadic(x.rad())
        return low - radius, high + radius
    if is_formula(x):
        raise FreeSymbols(f"{x} is a formula, not a number", produced=x)
    raise Undecided("an enclosure grew without bound", produced=x)


EXPONENTS = 1 << 20
"""Numbers are written out down to `2^-EXPONENTS` and up to `2^EXPONENTS`; beyond, they would take all the memory."""


def _dyadic(x: arb) -> tuple[Fraction, Fraction]:
    """An exact ball of radius zero: its value twice, or, where that is too small to be written out, what is around it."""
    mantissa, exponent = (int(v) for v in x.man_exp())
    if mantissa and mantissa.bit_length() + exponent < -EXPONENTS:
        least = Fraction(1, 1 << EXPONENTS)
        return (Fraction(0), least) if mantissa > 0 else (-least, Fraction(0))
    if exponent > EXPONENTS:
        raise Undecided(f"a number is larger than 2^{EXPONENTS}, too large to be written out")
    value = Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
    return value, value


def upward(x: Number | Fraction) -> float:
    """The least float at or above the number, or at or above the upper end of its ball."""
    # A rational is in lowest terms; to make a `Fraction` of it would find that out anew, which takes minutes of a long one.
    p, q = fraction_of(x) if is_rational(x) else (x if isinstance(x, Fraction) else ends(x)[1]).as_integer_ratio()
    try:
        nearest = p / q
    except OverflowError:
        return math.inf if p > 0 else -math.inf
    above, below = nearest.as_integer_ratio()
    return nearest if above * q >= p * below else math.nextafter(nearest, math.inf)


def ball_between(low: Fraction, high: Fraction) -> Number:
    """A ball that contains both."""
    middle, radius = (low + high) / 2, (high - low) / 2
    return as_number(ball_of(numeral(middle)) + arb(0, ball_of(numeral(radius)).upper()))


def as_ball(x: arb) -> Number:
    """A ball that another part of the library has enclosed something in."""
    return as_number(x)


def as_fraction(x: Number) -> Fraction:
    """A number of the exact reading; refuses balls, whose value is not known exactly."""
    if not is_rational(x):
        raise Undecided("an exact rational is needed where only an enclosure is known", produced=x)
    return ends(x)[0]
