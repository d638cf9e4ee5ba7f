"""Uniform noise: each of the `2 reach + 1` grid points from -reach to reach steps is as likely as any other.

Argument. Let n = 2 reach + 1, and S(x) the n points on which the release of x is uniform. S(x + step) is S(x) without its
first point and with one more behind its last, so that no event gains or loses more than 1/n. Values lie on the grid of
the noise, so values d apart are at most d/step steps apart, and what an event gains adds up over the steps, and over the
coordinates of a vector: at most d/(step n), and never more than 1. With d = k step for k <= n the points that leave are
an event that gains as much, so nothing less is true.

The condition is the grid. Off it two values share no point at all, and the loss is 1 however near they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import TYPE_CHECKING, final

from dpcore.calculus import Parameters, Release, Rule, rule
from dpcore.calculus.parameters import COUNT, Parameter
from dpcore.domains import Domain, Vector
from dpcore.maps import ONE, Exact, Number, Numeric, exact, integer, known, minimum, positive
from dpcore.maps.bounds import Bound
from dpcore.measurements.additive import Grid, refuses_losses
from dpcore.measurements.bounded import BoundedNoise
from dpcore.noise.bits import BitSource

if TYPE_CHECKING:
    from dpcore.noise.samples import Held


def _release(value: Held, *, reach: int, step: Fraction, bits: BitSource) -> object:
    from dpcore.noise import samples  # not for whoever only asks for a loss

    return samples.add_noise(value, step, partial(samples.uniform, -int(reach), int(reach), bits=bits))


@rule(
    run=_release,
    name="uniform_noise",
    writes=(Parameter("reach", COUNT), Grid),
    release=Release.NOISED,
    on_arrays=True,
)
def uniform_noise_loss(d: Number, *, reach: Number, step: Number) -> Number:
    """`min(1, d/(step (2 reach + 1)))`: a step away, the release has one of its `2 reach + 1` points elsewhere."""
    return minimum(ONE, d / (step * (2 * reach + 1)))


@final
@dataclass(frozen=True, slots=True, repr=False)
class UniformNoise(BoundedNoise):
    """See `uniform_noise`."""

    reach: Exact

    word = "uniform_noise"

    def __post_init__(self) -> None:
        positive(integer(self.reach, "reach"), "reach")

    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction:
        """Of the n points 2a - 1 lie nearer than a, for 1 <= a <= reach + 1: the least a for which that is often enough."""
        points = 2 * known(self.reach, "reach") + 1
        return self.step_of(domain) * ceil((self.often(domain, confidence) * points + 1) / 2)

    def cdf_at(self, domain: Domain, x: Fraction) -> Bound | None:
        if isinstance(domain, Vector):
            return None
        reach = int(known(self.reach, "reach"))
        found = floor(x / self.step_of(domain)) + reach + 1  # so many points are no higher
        return Bound(Fraction(min(max(found, 0), 2 * reach + 1), 2 * reach + 1))

    def derived(self, step: Fraction) -> tuple[Rule, Parameters]:
        return uniform_noise_loss, {"reach": self.reach, "step": step}


@refuses_losses(
    delta="uniform_noise(symbol('r')), then .solve(total_variation(delta), d_in=1, step=1) and .bind(r=...)"
)
def uniform_noise(reach: Numeric) -> UniformNoise:
    """Noise of up to `reach` grid steps either way, all equally likely, on a number or on each coordinate of a vector.

    The release is never off by more than `reach` steps. The loss is total variation, which no epsilon bounds.
    """
    return UniformNoise(exact(reach, "reach"))
