"""What noise on the grid of a number or vector shares, and what Laplace and Gaussian noise do: how accurate it is.

Noise is drawn as a whole number of grid steps and added exactly, so a release is again a multiple of the step, and
nothing is rounded on the way. The samplers are imported with the first draw: whoever only asks for a loss needs none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from math import ceil, floor
from typing import TYPE_CHECKING, ClassVar, Generic, ParamSpec, TypeVar, overload

from dpcore.calculus import Parameters, Rule
from dpcore.calculus.parameters import POSITIVE, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.keyed import Coordinates
from dpcore.core.origins import SomeSpace
from dpcore.core.spaces import Named
from dpcore.core.steps import Step
from dpcore.core.typing import ME, D, M
from dpcore.domains import Booleans, Categories, Domain, Integers, NumberDomain, Numbers, Parts, Rows, Vector
from dpcore.errors import DomainMismatch, InvalidParameter, MetricMismatch
from dpcore.maps import Exact, Numeric, confidence_of, exact, known, positive
from dpcore.maps.bounds import Bound
from dpcore.maps.search import last_digit
from dpcore.measures import Measure
from dpcore.metrics import AbsoluteDistance, Metric

if TYPE_CHECKING:
    from dpcore.noise.accuracy import Tail

V = TypeVar("V", bound=Metric)
P = ParamSpec("P")
R = TypeVar("R")


class OnGrid(Step, Generic[V, ME]):
    """Noise on the grid of a number, or of each coordinate of a vector in the metric V."""

    __slots__ = ()

    of_vectors: ClassVar[type[Metric]]
    """The metric in which it protects vectors; that of numbers is their absolute difference."""

    @overload
    def __call__(
        self, space: Space[Integers, AbsoluteDistance]
    ) -> Measurement[Integers, AbsoluteDistance, ME, int]: ...
    @overload
    def __call__(
        self, space: Space[Numbers, AbsoluteDistance]
    ) -> Measurement[Numbers, AbsoluteDistance, ME, Fraction]: ...
    @overload
    def __call__(self, space: Space[Vector[Integers], V]) -> Measurement[Vector[Integers], V, ME, Coordinates[int]]: ...
    @overload
    def __call__(
        self, space: Space[Vector[Numbers], V]
    ) -> Measurement[Vector[Numbers], V, ME, Coordinates[Fraction]]: ...
    def __call__(self, space: Space[D, M]) -> object:
        return measurement_of(self, space, *self.protects(space))

    @abstractmethod
    def protects(self, space: SomeSpace) -> tuple[Measure, Rule, Parameters]:
        """What it does on a space: the measure, the rule and its parameters."""

    @abstractmethod
    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction:
        """The least multiple a of the step with `P(max |noise| >= a) <= 1 - confidence`, over all coordinates."""

    def cdf_at(self, domain: Domain, x: Fraction) -> Bound | None:
        """P(noise <= x), of noise on one number; None where it is no noise that is the same whatever the number is."""
        return None

    def grid(self, space: SomeSpace) -> Fraction:
        """The grid of the values; refuses those that are measured in another metric than the noise protects."""
        expected = self.of_vectors if isinstance(space.domain, Vector) else AbsoluteDistance
        if not isinstance(space.metric, expected):
            raise MetricMismatch(
                "cannot chain: the metrics differ",
                right=self,
                produced=space.metric,
                expected=expected(),
                bridge=_bridge(space, expected),
            )
        return self.step_of(space.domain)

    def step_of(self, domain: Domain) -> Fraction:
        """The grid that values of the domain lie on. Without one there is no exact noise."""
        of = domain.of if isinstance(domain, Vector) else domain
        if isinstance(of, NumberDomain) and of.grid is not None:
            return Fraction(of.grid if type(of.grid) is int else known(of.grid, "step"))
        raise DomainMismatch(
            "cannot chain: noise is added on a grid, and these values lie on none",
            right=self,
            produced=domain,
            expected=Named("whole numbers, or numbers with a step"),
            bridge="quantize(step) before the sum",
        )


@dataclass(frozen=True, slots=True, repr=False)
class AdditiveNoise(OnGrid[V, ME]):
    """Noise of a scale, or the most private noise that is still accurate enough: one of the two is typed."""

    accuracy: Exact | None
    confidence: Exact | None

    @abstractmethod
    def typed(self) -> tuple[str, Exact | None]:
        """The name of the scale, and the scale where it is typed."""

    @abstractmethod
    def tail(self, scale: Fraction) -> Tail:
        """The tail of the noise, of a scale that is counted in grid steps."""

    def __post_init__(self) -> None:
        name, scale = self.typed()
        if (scale is None) == (self.accuracy is None) or (self.accuracy is None) != (self.confidence is None):
            raise InvalidParameter(f"Expected {name}, or accuracy and confidence together, and not both")
        if scale is not None and not (type(scale) is int and scale > 0):
            positive(scale, name)
        if self.accuracy is not None and self.confidence is not None:
            positive(self.accuracy, "accuracy")
            failing(self.confidence)

    def scale_on(self, domain: Domain, step: Fraction) -> Exact:
        """The scale that was typed, or the one that the accuracy allows."""
        _, scale = self.typed()
        if scale is not None:
            return scale
        assert self.accuracy is not None
        assert self.confidence is not None
        return scale_for(self.tail, domain, step, self.accuracy, self.confidence)

    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction:
        from dpcore.noise.accuracy import least, maximum_tail

        step = self.step_of(domain)
        scale = known(self.scale_on(domain, step), self.typed()[0])
        return step * least(maximum_tail(self.tail(scale / step), coordinates(domain)), failing(confidence))

    def cdf_at(self, domain: Domain, x: Fraction) -> Bound | None:
        """The noise is symmetric: at or below k >= 0 steps it is but for half of the tail from k + 1 on."""
        from dpcore.noise.accuracy import at_most

        if isinstance(domain, Vector):
            return None
        step = self.step_of(domain)
        tail = self.tail(known(self.scale_on(domain, step), self.typed()[0]) / step)
        return Bound.of(lambda: at_most(tail, floor(x / step)))


Grid = Parameter("step", POSITIVE)
"""Of which all values are multiples."""


def _bridge(space: SomeSpace, expected: type[Metric]) -> str | None:
    if isinstance(space.domain, Vector):
        return f"histogram(..., norm={expected.__name__}), or to_metric({expected.__name__})"
    if isinstance(space.domain, Rows):
        return "count(), sum() or histogram(...) first"
    if isinstance(space.domain, Parts):
        return "parallel(measurement), with a measurement of the rows of each part"
    if isinstance(space.domain, (Booleans, Categories)):
        return "randomized_response(p)"
    return None


def scale_for(
    tails: Callable[[Fraction], Tail], domain: Domain, step: Fraction, accuracy: Exact, confidence: Exact
) -> Fraction:
    """The largest scale of a few decimal digits whose noise reaches `accuracy` no oftener than the confidence allows."""
    from dpcore.noise.accuracy import maximum_tail, reaches

    level = failing(confidence)
    steps = floor(known(positive(accuracy, "accuracy"), "accuracy") / step)

    def fits(scale: Fraction) -> bool:
        return reaches(maximum_tail(tails(scale / step), coordinates(domain)), level, steps)

    low = Fraction(known(accuracy))
    while not fits(low):
        low /= 2
        if low * (1 << 60) < step:
            raise InvalidParameter(f"no noise on a grid of {step} has accuracy={accuracy} at this confidence")
    high = low * 2
    while fits(high):
        low, high = high, high * 2
    digit = last_digit(low)
    # Counted in units of the last digit kept, so that the scale is a number one can read.
    below, above = floor(low / digit), ceil(high / digit)
    if not fits(below * digit):
        below -= 1
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if fits(middle * digit) else (below, middle)
    return below * digit


def coordinates(domain: Domain) -> int:
    """How many numbers a value of the domain is."""
    return domain.size if isinstance(domain, Vector) else 1


def failing(confidence: Numeric) -> Fraction:
    """The probability with which noise may exceed the accuracy."""
    return 1 - confidence_of(confidence)


def refuses_losses(**bridges: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say what to use where a constructor of noise is given a loss by one of these names, as others take it.

    Types refuse such a call where it stands; this is for whoever has no type checker.
    """

    def decorate(constructor: Callable[P, R]) -> Callable[P, R]:
        word = constructor.__name__

        @wraps(constructor)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name in bridges:
                    raise InvalidParameter(f"{word} has no parameter {name!r}", produced=name, bridge=bridges[name])
            return constructor(*args, **kwargs)

        return checked

    return decorate


def maybe(x: Numeric | None, name: str) -> Exact | None:
    """The number that was typed, read exactly; a whole one is what it is."""
    return x if x is None or type(x) is int else exact(x, name)
