"""What the laws ask of an arrow, whatever it is over: its figures at a distance, and a release of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias, cast

import dpcore as dp
from dpcore.assurance.arrows import AnyArrow, AnyMeasurement, AnyTransformation
from dpcore.assurance.arrows import as_measurement as measurement
from dpcore.assurance.arrows import as_transformation as transformation
from dpcore.assurance.comparisons import POINTS
from dpcore.calculus import Curve
from dpcore.maps import Number, at_precision, ends, numeral
from dpcore.noise.bits import SeededBits

__all__ = [
    "AnyArrow",
    "AnyMeasurement",
    "AnyTransformation",
    "Figures",
    "arrow",
    "carried",
    "figures",
    "measurement",
    "points",
    "release",
    "shown",
    "transformation",
]

BITS = 400
"""Bits of the balls that the laws compare with."""


def arrow(x: object) -> AnyArrow:
    """Any arrow, checked to be one."""
    assert isinstance(x, (dp.types.Transformation, dp.types.Measurement)), x
    return cast(AnyArrow, x)


Figures: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Each number of a distance or loss between two rationals."""


def points(measure: dp.types.Measure) -> tuple[Fraction, ...]:
    return POINTS["rate" if isinstance(measure, dp.Tradeoff) else measure.variable or "epsilon"]


def _numbers(x: AnyArrow, raw: object) -> tuple[Number, ...]:
    if isinstance(x, dp.types.Measurement) and x.measure.variable is not None:
        return tuple(cast(Curve, raw)(numeral(at)) for at in points(x.measure))
    return raw if isinstance(raw, tuple) else (cast(Number, raw),)


def carried(x: AnyArrow, d: int | Fraction) -> Figures:
    """What the map gives at a distance, in the form in which it is carried (an L2 distance as its square)."""
    reading = x.derivation.numbers()

    def compute() -> Figures:
        return tuple(ends(n) for n in _numbers(x, reading(x.input.metric.carry(numeral(d)))))

    return at_precision(BITS, compute)


def shown(loss: dp.types.Loss) -> Figures:
    """The numbers of a loss as a reader is shown them, a curve at the points where the laws look at it."""
    if isinstance(loss, dp.types.RenyiLoss):
        return tuple((b.lower, b.upper) for b in (loss.epsilon(a) for a in POINTS["alpha"]))
    if isinstance(loss, dp.types.ProfileLoss):
        return tuple((b.lower, b.upper) for b in (loss.delta(e) for e in POINTS["epsilon"]))
    if isinstance(loss, dp.types.TradeoffLoss):
        return tuple((b.lower, b.upper) for b in (loss.beta(a) for a in POINTS["rate"]))
    return tuple((b.lower, b.upper) for _, b in loss.figures())


def figures(x: AnyArrow, d: int | Fraction) -> Figures:
    """The numbers of the stability or the loss at a distance."""
    if isinstance(x, dp.types.Transformation):
        bound = transformation(x).stability(d)
        return ((bound.lower, bound.upper),)
    return shown(measurement(x).loss(d))


def release(x: object, data: object, seed: int = 0) -> object:
    """A release with bits of a seed."""
    return measurement(x).release(data, bits=SeededBits(seed))
