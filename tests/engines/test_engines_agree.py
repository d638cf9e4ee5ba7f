"""Both engines give the same rows, sums and counts, exactly, whatever the data and the expression.

Three carriers hold the same data: rows one by one, which is the definition, columns of numpy, and columns made of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.domains import Array, Rows, booleans
from dpcore.engines import NumpyColumns, Table, by_columns, by_rows, table
from dpcore.expressions import Expr, Expression, Value, field
from dpcore.expressions.columns import objects
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows

Record = Mapping[str, object]


def columns(rows: Sequence[Record]) -> dict[str, Array]:
    """As a user of numpy would hold them: native types where they fit, masks for what is missing."""
    return {name: column([row[name] for row in rows], name) for name, _ in ROW.fields}


def column(values: list[object], name: str) -> Array:
    missing = [value is None for value in values]
    filled = [next((v for v in values if v is not None), 0) if value is None else value for value in values]
    array: Array
    if name == "third" or (name == "ov" and any(missing)) or not values or all(missing):
        return objects(values)
    if name in ("d", "od"):
        array = np.array(filled, dtype="datetime64[D]")
    elif name == "t" and any(isinstance(v, str) and v.endswith("\0") for v in values):
        array = np.array(filled, dtype=object)
    else:
        array = np.array(filled)
        if name == "big" and array.dtype.kind == "f":
            array = np.array(filled, dtype=object)
    return np.ma.MaskedArray(array, missing) if any(missing) else array


def carriers(rows: Sequence[Record]) -> tuple[Table, list[Table]]:
    plain, fast = by_rows(rows, Rows(ROW)), table(columns(rows), Rows(ROW))
    assert isinstance(fast, NumpyColumns)
    listed = by_columns(rows, Rows(ROW)) if rows else fast
    assert listed is not None
    return plain, [fast, listed]


def typed(values: object) -> object:
    """With the types, for 1 == True == Fraction(1) in Python."""
    if isinstance(values, list):
        return [typed(value) for value in values]
    if isinstance(values, dict):
        return {name: typed(value) for name, value in values.items()}
    return type(values), values


def agree(rows: Sequence[Record], compute: Callable[[Table], object]) -> None:
    plain, others = carriers(rows)
    for other in others:
        assert typed(compute(plain)) == typed(compute(other))


@settings(max_examples=80, deadline=None)
@given(typed_rows)
def test_rows(rows: list[Record]) -> None:
    agree(rows, lambda t: [t.count(), t.rows()])


@settings(max_examples=600, deadline=None)
@given(typed_rows, expressions)
def test_select(rows: list[Record], expr: Expression) -> None:
    domain = expr.domain(ROW)
    agree(rows, lambda t: t.select(expr, domain).rows())
    assert Rows(domain).member(carriers(rows)[1][0].select(expr, domain).rows())


@settings(max_examples=200, deadline=None)
@given(typed_rows, conditions, numeric)
def test_filter_then_everything(rows: list[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
    domain = expr.domain(ROW)

    def compute(t: Table) -> list[object]:
        kept = t.filter(condition)
        return [
            kept.count(),
            kept.rows(),
            kept.totals([expr, condition], [domain, booleans()]),
            kept.select(expr, domain).total(),
        ]

    agree(rows, compute)


def values(expr: Expression, rows: Sequence[Record]) -> list[Hashable]:
    return [expr.on_row(ROW.canonical(row)) for row in rows]


keys: st.SearchStrategy[list[Hashable]] = st.lists(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 6),
        st.sampled_from([0.1, 0.25, Fraction(1, 3), 2.675, 10**30, 2**63 - 1, "N", "", "South"]),
        st.dates(),
    ),
    max_size=8,
)


@settings(max_examples=200, deadline=None)
@given(typed_rows, expressions, keys)
def test_tally(rows: list[Record], expr: Expression, bins: list[Hashable]) -> None:
    # Keys that do occur, besides those that may.
    agree(rows, lambda t: t.tally(expr, [*bins, *values(expr, rows)[::2]]))


@settings(max_examples=100, deadline=None)
@given(typed_rows, expressions, keys)
def test_partition(rows: list[Record], expr: Expression, bins: list[Hashable]) -> None:
    wanted = list(dict.fromkeys([*bins, *values(expr, rows)[::2]]))
    wanted = [k for k in wanted if not isinstance(k, float)]
    agree(rows, lambda t: [part.rows() for part in t.partition(expr, wanted).values()])
    agree(rows, lambda t: [part.count() for part in t.partition(expr, wanted).values()])


@settings(max_examples=80, deadline=None)
@given(typed_rows, numeric, conditions)
def test_select_record_then_filter(rows: list[Record], expr: Expr[Value], condition: Expr[bool]) -> None:
    from dpcore.domains import record

    made = record(x=expr.domain(ROW), y=condition.domain(ROW))

    def compute(t: Table) -> list[object]:
        selected = t.select_record({"x": expr, "y": condition}, made)
        kept = selected.filter(field("y", bool))
        return [selected.rows(), kept.rows(), kept.totals([field("x")], [expr.domain(ROW)])]

    agree(rows, compute)
