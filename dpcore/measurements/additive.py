"""What Laplace and Gaussian noise share: noise on the grid of a number or vector, and how accurate it is.

Noise is drawn as a whole number of grid steps and added exactly, so a release is again a multiple of the step, and
nothing is rounded on the way. The samplers are imported with the first draw: whoever only asks for a loss needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from dpcore.checks import Named
from dpcore.domains import Booleans, Categories, Domain, Integers, Numbers, Parts, Rows, Vector
from dpcore.errors import DomainMismatch, InvalidParameter, MetricMismatch
from dpcore.maps import Exact, Numeric, exact, known, positive
from dpcore.metrics import Metric
from dpcore.origins import SomeSpace
from dpcore.parameters import POSITIVE, Parameter
from dpcore.steps import Step

if TYPE_CHECKING:
    from dpcore.noise.accuracy import Tail
    from dpcore.noise.trials import Draws

Value: TypeAlias = int | Fraction

Grid = Parameter("step", POSITIVE)
"""Of which all values are multiples."""

DIGITS = 5
"""How many digits after the first a scale has that is derived from an accuracy."""


def add_noise(value: object, step: Fraction, draws: Callable[[int], Draws]) -> object:
    """The value, or each coordinate of it, plus as many grid steps as `draws` says. Whole numbers on a whole grid stay so.

    `draws(n)` gives n independent draws: one path, whether the value is one number or a vector of ten million.
    """
    from dpcore.noise.additions import add

    if isinstance(value, np.ndarray):
        return add(value, draws(len(value)))  # whole numbers, whose grid has the step 1
    if isinstance(value, list):
        return _sums(cast("list[Value]", value), step, draws(len(value)))
    return _sums([cast(Value, value)], step, draws(1))[0]


def _sums(values: Sequence[Value], step: Fraction, noise: Draws) -> Sequence[Value]:
    from dpcore.noise.additions import add, as_list

    if step == 1 and set(map(type, values)) == {int}:
        return as_list(add(cast("Sequence[int]", values), noise))
    return [_plus(v, step, z) for v, z in zip(values, as_list(noise), strict=True)]


def _plus(value: Value, step: Fraction, steps: int) -> Value:
    # A whole number may stand on a finer grid, as a count beside shares of 1/10: its noise must keep every step.
    numerator, denominator = step.numerator * steps, step.denominator
    if denominator == 1:
        return value + numerator
    more, left = divmod(denominator, value.denominator)
    return Fraction(value.numerator * more + numerator, denominator) if left == 0 else value + step * steps


def grid_of(step: Step, domain: Domain) -> Fraction:
    """The grid that values of the domain lie on. Without one there is no exact noise."""
    of = domain.of if isinstance(domain, Vector) else domain
    if isinstance(of, Integers):
        return Fraction(1)
    if isinstance(of, Numbers) and of.step is not None:
        return Fraction(known(of.step, "step"))
    raise DomainMismatch(
        "cannot chain: noise is added on a grid, and these values lie on none",
        right=step,
        produced=domain,
        expected=Named("whole numbers, or numbers with a step"),
        bridge="quantize(step) before the sum",
    )


def expect_metric(step: Step, space: SomeSpace, scalar: type[Metric], vector: type[Metric]) -> None:
    """Refuse a number or vector that is measured in another metric than the noise protects."""
    expected = vector if isinstance(space.domain, Vector) else scalar
    if not isinstance(space.metric, expected):
        raise MetricMismatch(
            "cannot chain: the metrics differ",
            right=step,
            produced=space.metric,
            expected=expected(),
            bridge=_bridge(space, expected),
        )


def _bridge(space: SomeSpace, expected: type[Metric]) -> str | None:
    if isinstance(space.domain, Vector):
        return f"histogram(..., norm={expected.__name__}), or to_metric({expected.__name__}())"
    if isinstance(space.domain, Rows):
        return "count(), sum() or histogram(...) first"
    if isinstance(space.domain, Parts):
        return "parallel(measurement), with a measurement of the rows of each part"
    if isinstance(space.domain, (Booleans, Categories)):
        return "randomized_response(p)"
    return None


def accuracy_of(tail: Tail, domain: Domain, step: Fraction, confidence: Numeric) -> Fraction:
    """The least multiple a of the step with `P(max |noise| >= a) <= 1 - confidence`, over all coordinates."""
    from dpcore.noise.accuracy import least, maximum_tail

    return step * least(maximum_tail(tail, _size(domain)), _level(confidence))


def scale_for(
    tails: Callable[[Fraction], Tail], domain: Domain, step: Fraction, accuracy: Exact, confidence: Exact
) -> Fraction:
    """The largest scale of a few decimal digits whose noise reaches `accuracy` no oftener than the confidence allows."""
    from dpcore.noise.accuracy import least, maximum_tail

    level = _level(cast(Numeric, confidence))
    steps = known(positive(accuracy, "accuracy"), "accuracy") / step

    def fits(scale: Fraction) -> bool:
        return least(maximum_tail(tails(scale / step), _size(domain)), level) <= steps

    low = Fraction(known(accuracy))
    while not fits(low):
        low /= 2
        if low * (1 << 60) < step:
            raise InvalidParameter(f"no noise on a grid of {step} has accuracy={accuracy} at this confidence")
    high = low * 2
    while fits(high):
        low, high = high, high * 2
    digit = Fraction(10) ** (floor(log10(low.numerator) - log10(low.denominator)) - DIGITS)
    # Counted in units of the last digit kept, so that the scale is a number one can read.
    below, above = floor(low / digit), ceil(high / digit)
    if not fits(below * digit):
        below -= 1
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if fits(middle * digit) else (below, middle)
    return below * digit


def _size(domain: Domain) -> int:
    return domain.size if isinstance(domain, Vector) else 1


def _level(confidence: Numeric) -> Fraction:
    """The probability with which noise may exceed the accuracy."""
    sure = Fraction(known(exact(confidence, "confidence"), "confidence"))
    if not 0 < sure < 1:
        raise InvalidParameter(f"Expected 0 < confidence < 1 but got confidence={sure}", produced=sure)
    return 1 - sure


def scale_or_accuracy(name: str, scale: Exact | None, accuracy: Exact | None, confidence: Exact | None) -> None:
    """Check that either the scale is given, or an accuracy together with its confidence."""
    if (scale is None) == (accuracy is None) or (accuracy is None) != (confidence is None):
        raise InvalidParameter(f"Expected {name}, or accuracy and confidence together, and not both")
    if scale is not None:
        positive(scale, name)
    if accuracy is not None and confidence is not None:
        positive(accuracy, "accuracy")
        _level(cast(Numeric, confidence))


def maybe(x: Numeric | None, name: str) -> Exact | None:
    return None if x is None else exact(x, name)
