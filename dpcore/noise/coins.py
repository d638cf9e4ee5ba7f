"""Many coins at once, each of its own probability exp(-gap rate).

Guarantee. If the bits are independent and uniform, coin i is True with probability exp(-gaps[i] rate), exactly, and the
coins are independent, for all gaps from 0 to 2^63 - 1 and every rational rate > 0.

Each coin is U < exp(-x) for a U uniform below 1, whose first 32 bits are compared with integers low <= 2^32 exp(-x) <=
high. Where they do not decide, more bits are revealed and compared with a ball, until the answer is proved.

The bounds. From x = 23 on, exp(-x) < 2^-32: low = 0, high = 1. Below, let gap < 2^t 2^28 with the least t >= 0, gap' =
floor(gap/2^t) and M = floor(rate 2^(57 + t)), and X = floor(gap' M/2^27). As rate 2^(57 + t) < M + 1 and gap < 2^t gap'
+ 2^t,

    X <= 2^30 x < X + 1 + gap'/2^27 + rate 2^(30 + t) <= X + 256,

the last term being absent for t = 0, where gap' = gap; otherwise the largest gap g is at least 2^(27 + t), and rate g <
23 gives rate 2^(30 + t) < 23 * 8. X is cut into 16ths, whose exponentials are tabulated between integers, and a rest.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpcore.maps import precision
from dpcore.noise.bernoulli import bernoulli_enclosed
from dpcore.noise.bits import BitSource
from dpcore.noise.fixed_point import BITS, Int64s, exp_between

FAR: Final = 23  # exp(-23) < 2^-32
SIXTEENTH: Final = BITS - 4
SLACK: Final = 256


def exp_coins(gaps: Int64s, rate: Fraction, bits: BitSource) -> NDArray[np.bool_]:
    """For every gap >= 0 True with probability exp(-gap rate)."""
    data = np.empty(4 * len(gaps), np.uint8)
    bits.fill(data.data)
    prefix = data.view("<u4").astype(np.int64)
    low, high = between(gaps, rate)
    heads = prefix < low
    for i in np.flatnonzero((prefix < high) & ~heads).tolist():
        heads[i] = _exactly(int(gaps[i]) * rate, int(prefix[i]), bits)
    return heads


def between(gaps: Int64s, rate: Fraction) -> tuple[Int64s, Int64s]:
    """Integers with low <= 2^32 exp(-gap rate) <= high."""
    largest = min((FAR * rate.denominator - 1) // rate.numerator, (1 << 63) - 1)  # the last gap with gap rate < 23
    near = gaps <= largest
    t = max(0, largest.bit_length() - 28)
    slope = int(rate * (1 << 57 + t)) if largest > 0 else 0
    x = np.where(near, gaps >> t, 0) * slope >> 27
    whole, rest = x >> SIXTEENTH, x & ((1 << SIXTEENTH) - 1)
    below, above = _sixteenths()
    smaller, larger = exp_between(rest, SLACK)
    low = below[whole] * smaller >> BITS
    high = (above[whole] * larger >> BITS) + 1
    return np.where(near, low, 0), np.where(near, high, 1)


def _exactly(x: Fraction, prefix: int, bits: BitSource) -> bool:
    """One coin of probability exp(-x), where the first 32 bits of U are given and did not suffice."""
    return bernoulli_enclosed(lambda: (-arb(fmpq(x.numerator, x.denominator))).exp(), bits, prefix, 32)


@cache
def _sixteenths() -> tuple[Int64s, Int64s]:
    """Integers around 2^32 exp(-i/16) for 0 <= i/16 <= 23."""
    below, above = [], []
    with precision(96):
        for i in range(16 * FAR + 1):
            ball = (-arb(fmpq(i, 16))).exp() * (1 << 32)
            low, high = ball.lower().floor().unique_fmpz(), ball.upper().ceil().unique_fmpz()
            assert low is not None
            assert high is not None
            below.append(int(low))
            above.append(int(high))
    return np.array(below), np.array(above)
