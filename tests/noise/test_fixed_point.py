"""exp(-y) between integers: whatever y is, within the slack."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import fixed_point
from dpcore.noise.fixed_point import ONE, Int64s, exp_between
from tests.noise.tools import mutant

SLACKS = [0, 6, 256, 1 << 29]


def points() -> Int64s:
    rng = np.random.default_rng(1)
    high = 1 << 29
    return np.concatenate([np.arange(50), high - np.arange(50), rng.integers(0, high, 2000)])


def outside(g: Int64s, low: Int64s, high: Int64s, slack: int) -> int:
    """How often an end of [g, g + slack] has its exponential outside of [low, high]."""
    bad = 0
    with ctx.workprec(128):
        for x, a, b in zip(g.tolist(), low.tolist(), high.tolist(), strict=True):
            largest = (-arb(fmpq(x, ONE))).exp() * ONE
            smallest = (-arb(fmpq(x + slack, ONE))).exp() * ONE
            bad += not (smallest >= a and largest <= b)
    return bad


@pytest.mark.parametrize("slack", SLACKS)
def test_the_exponential_lies_between(slack: int) -> None:
    g = points()
    low, high = exp_between(g, slack)
    assert outside(g, low, high, slack) == 0


def test_the_bounds_are_close_for_small_numbers() -> None:
    low, high = exp_between(np.arange(1 << 20), 6)
    assert int((high - low).max()) < 16


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ONE - g // 3)", "ONE - g // 2)"),
        ("value - (slack + 2)", "value - 2"),
        ("value + 2 + fourth", "value + 2"),
        (">> (BITS + 1)", ">> BITS"),
    ],
)
def test_a_fault_would_be_seen(old: str, new: str) -> None:
    faulty = mutant(fixed_point, old, new)
    g = points()
    low, high = faulty.exp_between(g, 256)
    assert outside(g, low, high, 256) > 0
