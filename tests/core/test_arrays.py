"""Vectors given as numpy arrays are checked and released as if they were lists."""

from __future__ import annotations

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

SPACE = dp.value(dp.vector(dp.integers(0, 9), 3), dp.L1Distance())


def test_the_same_release() -> None:
    noisy = SPACE >> dp.laplace(scale=5)
    as_list = noisy.release([1, 2, 3], bits=SeededBits(3))
    as_array = noisy.release(np.array([1, 2, 3], np.uint8), bits=SeededBits(3))
    assert as_list == as_array
    assert {type(v) for v in as_array} == {int}


@pytest.mark.parametrize("x", [[1, 10, 2], [-1, 0, 0]])
def test_the_same_refusal(x: list[int]) -> None:
    noisy = SPACE >> dp.laplace(scale=5)
    refusals = []
    for data in (x, np.array(x)):
        with pytest.raises(dp.InvalidData) as refusal:
            noisy.release(data)
        refusals.append(str(refusal.value))
    assert refusals[0] == refusals[1]
