"""Many coins at once: the integers contain the probability, and the decision is the one of U < exp(-x)."""

from __future__ import annotations

from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import coins
from dpcore.noise.bits import SeededBits
from dpcore.noise.coins import FAR, exp_coins
from dpcore.noise.fixed_point import Int64s
from tests.noise.layouts import GivenBytes
from tests.noise.tools import mutant, p_value

RATES = [
    Fraction(r)
    for r in ["1/1000000000000000000000000000000", "7/10000000000000000", "1/1000000000", "1/300000007", "3/70000",
              "1/1000", "1/16", "1/7", "1", "22", "23", "24", "1000000000000000000000"]
]  # fmt: skip


def gaps_for(rate: Fraction) -> Int64s:
    rng = np.random.default_rng(5)
    last = min(int(FAR / rate) + 2, (1 << 63) - 1)
    special = [0, 1, 2, 3, last - 2, last - 1, last, 2 * last, (1 << 63) - 1]
    chosen = [x for x in special if 0 <= x < 1 << 63] + rng.integers(0, last, 300).tolist()
    return np.array(chosen, np.int64)


def probability(gap: int, rate: Fraction) -> arb:
    x = gap * rate
    return (-arb(fmpq(x.numerator, x.denominator))).exp()


def outside(module: ModuleType, rate: Fraction) -> int:
    gaps = gaps_for(rate)
    low, high = module.between(gaps, rate)
    bad = 0
    with ctx.workprec(128):
        for gap, a, b in zip(gaps.tolist(), low.tolist(), high.tolist(), strict=True):
            true = probability(gap, rate) * (1 << 32)
            bad += not (true >= a and true <= b and b - a < 4096)
    return bad


@pytest.mark.parametrize("rate", RATES)
def test_the_probability_lies_between(rate: Fraction) -> None:
    assert outside(coins, rate) == 0


def wrong_decisions(module: ModuleType, rate: Fraction) -> int:
    """U just below and just above exp(-x), at 96 bits."""
    wrong = 0
    for gap in gaps_for(rate)[:60].tolist():
        with ctx.workprec(400):
            whole = (probability(gap, rate) * arb(2) ** 96).floor().unique_fmpz()
        assert whole is not None
        limit = int(whole)
        for away in (1, 1 << 20, 1 << 64, 1 << 70, 1 << 80):
            for u in (limit - away, limit + away):
                if 0 <= u < 1 << 96:
                    source = GivenBytes((u >> 64).to_bytes(4, "little"), words=[u & (2**64 - 1)], otherwise=0)
                    wrong += bool(module.exp_coins(np.array([gap]), rate, source)[0]) != (u < limit)
    return wrong


@pytest.mark.parametrize("rate", RATES)
def test_every_decision_is_right(rate: Fraction) -> None:
    assert wrong_decisions(coins, rate) == 0


def test_a_certain_coin_is_certain() -> None:
    source = GivenBytes(b"\xff" * 4, otherwise=2**64 - 1)
    assert exp_coins(np.array([0]), Fraction(1, 3), source).all()


@pytest.mark.parametrize("rate", [Fraction(1, 1000), Fraction(1, 7), Fraction(3)])
def test_many_coins_fit(rate: Fraction) -> None:
    gaps = np.array([0, 1, 5, 700, 5000])
    heads = sum(exp_coins(gaps, rate, bits).astype(np.int64) for bits in [SeededBits(61)] for _ in range(20_000))
    with ctx.workprec(100):
        for gap, count in zip(gaps.tolist(), np.asarray(heads).tolist(), strict=True):
            p = probability(gap, rate)
            assert p_value([True] * count + [False] * (20_000 - count), {True: p, False: 1 - p}) > 1e-9


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("heads = prefix < low", "heads = prefix < high"),
        ("bits, prefix, 32)", "bits, prefix, 31)"),
        ("gaps >> t", "gaps >> t + 1"),
        ("exp_between(rest, SLACK)", "exp_between(rest, 0)"),
        ("SIXTEENTH: Final = BITS - 4", "SIXTEENTH: Final = BITS - 3"),
        ("(FAR * rate.denominator - 1)", "(20 * rate.denominator - 1)"),
        ("np.where(near, high, 1)", "np.where(near, high, 0)"),
        ("1 << 57 + t", "1 << 58 + t"),
    ],
)  # fmt: skip
def test_a_fault_would_be_seen(old: str, new: str) -> None:
    faulty = mutant(coins, old, new)
    try:
        assert any(outside(faulty, rate) or wrong_decisions(faulty, rate) for rate in RATES)
    except IndexError:  # beyond the table
        assert "57" in old
