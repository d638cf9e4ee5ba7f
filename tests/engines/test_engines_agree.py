"""Both engines give the same rows, sums and counts, exactly, whatever the data and the expression.

Three carriers hold the same data: rows one by one, which is the definition, columns of numpy, and columns made of a list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcore.domains import Array, Rows, booleans, key
from dpcore.engines import Table, grouped
from dpcore.engines.doors import by_columns, by_rows, table
from dpcore.engines.numpy.columns import objects
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.expressions import Expr, Expression, Value, field
from dpcore.functions import user_function
from tests.engines.tallies import tally
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows
from tests.thorough import thorough

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


@thorough(80)
@given(typed_rows)
def test_rows(rows: list[Record]) -> None:
    agree(rows, lambda t: [t.count(), t.in_memory()])


@thorough(600)
@given(typed_rows, expressions)
def test_select(rows: list[Record], expr: Expression) -> None:
    domain = expr.domain(ROW)
    agree(rows, lambda t: t.select(expr, domain).in_memory())
    assert Rows(domain).member(carriers(rows)[1][0].select(expr, domain).in_memory())


@thorough(200)
@given(typed_rows, conditions, numeric)
def test_filter_then_everything(rows: list[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
    domain = expr.domain(ROW)

    def compute(t: Table) -> list[object]:
        kept = t.filter(condition)
        return [
            kept.count(),
            kept.in_memory(),
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


@thorough(200)
@given(typed_rows, expressions, keys)
def test_tally(rows: list[Record], expr: Expression, bins: list[Hashable]) -> None:
    # Keys that do occur, besides those that may.
    agree(rows, lambda t: tally(t, expr, [*bins, *values(expr, rows)[::2]]))


@thorough(100)
@given(typed_rows, expressions, keys)
def test_partition(rows: list[Record], expr: Expression, bins: list[Hashable]) -> None:
    wanted = list(dict.fromkeys([*bins, *values(expr, rows)[::2]]))
    wanted = [k for k in wanted if not isinstance(k, float)]
    agree(rows, lambda t: [part.in_memory() for part in grouped(t, expr, wanted).values()])
    agree(rows, lambda t: [part.count() for part in grouped(t, expr, wanted).values()])


@thorough(100)
@given(typed_rows, expressions)
def test_all_keys(rows: list[Record], expr: Expression) -> None:
    agree(rows, lambda t: sorted(t.tally_all(expr).items()))
    assert carriers(rows)[0].tally_all(expr) == Counter(map(key, values(expr, rows)))


@thorough(100)
@given(typed_rows, expressions, keys)
def test_keys_by_a_function(rows: list[Record], expr: Expression, bins: list[Hashable]) -> None:
    """A function of the user gives what the expression gives that it computes."""
    by = user_function(expr.on_row)
    wanted = [k for k in dict.fromkeys([*bins, *values(expr, rows)[::2]]) if not isinstance(k, float)]
    agree(rows, lambda t: tally(t, by, wanted))
    agree(rows, lambda t: [part.in_memory() for part in grouped(t, by, wanted).values()])
    for held in [carriers(rows)[0], *carriers(rows)[1]]:
        assert held.tally_all(by) == held.tally_all(expr)
        assert tally(held, by, wanted) == tally(held, expr, wanted)
        parts = grouped(held, by, wanted), grouped(held, expr, wanted)
        assert all(typed(parts[0][k].in_memory()) == typed(parts[1][k].in_memory()) for k in wanted)


@thorough(100)
@given(typed_rows, conditions)
def test_a_filter_by_a_function(rows: list[Record], condition: Expr[bool]) -> None:
    by = user_function(lambda row: condition.on_row(row) is True)
    for held in [carriers(rows)[0], *carriers(rows)[1]]:
        assert typed(held.filter(by).in_memory()) == typed(held.filter(condition).in_memory())


@thorough(100)
@given(typed_rows, expressions, st.randoms(use_true_random=False))
def test_rows_in_order(rows: list[Record], expr: Expression, dice: Random) -> None:
    """By their keys, whatever order they came in: of rows and of single values, all of them and a few."""
    places = [place for place in range(len(rows)) if dice.random() < 0.5]
    domain = expr.domain(ROW)
    for compute in (lambda t: t, lambda t: t.select(expr, domain)):
        held: Callable[[Table], Table] = compute
        agree(rows, lambda t, held=held: held(t).in_order(places))  # type: ignore[misc]
        ordered = held(carriers(rows)[0]).in_memory()
        ordered.sort(key=key)
        assert held(carriers(rows)[0]).in_order(places) == [ordered[place] for place in places]
        shuffled = dice.sample(rows, len(rows))
        assert [held(t).in_order(places) for t in (carriers(rows)[0], *carriers(shuffled)[1])] == [
            [ordered[place] for place in places]
        ] * 3


@thorough(80)
@given(typed_rows, numeric, conditions)
def test_select_record_then_filter(rows: list[Record], expr: Expr[Value], condition: Expr[bool]) -> None:
    from dpcore.domains import record

    made = record(x=expr.domain(ROW), y=condition.domain(ROW))

    def compute(t: Table) -> list[object]:
        selected = t.select_record({"x": expr, "y": condition}, made)
        kept = selected.filter(field("y", bool))
        return [selected.in_memory(), kept.in_memory(), kept.totals([field("x")], [expr.domain(ROW)])]

    agree(rows, compute)


HUGE = {
    "big": 10**30, "f": 1e300, "of": 10, "third": None, "i": 20, "oi": None, "g": 3.0, "k": 5, "b": True, "ob": None,
    "c": "", "oc": None, "t": "", "d": "2021-03-01", "od": "0001-01-01", "v": [10, -10], "ov": None,
}  # fmt: skip
"""One row more, as far from all others as a row can be: it changes how columns are laid out."""
HUGE_ROW = {name: np.datetime64(str(x)).item() if name in ("d", "od") else x for name, x in HUGE.items()}

CARRIERS: dict[str, Callable[[Sequence[Record]], object]] = {
    "rows": list,
    "columns": columns,
    "objects": lambda rows: {name: objects([row[name] for row in rows]) for name, _ in ROW.fields},
}


def another_row_changes_nothing(rows: list[Record], expr: Expression, others: list[Record]) -> None:
    """On any carrier, of expressions, tallies and parts: a law that a layout chosen by all rows together may break."""
    domain, more = expr.domain(ROW), [*others[:1], HUGE_ROW]
    bins = list(dict.fromkeys(values(expr, rows)))
    said: list[object] = []
    for hold in CARRIERS.values():
        alone, beside, only = (table(hold(some), Rows(ROW)) for some in (rows, [*rows, *more], more))
        few = alone.select(expr, domain).in_memory()
        assert typed(beside.select(expr, domain).in_memory()[: len(rows)]) == typed(few)
        tallies = [tally(t, expr, bins) for t in (alone, beside, only)]
        assert tallies[1] == [a + b for a, b in zip(tallies[0], tallies[2], strict=True)]
        told_apart = [x for x in bins if not isinstance(x, bool)]
        parts = [grouped(t, expr, told_apart) for t in (alone, beside)]
        assert all(
            typed(parts[1][x].in_memory()[: parts[0][x].count()]) == typed(parts[0][x].in_memory()) for x in told_apart
        )
        said.append(typed([few, tallies[0]]))
    assert said[0] == said[1] == said[2]


@thorough(100)
@given(typed_rows, expressions, typed_rows)
def test_another_row_changes_nothing_that_is_said_of_the_others(
    rows: list[Record], expr: Expression, others: list[Record]
) -> None:
    another_row_changes_nothing(rows, expr, others)
