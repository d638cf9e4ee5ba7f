"""The table of nulls, entry by entry, as `dpcore.expressions.operations.logic` states it; on rows and on columns."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from dpcore.domains import Rows, booleans, date, integers, optional, record, text
from dpcore.engines.doors import table
from dpcore.expressions import Expr, Expression, Value, expression_from, field, literal, maximum, minimum, when
from dpcore.expressions.operations.logic import __doc__ as documented

ROW = record(
    x=optional(booleans()), y=optional(booleans()), n=optional(integers(-9, 9)), t=optional(text()), d=optional(date())
)
x, y = field("x", bool), field("y", bool)
n: Expr[Value] = field("n")

AND = {
    (True, True): True, (True, False): False, (True, None): None,
    (False, True): False, (False, False): False, (False, None): False,
    (None, True): None, (None, False): False, (None, None): None,
}  # fmt: skip
OR = {
    (True, True): True, (True, False): True, (True, None): True,
    (False, True): True, (False, False): False, (False, None): None,
    (None, True): True, (None, False): None, (None, None): None,
}  # fmt: skip


def on_both(expr: Expression, **values: object) -> object:
    """The value on one row, the same whichever way it is computed."""
    row = {"x": None, "y": None, "n": None, "t": None, "d": None, **values}
    found = expr.on_row(ROW.canonical(row))
    assert expr.domain(ROW).member(found)
    arrays = {name: np.array([value, value], dtype=object) for name, value in row.items()}
    plain = table([row, row], Rows(ROW)).select(expr, expr.domain(ROW)).in_memory()
    fast = table(arrays, Rows(ROW)).select(expr, expr.domain(ROW)).in_memory()
    assert plain == fast == [found, found]
    assert [type(v) for v in plain] == [type(v) for v in fast]
    return found


@pytest.mark.parametrize("pair", AND)
def test_and_and_or(pair: tuple[bool | None, bool | None]) -> None:
    assert on_both(x & y, x=pair[0], y=pair[1]) is AND[pair]
    assert on_both(x | y, x=pair[0], y=pair[1]) is OR[pair]
    if pair[1] is not None:
        assert on_both(x & literal(pair[1]), x=pair[0]) is AND[pair]
        assert on_both(literal(pair[1]) | x, x=pair[0]) is OR[pair]


def test_the_documented_table_is_the_one_tested() -> None:
    assert documented is not None
    words = {"True": True, "False": False, "null": None}
    lines = [line.split() for line in documented.splitlines()]
    head = next(i for i, line in enumerate(lines) if line[:1] == ["&"])
    for line in lines[head + 1 : head + 4]:
        left, right = line[:4], line[4:]
        for found, table_of in ((left, AND), (right, OR)):
            for column, word in zip((True, False, None), found[1:], strict=True):
                assert table_of[words[found[0]], column] is words[word]


@pytest.mark.parametrize("value", [True, False])
def test_xor_and_not(value: bool) -> None:
    assert on_both(~x, x=value) is (not value)
    assert on_both(~x) is None
    assert on_both(x ^ y, x=value, y=True) is (not value)
    assert on_both(x ^ y, x=value, y=False) is value
    assert on_both(x ^ y, x=value) is None
    assert on_both(x ^ y, y=value) is None


@pytest.mark.parametrize(
    "expr",
    [
        n + 1, 1 - n, n * 0, n / 2, 2 // n, n % 2, -n, abs(n), n < 1, n <= 1, n > 1, n >= 1, n == 1, n != 1,
        n.isin(1, 2), n.isin(), n.between(0, 1), minimum(n, 1), maximum(1, n), n.clip(0, 1), n.round(2),
        field("t").lower(), field("t").upper(), field("t").strip(), field("t").length(), field("t").starts_with("a"),
        field("t").contains(""), field("t") < "a", field("d").year(), field("d").month(), field("d").day(),
        field("d").weekday(), field("d").days_since(datetime.date(2020, 1, 1)), x == literal(True),
    ],
)  # fmt: skip
def test_null_in_null_out(expr: Expression) -> None:
    assert on_both(expr) is None


@pytest.mark.parametrize("expr", [n / 0, n // 0, n % 0, 1 / n, 1 // n, 1 % n, n / n, n // (n - n)])
def test_division_by_zero_is_null(expr: Expression) -> None:
    assert on_both(expr, n=0) is None


def test_between_is_two_comparisons() -> None:
    assert on_both(literal(5).between(n, 3)) is False
    assert on_both(literal(5).between(n, 7)) is None
    assert on_both(literal(5).between(6, n)) is False
    assert on_both(literal(5).between(4, n)) is None


def test_choices() -> None:
    chosen = when(x).then(1).otherwise(2)
    assert on_both(chosen, x=True) == 1
    assert on_both(chosen, x=False) == 2
    assert on_both(chosen) == 2
    absent = expression_from(when(x).then(1).otherwise(2).data())
    assert on_both(absent, x=None) == 2
    assert on_both(x.is_null()) is True
    assert on_both(x.is_null(), x=False) is False
    assert on_both(x.fill_null(True)) is True
    assert on_both(x.fill_null(True), x=False) is False
    assert on_both(x.fill_null(y)) is None
    assert on_both(n.fill_null(7)) == 7


def test_a_filter_keeps_true_only_and_a_sum_counts_null_as_zero() -> None:
    rows = [
        {"x": v, "y": None, "n": n, "t": None, "d": None} for v, n in ((True, 1), (False, 2), (None, 4), (True, None))
    ]
    arrays = {name: np.array([row[name] for row in rows], dtype=object) for name in rows[0]}
    for data in (rows, arrays):
        found = table(data, Rows(ROW))
        assert found.filter(x).totals([n], [n.domain(ROW)]) == [1]
        assert found.filter(~x).totals([n], [n.domain(ROW)]) == [2]
        assert found.filter(x.is_null()).totals([n], [n.domain(ROW)]) == [4]
        assert found.totals([n, x, n / 0], [e.domain(ROW) for e in (n, x, n / 0)]) == [7, 2, 0]
        assert found.filter(literal(True)).count() == 4
        assert found.filter(literal(True) & (n > 100)).count() == 0
