"""The scale of discrete Gaussian noise on one number that keeps (epsilon, delta) between values a distance apart.

Guarantee. With d and sigma counted in grid steps, d rounded down, whatever is found satisfies

    P(Z > eps sigma^2/d - d/2) - e^eps P(Z > eps sigma^2/d + d/2) <= delta        (the exact profile of the noise)

at the upper end of the enclosure, so `gaussian_profile` says (epsilon, delta) of it. How sigma was looked for costs
tightness alone: of the profile it is only assumed that it falls to 0 somewhere, or else nothing is found.

The textbook's sigma is `d/eps sqrt(2 ln(2/delta))` (Dwork and Roth 2014, Theorem 3.22, has 1.25 for 2). It is stated for
epsilon up to 1, of continuous noise; of the noise that runs the profile above is asked as well, and must say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from dpcore.calculus import Curve
from dpcore.errors import InvalidParameter, NoFiniteLoss
from dpcore.maps import PRECISION, at_precision, ends, log, numeral, sqrt
from dpcore.maps.search import last_digit, rounded_up

WIDEST = Fraction(10) ** 12
"""No sigma beyond so many times the distance is looked for."""


def calibrated(
    profile: Callable[[Fraction], Curve], epsilon: Fraction, delta: Fraction, distance: Fraction
) -> Fraction:
    """A sigma of a few digits, about the least, whose profile keeps (epsilon, delta)."""

    def fits(sigma: Fraction) -> bool:
        return _delta(profile(sigma), epsilon) <= delta

    low, high = Fraction(0), distance
    while not fits(high):
        low, high = high, high * 2
        if high > WIDEST * distance:
            raise NoFiniteLoss(f"no sigma up to {WIDEST} times the distance keeps epsilon={epsilon} with delta={delta}")
    while high - low > high / 1024:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    # From here on in units of the last digit kept, so that sigma is a number one can read.
    digit = last_digit(high)
    below, above = floor(low / digit), ceil(high / digit)
    while not fits(above * digit):
        above += 1
    while above - below > 1:
        units = (below + above) // 2
        below, above = (below, units) if fits(units * digit) else (units, above)
    return above * digit


def textbook(profile: Callable[[Fraction], Curve], epsilon: Fraction, delta: Fraction, distance: Fraction) -> Fraction:
    """The textbook's sigma, rounded up to a few digits; refused where its theorem says nothing, or too much."""
    if not 0 < epsilon <= 1:
        raise InvalidParameter(
            f"the textbook's sigma is for epsilons above 0 and up to 1, but got epsilon={epsilon}",
            produced=epsilon,
            bridge="gaussian(epsilon=..., delta=...), which is exact for every epsilon",
        )
    exact = at_precision(PRECISION, lambda: numeral(distance) / numeral(epsilon) * sqrt(2 * log(2 / numeral(delta))))
    sigma = rounded_up(ends(exact)[1])
    if _delta(profile(sigma), epsilon) > delta:
        raise NoFiniteLoss(
            f"noise on this grid loses more than the textbook says of sigma={sigma}",
            bridge="gaussian(epsilon=..., delta=...), which is exact",
        )
    return sigma


def _delta(curve: Curve, epsilon: Fraction) -> Fraction:
    """The upper end of the profile at epsilon."""
    return ends(at_precision(PRECISION, lambda: curve(numeral(epsilon))))[1]
