"""The discrete Gaussian distribution: the sampler has it, and the balls contain it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt

import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.bits import BitSource, SeededBits
from dpcore.noise.discrete_gaussian import mass, sample, tail, upper_tail
from tests.noise.tools import Restart, ScriptedBits, agrees, exact_coin, mutant, outcomes, p_value

VARIANCES = [Fraction(1, 1000), Fraction(1, 7), Fraction(1, 6), Fraction(1), Fraction(5, 2), Fraction(400)]


def rational(x: int | Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


# ---- the sampler -----------------------------------------------------------------------------------------------


def one_attempt(draw: Callable[[Fraction, BitSource], int], variance: Fraction) -> Callable[[BitSource], int]:
    """The sampler given exact coins and an exact Laplace draw within +-40 scales, to be stopped at its first rejection.

    `draw` must look up `discrete_laplace.two_sided` and `bernoulli_exp` when called: both are patched by the tests.
    """

    def attempt(bits: BitSource) -> int:
        attempts.clear()
        return draw(variance, bits)

    return attempt


attempts: list[int] = []


def laplace_by_branches(scale: int, q: int, bits: BitSource) -> int:
    """Stands for `discrete_laplace.two_sided`, itself tested elsewhere. A second draw means rejection."""
    assert isinstance(bits, ScriptedBits)
    assert q == 1
    if attempts:
        raise Restart
    attempts.append(scale)
    return bits.choose(branches(scale)) - 40 * scale


@cache
def branches(scale: int) -> list[arb]:
    return [discrete_laplace.mass(scale, z, 256) for z in range(-40 * scale, 40 * scale + 1)]


@pytest.mark.parametrize("variance", [Fraction(1, 5), Fraction(1), Fraction(5, 2), Fraction(9), Fraction(99, 10)])
def test_given_exact_coins_and_laplace_draws_the_sampler_is_exact(
    variance: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discrete_laplace, "two_sided", laplace_by_branches)
    monkeypatch.setattr(discrete_gaussian, "bernoulli_exp", exact_coin)
    found, left = outcomes(one_attempt(sample, variance), smallest=1e-30)
    assert left < 1e-15
    window = 5 * isqrt(int(variance)) + 5
    for z in range(-window, window + 1):  # the Laplace draws beyond 40 scales are missing: less than 1e-17
        assert abs(found[z] - mass(variance, z)) < 1e-14


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_sampler_fits_the_mass(variance: Fraction) -> None:
    bits = SeededBits(21)
    probabilities = {z: mass(variance, z) for z in range(-200, 201)}
    assert p_value((sample(variance, bits) for _ in range(50_000)), probabilities) > 1e-9


@pytest.mark.parametrize("sigma", [10**4, 10**15, 10**40])
def test_the_sampler_fits_the_tail_at_large_scales(sigma: int) -> None:
    bits = SeededBits(22)
    variance, width = sigma**2, sigma // 4
    probabilities = {}
    for cell in range(-20, 20):
        with ctx.workprec(200):
            probabilities[cell] = upper_tail(variance, cell * width) - upper_tail(variance, (cell + 1) * width)
    draws = [sample(variance, bits) for _ in range(30_000)]
    assert p_value((z // width for z in draws), probabilities) > 1e-9
    assert p_value((z % 16 for z in draws), {i: arb(fmpq(1, 16)) for i in range(16)}) > 1e-9


def test_the_first_draws_are_pinned() -> None:
    bits = SeededBits(23)
    assert [sample(Fraction(25, 2), bits) for _ in range(20)] == PINNED
    assert sample(10**30, bits) == PINNED_LARGE


PINNED = [0, 7, -3, -1, -2, -5, -5, -4, 2, -3, 0, -2, -4, -1, -3, 3, -1, -2, -5, 6]
PINNED_LARGE = -1507724935114334


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("abs(y) * t * q - p ", "abs(y) * t * q - 2 * p "),
        ("bernoulli_exp((root * root, 2 * p * q * t * t), bits)", "bernoulli_exp((root * root, p * q * t * t), bits)"),
        ("bernoulli_exp((root * root, 2 * p * q * t * t), bits)", "True"),
        (
            "bernoulli_exp((root * root, 2 * p * q * t * t), bits)",
            "bernoulli_exp((root * root, 2 * p * q * t * t + p), bits)",
        ),
    ],
)
def test_a_fault_would_be_seen(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty, variance = mutant(discrete_gaussian, old, new), Fraction(5, 2)
    bits = SeededBits(24)
    probabilities = {z: mass(variance, z) for z in range(-50, 51)}
    assert p_value((faulty.sample(variance, bits) for _ in range(100_000)), probabilities) < 1e-9
    monkeypatch.setattr(discrete_laplace, "two_sided", laplace_by_branches)
    faulty.__dict__["bernoulli_exp"] = exact_coin
    found, left = outcomes(one_attempt(faulty.sample, variance), smallest=1e-15)
    assert not agrees(found, left, lambda z: mass(variance, z), outside=range(-10, 11))


# ---- the enclosures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variance", [*VARIANCES, Fraction(10_007, 3)])
@pytest.mark.parametrize("prec", [64, 128, 700])
def test_mass_and_tails_are_the_plain_sums(variance: Fraction, prec: int) -> None:
    far = isqrt(int(2 * variance * (prec + 64))) + 6  # exp(-far^2/(2 variance)) < 2^-(prec + 64)
    with ctx.workprec(prec + 64):
        terms = [(-arb(z * z) / (2 * rational(variance))).exp() for z in range(far + 1)]
        rest = terms[far] / (1 - (-arb(2 * far + 1) / (2 * rational(variance))).exp())
        above = arb(0).union(rest)  # the sum over z > far lies between
        tails = {}
        for z in range(far, -1, -1):
            above = above + terms[z]
            tails[z] = above
        total = 2 * tails[1] + 1
        for z in {0, 1, 2, 3, far // 8, far // 5}:
            assert mass(variance, z, prec).overlaps(terms[z] / total)
            assert mass(variance, -z, prec).overlaps(terms[z] / total)
            assert mass(variance, z, prec).rel_accuracy_bits() >= prec
            assert upper_tail(variance, z, prec).overlaps(tails[z] / total)
            assert upper_tail(variance, z, prec).rel_accuracy_bits() >= prec - 10
            assert upper_tail(variance, 1 - z, prec).overlaps(1 - tails[z] / total)
            if z:
                assert tail(variance, z, prec).overlaps(2 * tails[z] / total)
                assert tail(variance, z, prec).rel_accuracy_bits() >= prec - 10


@pytest.mark.parametrize(
    "variance", [Fraction(1, 10**6), Fraction(1), Fraction(10**5), Fraction(10**12), 10**30, 10**80]
)
def test_differences_of_tails_are_masses(variance: int | Fraction) -> None:
    sigma = isqrt(int(variance)) + 1
    for m in (-10 * sigma, -1, 0, 1, 2, sigma // 2, sigma, 3 * sigma, 30 * sigma, 3000 * sigma):
        with ctx.workprec(2000):
            here, next_ = upper_tail(variance, m, 500), upper_tail(variance, m + 1, 500)
            assert (here - next_).overlaps(mass(variance, m, 500))
            if m > 0:
                assert (here - next_).rel_accuracy_bits() > 200
                assert upper_tail(variance, m, 128).overlaps(here)
                assert upper_tail(variance, m, 128).rel_accuracy_bits() >= 120


@pytest.mark.parametrize("variance", [10**5, 10**12, 10**30])
def test_the_upper_tail_lies_between_integrals(variance: int) -> None:
    sigma = isqrt(variance)
    for m in (1, sigma, 7 * sigma):
        with ctx.workprec(400):
            integral = ((arb(m) / (2 * arb(variance)).sqrt()).erfc()) / 2  # N = sqrt(2 pi variance) but for 1e-10^5
            value = upper_tail(variance, m, 256)
            assert integral < value < integral + mass(variance, m, 256)


@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(1), Fraction(30), Fraction(5000), Fraction(10**6)])
@pytest.mark.parametrize("prec", [64, 128, 512])
def test_both_ways_to_the_tail_agree(variance: Fraction, prec: int) -> None:
    """Euler-Maclaurin is right where it is not used, too; there its bound is wide."""
    p, q = variance.numerator, variance.denominator
    sigma = isqrt(p // q) + 1
    for m in (1, 2, sigma, 5 * sigma):
        with ctx.workprec(prec + 64):
            terms = discrete_gaussian._terms_that_matter(p, q, m, prec)
            direct = discrete_gaussian._direct_sum(p, q, m, terms)
            corrected = discrete_gaussian._euler_maclaurin_sum(p, q, m, prec)
            assert direct.overlaps(corrected)
            assert direct.rel_accuracy_bits() >= prec
            if p > 10**5:
                assert corrected.rel_accuracy_bits() >= prec


def test_a_forgotten_remainder_would_be_seen() -> None:
    for old, new in (
        ("+ from_zero_to(rest) - from_zero_to(rest)", ""),
        ("arb.bernoulli(n + 1)", "-arb.bernoulli(n + 1)"),
        ("g = -(m * before + (n + 1) * g) / s", "g = -(m * before + n * g) / s"),
    ):
        faulty = mutant(discrete_gaussian, old, new)
        with ctx.workprec(256):
            variance = 30 if not new else 10**6
            terms = discrete_gaussian._terms_that_matter(variance, 1, 5, 190)
            direct = discrete_gaussian._direct_sum(variance, 1, 5, terms)
            assert not direct.overlaps(faulty._euler_maclaurin_sum(variance, 1, 5, 64))
    faulty = mutant(discrete_gaussian, "total + from_zero_to(value / (1 - quotient))", "total")
    with ctx.workprec(256):
        assert not discrete_gaussian._direct_sum(30, 1, 5, 100).overlaps(faulty._direct_sum(30, 1, 5, 10))
        assert discrete_gaussian._direct_sum(30, 1, 5, 100).overlaps(discrete_gaussian._direct_sum(30, 1, 5, 10))
    faulty = mutant(discrete_gaussian, "total + from_zero_to(rest))", "total)")
    with ctx.workprec(256):
        assert not discrete_gaussian._theta(arb(1), 2000).overlaps(faulty._theta(arb(1), 4))
        assert discrete_gaussian._theta(arb(1), 2000).overlaps(discrete_gaussian._theta(arb(1), 4))


def test_theta_at_one() -> None:
    with ctx.workprec(200):
        assert discrete_gaussian._theta(arb(1), 200).overlaps(arb.pi().root(4) / arb(fmpq(3, 4)).gamma())


def test_the_tail_is_one_where_it_must_be() -> None:
    assert tail(5, 0) == 1
    assert tail(5, -3) == 1
    with ctx.workprec(200):
        assert (upper_tail(5, 0) + upper_tail(5, 1)).overlaps(arb(1))


@pytest.mark.parametrize(
    ("variance", "d", "epsilon", "delta"),
    [
        (1, 1, Fraction(1), "0.1413513394056219080995417"),
        (25, 1, Fraction(1, 2), "0.0004977630312883073628050366"),
        (100, 3, Fraction(1, 4), "0.03824736656819024422471089"),
    ],
)
def test_the_privacy_profile_is_the_reference(variance: int, d: int, epsilon: Fraction, delta: str) -> None:
    m = int((variance * epsilon / d - Fraction(d, 2)) // 1) + 1  # the outcomes with loss above epsilon
    with ctx.workprec(128):
        factor = arb(rational(epsilon)).exp()
        value = upper_tail(variance, m) - factor * upper_tail(variance, m + d)
        assert abs(value - arb(delta)) < arb("1e-25")


# ---- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variance", [0, -1, Fraction(-1, 2)])
def test_a_variance_must_be_positive(variance: int | Fraction) -> None:
    for call in (
        lambda: sample(variance, SeededBits(0)),
        lambda: mass(variance, 0),
        lambda: tail(variance, 0),
        lambda: upper_tail(variance, 0),
    ):
        with pytest.raises(ValueError, match=f"Expected a positive sigma_squared but got sigma_squared={variance}"):
            call()


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got sigma_squared=1\.0"):
        sample(1.0, SeededBits(0))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        upper_tail(1, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Expected a precision of at least 2 bits but got prec=-5"):
        tail(1, 0, -5)
