"""How far off a share may be that is estimated from randomised reports.

A report speaks for an answer with probability p where it is the truth, and with probability q < p where it is not. Of n
reports, t of them from rows with the answer, S speak for it: S is the sum of independent Bin(t, p) and Bin(n - t, q), its
mean is e(t) = t p + (n - t) q, and the share t/n is estimated without bias by (S/n - q)/(p - q).

Guarantee. `least_error` returns an a with P(|estimate - t/n| >= a) <= level for every t from 0 to n. Up to `EXACT` rows it
is the least multiple of 1/(n (p - q) D), D the common denominator of p and q, of which sums of binomials, rounded up, prove
that. Beyond, it is a Chernoff bound (1952). It never exceeds that of Hoeffding (1963), rounded up.

Chernoff. For every x > 0 and r > 0, P(S - e(t) >= x) <= exp(-r x) E exp(r (S - e(t))), a product of n factors, each of
which is `1 - c + c exp(r)` times `exp(-r c)` for c = p or c = q: so at most the larger of the two, n times, whatever t is.
With -r for r it is the other tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final

from flint import arb, fmpq

from dpcore.maps import as_number, ends, precision

EXACT: Final = 2000
"""So many rows at most have their binomials summed."""

BITS: Final = 128
SPARE: Final = 64
"""Bits of a probability below those of the level."""


def hoeffding(p: Fraction, q: Fraction, n: int, level: Fraction) -> Fraction:
    """`sqrt(ln(2/level)/(2n))/(p - q)`, rounded up: what Hoeffding's inequality says of the error, for every t."""
    with precision(BITS):
        return _up((arb(fmpq(2 * level.denominator, level.numerator)).log() / (2 * n)).sqrt() / _ball(p - q))


@lru_cache(maxsize=256)
def least_error(p: Fraction, q: Fraction, n: int, level: Fraction) -> Fraction:
    """The least a found with `P(|estimate - share| >= a) <= level`, whatever the share is. For 0 < q < p < 1."""
    d = lcm(p.denominator, q.denominator)
    u, v = int(p * d), int(q * d)
    steps = _by_sums(u, v, d, n, level) if n <= EXACT else _by_chernoff(p, q, d, n, level)
    return min(Fraction(steps, n * (u - v)), hoeffding(p, q, n, level))


# ---- sums of binomials -------------------------------------------------------------------------------------------------


def _by_sums(u: int, v: int, d: int, n: int, level: Fraction) -> int:
    """The least m >= 1 with P(|d S - d e(t)| >= m) <= level for every t: m only grows from one t to the next."""
    bits = SPARE + level.denominator.bit_length()
    most, found = (level.numerator << bits) // level.denominator, 1
    for t in range(n // 2 if u + v == d else n, -1, -1):  # with p + q = 1 what holds of t holds of n - t
        tails = _Tails(u, v, d, t, n - t, bits)
        if tails.beyond(found) <= most:
            continue
        low, high = found, d * n + 1  # nothing is further off than d n
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if tails.beyond(middle) <= most else (middle, high)
        found = high
    return found


class _Tails:
    """Of Bin(t, u/d) + Bin(s, v/d): in units of 2^-bits, rounded up."""

    def __init__(self, u: int, v: int, d: int, t: int, s: int, bits: int) -> None:
        self._mean, self._d, self._bits = t * u + s * v, d, bits
        self._first, self._masses, self._out = _binomial(t, u, d, bits)
        start, others, more = _binomial(s, v, d, bits)
        self._out += more
        self._start, self._others = start, len(others)
        self._at_least = [*_sums(reversed(others))][::-1]
        self._at_most = [*_sums(others)]

    def beyond(self, m: int) -> int:
        """At or above the probability of being m/d or more away from the mean."""
        high, low = -((-self._mean - m) // self._d), (self._mean - m) // self._d
        return self._above(high) + self._below(low) + 2 * self._out

    def _above(self, least: int) -> int:
        found, at_least = 0, self._at_least
        for i, mass in enumerate(self._masses, self._first):
            j = least - i - self._start
            if j < self._others:
                found += mass * at_least[max(j, 0)]
        return -(-found >> self._bits)

    def _below(self, most: int) -> int:
        found, at_most = 0, self._at_most
        for i, mass in enumerate(self._masses, self._first):
            j = most - i - self._start
            if j >= 0:
                found += mass * at_most[min(j, self._others - 1)]
        return -(-found >> self._bits)


def _binomial(n: int, u: int, d: int, bits: int) -> tuple[int, list[int], int]:
    """Around the most likely number of successes of n trials of u/d: the first number, upper bounds, and of what is left.

    From the peak each mass is the one before times `(n - k) u / ((k + 1) (d - u))`, or its inverse, which only fall: once a
    mass is below 2^(SPARE/4) units all n beyond are too.
    """
    peak = min(n, (n + 1) * u // d)
    w, least = d - u, 1 << SPARE // 4
    with precision(bits + 4 * BITS):
        top = arb(fmpq(u, d)) ** peak * arb(fmpq(w, d)) ** (n - peak) * arb.bin_uiui(n, peak) * arb(2) ** bits
        highest = -int(-_up(top) // 1)
    up, mass = [highest], highest
    for k in range(peak, n):
        mass = -(-mass * (n - k) * u // ((k + 1) * w))
        if mass < least:
            break
        up.append(mass)
    down, mass = [], highest
    for k in range(peak, 0, -1):
        mass = -(-mass * k * w // ((n - k + 1) * u))
        if mass < least:
            break
        down.append(mass)
    return peak - len(down), down[::-1] + up, (n + 1) * least


def _sums(masses: Sequence[int] | Iterator[int]) -> Iterator[int]:
    total = 0
    for mass in masses:
        total += mass
        yield total


# ---- Chernoff ----------------------------------------------------------------------------------------------------------


def _by_chernoff(p: Fraction, q: Fraction, d: int, n: int, level: Fraction) -> int:
    """The least m found with both tails, m/d away from the mean, at most at the level together."""
    bound = fmpq(level.numerator, level.denominator)
    low, high = 0, d * n + 1
    while high - low > 1:
        middle = (low + high) // 2
        with precision(BITS):
            fits = bool(_tails(p, q, n, Fraction(middle, d)) <= bound)
        low, high = (low, middle) if fits else (middle, high)
    return high


def _tails(p: Fraction, q: Fraction, n: int, x: Fraction) -> arb:
    found = arb(0)
    for sign in (1, -1):
        spread = max(c * (1 - c) for c in (p, q))  # any rate is sound; these are near the best, and that of Hoeffding
        each = [_tail(p, q, n, x, sign, rate) for rate in (x / (n * spread), 4 * x / n)]
        found += each[0].min(each[1])
    return found


def _tail(p: Fraction, q: Fraction, n: int, x: Fraction, sign: int, rate: Fraction) -> arb:
    r = _ball(rate)
    logs = [(1 + _ball(c) * (sign * r).expm1()).log() - sign * r * _ball(c) for c in (p, q)]
    return (n * logs[0].max(logs[1]) - r * _ball(x)).exp()


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _up(x: arb) -> Fraction:
    return ends(as_number(x))[1]
