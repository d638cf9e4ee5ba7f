"""What conversions share."""

from __future__ import annotations

from typing import cast

from dpcore.derivation import Curve, Raw, Run, on_arrays
from dpcore.maps import (
    ZERO,
    Number,
    exp,
    maximum,
)


@on_arrays
def same(data: object, release: Run) -> object:
    return release(data)


def number_in(raw: Raw) -> Number:
    return cast(Number, raw)


def pair_in(raw: Raw) -> tuple[Number, Number]:
    return cast("tuple[Number, Number]", raw)


def curve_in(raw: Raw) -> Curve:
    return cast(Curve, raw)


def two_lines(alpha: Number, epsilon: Number, delta: Number) -> Number:
    """The trade-off curve of (epsilon, delta): both lines that it must lie above, and zero."""
    return maximum(ZERO, 1 - delta - exp(epsilon) * alpha, exp(-epsilon) * (1 - delta - alpha))
