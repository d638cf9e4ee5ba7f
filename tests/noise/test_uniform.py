"""Uniform draws, few and many: all values equally likely, none beyond the ends, one seed gives the same draws."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from dpcore.noise import samples
from dpcore.noise.bits import SeededBits
from dpcore.noise.fixed_point import Int64s
from tests.noise.tools import p_value

ENDS = [(0, 0), (-1, 1), (-50, 50), (0, 2**12), (1, 3970), (-(2**40), 2**40 + 3)]
"""Of 1 to 3970 the lower half would come oftener, were no word of 16 bits dropped."""


def drawn(low: int, high: int, n: int, seed: int) -> Int64s:
    values = samples.uniform(low, high, n, SeededBits(seed))
    assert isinstance(values, np.ndarray)
    assert values.dtype == np.int64
    assert len(values) == n
    return values


@pytest.mark.parametrize(("low", "high"), ENDS)
@pytest.mark.parametrize("n", [samples.FEW - 1, 100_000])
def test_they_fit(low: int, high: int, n: int) -> None:
    values = drawn(low, high, n, 7)
    assert low <= values.min()
    assert values.max() <= high
    many = high - low + 1
    cells = min(many, 16)
    found = ((values - low).astype(object) * cells // many).tolist()
    masses = {i: arb(fmpq(-(-(i + 1) * many // cells) - -(-i * many // cells), many)) for i in range(cells)}
    assert p_value(found, masses) > 1e-9


def test_one_seed_gives_the_same_draws() -> None:
    assert drawn(-3, 3, 1000, 5).tolist() == drawn(-3, 3, 1000, 5).tolist()
    assert drawn(-3, 3, 1000, 5).tolist() != drawn(-3, 3, 1000, 6).tolist()


@pytest.mark.parametrize("n", [1, samples.FEW, 1000])
def test_what_does_not_fit_into_64_bits_is_a_list(n: int) -> None:
    values = samples.uniform(2**70, 2**71, n, SeededBits(1))
    assert isinstance(values, list)
    assert len(values) == n
    assert all(2**70 <= x <= 2**71 for x in values)
