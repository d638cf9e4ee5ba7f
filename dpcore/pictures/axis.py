"""An axis of a chart: from where to where, and what is written beside it. For whoever draws a chart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from dpcore.errors import InvalidParameter

MOST_TICKS: Final = 7


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers from `low` to `high`, evenly or by their logarithms, with a line at each tick."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool = False

    def share(self, x: float) -> float:
        """Where x lies, 0 at the low end and 1 at the high one."""
        if self.logarithmic:
            return math.log(x / self.low) / math.log(self.high / self.low)
        return (x - self.low) / (self.high - self.low)


UNIT: Final = Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))


def axis_of(values: Iterable[float], *, logarithmic: bool = False) -> Axis:
    """An axis that holds all these numbers and ends at ticks; by powers of ten where it is logarithmic."""
    known = list(values)
    if not known or not all(map(math.isfinite, known)):
        raise InvalidParameter("Expected finite numbers to draw", produced=values)
    if logarithmic and min(known) <= 0:
        raise InvalidParameter("Expected positive numbers on a logarithmic axis", produced=values)
    return _by_tens(known) if logarithmic else _even(min(known), max(known))


def _by_tens(values: list[float]) -> Axis:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    apart = -(-max(high - low, 1) // (MOST_TICKS - 1))
    high = low + apart * -(-max(high - low, 1) // apart)
    ticks = tuple(10.0**k for k in range(low, high + 1, apart))
    return Axis(10.0**low, 10.0**high, ticks, logarithmic=True)


def _even(low: float, high: float) -> Axis:
    """Ticks at multiples of 1, 2 or 5 times a power of ten."""
    if low == high:
        low, high = min(low, 0.0), max(high, 1.0) if high >= 0 else 0.0
    rough = (high - low) / (MOST_TICKS - 2)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough * (1 - 1e-12))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, tuple(k * step for k in range(first, last + 1)))
