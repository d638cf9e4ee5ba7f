"""Coins: the probability over all sequences of choices is the stated one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq

import dpcore.noise.bernoulli
from dpcore.noise.bernoulli import bernoulli, bernoulli_exp
from dpcore.noise.bits import SeededBits
from tests.noise.tools import agrees, mutant, outcomes, p_value


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(3, 7), Fraction(99, 100), 0, 1])
def test_bernoulli_is_exact(p: Fraction | int) -> None:
    found, left = outcomes(lambda bits: bernoulli(p, bits), smallest=0)
    assert left == 0
    with ctx.workprec(256):
        assert found.get(True, arb(0)).overlaps(arb(fmpq(p.numerator, p.denominator)))


def exp_coin(x: Fraction) -> dict[bool, arb]:
    yes = (-arb(fmpq(x.numerator, x.denominator))).exp()
    return {True: yes, False: 1 - yes}


@pytest.mark.parametrize("x", [Fraction(n, d) for d in (1, 2, 3) for n in range(2 * d + 1)])
def test_bernoulli_exp_is_exact(x: Fraction) -> None:
    found, left = outcomes(lambda bits: bernoulli_exp(x, bits), smallest=1e-5)
    assert left < 0.04
    assert agrees(found, left, exp_coin(x).__getitem__)


@pytest.mark.parametrize(
    ("old", "new", "x"),
    [
        ("bits.below(denominator * k) < numerator", "bits.below(denominator * k) <= numerator", Fraction(1, 3)),
        ("k % 2 == 1", "k % 2 == 0", Fraction(1, 3)),
        ("k = 1\n", "k = 2\n", Fraction(1, 3)),
        ("bits.below(denominator * k)", "bits.below(denominator + k - 1)", Fraction(2, 3)),
        ("        numerator -= denominator\n", "        numerator = 0\n", Fraction(5, 3)),
    ],
)
def test_a_fault_would_be_seen(old: str, new: str, x: Fraction) -> None:
    faulty = mutant(dpcore.noise.bernoulli, old, new)
    found, left = outcomes(lambda bits: bool(faulty.bernoulli_exp(x, bits)), smallest=1e-5)
    assert not agrees(found, left, exp_coin(x).__getitem__)
    bits = SeededBits(5)
    assert p_value([faulty.bernoulli_exp(x, bits) for _ in range(20_000)], exp_coin(x)) < 1e-9


@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(1, 1000), Fraction(2, 7), Fraction(1), Fraction(5, 2), Fraction(9)]
)
def test_bernoulli_exp_looks_right(x: Fraction) -> None:
    bits = SeededBits(6)
    assert p_value([bernoulli_exp(x, bits) for _ in range(20_000)], exp_coin(x)) > 1e-9


def test_a_pair_need_not_be_in_lowest_terms() -> None:
    a, b = SeededBits(7), SeededBits(7)
    assert [bernoulli_exp((6, 4), a) for _ in range(50)] != [True] * 50
    assert sum(bernoulli_exp((6 * 10**30, 4 * 10**30), b) for _ in range(20_000)) == pytest.approx(4463, abs=480)


def test_a_hopeless_coin_is_quick() -> None:
    assert not bernoulli_exp(10**1000, SeededBits(8))


def test_what_is_no_probability_is_refused() -> None:
    bits = SeededBits(0)
    with pytest.raises(ValueError, match="Expected a probability between 0 and 1 but got p=3/2"):
        bernoulli(Fraction(3, 2), bits)
    with pytest.raises(ValueError, match="Expected a probability between 0 and 1 but got p=-1"):
        bernoulli(-1, bits)
    with pytest.raises(ValueError, match="Expected a number x >= 0 but got x=-1/2"):
        bernoulli_exp(Fraction(-1, 2), bits)
    with pytest.raises(ValueError, match="Expected a number x >= 0"):
        bernoulli_exp((1, 0), bits)
    with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got p=0\.5"):
        bernoulli(0.5, bits)  # type: ignore[arg-type]
