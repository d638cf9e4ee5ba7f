"""A claimed loss beside the true divergence, figure by figure: a number where the loss is one, a curve at some points."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from dpcore.assurance import divergences
from dpcore.assurance.arrows import AnyMeasurement, Steps, loss_at
from dpcore.assurance.divergences import Masses
from dpcore.distributions import Distribution
from dpcore.distributions.distribution import BITS
from dpcore.errors import NoFiniteLoss
from dpcore.maps import Number, at_precision, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures.losses import (
    ApproxLoss,
    ApproxZCDPLoss,
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    RenyiLoss,
    TotalVariationLoss,
    TradeoffLoss,
    ZCDPLoss,
)

POINTS: Mapping[str, tuple[Fraction, ...]] = {
    "epsilon": (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(6)),
    "alpha": (Fraction(5, 4), Fraction(2), Fraction(7, 2), Fraction(16)),
    "rate": (Fraction(0), Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)),
}
"""Where curves are looked at: epsilons of a profile, orders of a Renyi curve, false-positive rates of a trade-off."""


@dataclass(frozen=True, slots=True)
class Comparison(ABC):
    """One figure of a loss: what it is, and what is claimed of it."""

    figure: str
    claimed: Bound

    @abstractmethod
    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        """The true figure to about ten digits."""

    @abstractmethod
    def compute(self, p: Distribution, q: Distribution) -> Number | None:
        """The true figure, or what is surely below it; None where it is infinite."""

    def true(self, p: Distribution, q: Distribution) -> Bound | float:
        """The true figure as an enclosure, or what is surely below it; `math.inf` where no finite one holds."""
        found = at_precision(BITS, lambda: self.compute(p, q))
        return math.inf if found is None else Bound(found)


@final
@dataclass(frozen=True, slots=True)
class Ratio(Comparison):
    """Of pure epsilon."""

    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        return divergences.quick_max_ratio(p, q, q_out)

    def compute(self, p: Distribution, q: Distribution) -> Number | None:
        return divergences.max_ratio(p, q)


@final
@dataclass(frozen=True, slots=True)
class Stick(Comparison):
    """Of delta at an epsilon."""

    epsilon: Bound

    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        return divergences.quick_hockey_stick(p, q, q_out, float(self.epsilon))

    def compute(self, p: Distribution, q: Distribution) -> Number:
        return divergences.hockey_stick(p, q, self.epsilon.at())


@final
@dataclass(frozen=True, slots=True)
class Order(Comparison):
    """Of the Renyi divergence of an order, or of it divided by the order, which is what zCDP counts."""

    order: Fraction
    divided: bool

    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        found = divergences.quick_renyi(p, q, q_out, float(self.order))
        return found / float(self.order) if self.divided else found

    def compute(self, p: Distribution, q: Distribution) -> Number | None:
        found = divergences.renyi(p, q, self.order)
        return found / numeral(self.order) if found is not None and self.divided else found


@final
@dataclass(frozen=True, slots=True)
class Beyond(Comparison):
    """Of delta beside a divergence: what the best test for it gains, of those that say yes, no, or in proportion."""

    order: Fraction
    rho: Bound

    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        return divergences.quick_beyond(p, q, q_out, float(self.order), float(self.rho))

    def compute(self, p: Distribution, q: Distribution) -> Number:
        return divergences.beyond(p, q, self.order, self.rho.at())


@final
@dataclass(frozen=True, slots=True)
class Gain(Comparison):
    """Of what a test catches beyond guessing, at a rate of false positives: more means less private."""

    rate: Fraction

    def quick(self, p: Masses, q: Masses, p_out: float, q_out: float) -> float:
        return divergences.quick_gain(p, q, p_out, float(self.rate))

    def compute(self, p: Distribution, q: Distribution) -> Number:
        return divergences.gain(p, q, self.rate)


def claims_at(m: AnyMeasurement, d: Steps) -> list[Comparison]:
    """What a measurement claims at a distance as it is carried; nothing, where no finite loss is known."""
    try:
        return comparisons(loss_at(m, d))
    except NoFiniteLoss:
        return []


def comparisons(loss: Loss) -> list[Comparison]:
    """What a loss says, figure by figure."""
    if isinstance(loss, PureLoss):
        return [Ratio("epsilon", loss.epsilon)]
    if isinstance(loss, ApproxLoss):
        return [Stick(f"delta at epsilon = {_short(loss.epsilon)}", loss.delta, loss.epsilon)]
    if isinstance(loss, TotalVariationLoss):
        return [Stick("delta", loss.delta, Bound("0"))]
    if isinstance(loss, ZCDPLoss):
        return [Order(f"rho at alpha = {a}", loss.rho, a, True) for a in POINTS["alpha"]]
    if isinstance(loss, ApproxZCDPLoss):
        rho = _short(loss.rho)
        return [Beyond(f"delta at alpha = {a}, rho = {rho}", loss.delta, a, loss.rho) for a in POINTS["alpha"]]
    return _along(loss)


def _along(loss: Loss) -> list[Comparison]:
    """What a loss says that is a curve, or is looked at as one."""
    if isinstance(loss, RenyiLoss):
        return _at_orders(loss)
    points = [(e, Bound(numeral(e))) for e in POINTS["epsilon"]]
    if isinstance(loss, ProfileLoss):
        return [Stick(f"delta at epsilon = {e}", loss.delta(e), at) for e, at in points]
    if isinstance(loss, GaussianLoss):
        return [Stick(f"delta at epsilon = {e} (of mu)", _of_normal(loss, e), at) for e, at in points]
    assert isinstance(loss, TradeoffLoss), loss
    return [Gain(f"1 - beta - alpha at alpha = {a}", _gained(loss, a), a) for a in POINTS["rate"]]


AT_ORDER: Final = "epsilon at alpha = "

NEAR_1: Final = Fraction(65, 64)
"""An order below those, for a budget that has none so large, or data too far apart for them."""


def _at_orders(loss: RenyiLoss) -> list[Comparison]:
    """At the orders of which it says anything: a budget is one of some orders, and says nothing of larger ones."""
    found: list[Comparison] = []
    for a in POINTS["alpha"]:
        try:
            found.append(_at_order(loss, a))
        except NoFiniteLoss:
            break
    return found or [_at_order(loss, NEAR_1)]


def _at_order(loss: RenyiLoss, alpha: Fraction) -> Comparison:
    return Order(f"{AT_ORDER}{alpha}", loss.epsilon(alpha), alpha, False)


def _of_normal(loss: GaussianLoss, epsilon: Fraction) -> Bound:
    return Bound.of(lambda: divergences.normal_profile(loss.mu.at(), numeral(epsilon)))


def _gained(loss: TradeoffLoss, rate: Fraction) -> Bound:
    beta = loss.beta(rate)
    return Bound.of(lambda: 1 - numeral(rate) - beta.at())


def _short(x: Bound) -> str:
    return str(x.printable) if x.printable is not None and x.printable.denominator < 1000 else f"{float(x):.6g}"
