"""Selection by score: the samplers have the stated distributions, and lose no more than stated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

import numpy as np
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
from tests.noise.layouts import GivenBytes
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


# ---- many candidates -------------------------------------------------------------------------------------------

GROUPED: list[int] = [10] + [8] * 40 + [3] * 100 + [0] * 59
FEW_SCORES = (10, 8, 3, 0)


def grouped(probabilities: list[arb]) -> dict[int, arb]:
    """By score, the probability that a candidate of that score is chosen."""
    with ctx.workprec(200):
        return {
            score: sum((p for p, s in zip(probabilities, GROUPED, strict=True) if s == score), start=arb(0))
            for score in FEW_SCORES
        }


BOTH = pytest.mark.parametrize(
    ("draw", "probabilities"),
    [(exponential, exponential_probabilities), (permute_and_flip, permute_and_flip_probabilities)],
)


@pytest.mark.spread(3)
@BOTH
@pytest.mark.parametrize(("scale", "divisor"), [(Fraction(5), 1), (Fraction(3, 2), 7)])
def test_many_candidates_fit(
    draw: Callable[[Scores, int | Fraction, BitSource], int],
    probabilities: Callable[[Scores, int | Fraction], list[arb]],
    scale: Fraction,
    divisor: int,
) -> None:
    bits = SeededBits(35)
    scores: Scores = GROUPED if divisor == 1 else [Fraction(s, divisor) for s in GROUPED]
    chosen = [draw(scores, scale / divisor, bits) for _ in range(5_000)]
    assert p_value((GROUPED[i] for i in chosen), grouped(probabilities(GROUPED, scale))) > 1e-9
    within = [i for i in chosen if GROUPED[i] == 8]  # and alike among equals
    assert p_value(within, {i: arb(fmpq(1, 40)) for i in range(1, 41)}) > 1e-9


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_many_coins_choose_as_few_do(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By all outcomes of the coins: a uniform one of those that pass is the first in random order."""
    scores, scale = [Fraction(i * i, 3) for i in range(n)], Fraction(2)
    monkeypatch.setattr(selection, "MANY", 1)
    gaps, rate = selection._many(scores, scale) or (np.zeros(0, np.int64), Fraction(0))
    assert [gap * rate for gap in gaps.tolist()] == [(max(scores) - s) / scale for s in scores]
    total = [arb(0)] * n
    with ctx.workprec(200):
        p = accepted(scores, scale)
        for heads in product((False, True), repeat=n):
            weight = arb(1)
            for head, q in zip(heads, p, strict=True):
                weight *= q if head else 1 - q
            if not any(heads):
                assert weight.contains(0)
                continue
            monkeypatch.setattr(selection, "exp_coins", lambda gaps, rate, bits, heads=heads: np.array(heads))
            for k in range(sum(heads)):
                chosen = selection._permute_and_flip_many(gaps, rate, Chooses(k, sum(heads)))
                total[chosen] += weight / sum(heads)
        for value, told in zip(total, by_permutations(scores, scale), strict=True):
            assert value.overlaps(told)
            assert value.rel_accuracy_bits() > 150


class Chooses(BitSource):
    """The k-th of m."""

    def __init__(self, k: int, m: int) -> None:
        self._k, self._m = k, m

    def bits(self, k: int) -> int:
        raise AssertionError("not reached")

    def below(self, m: int) -> int:
        assert m == self._m
        return self._k


def test_the_first_proposal_kept_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = np.arange(1000)
    proposals: list[int] = []
    sizes: list[int] = []

    def third_in_round_two(
        given: np.ndarray[tuple[int], np.dtype[np.int64]], rate: Fraction, bits: BitSource
    ) -> object:
        sizes.append(len(given))
        heads = np.zeros(len(given), np.bool_)
        if len(sizes) == 2:
            heads[2:5] = True
            proposals.extend(given.tolist())
        return heads

    monkeypatch.setattr(selection, "exp_coins", third_in_round_two)
    assert selection._exponential_of_many(gaps, Fraction(1), SeededBits(36)) == proposals[2]
    assert sizes[1] > sizes[0]


