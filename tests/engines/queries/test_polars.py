"""What polars answers by one query is what the rows give one by one: every operation, whatever the data."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Rows
from dpcore.engines import Table, grouped
from dpcore.engines.doors import by_rows, table
from dpcore.engines.numpy.floats import decimal
from dpcore.engines.queries import asked
from dpcore.engines.queries import polars as queries_polars
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.asking import Groups
from dpcore.engines.queries.dialect import NoWord
from dpcore.engines.queries.polars import PolarsEngine
from dpcore.engines.queries.table import QueryTable
from dpcore.expressions import Expr, Expression, Value, field, literal, maximum, minimum, when
from dpcore.expressions.build import day
from dpcore.expressions.intervals import nearest
from tests.engines.frames.forms import asking
from tests.engines.queries.answers import COLUMNS, keys_agree, numbers_agree, queried, ranks_agree
from tests.engines.queries.answers import agree as agree_with
from tests.engines.tallies import tally
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows
from tests.thorough import thorough

Record = Mapping[str, object]
Parts = tuple[Sequence[Groups], Sequence[Hashable]]
By = Sequence[tuple[pl.Expr, Sequence[pl.Expr]]]


def in_memory(rows: Sequence[Record]) -> PolarsEngine:
    return PolarsEngine(pl.DataFrame(rows, schema=COLUMNS))


agree = partial(agree_with, in_memory)


@thorough(150)
@given(typed_rows, conditions, numeric)
def test_filter_then_numbers(rows: list[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
    numbers_agree(in_memory, rows, condition, expr)


@thorough(100)
@given(typed_rows, expressions, conditions)
def test_keys(rows: list[Record], expr: Expression, condition: Expr[bool]) -> None:
    keys_agree(in_memory, rows, expr, condition)


def as_a_file(rows: Sequence[Record]) -> PolarsEngine:
    return PolarsEngine(pl.DataFrame(rows, schema=COLUMNS).lazy())


@thorough(50)
@given(typed_rows, expressions, numeric, conditions)
def test_what_may_be_others_when_it_is_read_again(
    rows: list[Record], key: Expression, expr: Expr[Value], condition: Expr[bool]
) -> None:
    numbers_agree(as_a_file, rows, condition, expr)
    keys_agree(as_a_file, rows, key, condition)


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

    def counting(engine: PolarsEngine, groups: By, of_all: Sequence[pl.Expr]) -> Parts:
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


def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many branches each query of parts has, any of which may read a file for itself."""
    asked: list[int] = []
    every = pl.collect_all

    def counting(frames: Sequence[pl.LazyFrame], **options: Any) -> Any:
        asked.append(len(frames))
        return every(frames, **options)

    monkeypatch.setattr(pl, "collect_all", counting)
    return asked


def test_what_is_added_up_was_checked_in_the_same_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = readings(monkeypatch)
    age, of = field("age"), dp.integers(0, 120)
    for data in (FRAME, FRAME.lazy()):
        parts = grouped(table(data, VISITS.domain), field("region"), ["N", "S"])
        assert [part.select(age, of).total() for part in parts.values()] == [95, 58]
    assert asked == [2, 1]


def test_branches_that_read_other_rows_are_not_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = PolarsEngine(pl.LazyFrame({"x": [1, 2, 2]}))
    x = engine.column("x").expr
    groups = [(x, [pl.len()]), (x + 1, [pl.len()])]
    parts, whole = engine.ask_all(groups, [x.sum(), pl.len()])
    assert [set(zip(part.values, *part.columns, strict=True)) for part in parts] == [{(1, 1), (2, 2)}, {(2, 1), (3, 2)}]
    assert tuple(whole) == (5, 3)
    every = pl.collect_all
    monkeypatch.setattr(pl, "collect_all", lambda frames, **options: [*every(frames[:1]), every(frames[1:])[0].head(1)])
    with pytest.raises(NoWord):
        engine.ask_all(groups, [x.sum(), pl.len()])


STEPS: Final = [Fraction(text) for text in ("0.1", "0.01", "0.05", "0.3", "1/4", "1", "2.5", "7")]

near_ties = st.lists(
    st.tuples(st.integers(-2000, 2000), st.integers(-3, 3), st.sampled_from([1, 2, 10])), min_size=1, max_size=30
)
"""Of half a step so many, and so many doubles beside it; or of other parts of a step."""


def beside(step: Fraction, places: Sequence[tuple[int, int, int]]) -> list[float]:
    found = []
    for half, away, part in places:
        value = float(step * half / (2 * part))
        for _ in range(abs(away)):
            value = math.nextafter(value, math.inf if away > 0 else -math.inf)
        found.append(value)
    return found


@thorough(200)
@given(st.sampled_from(STEPS), near_ties)
def test_doubles_beside_ties(step: Fraction, places: list[tuple[int, int, int]]) -> None:
    """Each by itself, for in a sum two errors may make none."""
    values = beside(step, places)
    row = dp.record(x=dp.numbers(-8000, 8000))
    counts = field("x", float).round(step)
    data = pl.DataFrame({"x": values})
    asked = table(data, dp.rows(row).domain)
    assert isinstance(asked, QueryTable)
    for k in {nearest(decimal(value), step) for value in values}:
        on_it = counts == k
        rows = by_rows([{"x": value} for value in values], dp.rows(row).domain)
        assert asked.filter(on_it).count() == rows.filter(on_it).count() > 0


