"""Discrete Gaussian noise: P(z) proportional to `exp(-z^2/(2 sigma^2))` on the grid (Canonne, Kamath, Steinke 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar, final, overload

from dpcore.calculus import Curve, Parameters, Release, Rule, rule
from dpcore.calculus.parameters import SQUARE, Parameter
from dpcore.core.origins import SomeSpace
from dpcore.core.typing import ME
from dpcore.domains import Vector
from dpcore.errors import MeasureMismatch, class_of, refuses
from dpcore.maps import (
    ZERO,
    Exact,
    Number,
    Numeric,
    as_ball,
    as_fraction,
    exp,
    floor,
    is_symbolic,
    is_zero,
    maximum,
    named_function,
    times,
    whole_above,
    working_bits,
)
from dpcore.measurements.additive import AdditiveNoise, Grid, Held, add_noise, maybe
from dpcore.measures import ZCDP, Measure, Profile
from dpcore.metrics import L2Distance
from dpcore.noise import discrete_gaussian, samples
from dpcore.noise.accuracy import Tail
from dpcore.noise.bits import BitSource

K = TypeVar("K", ZCDP, Profile)


SigmaSquared = Parameter("sigma_squared", SQUARE)


def _release(value: Held, *, sigma_squared: Fraction, step: Fraction, bits: BitSource) -> object:
    steps_squared = Fraction(sigma_squared) / (step * step)
    return add_noise(value, step, lambda n: samples.gaussian(steps_squared, n, bits))


@rule(run=_release, name="gaussian", writes=(SigmaSquared, Grid), release=Release.NOISED, on_arrays=True)
def gaussian_loss(d: Number, *, sigma_squared: Number) -> Number:
    """`rho = d^2/(2 sigma^2)` (CKS 2020, Theorem 4), for one number."""
    return d * d / (2 * sigma_squared)


@rule(run=_release, writes=(SigmaSquared, Grid), release=Release.NOISED, on_arrays=True)
def gaussian_vector(d: Number, *, sigma_squared: Number) -> Number:
    """`rho = sum of d_i^2/(2 sigma^2)`: independent noise on each coordinate; the L2 distance comes in as its square."""
    return d / (2 * sigma_squared)


@rule(run=_release, writes=(SigmaSquared, Grid), release=Release.NOISED, on_arrays=True)
def gaussian_profile(d: Number, *, sigma_squared: Number, step: Number) -> Curve:
    """`delta(eps) = P(Z > eps sigma^2/d - d/2) - e^eps P(Z > eps sigma^2/d + d/2)` (CKS 2020, Theorem 7).

    d and sigma are counted in grid steps, d rounded down to a whole number of them: values on the grid are not between.
    The likelihood ratio of Z and Z + d is monotone, so the divergence grows with d, and the largest d is the worst.
    """
    distance = floor(d / step)
    variance = sigma_squared / (step * step)

    def profile(epsilon: Number) -> Number:
        if is_zero(distance):
            return distance
        middle = epsilon * variance / distance
        near, far = middle - distance / 2, middle + distance / 2
        return maximum(ZERO, _above(near, variance) - exp(epsilon) * _above(far, variance))

    return profile


def _above(x: Number, variance: Number) -> Number:
    """`P(Z > x)` for discrete Gaussian Z on the whole numbers."""
    if is_symbolic(x) or is_symbolic(variance):
        return named_function("P_Z_above", x, variance)
    return as_ball(discrete_gaussian.upper_tail(as_fraction(variance), whole_above(x), working_bits()))


@final
@dataclass(frozen=True, slots=True, repr=False)
class Gaussian(AdditiveNoise[L2Distance, ME]):
    """See `gaussian`."""

    sigma: Exact | None
    measure: type[ME]

    word = "gaussian"
    of_vectors = L2Distance
    defaults: ClassVar[Mapping[str, object]] = {"sigma": None, "accuracy": None, "confidence": None, "measure": ZCDP}

    def typed(self) -> tuple[str, Exact | None]:
        return "sigma", self.sigma

    def tail(self, scale: Fraction) -> Tail:
        return lambda a, precision: discrete_gaussian.tail(scale * scale, a, precision)

    def protects(self, space: SomeSpace) -> tuple[Measure, Rule, Parameters]:
        step = self.grid(space)
        sigma = self.scale_on(space.domain, step)
        parameters = {"sigma_squared": times(sigma, sigma), "step": step}
        if self.measure is ZCDP:
            return ZCDP(), gaussian_vector if isinstance(space.domain, Vector) else gaussian_loss, parameters
        if isinstance(space.domain, Vector):
            raise MeasureMismatch(
                "the exact profile is known for one number, not for a vector",
                right=self,
                produced=space.domain,
                bridge="gaussian(sigma=...) in ZCDP, then .to(ApproxDP, delta=...)",
            )
        return Profile(), gaussian_profile, parameters


@overload
def gaussian(
    sigma: Numeric | None = None, *, accuracy: Numeric | None = None, confidence: Numeric | None = None
) -> Gaussian[ZCDP]: ...
@overload
def gaussian(
    sigma: Numeric | None = None,
    *,
    accuracy: Numeric | None = None,
    confidence: Numeric | None = None,
    measure: K | type[K],
) -> Gaussian[K]: ...
@refuses(
    rho="gaussian(sigma=symbol('s')), then .solve(zcdp(rho), d_in=1) and .bind(s=...)",
    epsilon="gaussian(sigma=symbol('s')), then .to(ApproxDP, delta=delta).solve(approx(epsilon, delta), d_in=1)",
)
def gaussian(
    sigma: Numeric | None = None,
    *,
    accuracy: Numeric | None = None,
    confidence: Numeric | None = None,
    measure: Measure | type[Measure] = ZCDP,
) -> object:
    """Discrete Gaussian noise, `gaussian(sigma=10)`, on a number or on each coordinate of a vector. The loss is zCDP.

    With `measure=Profile` the loss of one number is the exact curve delta(epsilon). Or the most private noise that is
    still accurate: `gaussian(accuracy=10, confidence=0.95)`.
    """
    counted = class_of(measure, (ZCDP, Profile), "measure")
    return Gaussian(maybe(accuracy, "accuracy"), maybe(confidence, "confidence"), maybe(sigma, "sigma"), counted)
