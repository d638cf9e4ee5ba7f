"""Arrows of every kind under one type: what the laws ask of a transformation or a measurement, whatever it is over."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol, TypeAlias, cast

import dpcore as dp
from dpcore.derivation import Curve, Derivation
from dpcore.formulas import Map
from dpcore.maps import Number, Numeric, at_precision, ends, numeral
from dpcore.noise.bits import BitSource, SeededBits
from dpcore.origins import Origin, SomeSpace

BITS = 400
"""Bits of the balls that the laws compare with."""


class AnyArrow(Protocol):
    """What both kinds of arrow have."""

    @property
    def input(self) -> SomeSpace: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def origin(self) -> Origin: ...
    @property
    def map(self) -> Map: ...
    @property
    def symbols(self) -> frozenset[str]: ...
    def bind(self, **values: Numeric) -> object: ...


class AnyTransformation(AnyArrow, Protocol):
    """A transformation over any domains and metrics."""

    @property
    def output(self) -> SomeSpace: ...
    def __call__(self, data: object) -> object: ...
    def __rshift__(self, step: object) -> object: ...
    def stability(self, d_in: Numeric) -> dp.Bound: ...


class AnyMeasurement(AnyArrow, Protocol):
    """A measurement over any domain, metric and measure."""

    @property
    def measure(self) -> dp.Measure: ...
    def release(self, data: object, *, bits: BitSource | None = None) -> object: ...
    def loss(self, d_in: Numeric) -> dp.Loss: ...
    def then(self, function: object) -> object: ...
    def __and__(self, other: object) -> object: ...


def arrow(x: object) -> AnyArrow:
    """Any arrow, checked to be one."""
    assert isinstance(x, (dp.Transformation, dp.Measurement)), x
    return cast(AnyArrow, x)


def transformation(x: object) -> AnyTransformation:
    assert isinstance(x, dp.Transformation), x
    return cast(AnyTransformation, x)


def measurement(x: object) -> AnyMeasurement:
    assert isinstance(x, dp.Measurement), x
    return cast(AnyMeasurement, x)


Figures: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Each number of a distance or loss between two rationals."""

POINTS: Mapping[str, tuple[Fraction, ...]] = {
    "epsilon": (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(6)),
    "alpha": (Fraction(5, 4), Fraction(2), Fraction(7, 2), Fraction(16)),
    "rate": (Fraction(0), Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)),
}
"""Where curves are looked at: epsilons of a profile, orders of a Renyi curve, false-positive rates of a trade-off."""


def points(measure: dp.Measure) -> tuple[Fraction, ...]:
    return POINTS["rate" if isinstance(measure, dp.Tradeoff) else measure.variable or "epsilon"]


def _numbers(x: AnyArrow, raw: object) -> tuple[Number, ...]:
    if isinstance(x, dp.Measurement) and x.measure.variable is not None:
        return tuple(cast(Curve, raw)(numeral(at)) for at in points(x.measure))
    return raw if isinstance(raw, tuple) else (cast(Number, raw),)


def carried(x: AnyArrow, d: int | Fraction) -> Figures:
    """What the map gives at a distance, in the form in which it is carried (an L2 distance as its square)."""
    reading = x.derivation.numbers()

    def compute() -> Figures:
        return tuple(ends(n) for n in _numbers(x, reading(x.input.metric.carry(numeral(d)))))

    return at_precision(BITS, compute)


def shown(loss: dp.Loss) -> Figures:
    """The numbers of a loss as a reader is shown them, a curve at the points where the laws look at it."""
    if isinstance(loss, dp.RenyiLoss):
        return tuple((b.lower, b.upper) for b in (loss.epsilon(a) for a in POINTS["alpha"]))
    if isinstance(loss, dp.ProfileLoss):
        return tuple((b.lower, b.upper) for b in (loss.delta(e) for e in POINTS["epsilon"]))
    if isinstance(loss, dp.TradeoffLoss):
        return tuple((b.lower, b.upper) for b in (loss.beta(a) for a in POINTS["rate"]))
    return tuple((b.lower, b.upper) for _, b in loss.figures())


def figures(x: AnyArrow, d: int | Fraction) -> Figures:
    """The numbers of the stability or the loss at a distance."""
    if isinstance(x, dp.Transformation):
        bound = transformation(x).stability(d)
        return ((bound.lower, bound.upper),)
    return shown(measurement(x).loss(d))


def release(x: object, data: object, seed: int = 0) -> object:
    """A release with bits of a seed."""
    return measurement(x).release(data, bits=SeededBits(seed))
