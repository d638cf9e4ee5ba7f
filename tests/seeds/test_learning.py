"""Learning as the notes have it: Lloyd's algorithm in rounds, and gradient descent from noisy sums."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore import row
from dpcore.expressions import Expression
from dpcore.noise.bits import SeededBits

SIMPLEX = dp.rows(dp.vector(dp.numbers(-1, 1), 2)) >> dp.clip_norm(1, norm=dp.L1Distance, step="0.001")
START: Any = [["-0.1", 0], ["0.1", 0]]


def two_clouds(rows: int) -> Any:
    draws = np.random.default_rng(4)
    middles = np.where(draws.integers(0, 2, rows)[:, None] == 1, 0.4, -0.4)
    return (middles + draws.normal(0, 0.05, (rows, 2))).clip(-1, 1).tolist()


@pytest.mark.seed("004-3a", "004-3b", "004-2c")
def test_five_rounds_of_two_fifths_are_two_and_find_the_clouds() -> None:
    clusters = SIMPLEX >> dp.lloyd(2, 5, dp.pure(2), start=START)
    assert clusters.loss(1) == dp.pure(2)
    found = clusters.release(two_clouds(4000), bits=SeededBits(1))
    assert all(abs(float(v) + 0.4) < 0.02 for v in found[0]), found
    assert all(abs(float(v) - 0.4) < 0.02 for v in found[1]), found


@pytest.mark.seed("004-3c")
def test_a_round_is_half_counts_and_half_sums_and_says_how_each_moves() -> None:
    """The counts cost 1/5 and the sums cost 1/5, with the notes' scales: 1/eps' each, as rows are in the L1 ball."""
    space = dp.rows(dp.vector(dp.numbers(-1, 1, "0.001"), 2, dp.L1Distance, 1))
    one = dp.lloyd(2, 5, dp.pure(2), start=START).round(space)
    assert one.loss(1) == dp.pure("2/5")
    assert repr(one).count("laplace(scale=5)") == 2
    assert dp.certify(one, d_in=1).data["assumptions"] == []


@pytest.mark.seed("000-09", "003-09c")
def test_twenty_one_sums_of_a_twenty_first_are_one_and_the_slope_is_found() -> None:
    points = dp.rows(dp.vector(dp.numbers(-1, 1, "0.001"), 2))

    def gradient(theta: list[Fraction]) -> list[Expression]:
        return [(row()[0] * theta[0] - row()[1]) * row()[0]]

    slope = points >> dp.descend(gradient, 21, dp.pure(1), clip=1, start=[0], rate=2, size=2000)
    assert slope.loss(1) == dp.pure(1)
    x = np.random.default_rng(9).uniform(-1, 1, 2000)
    [found] = slope.release(np.column_stack([x, 0.7 * x]).round(3), bits=SeededBits(2))
    assert abs(float(found) - 0.7) < 0.08, found
