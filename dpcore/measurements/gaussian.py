"""Discrete Gaussian noise: P(z) proportional to `exp(-z^2/(2 sigma^2))` on the grid (Canonne, Kamath, Steinke 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import ClassVar, TypeVar, final, overload

from dpcore.calculus import Curve, Parameters, Release, Rule, curve_in, rule
from dpcore.calculus.parameters import SQUARE, Parameter
from dpcore.core.origins import SomeSpace
from dpcore.core.typing import ME
from dpcore.domains import Domain, Vector
from dpcore.errors import InvalidParameter, MeasureMismatch, class_of, is_a
from dpcore.maps import (
    ZERO,
    Exact,
    Number,
    Numeric,
    argument,
    as_ball,
    as_fraction,
    between_0_and_1,
    exact,
    exp,
    floor,
    is_symbolic,
    is_zero,
    known,
    maximum,
    named_function,
    numeral,
    positive,
    show,
    times,
    whole_above,
    working_bits,
)
from dpcore.measurements.additive import AdditiveNoise, Grid, maybe, refuses_losses
from dpcore.measurements.calibration import calibrated, textbook
from dpcore.measures import ZCDP, Measure, Profile
from dpcore.metrics import L2Distance
from dpcore.noise import discrete_gaussian, samples
from dpcore.noise.accuracy import Tail
from dpcore.noise.bits import BitSource
from dpcore.noise.samples import Held

K = TypeVar("K", ZCDP, Profile)


SigmaSquared = Parameter("sigma_squared", SQUARE)


def _release(value: Held, *, sigma_squared: Fraction, step: Fraction, bits: BitSource) -> object:
    steps_squared = Fraction(sigma_squared) / (step * step)
    return samples.add_noise(value, step, partial(samples.gaussian, steps_squared, bits=bits))


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
@dataclass(frozen=True, slots=True)
class Goal:
    """(epsilon, delta), to be kept between values a distance apart: what sigma is worked out from, on the grid at hand."""

    epsilon: Fraction
    delta: Fraction
    sensitivity: Fraction
    classical: bool

    def __post_init__(self) -> None:
        positive(self.epsilon, "epsilon")
        positive(self.sensitivity, "sensitivity")
        between_0_and_1(self.delta, "delta")

    def typed(self) -> str:
        """As it is typed, between the brackets of the constructor."""
        apart = "" if self.sensitivity == 1 else f", sensitivity={argument(self.sensitivity)}"
        classical = ", classical=True" if self.classical else ""
        return f"epsilon={argument(self.epsilon)}, delta={argument(self.delta)}{apart}{classical}"

    def sigma_on(self, step: Fraction) -> Fraction:
        """The sigma for values on this grid."""
        if self.sensitivity < step:
            raise InvalidParameter(
                f"values on a grid of {show(step)} are never {show(self.sensitivity)} apart", produced=self.sensitivity
            )
        return _sigma(self, step)


@lru_cache(maxsize=256)
def _sigma(goal: Goal, step: Fraction) -> Fraction:
    def profile(sigma: Fraction) -> Curve:
        squared = numeral(sigma * sigma)
        return curve_in(gaussian_profile.map(numeral(goal.sensitivity), sigma_squared=squared, step=numeral(step)))

    find = textbook if goal.classical else calibrated
    return find(profile, goal.epsilon, goal.delta, goal.sensitivity)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Gaussian(AdditiveNoise[L2Distance, ME]):
    """See `gaussian`."""

    sigma: Exact | None
    measure: type[ME]
    goal: Goal | None = None

    word = "gaussian"
    of_vectors = L2Distance
    defaults: ClassVar[Mapping[str, object]] = {
        "sigma": None, "accuracy": None, "confidence": None, "measure": ZCDP, "goal": None,
    }  # fmt: skip

    def __post_init__(self) -> None:
        if self.goal is None:
            AdditiveNoise.__post_init__(self)
        elif (self.sigma, self.accuracy, self.confidence) != (None, None, None):
            raise InvalidParameter("Expected epsilon and delta, or sigma, or accuracy and confidence: one of the three")

    def __repr__(self) -> str:
        return AdditiveNoise.__repr__(self) if self.goal is None else f"{self.word}({self.goal.typed()})"

    def scale_on(self, domain: Domain, step: Fraction) -> Exact:
        """The sigma that was typed, or the one that an accuracy or an (epsilon, delta) allows."""
        return AdditiveNoise.scale_on(self, domain, step) if self.goal is None else self.goal.sigma_on(step)

    def typed(self) -> tuple[str, Exact | None]:
        return "sigma", self.sigma

    def tail(self, scale: Fraction) -> Tail:
        return lambda a, precision: discrete_gaussian.tail(scale * scale, a, precision)

    def protects(self, space: SomeSpace) -> tuple[Measure, Rule, Parameters]:
        step = self.grid(space)
        if self.measure is Profile and isinstance(space.domain, Vector):
            raise MeasureMismatch(
                "the exact profile is known for one number, not for a vector",
                right=self,
                produced=space.domain,
                bridge="gaussian(sigma=...) in ZCDP, then .to(ApproxDP, delta=...)",
            )
        sigma = self.scale_on(space.domain, step)
        parameters = {"sigma_squared": times(sigma, sigma), "step": step}
        if self.measure is ZCDP:
            return ZCDP(), gaussian_vector if isinstance(space.domain, Vector) else gaussian_loss, parameters
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
@overload
def gaussian(
    *, epsilon: Numeric, delta: Numeric, sensitivity: Numeric = 1, classical: bool = False
) -> Gaussian[Profile]: ...
@refuses_losses(rho="gaussian(sigma=symbol('s')), then .solve(zcdp(rho), d_in=1) and .bind(s=...)")
def gaussian(
    sigma: Numeric | None = None,
    *,
    accuracy: Numeric | None = None,
    confidence: Numeric | None = None,
    measure: Measure | type[Measure] | None = None,
    epsilon: Numeric | None = None,
    delta: Numeric | None = None,
    sensitivity: Numeric = 1,
    classical: bool = False,
) -> object:
    """Discrete Gaussian noise, `gaussian(sigma=10)`, on a number or on each coordinate of a vector. The loss is zCDP.

    With `measure=Profile` the loss of one number is the exact curve delta(epsilon). Or the most private noise that is
    still accurate: `gaussian(accuracy=10, confidence=0.95)`. Or about the least noise on one number that keeps (epsilon,
    delta) between values `sensitivity` apart, `gaussian(epsilon=1, delta="1e-6")`, by the exact curve of the noise that
    runs; with `classical=True` the textbook's sigma, which is larger. Of both `.to(ApproxDP, delta=delta)` says the loss.
    """
    goal = _goal(epsilon, delta, sensitivity, classical=classical)
    assumed = ZCDP if goal is None else Profile
    counted = class_of(assumed if measure is None else measure, (ZCDP, Profile), "measure")
    if goal is not None and counted is not Profile:
        raise InvalidParameter("noise that keeps epsilon and delta is counted in Profile", produced=measure)
    return Gaussian(maybe(accuracy, "accuracy"), maybe(confidence, "confidence"), maybe(sigma, "sigma"), counted, goal)


def _goal(epsilon: Numeric | None, delta: Numeric | None, sensitivity: Numeric, *, classical: bool) -> Goal | None:
    if not is_a(classical, bool):
        raise InvalidParameter(f"Expected True or False for classical but got a {type(classical).__name__}")
    if epsilon is None and delta is None:
        if classical or _fraction(sensitivity, "sensitivity") != 1:
            raise InvalidParameter("Expected epsilon and delta beside a sensitivity, or for the textbook's sigma")
        return None
    if epsilon is None or delta is None:
        raise InvalidParameter("Expected epsilon and delta together but got one of them")
    return Goal(
        _fraction(epsilon, "epsilon"), _fraction(delta, "delta"), _fraction(sensitivity, "sensitivity"), classical
    )


def _fraction(x: Numeric, name: str) -> Fraction:
    return Fraction(known(exact(x, name), name))
