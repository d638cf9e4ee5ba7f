"""A ball as a user's own map may compute with it: together with fractions, which flint does not know.

Python's `Fraction` knows no balls either, so that `Fraction(1, 2) * d` and `d * Fraction(1, 2)` both fail on a plain one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from dpcore.maps.numbers import Number, numeral

Operator = Callable[[Any, Any], Any]


@final
@dataclass(frozen=True, slots=True)
class WithFractions:
    """The number of the exact or rigorous reading, which takes fractions as what they are."""

    number: Number

    def __add__(self, other: object) -> WithFractions:
        return self._with(operator.add, other)

    def __radd__(self, other: object) -> WithFractions:
        return self._after(operator.add, other)

    def __sub__(self, other: object) -> WithFractions:
        return self._with(operator.sub, other)

    def __rsub__(self, other: object) -> WithFractions:
        return self._after(operator.sub, other)

    def __mul__(self, other: object) -> WithFractions:
        return self._with(operator.mul, other)

    def __rmul__(self, other: object) -> WithFractions:
        return self._after(operator.mul, other)

    def __truediv__(self, other: object) -> WithFractions:
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other: object) -> WithFractions:
        return self._after(operator.truediv, other)

    def __pow__(self, other: object) -> WithFractions:
        return self._with(operator.pow, other)

    def __neg__(self) -> WithFractions:
        return WithFractions(-self.number)

    def __abs__(self) -> WithFractions:
        return WithFractions(abs(self.number))

    def _with(self, compute: Operator, other: object) -> WithFractions:
        return WithFractions(compute(self.number, numeral(without_fractions(other))))

    def _after(self, compute: Operator, other: object) -> WithFractions:
        return WithFractions(compute(numeral(without_fractions(other)), self.number))


def without_fractions(x: object) -> object:
    """What a map gave, as numbers of its reading again."""
    if isinstance(x, WithFractions):
        return x.number
    if isinstance(x, tuple):
        return tuple([without_fractions(each) for each in x])
    return x
