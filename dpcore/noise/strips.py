"""Layouts for many draws at once from P(Z = x) proportional to f(x) = exp(-E(x)), E(x) = linear |x| + quadratic x^2.

The integers are cut into strips of B = 2^b: strip s holds s B, ..., s B + B - 1, whether s >= 0 or s < 0. The strips -J
<= s < J have a weight w_s each, an integer; the two tails x >= J B and x < -J B have the weight 1. All weights sum to
2^16. K is a rational number, the same for all.

A trial: of 2^16 equal cells choose one, hence a strip with probability w_s/2^16, or a tail with 1/2^16.

    In strip s:  x is uniform among its B integers, and accepted with probability a(x) = K f(x)/w_s.
    In a tail:   let R be its least |x|. |x| = R + g with P(g) = (1 - r) r^g, r = exp(-linear - 2 quadratic R), accepted
                 with probability a exp(-quadratic g^2), a = K f(R)/(B (1 - r)).

Theorem. If the bits are independent and uniform, and if K f(x) <= w_s for every x of every strip s, and a <= 1 for both
tails, then a trial gives x with probability c f(x) for *every* integer x, c = K/(2^16 B). Hence the trials that are
accepted have exactly the stated distribution.

Proof. In a strip: w_s/2^16 * 1/B * K f(x)/w_s. In a tail, as E(R + g) = E(R) + (linear + 2 quadratic R) g +
quadratic g^2: 1/2^16 * (1 - r) r^g * a exp(-quadratic g^2) = K/(2^16 B) f(R + g). Every integer lies in exactly one
strip or tail.

No rounding touches this. The weights and K are exact numbers; whichever they are, the theorem holds if its conditions
do, and the layout is made so that they provably do, from integers around f. The acceptance is U < a(x) for U uniform
below 1, whose bits are revealed as they are needed: the first 16 against a lower bound of a in the strip, 16 more
against bounds of a(x) in fixed point, 64 more against a ball, and so on until the answer is proved. So the bounds
decide how long it takes, and nothing else.

The bounds. Let edge be the least |x| of a strip, or one less, j its number of strips from 0, and |x| = edge + t B with
0 <= t <= 1. Then

    a(x) = T exp(-y),    T = K f(edge)/w_s,    y = E(x) - E(edge) = t (alpha_j + beta t)
    alpha_j = linear B + 2 quadratic B^2 j,    beta = quadratic B^2

In units of 2^-30, t, alpha and beta are rounded down to t', alpha', beta', and so are their products: t' <= 2^30, and
alpha' + beta' <= 2^29 is checked, so I = alpha' + floor(beta' t'/2^30) <= 2^29. What I stands for is below I + 2 +
(beta' + t' + 1)/2^30 < I + 4, hence what floor(t' I/2^30) stands for is below it + 1 + (4 t' + I + 4)/2^30, which is
less than 6 above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias, final

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpcore.maps import precision
from dpcore.noise import fixed_point
from dpcore.noise.fixed_point import Int64s, exp_between

CELLS: Final = 1 << 16
PRECISION: Final = 110  # f is enclosed in units of 2^-110
K_BITS: Final = 20  # K is a multiple of 2^-20
V_BITS: Final = 46  # K f is enclosed in units of 2^-46, and stays below 2^62 of them
WIDEST: Final = 1 << 58  # up to this width all strips lie within 2^62

Words: TypeAlias = NDArray[np.uint16]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """f(x) = exp(-linear |x| - quadratic x^2), not normalised."""

    linear: Fraction
    quadratic: Fraction

    def exponent(self, x: int) -> Fraction:
        """E(x)."""
        return self.linear * abs(x) + self.quadratic * x * x


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """The integers x >= least, or x <= -least."""

    f: Density
    factor: fmpq  # K/B
    negative: bool
    least: int  # R
    rate: Fraction  # r = exp(-rate)
    low: int  # low <= 2^64 a <= high
    high: int

    def acceptance(self) -> arb:
        """The number a, enclosed at the current precision."""
        return _tail_acceptance(self.f, self.factor, self.least)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """A layout. An array with an entry for every strip is read at s, that is from its end if s < 0.

    The tails stand at J and -J - 1.
    """

    f: Density
    b: int
    J: int
    k: int  # K = k/2^20
    weights: Int64s
    low: Int64s  # low <= 2^32 T <= high
    high: Int64s
    alpha: Int64s  # in units of 2^-30, rounded down, as is beta
    beta: int
    strip_of: NDArray[np.int16]  # for every cell its strip
    floor_of: Words  # for every cell a lower bound of 2^16 a(x), whichever x of its strip
    tails: tuple[Tail, Tail]  # to the right, to the left

    def between(self, s: Int64s, x: Int64s) -> tuple[Int64s, Int64s]:
        """Integers with low <= 2^32 a(x) <= high, for every x and its strip s. Of no meaning in the tails."""
        low, high = self.low.take(s, mode="wrap"), self.high.take(s, mode="wrap")
        if self.b == 0:  # every x is the edge of its strip
            return low, high
        sign = s >> 63
        inside = ((x ^ sign) & ((1 << self.b) - 1)) - sign  # |x| - edge, from 0 to B
        shift = fixed_point.BITS - self.b
        t = inside << shift if shift >= 0 else inside >> -shift
        y = t * (self.alpha.take(s, mode="wrap") + (t * self.beta >> fixed_point.BITS)) >> fixed_point.BITS
        smaller, larger = exp_between(y, 6)
        return low * smaller >> fixed_point.BITS, (high * larger >> fixed_point.BITS) + 1

    def acceptance(self, s: int, x: int) -> arb:
        """a(x) in strip s, enclosed at the current precision."""
        return arb(fmpq(self.k, int(self.weights[s]) << K_BITS)) * _exp(self.f.exponent(x))


@lru_cache(maxsize=32)
def strips(linear: Fraction, quadratic: Fraction, width: int) -> Strips:
    """The layout for exp(-linear |x| - quadratic x^2), of 0.3 MB, made in about a millisecond.

    The width, at most 2^58, says over how many integers the function falls by a factor of 2 or so: it decides how many
    strips there are, and how fast they serve, and not what is drawn.
    """
    f = Density(linear, quadratic)
    b = max(0, width.bit_length() - 6)
    values = list(_edges(f, b))
    J = len(values) - 1
    edge, last = _borders(J, b)
    k = ((CELLS - 2 - J) << K_BITS + PRECISION) // sum(values[j][1] for j in edge.tolist())
    shift = K_BITS + PRECISION - V_BITS
    while True:
        above = np.array([-(-k * high >> shift) for _, high in values])[edge]
        weights = -(-above >> V_BITS)
        weights[J : J + 2] = 1
        spare = CELLS - int(weights.sum())
        tails = _tail(f, k, b, False, J << b), _tail(f, k, b, True, (J << b) + 1)
        if spare >= 0 and all(tail.high <= 1 << 64 for tail in tails):
            break
        k -= k >> 10
    weights[0] += spare
    below = np.array([k * low >> shift for low, _ in values])
    low = below[edge] // (weights << V_BITS - 32)
    high = -(-above // (weights << V_BITS - 32))
    floor = np.minimum(below[last] // (weights << V_BITS - 16), (1 << 16) - 1)
    low[J : J + 2] = high[J : J + 2] = floor[J : J + 2] = 0
    alpha, beta = _slopes(f, b, J)
    names = np.concatenate([np.arange(J), [J, -J - 1], np.arange(-J, 0)])
    return Strips(
        f,
        b,
        J,
        k,
        weights,
        low,
        high,
        np.concatenate([alpha, [0, 0], alpha[::-1]]),
        beta,
        np.repeat(names.astype(np.int16), weights),
        np.repeat(floor.astype(np.uint16), weights),
        tails,
    )


def _borders(J: int, b: int) -> tuple[Int64s, Int64s]:
    """In units of B, the edge of each strip, and what is at or beyond its largest |x|; the tails stand at J and -J - 1."""
    right, left, ends = np.arange(J), np.arange(J)[::-1], np.array([J, J])
    # The strips j and -1 - j both have their edge at j B, which the latter does not hold; for B = 1 each x is its own.
    single = int(b == 0)
    edge = np.concatenate([right, ends, left + single])
    return edge, np.concatenate([right + 1 - single, ends, left + 1])


def _edges(f: Density, b: int) -> Iterator[tuple[int, int]]:
    """Integers around 2^110 f(j B) for j = 0, ..., J, the first j >= 2 with f(j B) <= 2^-16.

    The quotient of two in a row is exp(-linear B - quadratic B^2 (2 j + 1)), and that of two quotients in a row is
    exp(-2 quadratic B^2).
    """
    square = f.quadratic * (1 << 2 * b)
    with precision(PRECISION + 32):
        ratio_low, ratio_high = _scaled(_exp(f.linear * (1 << b) + square), PRECISION)
        change_low, change_high = _scaled(_exp(2 * square), PRECISION)
    one = 1 << PRECISION
    low = high = one
    j = 0
    while j < 2 or high > one >> 16:
        yield low, high
        low, high = low * ratio_low >> PRECISION, -(-high * ratio_high >> PRECISION)
        ratio_low, ratio_high = ratio_low * change_low >> PRECISION, -(-ratio_high * change_high >> PRECISION)
        j += 1
    yield low, high


def _slopes(f: Density, b: int, J: int) -> tuple[Int64s, int]:
    """alpha_j for j = 0, ..., J - 1, and beta, in units of 2^-30 and rounded down."""
    if b == 0:
        return np.zeros(J, np.int64), 0
    linear = f.linear * (1 << b + fixed_point.BITS)
    square = f.quadratic * (1 << 2 * b + fixed_point.BITS)
    denominator = linear.denominator * square.denominator
    first, more = int(linear * denominator), int(2 * square * denominator)
    alpha = [(first + more * j) // denominator for j in range(J)]
    beta = int(square)
    if alpha[-1] + beta > fixed_point.ONE >> 1:
        raise ArithmeticError(f"strips of 2^{b} integers are too wide for {f}")
    return np.array(alpha), beta


def _tail(f: Density, k: int, b: int, negative: bool, least: int) -> Tail:
    factor = fmpq(k, 1 << K_BITS + b)
    with precision(PRECISION + 32):
        low, high = _scaled(_tail_acceptance(f, factor, least), 64)
    return Tail(f, factor, negative, least, _rate(f, least), low, high)


def _tail_acceptance(f: Density, factor: fmpq, least: int) -> arb:
    return arb(factor) * _exp(f.exponent(least)) / (1 - _exp(_rate(f, least)))


def _rate(f: Density, least: int) -> Fraction:
    return f.linear + 2 * f.quadratic * least


def _exp(x: Fraction) -> arb:
    """exp(-x), enclosed at the current precision."""
    return (-arb(fmpq(x.numerator, x.denominator))).exp()


def _scaled(x: arb, bits: int) -> tuple[int, int]:
    """Integers around 2^bits x."""
    scaled = x * arb(2) ** bits
    low, high = scaled.lower().floor().unique_fmpz(), scaled.upper().ceil().unique_fmpz()
    assert low is not None
    assert high is not None
    return int(low), int(high)
