"""Adding noise to values: exact for every draw, in whatever form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.noise import additions
from dpcore.noise.additions import add
from dpcore.noise.fixed_point import Int64s
from tests.noise.tools import mutant

INT64 = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, 0, -1, 1])
PAIRS = st.lists(st.tuples(INT64, INT64), max_size=5)


def array(values: list[int]) -> Int64s:
    return np.array(values, np.int64)


@given(PAIRS)
def test_the_sum_is_the_sum(pairs: list[tuple[int, int]]) -> None:
    values, noise = [v for v, _ in pairs], [z for _, z in pairs]
    expected = [v + z for v, z in pairs]
    for total in (
        add(array(values), array(noise)),
        add(values, array(noise)),
        add(array(values), noise),
        add(values, noise),
    ):
        assert [int(x) for x in total] == expected
    fits = all(-(2**63) <= x < 2**63 for x in expected)
    assert isinstance(add(array(values), array(noise)), np.ndarray) == fits
    assert all(type(x) is int for x in add(values, array(noise)))


@given(st.lists(st.integers(), max_size=3))
def test_any_integers_are_added(values: list[int]) -> None:
    assert add(values, [10**30] * len(values)) == [v + 10**30 for v in values]
    assert add(values, array([7] * len(values))) == [v + 7 for v in values]


def test_as_many_draws_as_values() -> None:
    with pytest.raises(ValueError, match="shorter"):
        add([1, 2], [3])


def test_a_sum_that_wraps_would_be_seen() -> None:
    faulty = mutant(additions, "if not ((values ^ total) & (noise ^ total) < 0).any():", "if True:")
    assert faulty.add(array([2**63 - 1]), array([1])).tolist() == [-(2**63)]
    assert add(array([2**63 - 1]), array([1])) == [2**63]
    assert add(array([-(2**63)]), array([-1])) == [-(2**63) - 1]
