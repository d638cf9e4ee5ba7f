"""Optimal composition of unequal losses, each as it is.

Of randomized responses of losses eps_i some are false; the privacy loss is then the sum of all eps_i less twice the sum of
theirs. How often each sum comes is counted in whole numbers, so sums that are equal are one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from math import ceil, comb, gcd, lcm, prod

from dpcore.calculus import Curve
from dpcore.maps import (
    ONE,
    PRECISION_LIMIT,
    ZERO,
    Number,
    as_ball,
    ball_between,
    ball_of,
    ends,
    exp,
    is_symbolic,
    minimum,
    named_function,
    numeral,
    power,
    precision,
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
        counts = {0: 1}
        for step, times in steps.items():
            more: Counter[int] = Counter()
            for i in range(times + 1):
                often, moved = comb(times, i), i * (step // shared)
                for at, count in counts.items():
                    more[at + moved] += often * count
            counts = more
        self.counts = sorted(counts.items())
        self.places = [at for at, _ in self.counts]
        halves = [power(1 / (1 + exp(numeral(-e))), times) for e, times in groups.items()]
        self.chance: Number = reduce(lambda x, y: x * y, halves, ONE)
        self.known: dict[int, tuple[list[Number], list[Number]]] = {}

    def lost(self, x: Number) -> Number:
        """`sum over (s, c) of c e^-s max(0, 1 - e^(x - (all - 2 s))) / prod (1 + e^-eps_i)`, 0 beyond the plain sum.

        It falls as x grows, so between the ends of a ball it lies between what it is there."""
        low, high = ends(x)
        most = self._lost_at(low)
        return most if low == high else ball_between(ends(self._lost_at(high))[0], ends(most)[1])

    def _lost_at(self, x: Fraction) -> Number:
        """`sum c e^-s - e^(x - all) sum c e^s`, over the s below half of `all - x`, with as many bits as the difference of
        both takes away: a term looked up in place of one added up for each s."""
        n = bisect_left(self.places, (self.all - x / self.unit) / 2)
        if x >= self.plain or not n:
            return ZERO
        bits = working_bits()
        more = 2 * bits
        while True:
            with precision(more):
                few, many = self._up_to(more)
                found = ball_of(few[n - 1] - exp(numeral(x - self.all * self.unit)) * many[n - 1])
            if found.rel_accuracy_bits() >= bits or 2 * more > PRECISION_LIMIT:
                return minimum(as_ball(found) * self.chance, ONE)
            more *= 2

    def _up_to(self, bits: int) -> tuple[list[Number], list[Number]]:
        """`sum c e^-s` and `sum c e^s` up to each s, with balls of so many bits."""
        if bits not in self.known:
            sides = [[count * exp(numeral(sign * at * self.unit)) for at, count in self.counts] for sign in (-1, 1)]
            self.known[bits] = list(accumulate(sides[0])), list(accumulate(sides[1]))
        return self.known[bits]


def _on_a_grid(groups: Counter[Fraction], plain: Fraction) -> Counter[Fraction]:
    """Each loss rounded up to a power of two, of which the plain sum has 2048 to 4095."""
    size = plain.numerator.bit_length() - plain.denominator.bit_length()
    step = Fraction(2) ** (size - (Fraction(2) ** size > plain) - 11)
    found: Counter[Fraction] = Counter()
    for epsilon, times in groups.items():
        found[ceil(epsilon / step) * step] += times
    return found
