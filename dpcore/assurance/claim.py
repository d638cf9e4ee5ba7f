"""What an audit is held against: epsilon at a delta, or delta at epsilon 0 where the loss promises no more."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, final

from dpcore.assurance.arrows import as_measurement, loss_at
from dpcore.core.origins import Arrow
from dpcore.errors import InvalidParameter
from dpcore.maps import show
from dpcore.maps.bounds import Bound
from dpcore.measures import ApproxDP, Profile
from dpcore.measures.losses import (
    ApproxLoss,
    ApproxZCDPLoss,
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    TotalVariationLoss,
    TradeoffLoss,
)

DELTA: Final = Fraction(1, 100)
"""Where a curve, or a loss that is converted, is looked at if nobody says where."""


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """A figure, where it is looked at, and what is claimed of it."""

    figure: Literal["epsilon", "delta"]
    at: Fraction
    claimed: Bound | None


def claim_of(measurement: Arrow, x: object, y: object, delta: Fraction | None) -> Claim:
    """What a measurement claims of two data sets."""
    m = as_measurement(measurement)
    d = m.input.metric.carried(x, y)
    if isinstance(d, float):
        raise InvalidParameter(
            "the two data sets are infinitely far apart, so nothing is claimed of them", left=m, expected=m.input.metric
        )
    loss = loss_at(m, d)
    if isinstance(loss, (PureLoss, ApproxLoss, TotalVariationLoss, ProfileLoss)):
        return claim_of_loss(loss, delta)
    at = DELTA if delta is None else delta
    if isinstance(loss, (GaussianLoss, TradeoffLoss, ApproxZCDPLoss)):
        return claim_of_loss(loss_at(m.to(Profile), d), at)
    # The witness is chosen at this loss, and the rule holds for any.
    return claim_of_loss(loss_at(m.to(ApproxDP, delta=at), d), at)


def claim_of_loss(loss: Loss | None, delta: Fraction | None) -> Claim:
    """What a loss says of epsilon at a delta; without a loss, nothing."""
    if loss is None:
        return Claim("epsilon", Fraction(0) if delta is None else delta, None)
    if isinstance(loss, PureLoss):
        return Claim("epsilon", Fraction(0) if delta is None else delta, loss.epsilon)
    if isinstance(loss, TotalVariationLoss):
        return Claim("delta", Fraction(0), loss.delta)
    if isinstance(loss, ProfileLoss):
        at = DELTA if delta is None else delta
        return Claim("epsilon", at, loss.epsilon(at))
    if not isinstance(loss, ApproxLoss):
        raise InvalidParameter(f"Expected a loss in PureDP, ApproxDP, TotalVariation or Profile but got {loss!r}")
    if loss.epsilon.upper == 0:
        return Claim("delta", Fraction(0), loss.delta)
    at = loss.delta.upper if delta is None else delta
    if at < loss.delta.upper:
        raise InvalidParameter(
            f"Expected a delta of at least the claimed {float(loss.delta):.6g} but got delta={show(at)}", produced=at
        )
    return Claim("epsilon", at, loss.epsilon)