@pytest.mark.parametrize("domain", [dp.booleans(), dp.text(), dp.integers(0, 9), dp.date(), dp.numbers(0, 9)])
def test_nothing_but_null_is_no_member(domain: dp.types.Domain) -> None:
    """Nor is one among others, by which rows are grouped."""
    space = dp.rows(dp.record(x=domain))
    kinds = {"booleans()": pl.Boolean, "text()": pl.String, "date()": pl.Date, "numbers(0, 9)": pl.Float64}
    some = pl.DataFrame({"x": pl.Series([None, None], dtype=kinds.get(repr(domain), pl.Int64))})
    for question in (space >> dp.count(), space >> dp.histogram(field("x").is_null())):
        for data in (some, some.lazy()):
            with pytest.raises(dp.errors.InvalidData, match="'x'"):
                asking(question)(data)
    if domain == dp.booleans():
        for data in (pl.DataFrame({"x": [True, None]}), pl.LazyFrame({"x": [True, None]})):
            with pytest.raises(dp.errors.InvalidData, match="'x'"):
                asking(space >> dp.histogram(field("x")))(data)


@pytest.mark.parametrize("most", [(1 << 53) + 1, (1 << 62) + 1, (1 << 63) - 2])
def test_wide_bounds_are_exact(most: int) -> None:
    number = asking(dp.rows(dp.record(x=dp.integers(-most, most))) >> dp.count())
    for values, fine in (([most, -most], True), ([most + 1], False), ([-most - 1], False)):
        data = pl.DataFrame({"x": values})
        if fine:
            assert number(data) == number(data.lazy()) == len(values)
        else:
            with pytest.raises(dp.errors.InvalidData, match="'x'"):
                number(data)


@pytest.mark.parametrize("by_bits", [True, False])
def test_doubles_beside_ties_by_either_way(by_bits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries_polars, "BY_BITS", by_bits)
    for step in STEPS:
        values = beside(step, [(half, away, 1) for half in range(-25, 26) for away in (-2, -1, 0, 1, 2)])
        space = dp.rows(dp.record(x=dp.numbers(-8000, 8000))) >> dp.select(field("x", float), dp.numbers(-8000, 8000))
        total = asking(space >> dp.quantize(step) >> dp.sum())
        for some in (values, values[::2], values[1::3]):
            assert total(pl.DataFrame({"x": some})) == sum(nearest(decimal(value), step) for value in some)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("age", [30, 41, 17, 121]),
        ("age", [30, 41, -1, 17]),
        ("age", [-(1 << 63), 41, 1, 17]),
        ("age", [30, None, 1, 1]),
        ("region", ["N", "S", "S", "X"]),
        ("region", ["N", "S", None, "S"]),
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


def test_a_question_to_a_file_reads_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So rows that are others when they are read again are added up only as they were checked."""
    plans: list[str] = []
    together, alone = pl.collect_all, pl.LazyFrame.collect

    def plan(frame: pl.LazyFrame) -> None:
        shown = frame.show_graph(plan_stage="physical", engine="streaming", raw_output=True, show=False)
        plans.append(str(shown).lower())

    def all_of(frames: Sequence[pl.LazyFrame], **options: Any) -> Any:
        for frame in frames:
            plan(frame)
        return together(frames, **options)

    def one(frame: pl.LazyFrame, **options: Any) -> Any:
        plan(frame)
        return alone(frame, **options)

    monkeypatch.setattr(pl, "collect_all", all_of)
    monkeypatch.setattr(pl.LazyFrame, "collect", one)
    FRAME.write_parquet(tmp_path / "visits.parquet")
    costs = VISITS >> dp.select(field("cost", float), dp.numbers(0, 50)) >> dp.quantize("0.1") >> dp.sum()
    assert asking(costs)(pl.scan_parquet(tmp_path / "visits.parquet")) == asking(costs)(FRAME.to_dicts())
    parts = grouped(table(pl.scan_parquet(tmp_path / "visits.parquet"), VISITS.domain), field("region"), ["N", "S"])
    assert [part.select(field("age"), dp.integers(0, 120)).total() for part in parts.values()] == [95, 58]
    assert len(plans) >= 2
    assert {plan.count("scan[parquet]") for plan in plans} == {1}


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


UNBOUNDED: Final = dp.rows(
    dp.record(n=dp.integers(), narrow=dp.integers(-200, 200), t=dp.text(), b=dp.booleans(), c=dp.categories("N", "S"))
)
BESIDE: Final = pl.DataFrame(
    {"n": [7, -7, 1 << 40], "narrow": [1, -1, 0], "t": ["", "a", "b"], "b": [True, False, True], "c": ["N", "S", "N"]},
    schema={"n": pl.Int64, "narrow": pl.Int8, "t": pl.String, "b": pl.Boolean, "c": pl.Enum(["N", "S"])},
)


def test_what_is_written_beside_the_columns_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many rows there are, and how many nulls in each column, where its type holds nothing but members."""
    frames = [BESIDE, BESIDE[1:], BESIDE[:0], pl.concat([BESIDE, BESIDE[::2]], rechunk=False)]
    with monkeypatch.context() as patched:
        patched.setattr(pl.LazyFrame, "collect", _never)
        patched.setattr(Asked, "slow", _never)
        assert [asking(UNBOUNDED >> dp.count())(frame) for frame in frames] == [3, 2, 0, 5]
    for frame in frames:
        known = dp.rows(UNBOUNDED.domain.of, size=frame.height) >> dp.count()
        assert asking(known)(frame) == frame.height
        with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
            asking(known)(BESIDE.head(1))


@pytest.mark.parametrize("column", BESIDE.columns)
def test_a_null_anywhere_is_written_beside_its_column(column: str) -> None:
    null = BESIDE[2:].with_columns(pl.lit(None, BESIDE[column].dtype).alias(column))
    for frame in (null, pl.concat([BESIDE, null], rechunk=False), pl.concat([null, BESIDE])[:2]):
        with pytest.raises(dp.errors.InvalidData, match=f"field '{column}'"):
            asking(UNBOUNDED >> dp.count())(frame)
