"""Lists of plain values are columns first, and mean exactly what their rows mean one by one.

No value, however odd, can change how its neighbours are read: whatever a column cannot hold exactly, all rows are read
one by one, with the same results and the same refusals.
"""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Sequence
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Domain, Rows
from dpcore.engines import Table, grouped
from dpcore.engines.doors import by_columns, by_rows, table
from dpcore.engines.numpy.lists import FEW_ROWS
from dpcore.engines.numpy.ranking import MANY_VALUES
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.engines.python_rows import PythonRows
from dpcore.errors import DPError, InvalidData
from dpcore.noise.bits import SeededBits
from dpcore.noise.row_keys import CipherKey
from tests.engines.tallies import tally
from tests.thorough import thorough


class Answer(IntEnum):
    YES = 1


class Shout(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "loud"


class Odd(float):
    __slots__ = ()

    def __repr__(self) -> str:
        return "7.0"


DAY = datetime.date(2020, 2, 29)
ODDITIES: list[object] = [
    True, None, Answer.YES, 2**63, -(2**63) - 1, 2**53 + 1, 1e300, 5e-324, float("nan"), float("inf"), -0.0, 0.1 + 0.2,
    Decimal("0.1"), Decimal("NaN"), Fraction(1, 3), Odd(3.0), Shout("N"), "1", DAY, datetime.datetime(2020, 2, 29),
    np.int64(3), np.float64(0.1), np.float32(0.1), np.bool_(True), np.str_("N"), np.datetime64("2020-02-29"), [1], {},
]  # fmt: skip

plain: st.SearchStrategy[list[object]] = st.one_of(
    st.lists(st.integers(-2, 10)),
    st.lists(st.sampled_from([0, 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)])),
    st.lists(st.sampled_from([0.1, 0.3, -1.0, 2.0, 0.30000000000000004, -0.0, 1e22])),
    st.lists(st.sampled_from([1, 0.5, 2.0, 3, -0.0, 2**53 - 1, 9007199254740993.0])),
    st.lists(st.booleans()),
    st.lists(st.sampled_from(["N", "S", "", "a\0", "\ud800"])),
    st.lists(st.dates()),
    st.lists(st.sampled_from([1, True, 1.0, "N", None])),
).map(list)

lists: st.SearchStrategy[list[object]] = st.one_of(
    plain,
    st.tuples(plain, st.sampled_from(ODDITIES), st.integers(0, 9)).map(lambda t: [*t[0][: t[2]], t[1], *t[0][t[2] :]]),
    st.tuples(plain, st.lists(st.booleans())).map(
        lambda t: [None if i < len(t[1]) and t[1][i] else v for i, v in enumerate(t[0])]
    ),
)

entry = st.sampled_from([0, 1, 2, 0.1, 0.3, -0.0, 2.5, True, None, 2**53 + 1, Decimal("0.1"), np.float32(0.1), "N"])
numeric = st.sampled_from([0, 1, 2, 0.1, 0.3, 0.5])
sequence: st.SearchStrategy[object] = st.one_of(
    st.tuples(numeric, numeric),
    st.tuples(numeric, numeric).map(list),
    st.tuples(numeric, numeric).map(np.array),
    st.tuples(st.integers(0, 2), st.integers(0, 2)).map(list),
)
odd: st.SearchStrategy[object] = st.one_of(
    st.lists(entry, max_size=3),
    st.lists(numeric, min_size=2, max_size=2).map(lambda v: np.array(v, dtype=np.float32)),
    st.just(np.ma.MaskedArray([0.1, 0.3], [False, True])),
    st.just(np.array([[0, 1]])),
    st.sampled_from([None, float("nan"), "NS", b"ab", {0: 1}]),
)
sequences: st.SearchStrategy[list[object]] = st.one_of(
    st.lists(st.tuples(numeric, numeric).map(list)).map(list),
    st.lists(st.tuples(numeric, numeric).map(np.array)).map(list),
    st.lists(st.one_of(sequence, st.none())).map(list),
    st.tuples(st.lists(sequence), odd, st.integers(0, 9)).map(lambda t: [*t[0][: t[2]], t[1], *t[0][t[2] :]]),
)
vectors: st.SearchStrategy[Domain] = st.sampled_from(
    [
        dp.vector(dp.integers(), 2), dp.vector(dp.integers(0, 1), 2), dp.vector(dp.numbers(), 2),
        dp.vector(dp.numbers(0, 2, "0.1"), 2), dp.vector(dp.optional(dp.numbers()), 2), dp.vector(dp.booleans(), 2),
        dp.vector(dp.integers(), 2, norm=dp.L1Distance, bound=1), dp.vector(dp.vector(dp.integers(), 1), 2),
    ]
)  # fmt: skip

