"""How far off the noise may be: from a tail to the number that a user reads.

A `Tail` maps (a, prec) to a ball around P(|Z| >= a); it is 1 at a = 0 and never increases.

Guarantee. `least` returns an a with tail(a) <= level, proved by the enclosures, and no smaller integer has this
property, unless tail and level agree to 2^14 bits there. `maximum_tail` contains the true tail of a maximum of n
independent draws.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from flint import arb, ctx, fmpq

from dpcore.maps import Number, as_number, precision
from dpcore.noise.bernoulli import positive

Tail: TypeAlias = Callable[[int, int], arb]

FIRST_PRECISION: Final = 64
LIMIT: Final = 1 << 14
"""Bits of precision after which a comparison stays undecided, and bits of `a` after which the search gives up."""


def least(tail: Tail, level: int | Fraction) -> int:
    """The smallest integer a >= 0 with tail(a) <= level; where undecided, the larger one."""
    p, q = positive("level", level)
    bound = fmpq(p, q)
    if bound >= 1 or _at_most(tail, 0, bound):
        return 0
    high = 1
    while not _at_most(tail, high, bound):
        high *= 2
        if high.bit_length() > LIMIT:
            raise ValueError(f"Expected a tail that falls to {level} but it is above at 2^{LIMIT}")
    low = high // 2
    while high - low > 1:  # tail(high) <= level is proved; tail(low) <= level is not
        middle = (low + high) // 2
        if _at_most(tail, middle, bound):
            high = middle
        else:
            low = middle
    return high


def reaches(tail: Tail, level: Fraction, a: int) -> bool:
    """Whether `least(tail, level) <= a`, by one look at the tail, for a level between 0 and 1. False where undecided."""
    return _at_most(tail, a, fmpq(level.numerator, level.denominator))


def at_most(tail: Tail, k: int) -> Number:
    """P(Z <= k) of symmetric Z, at the precision that is set."""
    prec = ctx.prec
    return as_number(1 - tail(k + 1, prec) / 2 if k >= 0 else tail(-k, prec) / 2)


def maximum_tail(tail: Tail, n: int) -> Tail:
    """The tail of the largest of n independent |Z_i|: P(max >= a) = 1 - (1 - tail(a))^n."""
    if n < 1:
        raise ValueError(f"Expected at least one draw but got n={n}")

    def of_maximum(a: int, prec: int) -> arb:
        single = tail(a, prec)
        with precision(prec + 16):
            low, high = single.lower(), single.upper()
            return (_any_of(n, low) if low > 0 else arb(0)).union(_any_of(n, high))

    return of_maximum


def _any_of(n: int, p: arb) -> arb:
    """1 - (1 - p)^n without cancellation, for p > 0; 1 if p may be 1 or more."""
    return -(n * (-p).log1p()).expm1() if p < 1 else arb(1)


def _at_most(tail: Tail, a: int, bound: fmpq) -> bool:
    """tail(a) <= bound, proved. False if it is not so, and if 2^14 bits do not tell."""
    prec = FIRST_PRECISION
    while prec <= LIMIT:
        value = tail(a, prec)
        with precision(prec + 64):
            if value <= bound:
                return True
            if value > bound:
                return False
        prec *= 2
    return False
