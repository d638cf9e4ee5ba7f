"""Layouts: the conditions of the theorem hold, and the bounds contain what they bound."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import strips as strips_module
from dpcore.noise.strips import CELLS, K_BITS, Strips, strips
from tests.noise.layouts import CASES, Case, layout, pairs, parameters
from tests.noise.tools import mutant


def masses_are_right(made: Strips) -> bool:
    """Every strip has as many cells as its weight says, all of them 2^16 together, and each tail has one."""
    names, counts = np.unique(made.strip_of, return_counts=True)
    return (
        names.tolist() == list(range(-made.J - 1, made.J + 1))
        and [int(made.weights[s]) for s in names] == counts.tolist()
        and int(counts.sum()) == CELLS == len(made.floor_of)
        and counts[0] == counts[-1] == 1
    )


def conditions_hold(made: Strips) -> bool:
    """K f(x) <= w_s at the x nearest to 0 of every strip, and a <= 1 in both tails, which start where they must."""
    k = fmpq(made.k, 1 << K_BITS)
    with ctx.workprec(200):
        for s in range(-made.J, made.J):
            nearest = s << made.b if s >= 0 else ((s + 1) << made.b) - 1
            exponent = made.f.exponent(nearest)
            if not arb(k) * (-arb(fmpq(exponent.numerator, exponent.denominator))).exp() <= int(made.weights[s]):
                return False
        end = made.J << made.b
        for tail, least in zip(made.tails, (end, end + 1), strict=True):
            exponent, rate = made.f.exponent(least), made.f.linear + 2 * made.f.quadratic * least
            f, r = ((-arb(fmpq(x.numerator, x.denominator))).exp() for x in (exponent, rate))
            a = arb(fmpq(made.k, 1 << K_BITS + made.b)) * f / (1 - r)
            if not (a <= 1 and a.overlaps(tail.acceptance()) and tail.least == least and tail.rate == rate):
                return False
            if not (tail.low <= a * (1 << 64) <= tail.high <= 1 << 64):
                return False
    return True


def bounds_hold(made: Strips) -> bool:
    """At both ends of every strip and between: low <= 2^32 a(x) <= high, and the floor of its cells <= 2^16 a(x)."""
    s, x = pairs(made, each=2)
    low, high = made.between(s, x)
    floors = dict(zip(made.strip_of.tolist(), made.floor_of.tolist(), strict=True))
    with ctx.workprec(200):
        for strip, value, a, b in zip(s.tolist(), x.tolist(), low.tolist(), high.tolist(), strict=True):
            true = made.acceptance(strip, value) * (1 << 32)
            if not (true >= a and true <= b and true <= 1 << 32 and true >= floors[strip] << 16):
                return False
    ends = [
        floor for cell, floor in zip(made.strip_of.tolist(), made.floor_of, strict=True) if cell in (made.J, ~made.J)
    ]
    return ends == [0, 0]


CHECKS = [masses_are_right, conditions_hold, bounds_hold]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("check", CHECKS)
def test_a_layout_satisfies_the_theorem(case: Case, check: Callable[[Strips], bool]) -> None:
    assert check(layout(case))


@pytest.mark.parametrize("case", CASES)
def test_the_acceptance_is_the_constant_times_f_over_the_weight(case: Case) -> None:
    made = layout(case)
    for s in {-made.J, -1, 0, 1, made.J - 1}:
        x = s << made.b
        with ctx.workprec(128):
            exponent = made.f.exponent(x)
            f = (-arb(fmpq(exponent.numerator, exponent.denominator))).exp()
            assert made.acceptance(s, x).overlaps(arb(fmpq(made.k, 1 << K_BITS)) * f / int(made.weights[s]))
    kind, parameter = case
    assert made.f.exponent(-3) == (3 / parameter if kind == "laplace" else 9 / (2 * parameter))


def test_a_layout_is_small_and_few_are_kept() -> None:
    strips.cache_clear()
    for i in range(1, 80):
        strips(Fraction(1, i), Fraction(0), 2 * i)
    assert strips.cache_info().currsize == 32
    for case in CASES:
        made = layout(case)
        arrays = (made.weights, made.low, made.high, made.alpha, made.strip_of, made.floor_of)
        assert sum(array.nbytes for array in arrays) < 400_000


def test_few_trials_are_undecided_by_the_bounds() -> None:
    """Not needed for exactness; but a bound gone wide would make the sampler crawl."""
    for case in CASES:
        made = layout(case)
        s, x = pairs(made, each=2)
        low, high = made.between(s, x)
        assert float(((high - low) * made.weights.take(s, mode="wrap")).sum()) / 4 / CELLS < 1 << 14


FAULTS = [
    ("weights = -(-above >> V_BITS)", "weights = np.maximum(above >> V_BITS, 1)"),  # rounded down
    ("weights[0] += spare", "weights[1] += spare - 1"),  # a cell short
    (
        "below[last] // (weights << V_BITS - 16)",
        "below[edge] // (weights << V_BITS - 16)",
    ),  # the largest a, not the least
    ("low = below[edge] //", "low = 1 + below[edge] //"),
    ("high = -(-above //", "high = -1 - (-above //"),
    ("alpha = [(first + more * j)", "alpha = [(first + more * j) * 21 // 20"),  # 5 percent steeper
    ("edge = np.concatenate([right, ends, left + single])", "edge = np.concatenate([right, ends, left])"),
    ("(J << b) + 1)\n", "(J << b))\n"),  # one integer in the left tail twice
    ("if spare >= 0 and", "if"),
    ("inside = ((x ^ sign)", "inside = ((x ^ 0)"),  # the left strips the wrong way round
    ("exp_between(y, 6)", "exp_between(y + 100, 6)"),
    ("np.arange(-J, 0)", "np.arange(-J, 0)[::-1]"),
    ("2 * square * denominator", "square * denominator"),
]


@pytest.mark.parametrize(("old", "new"), FAULTS)
def test_a_fault_would_be_seen(old: str, new: str) -> None:
    faulty = mutant(strips_module, old, new)
    seen = False
    for case in CASES:
        try:
            made = faulty.strips(*parameters(case))
            seen = seen or not all(check(made) for check in CHECKS)
        except (ValueError, ArithmeticError):
            seen = True
        if seen:
            return
    raise AssertionError("nobody saw it")


def test_strips_too_wide_for_fixed_point_are_refused() -> None:
    with pytest.raises(ArithmeticError, match=r"strips of 2\^7 integers are too wide"):
        strips(Fraction(1), Fraction(0), 5000)
