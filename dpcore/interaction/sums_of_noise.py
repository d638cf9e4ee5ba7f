"""How far off a sum of several independent noises may be, from the law of one of them: their convolution, rounded up.

Masses are whole multiples of 2^-BITS, each rounded up, and so is each product: what is found is never below the truth, and
above it by less than can be seen. Noise beyond a bound that it hardly ever passes counts as an error, whatever the rest is.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Final

from dpcore.calculus import Derivation
from dpcore.core.accuracies import each_of
from dpcore.core.origins import Arrow
from dpcore.errors import NoConversion
from dpcore.maps import Numeric, ends
from dpcore.measurements.additive import failing
from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.accuracy import Tail, least

BITS: Final = 128
SMALL: Final = 1 << 30
"""One part in so many of what may fail is left to noise beyond all that is followed."""

WIDE: Final = 1 << 14
"""Noise that reaches further, in steps of its grid, is not convolved: then all of the noises are small at once."""


def accuracy_of_sum(node: Arrow, many: int, confidence: Numeric) -> Fraction:
    """The least a with `P(|sum of so many| >= a) <= 1 - confidence`, on the grid of the noise."""
    level = failing(confidence)
    if many == 0:
        return Fraction(0)
    tail, step = _noise(node.derivation)
    if many == 1:
        return step * least(tail, level)
    reach = least(tail, level / (SMALL * many))
    if reach > WIDE:
        return step * (many * (least(tail, 1 - each_of(many, 1 - level)) - 1) + 1)
    masses = _summed(_masses(tail, reach), many)
    middle = len(masses) // 2
    left = many * _up(tail, reach)  # what is beyond
    beyond = list(accumulate(reversed(masses[middle:])))  # from the end: P(sum >= a)
    sums = [2 * each + left for each in reversed(beyond)]
    allowed = level.numerator * (1 << BITS) // level.denominator
    return step * next((a for a, mass in enumerate(sums) if mass <= allowed), middle + 1)


def _noise(derivation: Derivation) -> tuple[Tail, Fraction]:
    """The tail of the noise that is added last, in steps of its grid, and that step."""
    while derivation.premises:
        derivation = derivation.premises[-1]
    given = derivation.parameters
    if "step" in given and "scale" in given:
        scale, step = _known(given["scale"]), _known(given["step"])
        return partial(discrete_laplace.tail, scale / step), step
    if "step" in given and "sigma_squared" in given:
        squared, step = _known(given["sigma_squared"]), _known(given["step"])
        return partial(discrete_gaussian.tail, squared / step**2), step
    raise NoConversion("the noise of this is not known here", produced=derivation.rule.name)


def _known(x: object) -> Fraction:
    assert isinstance(x, (int, Fraction))
    return Fraction(x)


def _up(tail: Tail, a: int) -> int:
    """P(|noise| >= a), rounded up."""
    high = ends(tail(a, BITS + 32))[1]
    return -(-high.numerator * (1 << BITS) // high.denominator)


def _masses(tail: Tail, reach: int) -> list[int]:
    """P(noise = z) for all |z| < reach, rounded up."""
    tails = [ends(tail(a, BITS + 32)) for a in range(reach + 1)]
    side = [(tails[a][1] - tails[a + 1][0]) / (2 if a else 1) for a in range(reach)]
    whole = [-(-mass.numerator * (1 << BITS) // mass.denominator) for mass in side]
    return [*reversed(whole[1:]), *whole]


def _summed(masses: list[int], many: int) -> list[int]:
    """The same of the sum of so many, again rounded up."""
    found = masses
    for _ in range(many - 1):
        found = [-(-mass >> BITS) for mass in _product(found, masses)]
    return found


def _product(a: list[int], b: list[int]) -> list[int]:
    """The product of two polynomials, as that of two numbers with room for each coefficient."""
    size = (2 * BITS + len(b).bit_length() + 64) // 8
    packed = [int.from_bytes(b"".join(each.to_bytes(size, "little") for each in x), "little") for x in (a, b)]
    many = len(a) + len(b) - 1
    product = (packed[0] * packed[1]).to_bytes(size * (many + 1), "little")
    return [int.from_bytes(product[i * size : (i + 1) * size], "little") for i in range(many)]
