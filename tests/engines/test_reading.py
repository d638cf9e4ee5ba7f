"""Data from outside: numpy columns are refused where Python rows are, at the same place and without a value."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.domains import (
    Array,
    Domain,
    Rows,
    booleans,
    categories,
    date,
    integers,
    numbers,
    optional,
    record,
    text,
    vector,
)
from dpcore.engines.doors import table
from dpcore.engines.numpy import reading
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.engines.python_rows import PythonRows
from dpcore.errors import InvalidData
from tests.thorough import thorough

MANY = categories(*"abcdefghijklmnopqrstuvwxyzNS")

singles: st.SearchStrategy[Domain] = st.sampled_from(
    [
        integers(), integers(0, 9), integers(-(2**70), 2**70), integers(2**63, 2**64), integers(3, 3), numbers(),
        numbers(-1, 1), numbers(None, "0.1"), numbers("-1/3", "1/3"), numbers(0, 3, "0.1"), numbers(None, None, "1/3"),
        numbers(0, 10, 2),
        booleans(), text(), categories("N", "S"), categories("N", 1, True), categories(1, 2), MANY,
        date(), date("2020-01-01", "2020-12-31"),
    ]
)  # fmt: skip
domains = st.one_of(singles, singles.map(optional))

NARROW = ("int8", "int16", "int32", ">i4", "uint8", "uint16", "uint32", "uint64", "float16", "float32", ">f4")


def of_type(dtype: str) -> st.SearchStrategy[Array]:
    """Arrays of a type that is converted, its extremes among the entries."""
    ends = (
        [0.1, -1, -0.0, 2.0**-24, 1e-45, np.nan, np.inf] if "f" in dtype else [np.iinfo(dtype).min, np.iinfo(dtype).max]
    )
    return st.lists(st.sampled_from([0, 3, 9, *ends])).map(lambda v: np.array(v, dtype=dtype))


DAY: Final = {"D": 1, "s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def moments(unit: str) -> st.SearchStrategy[Array]:
    """Days, moments that are no midnight, NaT, and those so far that no calendar has them."""
    own = [18_321 * DAY[unit], -DAY[unit], 18_321 * DAY[unit] + 1, 1 << 40, (1 << 62) - (1 << 62) % DAY[unit]]
    held = st.sampled_from([*own, *(-each for each in own), (1 << 63) - 1, 1 - (1 << 63), -(1 << 63)])
    return st.lists(held).map(lambda v: np.array(v, dtype=np.int64).view(f"datetime64[{unit}]"))


arrays: st.SearchStrategy[Array] = st.one_of(
    st.sampled_from(NARROW).flatmap(of_type),
    st.lists(st.integers(-2, 10)).map(lambda v: np.array(v, dtype=np.int64)),
    st.lists(st.sampled_from([0, 2, 2**63 - 1, -(2**63)])).map(lambda v: np.array(v, dtype=np.int64)),
    st.lists(st.sampled_from([0, 3, 2**63, 2**64 - 1])).map(lambda v: np.array(v, dtype=np.uint64)),
    st.lists(st.sampled_from([0.1, 0.3, 1 / 3, -0.0, 2.0, 0.30000000000000004, 1e300, np.nan, np.inf])).map(np.array),
    st.lists(st.sampled_from([0.1, 0.3, -1.0, 2.0, 1e30])).map(lambda v: np.array(v, dtype=np.float32)),
    st.lists(st.booleans()).map(lambda v: np.array(v, dtype=np.bool_)),
    st.lists(st.sampled_from(["N", "S", "a", "", "Nn"])).map(lambda v: np.array(v, dtype=np.str_)),
    st.lists(st.sampled_from(["2020-02-29", "0001-01-01", "NaT", "9999-12-31", "-0001-01-01"])).map(
        lambda v: np.array(v, dtype="datetime64[D]")
    ),
    st.lists(st.sampled_from(["2020-02", "2021-01"])).map(lambda v: np.array(v, dtype="datetime64[M]")),
    st.sampled_from(["D", "s", "ms", "us", "ns"]).flatmap(moments),
    st.lists(
        st.sampled_from([1, True, "N", "S", 0.3, None, Decimal("0.3"), datetime.date(2020, 2, 29), 2**70])
    ).map(lambda v: np.array([*v, None], dtype=object)[:-1]),
)  # fmt: skip


def masks(data: Array) -> st.SearchStrategy[Array]:
    mask = st.lists(st.booleans(), min_size=len(data), max_size=len(data))
    return st.one_of(st.just(data), mask.map(lambda m: np.ma.MaskedArray(data, m)))


def entries(data: Array) -> list[object]:
    return [None if x is np.ma.masked else x for x in data]


def outcome(data: object, domain: Domain) -> object:
    try:
        found = table(data, Rows(domain)).in_memory()
    except InvalidData as refusal:
        return str(refusal)
    return [(type(value), value) for value in found]


@thorough(2500)
@given(domains, arrays.flatmap(masks))
def test_an_array_is_read_as_its_entries_would_be(domain: Domain, data: Array) -> None:
    data.flags.writeable = False
    assert outcome(data, domain) == outcome(entries(data), domain)


@thorough(300)
@given(st.lists(st.tuples(st.integers(-1, 4), st.sampled_from([0.1, 0.25, np.nan])), max_size=5))
def test_the_first_offence_is_by_row_and_then_by_field(pairs: list[tuple[int, float]]) -> None:
    domain = record(n=integers(0, 3), x=numbers(0, 1, 0.1))
    rows = [{"n": n, "x": x} for n, x in pairs]
    columns = {"n": np.array([n for n, _ in pairs], dtype=int), "x": np.array([x for _, x in pairs], dtype=float)}
    # In columns, an entry of an array is a numpy scalar; that is the only difference in what is said.
    assert str(outcome(columns, domain)) == str(outcome(rows, domain)).replace("got a float", "got a float64")


AGES = record(age=integers(0, 120), pay=numbers(0, 10, "0.01"))


@pytest.mark.parametrize(
    ("data", "domain", "place"),
    [
        ([1, 2, 300], integers(0, 120), "row 2, out of bounds"),
        (np.array([1, 2, 300]), integers(0, 120), "row 2, out of bounds"),
        (np.array([1.0, 1.5]), integers(), "row 1, expected a whole number but got a float64"),
        (np.array([True]), integers(), "row 0, expected a whole number but got a bool"),
        (np.zeros((2, 2)), numbers(), "expected an array of 1 dimension but got one of 2"),
        ({"age": np.array([1, 2]), "pay": np.array([0.1, 0.125])}, AGES, "row 1, field 'pay', off the grid"),
        ({"age": np.array([1, -2]), "pay": np.array([0.1, 0.125])}, AGES, "row 1, field 'age', out of bounds"),
        ({"age": np.array([1, 2]), "pay": np.array([0.1])}, AGES, "columns of unequal length"),
        ({"age": np.array([1, 2])}, AGES, "field 'pay' is missing"),
        ({"age": np.array([1]), "pay": np.array([0.1]), "x": np.array([0])}, AGES, "fields that were not declared"),
        ({"age": np.array([[1]]), "pay": np.array([0.1])}, AGES, "field 'age', expected an array of 1 dimension"),
        ({"age": "1", "pay": np.array([0.1])}, AGES, "field 'age', expected a column of values but got a str"),
        ({"age": np.array([1])}, integers(), "expected one array but got columns by name"),
        (np.array([1]), AGES, "row 0, expected a record but got a int64"),
        (np.array([-2, 1]), numbers(0, 10, 2), "row 0, out of bounds"),
        (np.array([1, -2]), numbers(0, 10, 2), "row 0, off the grid"),
        (np.array([0, -1]), numbers("-1/3", "1/3"), "row 1, out of bounds"),
        (np.array([0, 1]), numbers("-1/3", "1/3"), "row 1, out of bounds"),
        (np.array(["a"]), categories("a\0"), "row 0, none of the categories"),
        (5, integers(), "expected a sequence of rows but got a int"),
        ("abc", text(), "expected a sequence of rows but got a str"),
        (np.ma.MaskedArray([1, 2], [False, True]), integers(), "row 1, expected a whole number but got null"),
    ],
)
def test_refusals_name_the_place(data: object, domain: Domain, place: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        table(data, Rows(domain))
    assert str(refusal.value).startswith(f"the data are not in the input domain: {place}")
    assert "300" not in str(refusal.value)


@pytest.mark.parametrize("data", [[1, 2], np.array([1, 2])])
def test_a_declared_size(data: object) -> None:
    assert table(data, Rows(integers(), 2)).count() == 2
    with pytest.raises(InvalidData, match="another number of rows than the declared 3"):
        table(data, Rows(integers(), 3))


def test_the_engine_follows_the_data() -> None:
    assert isinstance(table([1, 2], Rows(integers())), PythonRows)
    assert isinstance(table(np.array([1]), Rows(integers())), NumpyColumns)
    assert isinstance(table({"age": np.array([1]), "pay": np.array([2])}, Rows(AGES)), NumpyColumns)
    assert isinstance(table([], Rows(integers())), PythonRows)
    assert table(np.array([]), Rows(integers())).in_memory() == []
    holding = np.empty(1, dtype=object)
    holding[0] = {"age": 3, "pay": 0.5}
    assert table(holding, Rows(AGES)).count() == 1


@pytest.mark.parametrize("dtype", NARROW)
def test_a_count_converts_no_array(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "_typed" if "f" in dtype else "_counts"
    convert = Mock(side_effect=getattr(reading, name))
    monkeypatch.setattr(reading, name, convert)
    found = table(np.array([1, 2], dtype), Rows(numbers(0, 9) if "f" in dtype else integers(0, 9)))
    assert (found.count(), convert.call_count) == (2, 0)
    assert (found.in_memory(), convert.call_count) == ([1, 2], 1)


def test_a_lesser_float_has_the_lesser_shortest_decimal() -> None:
    """Which is why the least and the greatest entry speak for all: tried on every float of 16 bits."""
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    decimals = [Fraction(str(x)) for x in np.unique(every[np.isfinite(every)])]
    assert all(x < y for x, y in pairwise(decimals))


def test_an_array_that_fits_is_not_copied() -> None:
    from dpcore.engines.numpy.columns import Multiples
    from dpcore.engines.numpy.computed import computed
    from dpcore.expressions import row

    data = np.arange(10)
    found = table(data, Rows(integers()))
    assert isinstance(found, NumpyColumns)
    column = computed(row().node, found._columns)
    assert isinstance(column, Multiples)
    assert np.shares_memory(column.values, data)


def test_rows_handed_out_are_not_the_tables_own() -> None:
    given_rows: list[Mapping[str, object]] = [{"v": [1, 2]}]
    found = table(given_rows, Rows(record(v=vector(integers(), 2))))
    first = found.in_memory()[0]
    assert isinstance(first, dict)
    first["v"][0] = 99
    first["more"] = 1
    assert found.in_memory() == [{"v": [1, 2]}]
