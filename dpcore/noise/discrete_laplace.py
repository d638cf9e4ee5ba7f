"""The discrete Laplace distribution on the integers.

    P(Z = z) = (1 - r)/(1 + r) * r^|z|          r = exp(-1/scale)
    P(|Z| >= a) = 2/(1 + r) * r^a               for integers a >= 1, and 1 for a <= 0

Guarantee. For every rational scale > 0, `sample` has exactly this distribution if the bits are independent and
uniform; `mass` and `tail` contain the true value. Time and randomness grow with the number of digits of the scale, not
with the scale.

Canonne, Kamath and Steinke (2020), Algorithm 2, with scale = p/q: draw u below p, keep it with probability
exp(-u/p), add p times a geometric number of ratio exp(-1): P(x) is proportional to exp(-x/p) for x >= 0. Then
floor(x/q) is geometric of ratio exp(-q/p) = r. A random sign makes it two-sided, and -0 is rejected, else 0 would be
counted twice.
"""

from __future__ import annotations

from fractions import Fraction
from operator import index

from flint import arb, fmpq

from dpcore.maps import precision
from dpcore.noise.bernoulli import bernoulli_exp, positive
from dpcore.noise.bits import BitSource
from dpcore.noise.enclosures import working_precision


def sample(scale: int | Fraction, bits: BitSource) -> int:
    """An integer z with probability proportional to exp(-|z|/scale)."""
    return two_sided(*positive("scale", scale), bits)


def two_sided(p: int, q: int, bits: BitSource) -> int:
    """An integer z with probability proportional to exp(-|z| q/p), for positive p and q."""
    while True:
        magnitude = geometric(p, q, bits)
        if not bits.bit():
            return magnitude
        if magnitude:
            return -magnitude


def geometric(p: int, q: int, bits: BitSource) -> int:
    """An integer x >= 0 with probability proportional to exp(-x q/p), for positive p and q."""
    return _exponential(p, bits) // q


def _exponential(p: int, bits: BitSource) -> int:
    """An integer x >= 0 with probability proportional to exp(-x/p)."""
    while True:
        u = bits.below(p)
        if bernoulli_exp((u, p), bits):
            break
    while bernoulli_exp((1, 1), bits):
        u += p
    return u


def mass(scale: int | Fraction, z: int, prec: int = 128) -> arb:
    """P(Z = z), enclosed."""
    p, q = positive("scale", scale)
    z = abs(index(z))
    with precision(working_precision(prec, z * q // p)):
        return (-arb(fmpq(z * q, p))).exp() * arb(fmpq(q, 2 * p)).tanh()  # tanh(1/(2 scale)) = (1 - r)/(1 + r)


def tail(scale: int | Fraction, a: int, prec: int = 128) -> arb:
    """P(|Z| >= a), enclosed: the noise is off by a or more."""
    p, q = positive("scale", scale)
    a = max(0, index(a))
    with precision(working_precision(prec, a * q // p)):
        if a == 0:
            return arb(1)
        return 2 * (-arb(fmpq(a * q, p))).exp() / (1 + (-arb(fmpq(q, p))).exp())
