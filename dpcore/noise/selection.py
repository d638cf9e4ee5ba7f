"""Choosing one of several candidates by its score.

    exponential          P(i) = w_i / sum_j w_j                                       w_i = exp(-(max - score_i)/scale)
    permute_and_flip     P(i) = w_i * integral_0^1 product_{j != i} (1 - w_j t) dt

Guarantee. Both samplers have exactly these distributions if the bits are independent and uniform, for rational scores
and a rational scale > 0; the probability functions contain the true values. If every score moves by at most d, both
lose at most 2*d/scale of epsilon.

The exponential mechanism proposes a uniform candidate and keeps it with probability w_i, again and again: at most n
proposals on average, for the best candidate is always kept.

Permute-and-flip (McKenna and Sheldon 2020) tries the candidates in uniformly random order, each once, and keeps the
first that passes with probability w_i; the best one always passes. Its probabilities: let each candidate come at an
independent uniform time. Candidate i, coming at time t, is chosen if it passes and no j came before and passed, which
happens with probability w_j t for each j independently.

Where there are many candidates, with whole scores or a common denominator that keeps them within 64 bits, the same is
done with many coins at once. Proposals are then made many at a time, and the first kept in their order is returned. And
the candidates of permute-and-flip all toss their coin: the first in random order of those that pass is a uniform one of
them, as the order is independent of the coins.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from dpcore.maps import precision
from dpcore.noise.bernoulli import bernoulli_exp, positive, rational
from dpcore.noise.bits import BitSource
from dpcore.noise.coins import exp_coins
from dpcore.noise.enclosures import working_precision
from dpcore.noise.fixed_point import Int64s

MANY: Final = 128
CHUNK: Final = 1 << 16


def exponential(scores: Sequence[int | Fraction], scale: int | Fraction, bits: BitSource) -> int:
    """An index i with probability proportional to exp(scores[i]/scale)."""
    if (many := _many(scores, scale)) is not None:
        return _exponential_of_many(*many, bits)
    exponents = _exponents(scores, scale)
    while True:
        i = bits.below(len(exponents))
        if bernoulli_exp(exponents[i], bits):
            return i


def permute_and_flip(scores: Sequence[int | Fraction], scale: int | Fraction, bits: BitSource) -> int:
    """The first index, in random order, that passes with probability exp(-(max - scores[i])/scale)."""
    if (many := _many(scores, scale)) is not None:
        return _permute_and_flip_many(*many, bits)
    exponents = _exponents(scores, scale)
    untried = list(range(len(exponents)))
    while True:  # ends at the latest with the best candidate, whose exponent is 0
        k = bits.below(len(untried))
        untried[k], untried[-1] = untried[-1], untried[k]
        i = untried.pop()
        if bernoulli_exp(exponents[i], bits):
            return i


def _exponential_of_many(gaps: Int64s, rate: Fraction, bits: BitSource) -> int:
    proposals = MANY
    while True:
        proposed = _below(len(gaps), proposals, bits)
        kept = np.flatnonzero(exp_coins(gaps[proposed], rate, bits))
        if len(kept):
            return int(proposed[kept[0]])
        proposals = min(2 * proposals, CHUNK)


def _permute_and_flip_many(gaps: Int64s, rate: Fraction, bits: BitSource) -> int:
    parts = [exp_coins(gaps[at : at + CHUNK], rate, bits) for at in range(0, len(gaps), CHUNK)]
    passed = np.flatnonzero(np.concatenate(parts))
    return int(passed[bits.below(len(passed))])


def _below(n: int, m: int, bits: BitSource) -> NDArray[np.intp]:
    """About m independent uniform draws from [0, n), n <= 2^63: those of m words, cut to its length, below n."""
    data = np.empty(8 * m, np.uint8)
    bits.fill(data.data)
    words = data.view("<u8") >> (64 - (n - 1).bit_length())
    return words[words < n].astype(np.intp)


def _many(scores: Sequence[int | Fraction], scale: int | Fraction) -> tuple[Int64s, Fraction] | None:
    """All max - score as integers, and what to multiply them by for the exponents; None if few or huge."""
    if len(scores) < MANY:
        return None
    p, q = positive("scale", scale)
    common = 1
    if not all(type(score) is int for score in scores):
        for i, score in enumerate(scores):
            rational(f"scores[{i}]", score)
        common = lcm(*{score.denominator for score in scores})
    try:
        whole = np.array(scores if common == 1 else [int(score * common) for score in scores], np.int64)
    except OverflowError:
        return None
    best = int(whole.max())
    if best - int(whole.min()) >= 1 << 63:
        return None
    return best - whole, Fraction(q, p * common)


def exponential_probabilities(scores: Sequence[int | Fraction], scale: int | Fraction, prec: int = 128) -> list[arb]:
    """P(i) of the exponential mechanism for every i, enclosed."""
    exponents = _exponents(scores, scale)
    with precision(_working_precision(exponents, prec)):
        weights = _weights(exponents)
        total = sum(weights, start=arb(0))
        return [w / total for w in weights]


def permute_and_flip_probabilities(
    scores: Sequence[int | Fraction], scale: int | Fraction, prec: int = 128
) -> list[arb]:
    """P(i) of permute-and-flip for every i, enclosed. The time grows like the cube of the number of candidates."""
    exponents = _exponents(scores, scale)
    n = len(exponents)
    with precision(_working_precision(exponents, prec) + 2 * n):  # the alternating sum may cancel n bits
        weights = _weights(exponents)
        return [w * _integral_of_product(weights[:i] + weights[i + 1 :]) for i, w in enumerate(weights)]


def _exponents(scores: Sequence[int | Fraction], scale: int | Fraction) -> list[tuple[int, int]]:
    """(max - score)/scale for every score, as numerator and denominator."""
    p, q = positive("scale", scale)
    if not scores:
        raise ValueError("Expected at least one score but got none")
    for i, score in enumerate(scores):
        rational(f"scores[{i}]", score)
    best = max(scores)
    gaps = [best - score for score in scores]
    return [(gap.numerator * q, gap.denominator * p) for gap in gaps]


def _weights(exponents: list[tuple[int, int]]) -> list[arb]:
    return [(-arb(fmpq(numerator, denominator))).exp() for numerator, denominator in exponents]


def _integral_of_product(weights: list[arb]) -> arb:
    """The integral over 0 <= t <= 1 of the product of all 1 - w t."""
    coefficients = [arb(1)]
    for w in weights:
        shifted = [arb(0), *(w * c for c in coefficients)]
        coefficients = [c - d for c, d in zip([*coefficients, arb(0)], shifted, strict=True)]
    return sum((c / (k + 1) for k, c in enumerate(coefficients)), start=arb(0))


def _working_precision(exponents: list[tuple[int, int]], prec: int) -> int:
    return working_precision(prec, max(numerator // denominator for numerator, denominator in exponents))
