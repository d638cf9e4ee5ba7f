"""A vector brought within a norm: what every engine computes. `clip_norm` asks its table for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import final

from dpcore.domains import Domain, Integers, Norm, Numbers, Vector, raised, raised_norm
from dpcore.maps import known


def clipped(vector: Sequence[int | Fraction], bound: Fraction, norm: Norm, step: Fraction) -> list[Fraction]:
    """`v * min(1, bound/||v||)`, each coordinate rounded towards zero to a multiple of `step`.

    Rounding towards zero never lengthens, so the result is within the bound.
    """
    values = [Fraction(v) for v in vector]
    length = raised_norm(values, norm)
    if norm == "LInf":
        return [_towards_zero(max(-bound, min(bound, v)), step) for v in values]
    if length <= known(raised(bound, norm)):
        return values
    if norm == "L1":
        return [_towards_zero(v * bound / length, step) for v in values]
    # |v| * bound / sqrt(length), in steps, is the square root of a rational: its integer part is exact.
    return [(1 if v >= 0 else -1) * step * _isqrt(v * v * bound * bound / (length * step * step)) for v in values]


def _towards_zero(x: Fraction, step: Fraction) -> Fraction:
    return (1 if x >= 0 else -1) * (abs(x) // step) * step


def _isqrt(x: Fraction) -> int:
    return isqrt(x.numerator // x.denominator)


@final
@dataclass(frozen=True, slots=True)
class Clipping:
    """`clipped`, of a row and of many at once."""

    bound: Fraction
    norm: Norm
    step: Fraction
    whole: bool
    name: str = "clip_norm"

    def on_row(self, row: object) -> object:
        assert isinstance(row, list)
        found = clipped(row, self.bound, self.norm, self.step)
        return [int(v) for v in found] if self.whole else found


def clipping_of(bound: Fraction, norm: Norm, domain: Vector[Domain]) -> Clipping:
    """Onto the grid of these vectors."""
    step = Fraction(known(domain.of.step)) if isinstance(domain.of, Numbers) and domain.of.step else Fraction(1)
    return Clipping(bound, norm, step, isinstance(domain.of, Integers))
