"""Searches for a good witness: an order alpha, a point on a curve.

A search only proposes. What it finds is put into a rule that holds for every witness, and evaluated rigorously there; so
a poor search costs tightness, never soundness. That is why floats may guide it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Final

from dpcore.errors import InvalidParameter
from dpcore.maps import PRECISION, Number, at_precision, ends, numeral

GRID_BITS = 60

LEAST_RHO = 1e-300
LARGE_ORDER = Fraction(10**140)
"""Below a rho so small no float can look for an order; at this one the cost is at most about 1e-137."""

SPLITS = 2000
FEW_SPLITS = 50

CLOSE: Final = Fraction(1, 1 << 80)
NEXT_TO_NOTHING: Final = Fraction(1, 1 << 400)
"""A supremum is known well enough within this part of it, or of 1. Halving on where a curve has a kink would give cuts of
thousands of bits, of which no figure shows anything and which a checker has to compute with."""

_LOOKING = ContextVar("_LOOKING", default=False)
"""Whether a point is only looked for: a search within a search is then a rough one, or some hundred points take minutes."""


def looking() -> bool:
    return _LOOKING.get()


@contextmanager
def roughly() -> Iterator[None]:
    """What is searched for meanwhile is only looked at on the way to something else."""
    before = _LOOKING.set(True)
    try:
        yield
    finally:
        _LOOKING.reset(before)


def best_order(objective: Callable[[float], float]) -> Fraction:
    """An order alpha > 1 at which the objective is about least. Golden section on `log(alpha - 1)`."""

    def at(t: float) -> float:
        return _or_infinite(objective, 1 + math.exp(t))

    # A coarse look first, since nothing promises that the objective falls and rises once only.
    return 1 + Fraction(math.exp(_least_near(min(COARSE, key=at), at)))


COARSE: Final = tuple([t / 2 for t in range(-60, 101)])
"""Logarithms of what is looked at first."""


def _or_infinite(objective: Callable[[float], float], x: float) -> float:
    try:
        value = objective(x)
    except (OverflowError, ZeroDivisionError, ValueError):
        return math.inf
    return math.inf if math.isnan(value) else value


def _least_near(start: float, at: Callable[[float], float]) -> float:
    """About where it is least, between the neighbours of one that was looked at first."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = max(COARSE[0], start - 0.5), min(COARSE[-1], start + 0.5)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(60):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = at(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = at(right)
    return (low + high) / 2


def least_epsilon(curve: Callable[[Number], Number], delta: Number) -> Fraction:
    """An epsilon, about the least, at which the whole enclosure of `curve(epsilon)` lies at or below delta."""
    limit = ends(delta)[0]

    def excess(epsilon: Fraction) -> float:
        """About `log(curve(epsilon)/delta)`; its sign is certain, and it is above 0 unless the enclosure is not."""
        over = ends(at_precision(PRECISION, lambda: curve(numeral(epsilon))))[1] / limit - 1
        return max(_log1p(over), 5e-324) if over > 0 else min(_log1p(over), 0.0)

    if excess(Fraction(0)) <= 0:
        return Fraction(0)
    low, high = Fraction(0), Fraction(1)
    at_low, at_high = math.inf, excess(high)
    while at_high > 0:
        low, high, at_low = high, high * 2, at_high
        if high > 1 << 40:
            raise InvalidParameter(f"no epsilon up to 2^40 brings delta down to {limit}", produced=limit)
        at_high = excess(high)
    unit = (high - low) / (1 << GRID_BITS)
    return low + unit * _first_not_above(lambda n: excess(low + n * unit), 1 << GRID_BITS, at_low, at_high)


def _log1p(x: Fraction) -> float:
    """About `log(1 + x)`, for x of any size down to -1."""
    if abs(x) < Fraction(1, 2):
        return math.log1p(float(x))
    y = 1 + x
    return math.log(y.numerator) - math.log(y.denominator) if y > 0 else -math.inf


def _first_not_above(value: Callable[[int], float], most: int, at_low: float, at_high: float) -> int:
    """The least n in `(0, most]` with `value(n) <= 0`, of values that fall: by chords, and by halves where those are slow.

    Whatever the values are, at the end `value(n) <= 0 < value(n - 1)` was seen, of 0 and of `most` by whoever called.
    """
    low, high, slow, before = 0, most, 0, 0
    while high - low > 1:
        width = high - low
        middle = low + width // 2
        if slow < 3 and math.isfinite(at_low) and math.isfinite(at_high):
            share = Fraction(at_low) / (Fraction(at_low) - Fraction(at_high))
            middle = min(max(low + math.ceil(width * share), low + 1), high - 1)
        at = value(middle)
        # The end that stays for a second time counts half, so that the next chord goes beyond the root (Illinois).
        if at > 0:
            low, at_low, at_high = middle, at, at_high / 2 if before > 0 else at_high
        else:
            high, at_high, at_low = middle, at, at_low / 2 if before < 0 else at_low
        before = 1 if at > 0 else -1
        slow = 0 if 2 * (high - low) <= width else (slow + 1) % 4
    return high