@pytest.mark.parametrize("n", [1, 2, 3, 100, 128, 129])
def test_proposals_are_uniform(n: int) -> None:
    values = selection._below(n, 100_000, SeededBits(37)).tolist()
    assert p_value(values, {i: arb(fmpq(1, n)) for i in range(n)}) > 1e-9
    k = (n - 1).bit_length()
    words = b"".join((i << 64 - k).to_bytes(8, "little") for i in range(2**k)) if k else bytes(8)
    assert selection._below(n, 2**k, GivenBytes(words)).tolist() == list(range(n))


@BOTH
def test_hopeless_and_huge_candidates_among_many(
    draw: Callable[[Scores, int | Fraction, BitSource], int],
    probabilities: Callable[[Scores, int | Fraction], list[arb]],
) -> None:
    bits = SeededBits(38)
    assert {draw([0] * 500 + [10**9], 1, bits) for _ in range(20)} == {500}
    assert {draw([0] * 500 + [10**300], 1, bits) for _ in range(20)} == {500}
    assert {draw([-(2**63)] * 500 + [2**63 - 1], 1, bits) for _ in range(5)} == {500}
    assert len({draw([10**300] * 500, 1, bits) for _ in range(20)}) > 5
    assert len({draw(list(range(500)), 10**30, bits) for _ in range(20)}) > 5
    assert {draw(list(range(500)), Fraction(1, 10**30), bits) for _ in range(20)} == {499}
    with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got scores\[500\]=0\.5"):
        draw([0] * 500 + [0.5], 1, bits)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"scores\[0\]=True"):
        draw([True] * 500, 1, bits)
    with pytest.raises(ValueError, match="Expected a positive scale but got scale=0"):
        draw([0] * 500, 0, bits)


@BOTH
def test_the_first_choices_of_many_are_pinned(
    draw: Callable[[Scores, int | Fraction, BitSource], int],
    probabilities: Callable[[Scores, int | Fraction], list[arb]],
) -> None:
    bits = SeededBits(39)
    scores = [i * 37 % 1000 for i in range(1000)]
    assert [draw(scores, 100, bits) for _ in range(64)] == PINNED_MANY[draw.__name__]


PINNED_MANY = {
    "exponential": [
        999, 750, 81, 53, 134, 459, 351, 594, 458, 697, 253, 510, 76, 619, 132, 215, 592, 701, 24, 156, 53, 972,
        675, 214, 972, 375, 135, 591, 216, 778, 756, 726, 269, 782, 131, 105, 621, 213, 377, 699, 890, 159, 512,
        835, 918, 559, 781, 567, 782, 748, 996, 563, 564, 539, 594, 134, 944, 295, 945, 428, 297, 782, 216, 430,
    ],
    "permute_and_flip": [
        913, 486, 215, 188, 78, 25, 648, 432, 996, 104, 863, 612, 351, 939, 832, 242, 268, 754, 323, 698, 154, 135,
        189, 162, 864, 668, 432, 321, 483, 369, 210, 156, 134, 134, 297, 539, 402, 402, 484, 135, 396, 267, 189,
        459, 297, 621, 674, 620, 215, 107, 52, 269, 566, 351, 891, 377, 54, 880, 241, 106, 944, 320, 566, 81,
    ],
}  # fmt: skip


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    ("sampler", "old", "new"),
    [
        ("permute_and_flip", "bits.below(len(passed))", "0"),
        ("permute_and_flip", "return best - whole, Fraction(q, p * common)", "return best - whole, Fraction(q, 2 * p)"),
        ("exponential", "int(proposed[kept[0]])", "int(proposed.min())"),
        ("exponential", "return best - whole, Fraction(q, p * common)", "return best - whole, Fraction(2 * q, p)"),
        ("exponential", "words[words < n]", "(words % 150)"),
    ],
)
def test_a_fault_among_many_would_be_seen(sampler: str, old: str, new: str) -> None:
    draw = mutant(selection, old, new).__dict__[sampler]
    true = {"exponential": exponential_probabilities, "permute_and_flip": permute_and_flip_probabilities}[sampler]
    bits = SeededBits(35)
    chosen = [draw(GROUPED, 5, bits) for _ in range(10_000)]
    by_score = p_value((GROUPED[i] for i in chosen), grouped(true(GROUPED, 5)))
    within = p_value([i for i in chosen if GROUPED[i] == 8], {i: arb(fmpq(1, 40)) for i in range(1, 41)})
    assert min(by_score, within) < 1e-9
