"""numpy in, numpy out: vectors given as arrays are checked as lists are, and released as arrays of the same numbers.

No carrier can wrap a number: where one does not fit into 64 bits, the array holds Python integers. And no function of the
user meets an array where it expects a list.
"""

from __future__ import annotations

import numpy as np
import pytest

import dpcore as dp
from dpcore.domains import Array
from dpcore.noise.bits import SeededBits

SPACE = dp.value(dp.vector(dp.integers(0, 9), 3), dp.L1Distance())


def test_the_same_release() -> None:
    noisy = SPACE >> dp.laplace(scale=5)
    as_list = noisy.release([1, 2, 3], bits=SeededBits(3))
    as_array = noisy.release(np.array([1, 2, 3], np.uint8), bits=SeededBits(3))
    assert type(as_list) is list
    assert {type(v) for v in as_list} == {int}
    assert as_array.dtype == np.int64
    assert as_array.tolist() == as_list


UNBOUNDED = dp.value(dp.vector(dp.integers(), 2), dp.L1Distance())
EUCLIDEAN = dp.value(dp.vector(dp.integers(), 2), dp.L2Distance())


@pytest.mark.parametrize(
    "noisy",
    [
        UNBOUNDED >> dp.laplace(scale=5),
        UNBOUNDED >> dp.laplace(scale=10**30),
        EUCLIDEAN >> dp.gaussian(sigma=7),
        (EUCLIDEAN >> dp.gaussian(sigma=7)).to(dp.ApproxDP, delta="1e-6"),
        UNBOUNDED >> dp.to_metric(dp.L2Distance()) >> dp.gaussian(sigma=7),
        (UNBOUNDED >> dp.laplace(scale=5)).then(lambda v: v),
        (UNBOUNDED >> dp.laplace(scale=5)).then(lambda v: [x * 10**18 for x in v]),
    ],
)
@pytest.mark.parametrize(
    "data",
    [
        np.array([1, 2]), np.array([2**63 - 1, -(2**63)]), np.array([2**64 - 1, 0], np.uint64), np.array([1, 2], ">i4"),
        np.array([2**70, 1], object), np.ma.MaskedArray([3, 4], [False, False]),
    ],
)  # fmt: skip
def test_an_array_is_released_as_its_list_would_be(
    noisy: dp.types.Measurement[dp.types.Vector[dp.types.Integers], dp.types.Metric, dp.types.Measure, list[int]],
    data: Array,
) -> None:
    for seed in range(20):
        expected = noisy.release(data.tolist(), bits=SeededBits(seed))
        found = noisy.release(data, bits=SeededBits(seed))
        assert isinstance(found, np.ndarray)
        assert found.tolist() == expected
        fits = all(-(2**63) <= v < 2**63 for v in expected)
        assert found.dtype == (np.int64 if fits else np.object_)
        assert not np.shares_memory(found, data)


def test_functions_get_lists_of_python_integers() -> None:
    """So `v[0] * 10**18` cannot wrap, whatever the data came in."""
    met: list[object] = []

    def look(released: list[int]) -> str:
        met.append((type(released), {type(v) for v in released}))
        return "seen"

    noisy = UNBOUNDED >> dp.laplace(scale=5)
    assert noisy.then(look).release(np.array([1, 2])) == "seen"
    assert noisy.then(look).release([1, 2]) == "seen"
    assert met == [(list, {int})] * 2


def test_what_is_no_list_of_whole_numbers_stays_as_it_is() -> None:
    noisy = UNBOUNDED >> dp.laplace(scale=5)
    first, second = (noisy & noisy).release(np.array([1, 2]))
    assert type(first) is type(second) is list
    shares = dp.value(dp.vector(dp.numbers(step="0.1"), 2), dp.L1Distance()) >> dp.laplace(scale=5)
    assert type(shares.release(np.array([0.1, 2.0]))) is list
    assert type(noisy.then(lambda v: [str(x) for x in v]).release(np.array([1, 2]))) is list
    assert type((dp.rows(dp.booleans()) >> dp.histogram() >> dp.laplace(scale=1)).release(np.array([True]))) is list


@pytest.mark.parametrize("x", [[1, 10, 2], [-1, 0, 0]])
def test_the_same_refusal(x: list[int]) -> None:
    noisy = SPACE >> dp.laplace(scale=5)
    refusals = []
    for data in (x, np.array(x)):
        with pytest.raises(dp.errors.InvalidData) as refusal:
            noisy.release(data)
        refusals.append(str(refusal.value))
    assert refusals[0] == refusals[1]
