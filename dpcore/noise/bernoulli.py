"""Coins of an exact probability, and what every sampler asks of its parameters: exact numbers, in range.

Guarantee. `bernoulli(p, bits)` is True with probability p and `bernoulli_exp(x, bits)` with probability exp(-x),
exactly, if the bits are independent and uniform, for every rational 0 <= p <= 1 and every rational x >= 0.
`bernoulli_enclosed` does the same for any number that can be enclosed as tightly as one likes: U below 1 is uniform,
its bits are revealed as they are needed, and U < p is answered only once the bits revealed and the enclosure prove it.

Canonne, Kamath and Steinke (2020), "The discrete Gaussian for differential privacy", Algorithm 1: toss coins of
probability x/1, x/2, x/3, ... until one fails, the K-th. For 0 <= x <= 1, P(K > k) = x^k/k!, so
P(K odd) = 1 - x + x^2/2! - ... = exp(-x). For larger x, exp(-x) = exp(-1)^floor(x) * exp(-(x - floor(x))).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpcore.maps import precision
from dpcore.noise.bits import BitSource


def rational(name: str, value: object) -> tuple[int, int]:
    """The numerator and the denominator, lowest terms. A float is refused: it would have been rounded already."""
    if not isinstance(value, (int, Fraction)) or isinstance(value, bool):
        raise TypeError(f"Expected an int or a Fraction but got {name}={value!r}")
    return value.numerator, value.denominator


def positive(name: str, value: object) -> tuple[int, int]:
    """The numerator and the denominator of a number above zero."""
    numerator, denominator = rational(name, value)
    if numerator <= 0:
        raise ValueError(f"Expected a positive {name} but got {name}={value}")
    return numerator, denominator


def bernoulli(p: int | Fraction, bits: BitSource) -> bool:
    """True with probability p."""
    numerator, denominator = rational("p", p)
    if not 0 <= numerator <= denominator:
        raise ValueError(f"Expected a probability between 0 and 1 but got p={p}")
    return bits.below(denominator) < numerator


def bernoulli_exp(x: int | Fraction | tuple[int, int], bits: BitSource) -> bool:
    """True with probability exp(-x). A pair stands for numerator/denominator and need not be in lowest terms."""
    numerator, denominator = x if isinstance(x, tuple) else rational("x", x)
    if numerator < 0 or denominator < 1:
        raise ValueError(f"Expected a number x >= 0 but got x={x}")
    while numerator > denominator:
        if not _at_most_one(1, 1, bits):
            return False
        numerator -= denominator
    return _at_most_one(numerator, denominator, bits)


def _at_most_one(numerator: int, denominator: int, bits: BitSource) -> bool:
    """True with probability exp(-numerator/denominator), for 0 <= numerator <= denominator."""
    k = 1
    while bits.below(denominator * k) < numerator:
        k += 1
    return k % 2 == 1


def bernoulli_enclosed(p: Callable[[], arb], bits: BitSource, prefix: int = 0, known: int = 0) -> bool:
    """True with probability p(): a ball around one number between 0 and 1, computed at the current precision.

    With `known` bits of U revealed already, prefix/2^known <= U < (prefix + 1)/2^known, it is True if U < p.
    """
    while True:
        with precision(known + 64):
            scaled = p() * arb(2) ** known
        if scaled >= prefix + 1:
            return True
        if scaled <= prefix:
            return False
        prefix = prefix << 64 | bits.bits(64)
        known += 64
