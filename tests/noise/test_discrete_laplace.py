"""The discrete Laplace distribution: the sampler has it, and the balls contain it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import bernoulli, discrete_laplace
from dpcore.noise.bits import SeededBits
from dpcore.noise.discrete_laplace import mass, sample, tail
from tests.noise.tools import agrees, exact_coin, mutant, outcomes, p_value

SCALES = [Fraction(1, 1000), Fraction(1, 2), Fraction(1), Fraction(7, 3), Fraction(40)]


# ---- the sampler -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scale", [Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)]
)
def test_given_exact_coins_the_sampler_is_exact(scale: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discrete_laplace, "bernoulli_exp", exact_coin)
    found, left = outcomes(lambda bits: sample(scale, bits), smallest=1e-5)
    assert left < 0.05
    assert agrees(found, left, lambda z: mass(scale, z), outside=range(-10, 11))


def test_the_sampler_with_its_own_coins_is_exact() -> None:
    found, left = outcomes(lambda bits: sample(1, bits), smallest=3e-6)
    assert left < 0.1
    assert agrees(found, left, lambda z: mass(1, z), outside=range(-10, 11))


@pytest.mark.parametrize("scale", SCALES)
def test_the_sampler_fits_the_mass(scale: Fraction) -> None:
    bits = SeededBits(11)
    probabilities = {z: mass(scale, z) for z in range(-400, 401)}
    assert p_value((sample(scale, bits) for _ in range(50_000)), probabilities) > 1e-9


@pytest.mark.parametrize("scale", [10**6, 10**15, Fraction(10**40, 3)])
def test_the_sampler_fits_the_tail_at_large_scales(scale: int | Fraction) -> None:
    bits = SeededBits(12)
    width = int(scale) // 4
    probabilities = {}
    for cell in range(40):  # |z| from cell * width up to the next, by sign, 0 counting as positive
        with ctx.workprec(200):
            both = tail(scale, cell * width) - tail(scale, (cell + 1) * width)
            zero = mass(scale, 0) if cell == 0 else arb(0)
            probabilities[cell, False] = (both + zero) / 2
            probabilities[cell, True] = (both - zero) / 2
    draws = [sample(scale, bits) for _ in range(50_000)]
    assert p_value(((abs(z) // width, z < 0) for z in draws), probabilities) > 1e-9
    assert p_value((z % 16 for z in draws), {i: arb(fmpq(1, 16)) for i in range(16)}) > 1e-9


def test_the_first_draws_are_pinned() -> None:
    bits = SeededBits(13)
    assert [sample(Fraction(7, 3), bits) for _ in range(20)] == PINNED
    assert sample(10**15, bits) == PINNED_LARGE


PINNED = [-4, 1, 0, -1, -1, 0, 1, 0, 0, 5, -1, -9, 0, -4, -2, 0, -1, -3, -1, -3]
PINNED_LARGE = -227262332515080


NO_ZERO_REJECTION = ("        if magnitude:\n", "        if True:\n")
ALWAYS_POSITIVE = ("        if not bits.bit():\n", "        if True:\n")
NO_ACCEPTANCE = ("        if bernoulli_exp((u, p), bits):\n", "        if True:\n")
WRONG_STEP = ("        u += p\n", "        u += p + 1\n")


@pytest.mark.parametrize(("old", "new"), [NO_ZERO_REJECTION, ALWAYS_POSITIVE, NO_ACCEPTANCE, WRONG_STEP])
def test_a_fault_would_be_seen(old: str, new: str) -> None:
    faulty, scale = mutant(discrete_laplace, old, new), Fraction(3)
    bits = SeededBits(14)
    probabilities = {z: mass(scale, z) for z in range(-100, 101)}
    assert p_value((faulty.sample(scale, bits) for _ in range(50_000)), probabilities) < 1e-9
    faulty.__dict__["bernoulli_exp"] = exact_coin
    found, left = outcomes(lambda bits: int(faulty.sample(scale, bits)), smallest=1e-4)
    assert not agrees(found, left, lambda z: mass(scale, z), outside=range(-10, 11))


def test_a_biased_coin_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = SeededBits(15)

    def biased(x: tuple[int, int], source: SeededBits) -> bool:
        return bernoulli.bernoulli_exp(x, source) and source.below(100) > 9

    monkeypatch.setattr(discrete_laplace, "bernoulli_exp", biased)
    probabilities = {z: mass(10, z) for z in range(-200, 201)}
    assert p_value((sample(10, bits) for _ in range(50_000)), probabilities) < 1e-9


# ---- the enclosures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("prec", [64, 128, 1000])
def test_mass_and_tail_are_the_sums_of_powers(scale: Fraction, prec: int) -> None:
    with ctx.workprec(prec + 64):
        r = (-1 / arb(fmpq(scale.numerator, scale.denominator))).exp()
        one = (1 - r) / (1 + r)
        for z in range(-5, 6):
            assert mass(scale, z, prec).overlaps(one * r ** abs(z))
            assert mass(scale, z, prec).rel_accuracy_bits() >= prec - 10
        # the tail is what the centre leaves
        centre = arb(0)
        for a in range(30):
            assert tail(scale, a, prec).overlaps(1 - centre)
            assert tail(scale, a, prec).rel_accuracy_bits() >= prec - 10
            centre += (1 if a == 0 else 2) * one * r**a


def test_the_tail_is_one_where_it_must_be() -> None:
    assert tail(5, 0) == 1
    assert tail(5, -3) == 1


@pytest.mark.parametrize("scale", [Fraction(1, 1000), 3, 10**15, Fraction(10**40, 7)])
def test_differences_of_tails_are_masses(scale: int | Fraction) -> None:
    for a in (1, 2, int(scale) + 1, 20 * int(scale) + 1):
        with ctx.workprec(600):
            assert (tail(scale, a, 500) - tail(scale, a + 1, 500)).overlaps(2 * mass(scale, a, 500))
            assert mass(scale, a, 500).overlaps(mass(scale, -a, 100))


def test_a_far_tail_keeps_its_digits() -> None:
    value = tail(3, 10**12)
    assert value > 0
    assert value.rel_accuracy_bits() >= 120


def test_an_integer_of_numpy_is_taken_as_its_value() -> None:
    assert mass(10**17, int(np.int64(10**18))).overlaps(mass(10**17, np.int64(10**18)))  # type: ignore[arg-type]
    assert tail(Fraction(1, 10**10), np.int64(10**10)).overlaps(tail(Fraction(1, 10**10), 10**10))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scale", "d", "epsilon", "delta"),
    [
        (2, 1, Fraction(1, 4), "0.1376875166317472721135555"),
        (10, 3, Fraction(1, 10), "0.09516258196404042683575094"),
    ],
)
def test_the_privacy_profile_is_the_reference(scale: int, d: int, epsilon: Fraction, delta: str) -> None:
    with ctx.workprec(128):
        factor = arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()
        excess = (mass(scale, z) - factor * mass(scale, z - d) for z in range(-900, 900))
        assert abs(sum((x for x in excess if x > 0), start=arb(0)) - arb(delta)) < arb("1e-25")


# ---- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0, -1, Fraction(-1, 2)])
def test_a_scale_must_be_positive(scale: int | Fraction) -> None:
    for call in (
        lambda: sample(scale, SeededBits(0)),
        lambda: mass(scale, 0),
        lambda: tail(scale, 0),
    ):
        with pytest.raises(ValueError, match=f"Expected a positive scale but got scale={scale}"):
            call()


def test_floats_and_truth_values_are_refused() -> None:
    with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got scale=1\.0"):
        sample(1.0, SeededBits(0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Expected an int or a Fraction but got scale=True"):
        sample(True, SeededBits(0))
    with pytest.raises(TypeError):
        tail(1, 2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Expected a precision of at least 2 bits but got prec=0"):
        tail(1, 2, 0)
