"""Correlated noise for many queries: multiplicative weights against Laplace noise for each."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import median

import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

N, K, CELLS = 2000, 300, 32
PEOPLE = dp.rows(dp.integers(0, CELLS - 1), dp.ChangeOneDistance(), size=N)


def instance(seed: int) -> tuple[list[int], list[list[int]], list[float]]:
    """People in cells, queries that each count about half of the cells, and their answers as shares."""
    dice = Random(seed)
    shares = [dice.gammavariate(0.3, 1) for _ in range(CELLS)]
    data = dice.choices(range(CELLS), shares, k=N)
    queries = [[cell for cell in range(CELLS) if dice.random() < 0.5] for _ in range(K)]
    rows = Counter(data)
    return data, queries, [sum(rows[cell] for cell in chosen) / N for chosen in queries]


@pytest.mark.seed("000-21a", "003-09c")
def test_mwem_against_laplace_at_epsilon_1() -> None:
    """The notes' figures: about 0.08, against 0.39 to 0.57 by Laplace noise; both exactly pure(1)."""
    ours, theirs = [], []
    for seed in range(5):
        data, cells, truth = instance(seed)
        queries = [dp.row().isin(*chosen) for chosen in cells]
        weights = PEOPLE >> dp.mwem(queries, rounds=10, loss=dp.pure(1))
        assert weights.loss(1) == dp.pure(1)
        made = weights.release(data, bits=SeededBits(seed))
        answers = [sum(made.weights[cell] for cell in chosen) for chosen in cells]
        ours.append(max(abs(answer - share) for answer, share in zip(answers, truth, strict=True)))
        assert ours[-1] <= made.error_bound("0.99")
        if seed < 3:
            asked = PEOPLE >> dp.linear_queries(*queries)
            noisy = asked >> dp.laplace(scale=asked.stability(1).upper)
            assert noisy.loss(1) == dp.pure(1)
            released = noisy.release(data, bits=SeededBits(seed))
            theirs.append(max(abs(answer / N - share) for answer, share in zip(released, truth, strict=True)))
    assert 0.06 < median(ours) < 0.09
    assert 0.39 < median(theirs) < 0.62, "at a stability of about 175, where the notes' instance has 166"
