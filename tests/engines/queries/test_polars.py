"""What polars answers by one query is what the rows give one by one: every operation, whatever the data."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Rows
from dpcore.engines import Table, grouped
from dpcore.engines.doors import by_rows, table
from dpcore.engines.queries import asked
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.asking import Query
from dpcore.engines.queries.polars import PolarsEngine
from dpcore.expressions import Expr, Expression, Value, field, literal, maximum, minimum, when
from dpcore.expressions.build import day
from tests.engines.queries.answers import COLUMNS, keys_agree, numbers_agree, queried, ranks_agree
from tests.engines.queries.answers import agree as agree_with
from tests.engines.tallies import tally
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows
from tests.thorough import thorough

Record = Mapping[str, object]
Parts = tuple[Sequence[Iterable[Sequence[Hashable]]], Sequence[Hashable]]
Groups = Sequence[tuple[pl.Expr, Sequence[pl.Expr]]]


def in_memory(rows: Sequence[Record]) -> PolarsEngine:
    return PolarsEngine(pl.DataFrame(rows, schema=COLUMNS).lazy(), steady=True)


agree = partial(agree_with, in_memory)


@thorough(150)
@given(typed_rows, conditions, numeric)
def test_filter_then_numbers(rows: list[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
    numbers_agree(in_memory, rows, condition, expr)


@thorough(100)
@given(typed_rows, expressions, conditions)
def test_keys(rows: list[Record], expr: Expression, condition: Expr[bool]) -> None:
    keys_agree(in_memory, rows, expr, condition)


@thorough(100)
@given(
    typed_rows, st.sampled_from(["i", "g", "f"]), st.lists(st.sampled_from([-3, 0, 1, Fraction(1, 4), Fraction(1, 10)]))
)
def test_ranks(rows: list[Record], name: str, candidates: list[int | Fraction]) -> None:
    ranks_agree(in_memory, rows, name, candidates)


i, oi, g, of, b, ob, c, t, d = (field(name) for name in ("i", "oi", "g", "of", "b", "ob", "c", "t", "d"))
truth, other, text = field("b", bool), field("ob", bool), field("t", str)

NATIVE: dict[str, Expression] = {
    "add": i + oi, "subtract": i - g, "multiply": g * g, "divide": i / 7, "floor_divide": i // -3, "modulo": g % 2,
    "negate": -g, "abs": abs(i), "minimum": minimum(i, g), "maximum": maximum(oi, 2), "clip": g.clip(-1, 1),
    "clip floats": of.clip(-1, 1).round("0.1"), "round": g.round("0.1"), "round floats": of.round("0.01"),
    "lt": i < g, "le": of <= Fraction(1, 10), "gt": of > 1, "ge": g >= i, "equals": of == 0.1, "differs": c != "N",
    "isin": i.isin(1, 2, Fraction(1, 2)), "isin texts": t.isin("N", ""), "isin nothing": t.isin(),
    "between": g.between(0, 1), "and": truth & other, "or": truth | other, "xor": truth ^ other, "not": ~other,
    "when": when(other).then(i).otherwise(g), "is_null": oi.is_null(), "fill_null": oi.fill_null(g), "year": d.year(),
    "month": d.month(), "day": d.day(), "weekday": d.weekday(), "days_since": d.days_since(day("2020-01-01")),
    "length": text.length(), "starts_with": text.starts_with("N"), "contains": text.contains("o"),
    "lt of texts": text < "é",
}  # fmt: skip
"""What polars has words for, each operation at least once."""


@pytest.mark.parametrize("name", NATIVE)
def test_polars_answers_by_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {
            "i": n - 4, "oi": None if n % 3 else n % 4, "big": n, "g": (n - 5) / 4, "third": None, "f": n / 10,
            "of": None if n % 4 == 1 else (n - 5) / 20, "k": 1, "b": n % 2 == 0, "ob": None if n % 3 else n % 2 == 0,
            "c": ["N", "e ", "South", ""][n % 4], "oc": None, "t": ["N", "South", "", "é", "Ω", "a\0"][n % 6],
            "d": datetime.date(2019, 12, 30) + datetime.timedelta(37 * n), "od": None, "v": [0, 0], "ov": None,
        }
        for n in range(12)
    ]  # fmt: skip
    expr = NATIVE[name]
    expected = by_rows(rows, Rows(ROW)).tally_all(expr)
    monkeypatch.setattr(Asked, "slow", _never)
    assert queried(in_memory, rows).tally_all(expr) == expected


def _never(asked: object) -> Table:
    raise AssertionError("polars was not asked")


def test_every_word_is_tried() -> None:
    from dpcore.engines.queries.operations import WORDS

    assert WORDS.keys() <= {name.split()[0] for name in NATIVE}


VISITS = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S"), cost=dp.numbers(0, 50)))
FRAME = pl.DataFrame({"age": [30, 41, 17, 65], "region": ["N", "S", "S", "N"], "cost": [0.25, 0.35, 49.95, 0.05]})


def test_parts_are_asked_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask_all = PolarsEngine.ask_all

    def counting(engine: PolarsEngine, groups: Groups, of_all: Sequence[pl.Expr]) -> Parts:
        asked.extend(len(figures) for _, figures in groups)
        return ask_all(engine, groups, of_all)

    monkeypatch.setattr(PolarsEngine, "ask_all", counting)
    monkeypatch.setattr(Asked, "slow", _never)
    held = table(FRAME, VISITS.domain)
    adult, cents = field("age", int) >= 18, field("cost", float).round("0.1")
    parts = grouped(held, field("region"), ["N", "S", "W"])
    counted = {key: part.filter(adult).count() for key, part in parts.items()}
    spent = {key: part.totals([cents], [cents.domain(VISITS.domain.of)]) for key, part in parts.items()}
    assert counted == {"N": 2, "S": 1, "W": 0}
    assert spent == {"N": [Fraction(2, 10)], "S": [Fraction(504, 10)], "W": [0]}
    assert len(asked) == 2


def test_parts_that_share_what_is_asked_keep_their_own_rows() -> None:
    """Whichever asks first, also where the rows themselves are wanted, which polars is not asked for."""
    adult, age = field("age", int) >= 18, field("age", int)
    of = age.domain(VISITS.domain.of)
    for order in (["N", "S"], ["S", "N"]):
        parts = grouped(table(FRAME, VISITS.domain), field("region"), ["N", "S"])
        for key in order:
            kept = parts[key].filter(adult).narrowed(VISITS.domain.of).select(age, of)
            assert sorted(map(str, kept.in_memory())) == {"N": ["30", "65"], "S": ["41"]}[key]
            assert kept.total() == {"N": 95, "S": 41}[key]


def test_ends_are_asked_of_each_part_only_where_rows_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    every = PolarsEngine.ask_all

    def counting(
        engine: PolarsEngine, groups: Sequence[tuple[pl.Expr, Sequence[pl.Expr]]], of_all: Sequence[pl.Expr]
    ) -> Parts:
        asked.extend(len(figures) for _, figures in groups)
        return every(engine, groups, of_all)

    monkeypatch.setattr(PolarsEngine, "ask_all", counting)
    age, of = field("age"), dp.integers(0, 120)
    for data in (FRAME, FRAME.lazy()):
        parts = grouped(table(data, VISITS.domain), field("region"), ["N", "S"])
        assert [part.select(age, of).total() for part in parts.values()] == [95, 58]
    assert asked == [1, 3]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("age", [30, 41, 17, 121]),
        ("age", [30, None, 1, 1]),
        ("region", ["N", "S", "S", "X"]),
        ("cost", [0.0, 1.0, 2.0, 50.5]),
        ("cost", [0.0, 1.0, float("nan"), 2.0]),
        ("cost", [0.0, float("inf"), 1.0, 2.0]),
    ],
)
def test_an_offence_anywhere_is_found(column: str, values: list[object]) -> None:
    """Also in a row that the filter leaves out, and in a field that is not used."""
    frame = FRAME.with_columns(pl.Series(column, values))
    for question in (VISITS >> dp.count(), VISITS >> dp.filter(field("age") < 0) >> dp.histogram(field("region"))):
        with pytest.raises(dp.errors.InvalidData, match=column):
            question(frame)
        assert question(FRAME) in (4, [0, 0])


def test_rows_that_are_others_when_they_are_read_again_move_no_sum_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if what the checks saw had been replaced before it was added up."""
    monkeypatch.setattr(Query, "_hold", lambda query, checks, figures: True)
    total = VISITS >> dp.select(field("age", int)) >> dp.sum()
    with pytest.raises(dp.errors.InvalidData, match="age"):
        total(FRAME.with_columns(age=pl.Series([30, 41, 17, 5000])).lazy())


def test_sums_do_not_wrap() -> None:
    far = 1 << 61
    total = dp.rows(dp.integers(-far, far)) >> dp.sum()
    values = [far, far, far, far - 1, -5]
    assert total(pl.Series(values)) == sum(values)


def test_literals_of_every_kind_are_said() -> None:
    either = when(field("b", bool)).then(literal(1)).otherwise(literal(None))
    rows: list[Record] = []
    agree(rows, lambda t: tally(t, either, [1, None]))
    assert asked.HALF == 1 << 31
