"""Bins are disjoint, or refused: a row counted twice would cost twice what the map says."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.noise.bits import SeededBits
from tests.laws.arrows import transformation

TWICE: list[Sequence[Hashable]] = [
    ["a", np.str_("a")],
    [1, 1.0],
    [0.1, Fraction(1, 10)],
    [Decimal("0.1"), 0.1],
    [1, np.int64(1)],
    [0.0, -0.0],
    [(1, "a"), (1.0, "a")],
    [None, None],
    [True, np.True_],
    [datetime.date(2020, 1, 1), np.datetime64("2020-01-01")],
]


@pytest.mark.parametrize("bins", TWICE, ids=repr)
def test_one_bin_in_two_forms_is_refused(bins: Sequence[Hashable]) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        dp.histogram(bins=bins)
    with pytest.raises(dp.errors.InvalidParameter):
        dp.partition(bins)


def test_truth_and_one_are_two_bins_but_not_two_keys() -> None:
    rows = dp.rows(dp.categories(1, True, 0))
    assert (rows >> dp.histogram(bins=[1, True]))([1, True, True, 0]) == [1, 2]
    pairs = dp.rows(dp.record(x=dp.categories(1, True))) >> dp.histogram(lambda row: (row["x"],), [(1,), (True,)])
    assert pairs([{"x": 1}, {"x": True}, {"x": True}]) == [1, 2]
    for keys in ([1, True], None):
        with pytest.raises(dp.errors.InvalidParameter):
            rows >> dp.partition(keys)


def test_domains_whose_elements_are_one_bin_twice_are_refused() -> None:
    for values in ((1, 1.0), (Fraction(1, 2), 0.5), (Decimal(1), 1), (0.0, -0.0)):
        with pytest.raises(dp.errors.InvalidParameter):
            dp.categories(*values)
    with pytest.raises(dp.errors.InvalidParameter):
        dp.optional(dp.categories(None, "a"))


keys = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, -0.0, 1.0, 0.5, Fraction(1, 2), Decimal("0.5"), "1", "", "a", np.str_("a"), np.int64(1)]),
    st.tuples(st.sampled_from([0, 1, True, False, 1.0])),
)


@given(st.lists(keys, min_size=1, max_size=4), keys)
def test_no_row_is_counted_twice(bins: list[Hashable], key: Hashable) -> None:
    """Whatever the bins and the row: refused, or each row in at most one bin; by an expression and by a function alike."""
    try:
        domain = dp.categories(*([key] if key in (None,) else [key, "somewhere else"]))
        by_expression = transformation(dp.rows(domain) >> dp.histogram(bins=bins))
        by_function = transformation(dp.rows(domain) >> dp.histogram(itself, bins))
    except dp.errors.InvalidParameter:
        return
    counts, others = by_expression([key]), by_function([key])
    assert isinstance(counts, list)
    assert isinstance(others, list)
    assert sum(counts) <= 1
    assert sum(others) <= 1


def itself(row: Hashable) -> Hashable:
    return row


@given(st.lists(st.sampled_from([0.0, -0.0, 1.5]), max_size=5), st.integers(1, 2))
def test_equal_rows_in_other_forms_are_kept_alike(values: list[float], limit: int) -> None:
    """Which rows of a person are kept depends on them as the metric sees them."""
    record = dp.record(who=dp.categories("x"), n=dp.categories(0.0, 1.5), k=dp.integers(0, 9))
    f = transformation(dp.rows(record, dp.PersonDistance("who")) >> dp.bound_contributions(limit))
    x = [{"who": "x", "n": n, "k": i} for i, n in enumerate(values)]
    y = [{**row, "n": 0.0 if row["n"] == 0 else row["n"]} for row in x]
    assert f.input.metric.carried(x, y) == 0
    assert f.output.metric.carried(f(x, bits=SeededBits(1)), f(y, bits=SeededBits(1))) == 0
