"""Clopper-Pearson: what a number of successes says of a probability, at an exact confidence.

Of n independent trials with probability p, let k succeed. If `P(X >= k) <= level` at some p0, then a p below p0 would have
made k or more successes no likelier than that; so "p >= p0" is wrong with probability at most `level`, whatever p is.
The tail is enclosed, and p0 is a rational at which the upper end of the enclosure is at most the level.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Final

from dpcore.maps import at_precision, ends
from dpcore.maps.functions import at_least_so_many

STEPS: Final = 64
"""Halvings of the interval between 0 and k/n."""
BITS: Final = 128


def surely_above(k: int, n: int, level: Fraction) -> Fraction:
    """A lower bound on p that is wrong with probability at most `level`."""
    low, high = Fraction(0), Fraction(k, n)
    for _ in range(STEPS if k else 0):
        middle = (low + high) / 2
        tail = ends(at_precision(BITS, partial(at_least_so_many, k, n, middle)))[1]
        low, high = (middle, high) if tail <= level else (low, middle)
    return low


def surely_below(k: int, n: int, level: Fraction) -> Fraction:
    """An upper bound on p that is wrong with probability at most `level`."""
    return 1 - surely_above(n - k, n, level)
