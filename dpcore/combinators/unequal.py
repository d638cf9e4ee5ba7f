"""Optimal composition of unequal losses, each as it is.

Of randomized responses of losses eps_i some are false; the privacy loss is then the sum of all eps_i less twice the sum of
theirs. How often each sum comes is counted in whole numbers, so sums that are equal are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import ceil, comb, gcd, lcm, prod

from dpcore.calculus import Curve
from dpcore.maps import (
    ONE,
    ZERO,
    Number,
    ends,
    exp,
    is_symbolic,
    maximum,
    minimum,
    named_function,
    numeral,
    power,
    total,
    working_bits,
)

MOST = 4096
"""So many sums at most; losses that have more are rounded up to a grid that has so many."""

Losses = Sequence[tuple[Number, Number, int]]
"""Each epsilon and delta, and how many parts have both."""


def unequal(losses: Losses) -> Curve:
    """The curve: `1 - prod (1 - delta_i) (1 - delta_0(x))`, delta_0 being that of the epsilons alone."""
    deltas = [(minimum(delta, ONE), times) for _, delta, times in losses]

    @lru_cache(maxsize=2)
    def sums(bits: int) -> _Sums:
        return _Sums([(ends(epsilon)[1], times) for epsilon, _, times in losses])

    def profile(x: Number) -> Number:
        if is_symbolic(x):
            parts = [each for epsilon, delta, times in losses for each in (ONE * times, epsilon, delta)]
            return named_function("unequal_composition", *parts, x)
        told: Number = ZERO
        for delta, times in deltas:
            told = told + (1 - power(1 - delta, times)) * (1 - told)
        lost = sums(working_bits()).lost(x)
        return lost + (1 - lost) * told  # not 1 - (1 - told) (1 - lost), in which a tiny delta would drown

    return profile


class _Sums:
    """How often each sum comes, in units of the losses."""

    def __init__(self, epsilons: Sequence[tuple[Fraction, int]]) -> None:
        groups: Counter[Fraction] = Counter()
        for epsilon, times in epsilons:
            groups[epsilon] += times
        self.plain = sum((e * times for e, times in groups.items()), Fraction(0))
        if prod(times + 1 for times in groups.values()) > MOST:
            groups = _on_a_grid(groups, self.plain)
        whole = lcm(*(e.denominator for e in groups))
        steps = {e.numerator * (whole // e.denominator): times for e, times in groups.items()}
        shared = reduce(gcd, steps, 0) or 1
        self.unit = Fraction(shared, whole)
        self.all = sum(step // shared * times for step, times in steps.items())
        self.counts = {0: 1}
        for step, times in steps.items():
            more: Counter[int] = Counter()
            for i in range(times + 1):
                often, moved = comb(times, i), i * (step // shared)
                for at, count in self.counts.items():
                    more[at + moved] += often * count
            self.counts = more
        halves = [power(1 / (1 + exp(numeral(-e))), times) for e, times in groups.items()]
        self.chance: Number = reduce(lambda x, y: x * y, halves, ONE)

    def lost(self, x: Number) -> Number:
        """`sum over (s, c) of c e^-s max(0, 1 - e^(x - (all - 2 s))) / prod (1 + e^-eps_i)`, 0 beyond the plain sum."""
        low = ends(x)[0]
        if low >= self.plain:
            return ZERO
        terms: list[Number] = [ZERO]
        for at, count in self.counts.items():
            if (self.all - 2 * at) * self.unit > low:
                over = 1 - exp(x - numeral((self.all - 2 * at) * self.unit))
                terms.append(count * exp(numeral(-at * self.unit)) * maximum(ZERO, over))
        return minimum(total(terms) * self.chance, ONE)


def _on_a_grid(groups: Counter[Fraction], plain: Fraction) -> Counter[Fraction]:
    """Each loss rounded up to a power of two, of which the plain sum has 2048 to 4095."""
    size = plain.numerator.bit_length() - plain.denominator.bit_length()
    step = Fraction(2) ** (size - (Fraction(2) ** size > plain) - 11)
    found: Counter[Fraction] = Counter()
    for epsilon, times in groups.items():
        found[ceil(epsilon / step) * step] += times
    return found
