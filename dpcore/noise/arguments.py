"""What the samplers ask of their parameters: exact numbers, in range, refused by name."""

from __future__ import annotations

from fractions import Fraction


def rational(name: str, value: object) -> tuple[int, int]:
    """The numerator and the denominator, lowest terms. A float is refused: it would have been rounded already."""
    if not isinstance(value, (int, Fraction)) or isinstance(value, bool):
        raise TypeError(f"Expected an int or a Fraction but got {name}={value!r}")
    return value.numerator, value.denominator


def positive(name: str, value: object) -> tuple[int, int]:
    """The numerator and the denominator of a number above zero."""
    numerator, denominator = rational(name, value)
    if numerator <= 0:
        raise ValueError(f"Expected a positive {name} but got {name}={value}")
    return numerator, denominator
