"""Sums never wrap, and True is not 1."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Domain, Rows, booleans, categories, integers, numbers, optional, text, vector
from dpcore.engines import grouped
from dpcore.engines.doors import table
from dpcore.engines.numpy.sums import exact_sum
from dpcore.errors import InvalidExpression, InvalidParameter
from dpcore.expressions import field, row
from tests.engines.tallies import tally
from tests.thorough import thorough

int64s = st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**63 - 1, -(2**63), 2**32, -1, 0]))


@thorough(400)
@given(st.lists(int64s))
def test_sums_of_int64_never_wrap(values: list[int]) -> None:
    assert exact_sum(np.array(values, dtype=np.int64)) == sum(values)
    assert table(np.array(values, dtype=np.int64), Rows(integers())).total() == sum(values)


def test_many_large_entries() -> None:
    data = np.full(100_000, 2**63 - 1)
    assert table(data, Rows(integers())).total() == 100_000 * (2**63 - 1)


@pytest.mark.parametrize(
    ("data", "domain", "total"),
    [
        ([], integers(), 0),
        ([], numbers(None, None, 0.1), Fraction(0)),
        ([0.1] * 10, numbers(0, 1, 0.1), Fraction(1)),
        ([1, 2], numbers(0, 4, 1), Fraction(3)),
        ([True, False, True], booleans(), 2),
        ([1, None, 2], optional(integers()), 3),
    ],
)
def test_totals(data: list[object], domain: Domain, total: object) -> None:
    for given_as in (data, np.array(data, dtype=object)):
        found = table(given_as, Rows(domain)).total()
        assert found == total
        assert type(found) is type(total)


def test_vector_totals() -> None:
    rows = Rows(vector(numbers(0, 1, 0.5), 2))
    assert table([[0.5, 1], [1, 0]], rows).vector_total(2) == [Fraction(3, 2), Fraction(1)]
    assert table([], rows).vector_total(2) == [0, 0]
    whole = table([[1, 2**70]], Rows(vector(integers(), 2))).vector_total(2)
    assert [type(v) for v in whole] == [int, int]
    with pytest.raises(InvalidParameter):
        table([], rows).vector_total(3)


@pytest.mark.parametrize("domain", [text(), categories("a", "b")])
def test_texts_have_no_total(domain: Domain) -> None:
    with pytest.raises(InvalidExpression, match="Expected numbers or truth values"):
        table([], Rows(domain)).total()


MIXED = categories(1, True, "1", 0)
BINS: list[Hashable] = [True, 1, "1", 0, False, Fraction(1), 1.0, None]


@pytest.mark.parametrize("as_array", [False, True])
def test_true_is_not_one_in_a_tally(as_array: bool) -> None:
    def given_as(data: list[object], **kind: object) -> object:
        return np.array(data, dtype=object) if as_array else data

    mixed = table(given_as([1, 1, 1, True, True, "1", 0]), Rows(MIXED))
    assert tally(mixed, row(), BINS) == [2, 3, 1, 1, 0, 3, 3, 0]
    whole = table(np.array([1, 1, 0]) if as_array else [1, 1, 0], Rows(integers()))
    assert tally(whole, row(), [True, 1, False, 0, 1]) == [0, 2, 0, 1, 2]
    assert tally(whole, row(), [1, True]) == [2, 0]
    assert tally(whole, row(), [True]) == [0]
    truth = table(np.array([True, False]) if as_array else [True, False], Rows(booleans()))
    assert tally(truth, row(), [True, 1, False, 0]) == [1, 0, 1, 0]
    parts = grouped(mixed, row(), [1, "1"])
    assert {key: part.in_memory() for key, part in parts.items()} == {1: [1, 1, 1], "1": ["1"]}
    with pytest.raises(InvalidParameter, match="Expected different keys"):
        grouped(mixed, row(), [1, True])
    with pytest.raises(InvalidParameter, match="Expected different keys"):
        grouped(mixed, row(), [0.5, Fraction(1, 2)])


@thorough(200)
@given(st.lists(int64s), st.lists(st.one_of(int64s, st.fractions(max_denominator=4)), unique=True))
def test_keys_in_any_order_and_however_far_apart(values: list[int], keys: list[int | Fraction]) -> None:
    """Those beside the grid or beyond 64 bits have no rows."""
    data = [*values, *(k for k in keys if k == int(k)), 7]
    whole: list[int | Fraction] = [int(k) for k in data if -(2**63) <= k < 2**63]
    keys = [*keys, 2**63, -(2**63) - 1]
    assert tally(table(np.array(whole), Rows(integers())), row(), keys) == list(map(whole.count, keys))


def test_a_selection_stays_in_its_domain() -> None:
    space = dp.rows(integers(0, 9))
    assert (space >> dp.select(row() + 1, integers(0, 99)))([1, 2]) == [2, 3]
    for wrong in (dp.select(row() + 1, integers(0, 9)), dp.filter(field("x", bool)), dp.filter(row(bool))):
        with pytest.raises(InvalidExpression):
            space >> wrong
