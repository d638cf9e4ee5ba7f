"""Discrete Laplace noise: P(z) proportional to `exp(-|z|/scale)` on the grid. Pure differential privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar, final

from dpcore.calculus import Parameters, Release, Rule, rule
from dpcore.core.origins import SomeSpace
from dpcore.maps import Exact, Number, Numeric
from dpcore.measurements.additive import AdditiveNoise, Grid, maybe, refuses_losses
from dpcore.measures import Measure, PureDP
from dpcore.metrics import L1Distance
from dpcore.noise.bits import BitSource
from dpcore.written.shared import Scale

if TYPE_CHECKING:
    from dpcore.noise.accuracy import Tail
    from dpcore.noise.samples import Held


def _release(value: Held, *, scale: Fraction, step: Fraction, bits: BitSource) -> object:
    from dpcore.noise import samples  # not for whoever only asks for a loss

    return samples.add_noise(value, step, partial(samples.laplace, Fraction(scale) / step, bits=bits))


@rule(run=_release, name="laplace", writes=(Scale, Grid), release=Release.NOISED, on_arrays=True)
def laplace_loss(d: Number, *, scale: Number) -> Number:
    """`P(x + Z = r)/P(y + Z = r) = exp((|r - y| - |r - x|)/scale) <= exp(|x - y|/scale)`; of a vector, the L1 distance."""
    return d / scale


@final
@dataclass(frozen=True, slots=True, repr=False)
class Laplace(AdditiveNoise[L1Distance, PureDP]):
    """See `laplace`."""

    scale: Exact | None

    word = "laplace"
    of_vectors = L1Distance
    defaults: ClassVar[Mapping[str, object]] = {"scale": None, "accuracy": None, "confidence": None}

    def typed(self) -> tuple[str, Exact | None]:
        return "scale", self.scale

    def tail(self, scale: Fraction) -> Tail:
        from dpcore.noise import discrete_laplace

        return lambda a, precision: discrete_laplace.tail(scale, a, precision)

    def protects(self, space: SomeSpace) -> tuple[Measure, Rule, Parameters]:
        step = self.grid(space)
        return PureDP(), laplace_loss, {"scale": self.scale_on(space.domain, step), "step": step}


@refuses_losses(epsilon="laplace(scale=symbol('b')), then .solve(pure(epsilon), d_in=1) and .bind(b=...)")
def laplace(
    scale: Numeric | None = None, *, accuracy: Numeric | None = None, confidence: Numeric | None = None
) -> Laplace:
    """Discrete Laplace noise of a scale, `laplace(scale=120)`, on a number or on each coordinate of a vector.

    Or the most private one that is still accurate: `laplace(accuracy=10, confidence=0.95)`.
    """
    size = maybe(scale, "scale")
    return Laplace(maybe(accuracy, "accuracy"), maybe(confidence, "confidence"), size)