singles: st.SearchStrategy[Domain] = st.sampled_from(
    [
        dp.integers(), dp.integers(0, 9), dp.integers(-(2**70), 2**70), dp.numbers(), dp.numbers(-1, 1),
        dp.numbers(0, 3, "0.1"), dp.numbers(None, None, "1/3"), dp.booleans(), dp.text(), dp.categories("N", "S"),
        dp.categories("N", 1, True), dp.categories(1, 2), dp.categories(True, False), dp.categories(DAY), dp.date(),
        dp.date("2020-01-01", "2020-12-31"), dp.categories("N", None), dp.vector(dp.integers(), 1),
    ]
)  # fmt: skip
domains = st.one_of(singles, singles.map(lambda d: d if d.member(None) else dp.optional(d)))


def typed(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [typed(inner) for inner in value]
    if isinstance(value, dict):
        return {name: typed(inner) for name, inner in value.items()}
    return type(value), value


def told(read: Table, keys: Sequence[Hashable]) -> list[object]:
    """Everything that is computed from rows as they are."""
    found: list[object] = [read.count(), read.in_memory()]
    works = (
        read.total,
        lambda: read.ranks([Fraction(1, 10), 0, 1, 2**53, -(2**70)]),
        lambda: tally(read, dp.row(), keys),
        lambda: [part.in_memory() for part in grouped(read, dp.row(), keys).values()],
    )
    for work in works:
        try:
            found.append(work())
        except DPError as refusal:
            found.append(str(refusal))
    return found


def refused(read: object) -> object:
    return str(read) if isinstance(read, InvalidData) else None


def held(data: Sequence[object], domain: Domain, by: str) -> Table | InvalidData | None:
    try:
        if by == "columns":
            return by_columns(data, Rows(domain))
        return by_rows(data, Rows(domain)) if by == "rows" else table(data, Rows(domain))
    except InvalidData as refusal:
        return refusal


@thorough(500)
@given(domains, lists)
@example(dp.numbers(), [2**53 + 1, 0.5])
@example(dp.categories("N", 1, True), [1, True, "N"])
def test_a_list_means_what_its_rows_mean(domain: Domain, data: list[object]) -> None:
    rows, columns = held(data, domain, "rows"), held(data, domain, "columns")
    if columns is not None:
        keys = ["N", 1, True, Fraction(1, 10), None, DAY, 0.30000000000000004]
        assert isinstance(rows, Table)
        assert isinstance(columns, Table)
        distinct = [k for k in keys if k is not True]  # 1 and True are one key of a dict, and refused as such
        assert typed(told(rows, distinct)) == typed(told(columns, distinct))


@thorough(500)
@given(vectors, sequences, st.booleans())
@example(dp.vector(dp.numbers(), 2), [[0.1, 1], (2, 0.3), None], True)
@example(dp.vector(dp.numbers(), 2), [[0.1, 1], [0.1]], False)
@example(dp.vector(dp.integers(), 2, norm=dp.L1Distance, bound=1), [[1, 1]], False)
@example(dp.vector(dp.numbers(), 2), [np.array([1, 0]), np.array([0.1, 0.3])], False)
def test_a_list_of_vectors_means_what_its_rows_mean(domain: Domain, data: list[object], optional: bool) -> None:
    of = dp.optional(domain) if optional else domain
    rows, columns = held(data, of, "rows"), held(data, of, "columns")
    if columns is not None:
        assert isinstance(rows, Table)
        assert isinstance(columns, Table)
        assert typed(rows.in_memory()) == typed(columns.in_memory())
        chosen = [table.fairly(None, 2, CipherKey(SeededBits(1))).in_memory() for table in (rows, columns)]
        assert sorted(map(repr, chosen[0])) == sorted(map(repr, chosen[1]))
        if not optional:
            sums = [summed(table) for table in (rows, columns)]
            assert typed(sums[0]) == typed(sums[1])
    many = data * FEW_ROWS
    assert refused(held(many, of, "any")) == refused(held(many, of, "rows"))


@thorough(200)
@given(st.lists(st.sampled_from([np.float32(0.1), np.float64(0.1), np.int8(1)]), min_size=1))
def test_arrays_of_several_types_are_read_as_each_alone(data: list[np.generic]) -> None:
    arrays = [np.array([value]) for value in data]
    expected = by_rows(arrays, Rows(dp.vector(dp.numbers(), 1))).in_memory()
    assert table(arrays * FEW_ROWS, Rows(dp.vector(dp.numbers(), 1))).in_memory() == expected * FEW_ROWS


def summed(read: Table) -> object:
    try:
        return read.vector_total(2)
    except DPError as refusal:
        return str(refusal)


@thorough(500)
@given(domains, lists)
def test_refusals_do_not_depend_on_how_many_rows_there_are(domain: Domain, data: list[object]) -> None:
    many = data * FEW_ROWS
    assert refused(held(many, domain, "any")) == refused(held(many, domain, "rows"))


PLAIN: list[tuple[Domain, list[object]]] = [
    (dp.integers(), [1, 2]), (dp.numbers(), [0.1, 2.5]), (dp.numbers(), [1, 0.5]), (dp.numbers(0, 9, 1), [1, 2]),
    (dp.booleans(), [True, False]), (dp.text(), ["a", "b"]), (dp.categories("a", "b"), ["a", "b"]), (dp.date(), [DAY]),
    (dp.categories(1, 2), [1]), (dp.optional(dp.integers()), [1, None]), (dp.optional(dp.text()), ["a", None]),
    (dp.numbers(), [np.float64(0.1)]), (dp.integers(), [np.int64(3), 4]),
    (dp.record(a=dp.integers(), b=dp.optional(dp.numbers())), [{"a": 1, "b": None}, {"b": 0.5, "a": 2}]),
    (dp.vector(dp.numbers(), 2), [[0.1, 2], (1, 0.5)]), (dp.vector(dp.integers(), 2), [np.array([1, 2])]),
    (dp.optional(dp.vector(dp.numbers(), 2)), [None, [1, 0.5]]), (dp.vector(dp.vector(dp.integers(), 1), 2), [[[1], [2]]]),
    (dp.record(a=dp.vector(dp.integers(), 1), b=dp.integers()), [{"a": [1], "b": 2}]),
]  # fmt: skip


@pytest.mark.parametrize(("domain", "data"), PLAIN)
def test_plain_lists_are_columns(domain: Domain, data: list[object]) -> None:
    many = data * FEW_ROWS
    found = table(many, Rows(domain))
    assert isinstance(found, NumpyColumns)
    assert typed(found.in_memory()) == typed(by_rows(many, Rows(domain)).in_memory())
    assert isinstance(table(tuple(many), Rows(domain)), NumpyColumns)


@pytest.mark.parametrize("domain", [dp.vector(dp.numbers(), 2), dp.optional(dp.vector(dp.integers(), 2))])
def test_arrays_that_are_masked_are_read_one_by_one(domain: Domain) -> None:
    """What lies below a mask is no value."""
    masked: object = np.ma.MaskedArray([1, 2], [False, True])
    assert isinstance(held([masked], domain, "rows"), InvalidData)
    assert isinstance(held([masked] * FEW_ROWS, domain, "any"), InvalidData)


@pytest.mark.parametrize("oddity", [Answer.YES, 2**63, Decimal(1), Fraction(1, 3), Odd(3.0), np.float32(0.1)])
def test_one_odd_row_changes_nothing_for_the_others(oddity: object) -> None:
    """Whatever it is, it is read, or refused, as it would be alone."""
    domain, data = dp.numbers(), [0.1, 1e22, 5, 0.3] * FEW_ROWS
    assert isinstance(table(data, Rows(domain)), PythonRows), "1e22 stands beside whole numbers"
    amounts = [0.1, 2.0, 0.3] * FEW_ROWS
    alone, beside = held([oddity], domain, "rows"), held([*amounts, oddity], domain, "any")
    if isinstance(alone, InvalidData):
        assert isinstance(beside, InvalidData)
        assert "row 0" in str(alone)
        assert f"row {len(amounts)}" in str(beside)
    else:
        assert isinstance(beside, PythonRows)
        assert beside.in_memory() == [*by_rows(amounts, Rows(domain)).in_memory(), *alone_rows(alone)]


def alone_rows(read: object) -> list[object]:
    assert isinstance(read, Table)
    return read.in_memory()


@thorough(300)
@given(
    st.lists(st.sampled_from([0.1, 0.3, 1.0, -0.0, 2.5, 1e22, -7.0, 9007199254740993.0])),
    st.lists(st.sampled_from([Fraction(1, 10), Fraction(3, 10), 0, 1, 10**22, -7, 2**53, 2**53 + 1]), unique=True),
)
def test_ranks_of_floats(data: list[float], candidates: list[int | Fraction]) -> None:
    read = by_columns(data, Rows(dp.numbers())) if data else by_rows(data, Rows(dp.numbers()))
    assert read is not None
    exact = [Fraction(repr(v)) for v in data]
    expected = [(sum(v < c for v in exact), sum(v > c for v in exact)) for c in candidates]
    assert read.ranks(candidates) == expected
    assert by_rows(data, Rows(dp.numbers())).ranks(candidates) == expected


@pytest.mark.parametrize("domain", [dp.numbers(), dp.numbers(None, None, "1/10"), dp.integers()])
@pytest.mark.parametrize("size", [MANY_VALUES - 1, MANY_VALUES + 1])
@pytest.mark.parametrize("few", [5, 100])
def test_ranks_of_many(domain: Domain, size: int, few: int) -> None:
    """Both ways of counting, few candidates and many, and entries at both ends of 64 bits."""
    data: list[object] = [i % 97 - 20 for i in range(size)]
    if domain == dp.integers():
        data[:2] = [2**63 - 1, -(2**63)]
    candidates = [Fraction(i, 3) for i in range(-few, few)]
    columns = by_columns(data, Rows(domain))
    assert isinstance(columns, NumpyColumns)
    assert columns.ranks(candidates) == by_rows(data, Rows(domain)).ranks(candidates)
    ends = [2**63 - 1, 2**63, -(2**63), -(2**63) - 1]
    assert columns.ranks(ends) == by_rows(data, Rows(domain)).ranks(ends)
