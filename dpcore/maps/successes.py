"""Tails of the binomial distribution, enclosed."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpcore.maps.kinds import ball_of
from dpcore.maps.numbers import Number, as_number, numeral


def at_least_so_many(k: int, n: int, p: Fraction) -> Number:
    """`P(X >= k)` where X counts the successes of n independent trials of probability p: the regularized incomplete beta."""
    if k <= 0:
        return as_number(arb(1))
    if k > n or p == 0:
        return as_number(arb(0))
    return as_number(ball_of(numeral(p)).beta_lower(k, n - k + 1, regularized=True))
