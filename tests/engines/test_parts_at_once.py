"""Counts and sums of all parts at once are those of each part, on columns as on rows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines import grouped, together
from dpcore.engines.doors import by_rows, table
from dpcore.engines.numpy.columns import EXACT
from dpcore.engines.numpy.parts import NumpyParts
from dpcore.engines.table import Table
from dpcore.expressions import field
from tests.thorough import thorough

FAR = (1 << 62) - 1
SPACE = dp.rows(dp.record(k=dp.integers(-9, 12), n=dp.integers(-FAR, FAR), g=dp.numbers(-9, 9, "0.1"), b=dp.booleans()))
k, n, g, b = field("k", int), field("n", int), field("g", float), field("b", bool)

numbers = st.one_of(st.integers(-5, 5), st.sampled_from([EXACT, EXACT - 1, -EXACT, FAR, -FAR]))
rows_of_all = st.lists(
    st.fixed_dictionaries(
        {"k": st.integers(-9, 12), "n": numbers, "g": st.integers(-9, 9).map(lambda n: n / 10), "b": st.booleans()}
    ),
    max_size=30,
)
keys = st.one_of(
    st.builds(lambda first, size: list(range(first, first + size)), st.integers(-9, 4), st.integers(1, 9)),
    st.lists(st.integers(-12, 15), min_size=1, max_size=8, unique=True),
    st.just(list(range(22))),
)


def asked(rows: Table, by: list[int], *, one_by_one: bool) -> list[object]:
    """What is asked of the parts, all at once or each by itself."""
    parts = grouped(rows, k, by).of(by)
    at_once = together([parts[place] for place in range(len(by))] if one_by_one else parts)
    assert one_by_one or isinstance(at_once, NumpyParts)
    tenths, counted = dp.numbers(-9, 9, "0.1"), dp.record(n=dp.integers(-FAR, FAR), b=dp.booleans())
    chosen = at_once.filter(b)
    found: list[object] = []
    for each in (at_once, chosen):
        found += [list(each.counts()), list(each.select(g, tenths).totals())]
        found += [list(each.select(n, dp.integers(-FAR, FAR)).totals()), [part.count() for part in each]]
    found += [list(chosen.select_record({"n": n, "b": b}, counted).narrowed(counted).counts())]
    return [*found, [part.count() for part in at_once[1:]], at_once[0].count()]


def as_arrays(rows: list[Mapping[str, object]]) -> dict[str, object]:
    kinds = {"k": np.int64, "n": np.int64, "g": np.float64, "b": np.bool_}
    return {name: np.array([row[name] for row in rows], dtype=kind) for name, kind in kinds.items()}


@thorough(100)
@given(rows_of_all, keys)
def test_all_at_once_is_each(rows: list[Mapping[str, object]], by: list[int]) -> None:
    columns, expected = table(as_arrays(rows), SPACE.domain), by_rows(rows, SPACE.domain)
    found = [asked(columns, by, one_by_one=False), asked(columns, by, one_by_one=True)]
    assert found == [asked(expected, by, one_by_one=True)] * 2


@pytest.mark.parametrize("values", [[EXACT - 1, 1, 1], [EXACT, 1, -1], [FAR, FAR, FAR], [-FAR, -FAR, 1]])
def test_no_sum_is_rounded(values: list[int]) -> None:
    space = dp.rows(dp.record(k=dp.integers(0, 1), n=dp.integers(-FAR, FAR)))
    rows = table({"k": np.zeros(3, dtype=np.int64), "n": np.array(values)}, space.domain)
    parts = together(grouped(rows, k, [0, 1]).of([0, 1]))
    assert list(parts.select(n, dp.integers(-FAR, FAR)).totals()) == [sum(values), 0]


def test_what_is_null_counts_for_nothing() -> None:
    space = dp.rows(dp.record(k=dp.optional(dp.integers(0, 3)), n=dp.optional(dp.numbers(0, 9, "0.5"))))
    data = {
        "k": np.ma.MaskedArray([1, 1, 0, 2, 3], [False, False, False, True, False]),
        "n": np.ma.MaskedArray([0.5, 9.0, 1.0, 2.0, 3.0], [False, True, False, False, False]),
    }
    parts = grouped(table(data, space.domain), field("k"), [0, 1, None]).of([0, 1, None])
    assert isinstance(parts, NumpyParts)
    assert parts.counts() == [1, 2, 1]
    halves = dp.optional(dp.numbers(0, 9, "0.5"))
    assert parts.select(field("n"), halves).totals() == [1, Fraction(1, 2), 2]


def test_sixteen_bits_hold_the_places() -> None:
    many = (1 << 15) + 5
    space = dp.rows(dp.record(k=dp.integers(0, many)))
    rows = table({"k": np.array([0, many - 1, many - 1, 7])}, space.domain)
    parts = grouped(rows, k, list(range(many)))
    assert [parts[place].count() for place in (0, 7, 8, many - 1)] == [1, 1, 0, 2]
