"""Exact rationals as decimals that are read, rounded to the safe side."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact
from fractions import Fraction
from typing import final

from dpcore.certificates.report.markup import Markup, join, tag

DIGITS = 6


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """A number as it is shown: its decimal, and whether that is the number itself."""

    digits: str
    exponent: int
    """Of ten, by which the digits are to be multiplied; 0 where they stand alone."""

    exact: bool

    def __str__(self) -> str:
        return self.digits if self.exponent == 0 else f"{self.digits}e{self.exponent}"

    @property
    def html(self) -> Markup:
        if self.exponent == 0:
            return join(self.digits)
        power = tag("sup", str(self.exponent).replace("-", "\N{MINUS SIGN}"))
        factor = "" if self.digits == "1" else f"{self.digits} \N{MULTIPLICATION SIGN} "
        return tag("span", factor, "10", power, cls="number")


def above(x: Fraction, digits: int = DIGITS) -> Figure:
    """The least decimal of so many digits that is not below x."""
    return _figure(x, digits, ROUND_CEILING)


def below(x: Fraction, digits: int = DIGITS) -> Figure:
    """The greatest decimal of so many digits that is not above x."""
    return _figure(x, digits, ROUND_FLOOR)


def percent(x: Fraction) -> str:
    """A probability in percent, rounded up."""
    return f"{above(min(x, Fraction(1)) * 100, 3)}%"


def _figure(x: Fraction, digits: int, rounding: str) -> Figure:
    context = Context(digits, rounding, MIN_EMIN, MAX_EMAX, traps=[])
    value = context.divide(Decimal(x.numerator), Decimal(x.denominator)).normalize(context)
    exact = not context.flags[Inexact]
    if not value:
        return Figure("0", 0, exact)
    magnitude = value.adjusted()
    if -4 <= magnitude <= digits + 2:
        return Figure(f"{value:f}", 0, exact)
    return Figure(f"{value.scaleb(-magnitude, context):f}", magnitude, exact)