MOST_EPSILON: Final = 200.0
FEW_EPSILONS: Final = tuple([math.exp(t) for t in COARSE if math.exp(t) <= MOST_EPSILON])
"""What a best epsilon is looked for near."""

MANY_EPSILONS: Final = (0.0, *[math.exp(t / 64) for t in range(-640, 64 * 5)])
"""Of which one is taken as it is, where it is only looked at on the way to something else."""


def best_epsilon(height: Callable[[float], float], near: float) -> Fraction:
    """An epsilon at which the height is about greatest: 0, or one beside one of the few."""

    def at(t: float) -> float:
        return _or_infinite(lambda x: -height(x) if x <= MOST_EPSILON else math.inf, math.exp(t))

    with roughly():
        found = math.exp(_least_near(math.log(near), at))
        return Fraction(0) if height(0.0) >= height(found) else Fraction(found)


def greatest(
    rising: Callable[[Fraction], Number], cost: Callable[[Fraction], Number], splits: int = SPLITS
) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Lower and upper bounds of `sup over a in [0, 1] of rising(a) - cost(a)`, both functions non-decreasing.

    On `[a, b]` nothing exceeds `rising(b) - cost(a)`. The interval with the largest such bound is halved, again and again.
    Where the intervals begin that give the upper bound comes last, in rising order.
    """

    splits = min(splits, FEW_SPLITS) if looking() else splits
    with roughly():
        return _halved(rising, cost, splits)


def _halved(
    rising: Callable[[Fraction], Number], cost: Callable[[Fraction], Number], splits: int
) -> tuple[Fraction, Fraction, list[Fraction]]:
    def upper(a: Fraction, b: Fraction) -> Fraction:
        return ends(rising(b) - cost(a))[1]

    def value(a: Fraction) -> Fraction:
        return ends(rising(a) - cost(a))[0]

    zero, one = Fraction(0), Fraction(1)
    best = max(zero, value(zero), value(one))
    intervals = [(-upper(zero, one), zero, one)]
    for _ in range(splits):
        bound, a, b = heapq.heappop(intervals)
        if -bound <= best + max(best * CLOSE, NEXT_TO_NOTHING):
            heapq.heappush(intervals, (bound, a, b))
            break
        middle = (a + b) / 2
        best = max(best, value(middle))
        heapq.heappush(intervals, (-upper(a, middle), a, middle))
        heapq.heappush(intervals, (-upper(middle, b), middle, b))
    return best, max(best, -intervals[0][0]), sorted(a for _, a, _ in intervals)


def profile_order(rho: float, x: float) -> Fraction:
    """About the order at which `(alpha - 1)(alpha rho - x) + alpha ln(1 - 1/alpha) - ln(alpha - 1)` is least."""
    return best_order(
        lambda a: (a - 1) * (a * rho - x) + a * math.log1p(-1 / a) - math.log(a - 1) if a < 1e12 else math.inf
    )


def zcdp_order(rho: float, delta: float) -> Fraction:
    """About the order at which `alpha rho + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1)` is least.

    Its derivative has the sign of `rho (alpha-1)^2 - ln(1/delta) + ln alpha`, which rises with alpha: Newton's method
    from `1 + sqrt(ln(1/delta)/rho)`, where it is not negative.
    """
    wanted = -math.log(delta) if delta > 0 else 745.0
    if not (rho < math.inf and wanted > 0):
        return Fraction(2)
    if rho < LEAST_RHO:
        return LARGE_ORDER
    alpha = 1 + math.sqrt(wanted / rho)
    for _ in range(50):
        surplus = rho * (alpha - 1) * (alpha - 1) - wanted + math.log(alpha)
        following = alpha - surplus / (2 * rho * (alpha - 1) + 1 / alpha)
        if not 1 < following < alpha * (1 - 1e-14):
            break
        alpha = following
    return Fraction(alpha) if 1 < alpha < math.inf else Fraction(2)


# ---- numbers that one can read -----------------------------------------------------------------------------------------

DIGITS: Final = 9
"""How many digits after the first a number has that was looked for."""


def last_digit(x: Fraction) -> Fraction:
    """The unit of the last digit that is kept of a number of this size."""
    return Fraction(10) ** (math.floor(math.log10(x.numerator) - math.log10(x.denominator)) - DIGITS)


def rounded_up(x: Fraction) -> Fraction:
    """To these digits."""
    return math.ceil(x / last_digit(x)) * last_digit(x)
