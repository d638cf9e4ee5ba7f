"""Random rounding: to the multiple of a base below or above, each so often that the release is right on average.

Argument. Let w = base/step be whole, and U uniform on the w points 0, step, ..., (w - 1) step. The release is the
multiple of the base at or below x + U, which lies above x with the chance (x mod base)/base. It is a function of x + U,
and two of those, for values d apart on the grid, differ by at most min(1, d/(step w)) = min(1, d/base), as they do in
`uniform_noise`. Above a multiple of the base every step makes going up likelier by 1/w, so nothing less is true.

The noise depends on the value, so accuracy is that of the worst value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, final

import numpy as np

from dpcore.calculus import Parameters, Release, Rule, rule
from dpcore.calculus.parameters import COUNT, Parameter
from dpcore.domains import Domain
from dpcore.errors import InvalidParameter
from dpcore.maps import ONE, Exact, Number, Numeric, exact, is_formula, known, minimum, positive, times
from dpcore.measurements.additive import Grid
from dpcore.measurements.bounded import BoundedNoise
from dpcore.noise.bits import BitSource

if TYPE_CHECKING:
    from dpcore.noise.samples import Held


def _release(value: Held, *, width: int, step: Fraction, bits: BitSource) -> object:
    from dpcore.noise import samples  # not for whoever only asks for a loss

    base = step * int(width)
    above = samples.add_noise(value, step, partial(samples.uniform, 0, int(width) - 1, bits=bits))
    return _down(above, int(base) if base.denominator == 1 else base)


def _down(x: object, base: int | Fraction) -> object:
    """The multiple of the base at or below a number, or each of several."""

    from dpcore.noise.samples import add

    if isinstance(x, np.ndarray):
        return add(x, -(x % base)) if base < 1 << 63 else _down(x.tolist(), base)
    if isinstance(x, list):
        return [_down(each, base) for each in x]
    assert isinstance(x, (int, Fraction))
    return x - x % base


@rule(
    run=_release,
    name="random_rounding",
    writes=(Parameter("width", COUNT), Grid),
    release=Release.NOISED,
    on_arrays=True,
)
def random_rounding_loss(d: Number, *, width: Number, step: Number) -> Number:
    """`min(1, d/(step width))`: the multiple of the base below one of `width` points, of which a step leaves all but one."""
    return minimum(ONE, d / (step * width))


@final
@dataclass(frozen=True, slots=True, repr=False)
class RandomRounding(BoundedNoise):
    """See `random_rounding`."""

    base: Exact

    word = "random_rounding"

    def __post_init__(self) -> None:
        positive(self.base, "base")

    def width(self, step: Fraction) -> Exact:
        """How many grid steps the base is; refuses what is not whole, and a single one, which would round nothing."""
        width = times(self.base, 1 / step)
        if not is_formula(width) and (width.denominator != 1 or width < 2):
            raise InvalidParameter(
                f"Expected base to be a whole number of grid steps, at least two of {step}, but got base={self.base}",
                produced=self.base,
            )
        return width

    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction:
        """A value a steps or more off both ways is off by a surely; else, at worst, with the chance `(width - a)/width`."""
        step = self.step_of(domain)
        width = known(self.width(step), "base")
        return step * max(ceil(self.often(domain, confidence) * width), width // 2 + 1)

    def derived(self, step: Fraction) -> tuple[Rule, Parameters]:
        return random_rounding_loss, {"width": self.width(step), "step": step}


def random_rounding(base: Numeric) -> RandomRounding:
    """A number, or each coordinate of a vector, rounded to a multiple of `base`: `random_rounding(5)`, as counts often are.

    Up with the chance of what is left over, so that it is right on average, and never off by `base` or more. The loss is
    total variation, which no epsilon bounds.
    """
    return RandomRounding(exact(base, "base"))
