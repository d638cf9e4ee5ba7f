"""A loss split into shares that sum to it exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from dpcore.errors import InvalidParameter
from dpcore.given import is_a
from dpcore.losses import CurveLoss, Loss
from dpcore.maps import Numeric, exact, integer, is_formula, known

L = TypeVar("L", bound=Loss)

MANY = 1_000_000
"""A list of more shares than this is a mistake, and would take the memory before anybody sees it."""


def budget(loss: L, shares: int | Sequence[Numeric]) -> list[L]:
    """Equal shares, `budget(pure(1), 3)`, or weighted ones, `budget(pure(1), [1, 1, 2])`. They sum to the loss exactly."""
    if not is_a(loss, Loss) or is_a(loss, CurveLoss):
        raise InvalidParameter(f"Expected a loss made of numbers but got a {type(loss).__name__}", produced=loss)
    weights = _weights(shares)
    return [loss.scaled(weight / sum(weights)) for weight in weights]


def _weights(shares: int | Sequence[Numeric]) -> list[Fraction]:
    if isinstance(shares, Sequence) and not isinstance(shares, (str, bytes)):
        weights = [Fraction(known(exact(w, "weight"), "weight")) for w in shares]
        if not weights or any(w <= 0 for w in weights):
            raise InvalidParameter("Expected positive weights, at least one", produced=shares)
        return weights
    count = integer(shares, "shares")
    if is_formula(count) or not 1 <= count <= MANY:
        raise InvalidParameter(f"Expected 1 to {MANY} shares but got shares={shares!r}", produced=shares)
    return [Fraction(1)] * count
