"""Renyi curves that are known at some orders, as a budget is.

Divergences grow with their order. So at any other order no more is lost than at the next one that is known; beyond the
largest nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

from dpcore.calculus import Curve
from dpcore.errors import InvalidParameter, NoFiniteLoss
from dpcore.maps import Number, Numeric, ends, exact, is_symbolic, known, minimum, named_function, show

Orders: TypeAlias = tuple[Fraction, ...]


@final
@dataclass(frozen=True, slots=True)
class AtOrders:
    """The curve that is so much at each of these orders."""

    orders: Orders
    figures: tuple[Number, ...]

    def __call__(self, alpha: Number) -> Number:
        if is_symbolic(alpha):
            return named_function("budget", alpha)
        least = ends(alpha)[1]
        found = [figure for order, figure in zip(self.orders, self.figures, strict=True) if least <= order]
        if not found:
            raise NoFiniteLoss(
                f"it is known at orders up to {show(max(self.orders))}, and nothing of larger ones",
                produced=alpha,
                bridge="a budget with more orders: at a distance of k, order alpha rests on those up to k*alpha",
            )
        return minimum(*found)


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """A curve, and the orders at which it is best asked: just above each it rises."""

    curve: Curve
    orders: Orders

    def __call__(self, alpha: Number) -> Number:
        return self.curve(alpha)


def best_asked(curve: Curve) -> Orders:
    """The orders at which a curve is best asked; none where nobody knows."""
    return curve.orders if isinstance(curve, (AtOrders, Kept)) else ()


def expect_orders(orders: Sequence[Numeric]) -> Orders:
    """Different orders above 1, in rising order."""
    if isinstance(orders, str) or not isinstance(orders, Sequence):
        raise InvalidParameter(f"Expected several orders but got a {type(orders).__name__}", bridge="[2, 4, 8]")
    found = tuple([Fraction(known(exact(each, "order"), "order")) for each in orders])
    if not found or any(each <= 1 for each in found) or len(set(found)) < len(found):
        raise InvalidParameter(
            f"Expected different orders above 1 but got {', '.join(map(show, found)) or 'none'}", produced=orders
        )
    if len(found) > MOST:
        raise InvalidParameter(f"Expected at most {MOST} orders but got {len(found)}", produced=orders)
    return tuple(sorted(found))


MOST = 1000
"""Nobody needs more, and each charge has a figure for each."""
