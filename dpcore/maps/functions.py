"""What arithmetic operators do not give: log, exp, sqrt, floor, maximum, sums, on numbers of every kind."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from flint import arb, fmpq

from dpcore.maps.kinds import ball_of, fraction_of, is_rational, is_symbolic, sympy_module, upward
from dpcore.maps.numbers import Number, as_number, numeral
from dpcore.maps.symbols import as_sympy

ZERO: Number = as_number(fmpq(0))
ONE: Number = as_number(fmpq(1))
"""Constants that mix with numbers of every kind. What is handed to a map is `one_like(d)` instead."""


def one_like(x: Number) -> Number:
    """The number 1 of the same kind as x."""
    return as_number(sympy_module().Integer(1)) if is_symbolic(x) else as_number(fmpq(1))


def log(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().log(x))
    return as_number(fmpq(0)) if x == 1 else as_number(ball_of(x).log())


def exp(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().exp(x))
    return as_number(fmpq(1)) if x == 0 else as_number(ball_of(x).exp())


def expm1(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().exp(x) - 1)
    return as_number(fmpq(0)) if x == 0 else as_number(ball_of(x).expm1())


def log1p(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().log(1 + cast(Any, x)))
    return as_number(fmpq(0)) if x == 0 else as_number(ball_of(x).log1p())


def sqrt(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().sqrt(x))
    if is_rational(x):
        p, q = fraction_of(x)
        if p >= 0 and math.isqrt(p) ** 2 == p and math.isqrt(q) ** 2 == q:
            return as_number(fmpq(math.isqrt(p), math.isqrt(q)))
    # A ball that touches zero from below: its square root is meant for the part at or above zero.
    ball = ball_of(x)
    return as_number(ball.nonnegative_part().sqrt() if not ball > 0 else ball.sqrt())


def floor(x: Number) -> Number:
    if is_symbolic(x):
        return as_number(sympy_module().floor(x))
    return as_number(fmpq(operator.floordiv(*fraction_of(x)))) if is_rational(x) else as_number(ball_of(x).floor())


def maximum(*xs: Number) -> Number:
    """The largest; of balls, a ball that encloses it."""
    if len(xs) == 2 and type(xs[0]) is fmpq and type(xs[1]) is fmpq:
        return xs[0] if cast(Any, xs[0]) >= xs[1] else xs[1]
    return _extremum(xs, largest=True)


def minimum(*xs: Number) -> Number:
    return _extremum(xs, largest=False)


def _extremum(xs: Sequence[Number], *, largest: bool) -> Number:
    distinct = list(dict.fromkeys(xs)) if not any(isinstance(x, arb) for x in xs) else list(xs)
    if len(distinct) == 1:
        return distinct[0]
    if any(is_symbolic(x) for x in distinct):
        sp = sympy_module()
        terms = [as_sympy(x) for x in distinct]
        decided = all(t.is_number for t in terms) or len(terms) <= 3
        return as_number((sp.Max if largest else sp.Min)(*terms, evaluate=decided))
    if all(map(is_rational, distinct)):
        return as_number(max(cast(Any, distinct)) if largest else min(cast(Any, distinct)))
    rationals = [x for x in distinct if is_rational(x)]
    if rationals:  # one that surely is the extremum stays exact
        end = max(cast(Any, rationals)) if largest else min(cast(Any, rationals))
        others = [cast(Any, x) for x in distinct if not is_rational(x)]
        if all((x <= end) if largest else (x >= end) for x in others):
            return as_number(end)
    best = ball_of(distinct[0])
    for x in distinct[1:]:
        best = best.max(ball_of(x)) if largest else best.min(ball_of(x))
    return as_number(best)


def total(xs: Sequence[Number]) -> Number:
    """A sum by halves: denominators stay short for as long as possible."""
    n = len(xs)
    if n <= 1:
        return xs[0] if n else as_number(fmpq(0))
    if type(xs[0]) is fmpq and xs.count(xs[0]) == n:
        return xs[0] * n
    if is_symbolic(xs[0]):
        return as_number(sympy_module().Add(*xs))
    level = list(xs)
    while len(level) > 1:
        odd = [level.pop()] if len(level) % 2 else []
        level = [a + b for a, b in zip(level[::2], level[1::2], strict=True)] + odd
    return level[0]


def largest_pair(xs: Sequence[Number]) -> Number:
    """The largest sum of two of them, `max(x_i + x_j)` over `i != j`."""
    if len(xs) < 2:
        return xs[0] if xs else as_number(fmpq(0))
    if any(is_symbolic(x) for x in xs):
        return maximum(*(x + y for i, x in enumerate(xs) for y in xs[i + 1 :]))
    if all(is_rational(x) for x in xs):
        first, second = sorted(cast(Any, xs))[-2:]
        return as_number(first + second)
    balls = sorted((ball_of(x) for x in xs), key=lambda b: upward(as_number(b)))
    # The two largest upper ends bound every pair from above; `max` keeps the enclosure of each.
    return as_number(balls[-1] + balls[-2])


def power(x: Number, n: int) -> Number:
    return x**n if n else ONE


def binomial(n: int, k: int) -> Number:
    return as_number(math.comb(n, k))


def normal_cdf(x: Number) -> Number:
    """Phi(x), the distribution function of the standard normal."""
    if is_symbolic(x):
        sp = sympy_module()
        return as_number(sp.erfc(-cast(Any, x) / sp.sqrt(2)) / 2)
    return as_number((-ball_of(x) / arb(2).sqrt()).erfc() / 2)


def normal_quantile(p: Number) -> Number:
    """The inverse of `normal_cdf` on the open interval (0, 1)."""
    if is_symbolic(p):
        sp = sympy_module()
        return as_number(sp.sqrt(2) * sp.erfinv(2 * cast(Any, p) - 1))
    ball = ball_of(p)
    tail = -(2 * ball).erfcinv() if bool(ball < 0.5) else (2 * ball - 1).erfinv()  # near 0, 2 p - 1 would lose p
    return as_number(arb(2).sqrt() * tail)


def at_least_so_many(k: int, n: int, p: Fraction) -> Number:
    """`P(X >= k)` where X counts the successes of n independent trials of probability p: the regularized incomplete beta."""
    if k <= 0:
        return as_number(arb(1))
    if k > n or p == 0:
        return as_number(arb(0))
    return as_number(ball_of(numeral(p)).beta_lower(k, n - k + 1, regularized=True))
