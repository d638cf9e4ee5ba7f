"""Selection by score: the samplers have the stated distributions, and lose no more than stated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import selection
from dpcore.noise.bits import BitSource, SeededBits
from dpcore.noise.selection import (
    exponential,
    exponential_probabilities,
    permute_and_flip,
    permute_and_flip_probabilities,
)
from tests.noise.tools import agrees, exact_coin, mutant, outcomes, p_value

Scores = Sequence[int | Fraction]
CASES: list[tuple[Scores, int | Fraction]] = [
    ([7], 1),
    ([0, 0], 1),
    ([3, 1, 3], 2),
    ([0, 1, 2, 3], Fraction(3, 2)),
    ([Fraction(1, 2), -2, Fraction(1, 3)], Fraction(1, 3)),
]


def as_rational(x: int | Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def accepted(scores: Scores, scale: int | Fraction) -> list[arb]:
    return [(as_rational(s - max(scores)) / arb(as_rational(scale))).exp() for s in scores]


def by_permutations(scores: Scores, scale: int | Fraction) -> list[arb]:
    """Permute-and-flip as it is told: an average over all orders."""
    p, n = accepted(scores, scale), len(scores)
    result = [arb(0)] * n
    orders = list(permutations(range(n)))
    for order in orders:
        reached = arb(1)
        for i in order:
            result[i] += reached * p[i] / len(orders)
            reached *= 1 - p[i]
    return result


@pytest.mark.parametrize(("scores", "scale"), CASES)
def test_given_exact_coins_the_exponential_mechanism_is_exact(
    scores: Scores, scale: int | Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "bernoulli_exp", exact_coin)
    found, left = outcomes(lambda bits: exponential(scores, scale, bits), smallest=0, restart_at_below=2)
    assert left == 0
    assert agrees(found, arb(0), exponential_probabilities(scores, scale).__getitem__, range(len(scores)))


@pytest.mark.parametrize(("scores", "scale"), CASES)
def test_given_exact_coins_permute_and_flip_is_exact(
    scores: Scores, scale: int | Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "bernoulli_exp", exact_coin)
    found, left = outcomes(lambda bits: permute_and_flip(scores, scale, bits), smallest=0)
    assert left == 0
    assert agrees(found, arb(0), permute_and_flip_probabilities(scores, scale).__getitem__, range(len(scores)))


@pytest.mark.parametrize(("scores", "scale"), [*CASES, ([5, 4, 4, 2, 0, -1, 5], Fraction(7, 3))])
def test_the_probabilities_are_the_definitions(scores: Scores, scale: int | Fraction) -> None:
    with ctx.workprec(300):
        p = accepted(scores, scale)
        for value, w in zip(exponential_probabilities(scores, scale, 256), p, strict=True):
            assert value.overlaps(w / sum(p, start=arb(0)))
            assert value.rel_accuracy_bits() >= 250
        flipped = permute_and_flip_probabilities(scores, scale, 256)
        for value, told in zip(flipped, by_permutations(scores, scale), strict=True):
            assert value.overlaps(told)
            assert value.rel_accuracy_bits() >= 250


def test_many_candidates_keep_their_digits() -> None:
    scores = [i % 17 for i in range(60)]
    for probabilities in (exponential_probabilities(scores, 5), permute_and_flip_probabilities(scores, 5)):
        with ctx.workprec(200):
            assert abs(sum(probabilities, start=arb(0)) - 1) < 1e-30
        assert min(p.rel_accuracy_bits() for p in probabilities) >= 120


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(3)])
def test_the_loss_is_at_most_two_distances_over_the_scale(scale: Fraction) -> None:
    for probabilities in (exponential_probabilities, permute_and_flip_probabilities):
        worst = arb(0)
        for scores in product(range(3), repeat=3):
            for change in product((-1, 0, 1), repeat=3):
                one = probabilities(scores, scale)
                two = probabilities([s + c for s, c in zip(scores, change, strict=True)], scale)
                for a, b in zip(one, two, strict=True):
                    worst = worst.max((a / b).log())
        with ctx.workprec(100):
            assert worst < as_rational(2 / scale) + arb("1e-12")
            assert worst > as_rational(1 / scale)  # and not vacuously


DRAWN: Scores = [3, 1, 3, 0, Fraction(5, 2)]


@pytest.mark.parametrize(
    ("draw", "probabilities"),
    [(exponential, exponential_probabilities), (permute_and_flip, permute_and_flip_probabilities)],
)
def test_the_samplers_fit(
    draw: Callable[[Scores, int | Fraction, BitSource], int],
    probabilities: Callable[[Scores, int | Fraction], list[arb]],
) -> None:
    bits = SeededBits(31)
    assert p_value((draw(DRAWN, 2, bits) for _ in range(30_000)), dict(enumerate(probabilities(DRAWN, 2)))) > 1e-9


@pytest.mark.parametrize(
    ("sampler", "old", "new"),
    [
        ("permute_and_flip", "        untried[k], untried[-1] = untried[-1], untried[k]\n", ""),
        ("permute_and_flip", "        i = untried.pop()\n", "        i = untried[-1]\n"),
        ("exponential", "(gap.numerator * q, gap.denominator * p)", "(gap.numerator * q, gap.denominator * p * 2)"),
        ("permute_and_flip", "best = max(scores)", "best = max(scores) + 1"),
    ],
)
def test_a_fault_would_be_seen(sampler: str, old: str, new: str) -> None:
    faulty = mutant(selection, old, new).__dict__
    true = {"exponential": exponential_probabilities, "permute_and_flip": permute_and_flip_probabilities}[sampler]
    bits = SeededBits(32)

    def draw() -> int:
        try:
            return int(faulty[sampler](DRAWN, 2, bits))
        except ValueError:  # nobody passed
            return -1

    assert p_value((draw() for _ in range(30_000)), dict(enumerate(true(DRAWN, 2)))) < 1e-9


def test_the_first_draws_are_pinned() -> None:
    bits = SeededBits(33)
    assert [exponential(DRAWN, 2, bits) for _ in range(10)] == PINNED_EXPONENTIAL
    assert [permute_and_flip(DRAWN, 2, bits) for _ in range(10)] == PINNED_PERMUTE


PINNED_EXPONENTIAL = [4, 0, 2, 0, 0, 2, 4, 0, 2, 4]
PINNED_PERMUTE = [0, 2, 0, 4, 2, 0, 1, 4, 2, 0]


def test_a_hopeless_candidate_is_not_chosen() -> None:
    bits = SeededBits(34)
    assert {permute_and_flip([0, 10**300], 1, bits) for _ in range(100)} == {1}
    assert {exponential([0, 10**300], 1, bits) for _ in range(100)} == {1}


def test_bad_arguments_are_refused() -> None:
    bits = SeededBits(0)
    for draw in (exponential, permute_and_flip):
        with pytest.raises(ValueError, match="Expected at least one score but got none"):
            draw([], 1, bits)
        with pytest.raises(ValueError, match="Expected a positive scale but got scale=-1"):
            draw([1], -1, bits)
        with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got scores\[1\]=0\.5"):
            draw([1, 0.5], 1, bits)  # type: ignore[list-item]
