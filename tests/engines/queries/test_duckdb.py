"""What DuckDB answers by one query is what the rows give one by one: every operation, whatever the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Rows
from dpcore.engines.doors import by_rows
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.asking import Groups
from dpcore.engines.queries.dialect import NoWord
from dpcore.engines.queries.duckdb import DuckDBEngine
from dpcore.engines.queries.operations import said
from dpcore.engines.queries.sql import Levels
from dpcore.engines.queries.table import QueryTable
from dpcore.engines.queries.words import COUNTS, Word
from dpcore.expressions import Expr, Expression, Value, field
from tests.engines.frames.forms import asking, duckdb, pl
from tests.engines.frames.test_forms import FINE, QUESTIONS
from tests.engines.queries.answers import (
    COLUMNS,
    EXAMPLES,
    counted,
    keys_agree,
    never,
    numbers_agree,
    queried,
    ranks_agree,
)
from tests.engines.queries.test_polars import NATIVE
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows
from tests.thorough import thorough

Record = Mapping[str, object]

TYPES: Final = {
    "i": "SMALLINT", "oi": "HUGEINT", "g": "DOUBLE", "third": "BIGINT", "f": "DOUBLE", "of": "DOUBLE", "k": "UBIGINT",
    "b": "BOOLEAN", "ob": "BOOLEAN", "c": "ENUM('N', 'e ', 'South', '', 'others')", "oc": "VARCHAR", "t": "VARCHAR",
    "d": "DATE", "od": "DATE",
}  # fmt: skip

CONNECTION: Final = duckdb.connect()
HOSTILE: Final = duckdb.connect()
"""A session in which nothing means what it says."""
for macro in (
    "sum(x)",
    "count_if(x)",
    "count_star()",
    "min(x)",
    "max(x)",
    "floor(x)",
    "isnan(x)",
    "length(x)",
    "year(x)",
    "union_value(x)",
    "union_extract(a, b)",
):
    HOSTILE.execute(f"CREATE MACRO {macro} AS 42")
for sign in ("+", "-", "*", "/", "//", "%"):
    HOSTILE.execute(f'CREATE MACRO "{sign}"(a, b) AS 42')
HOSTILE.execute("SET default_collation = 'NOCASE'")
HOSTILE.execute("SET default_null_order = 'NULLS_FIRST'")
HOSTILE.execute("SET integer_division = true")


def hostile(rows: Sequence[Record]) -> DuckDBEngine:
    """Of rows that are not DuckDB's own."""
    return DuckDBEngine(_held(HOSTILE, rows), list(TYPES), own=False)


def plain(rows: Sequence[Record]) -> DuckDBEngine:
    """Of a table of DuckDB, of which it knows what to leave out."""
    CONNECTION.execute("DROP TABLE IF EXISTS held")
    _held(CONNECTION, rows).create("held")
    return DuckDBEngine(CONNECTION.table("held"), list(TYPES), own=True)


def _held(connection: Any, rows: Sequence[Record]) -> Any:
    frame = pl.DataFrame(list(rows), schema=COLUMNS)
    columns = [f'CAST("{name}" AS {kind}) AS c{place}' for place, (name, kind) in enumerate(TYPES.items())]
    return connection.from_arrow(frame.to_arrow()).project(", ".join(columns))


BOTH: Final = {"a table": plain, "a hostile session": hostile}
some = thorough(40, settings(phases=(Phase.explicit, Phase.generate), suppress_health_check=[HealthCheck.too_slow]))


@pytest.mark.parametrize("where", BOTH)
@some
@given(typed_rows, conditions, numeric)
def test_filter_then_numbers(where: str, rows: list[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
    numbers_agree(BOTH[where], rows, condition, expr)


@pytest.mark.parametrize("where", BOTH)
@some
@given(typed_rows, expressions, conditions)
def test_keys(where: str, rows: list[Record], expr: Expression, condition: Expr[bool]) -> None:
    keys_agree(BOTH[where], rows, expr, condition)


@some
@given(
    typed_rows, st.sampled_from(["i", "g", "f"]), st.lists(st.sampled_from([-3, 0, 1, Fraction(1, 4), Fraction(1, 10)]))
)
def test_ranks(rows: list[Record], name: str, candidates: list[int | Fraction]) -> None:
    ranks_agree(plain, rows, name, candidates)


@pytest.mark.parametrize("where", BOTH)
@pytest.mark.parametrize("name", NATIVE)
def test_duckdb_answers_by_itself(name: str, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expr = NATIVE[name]
    expected = by_rows(EXAMPLES, Rows(ROW)).tally_all(expr)
    monkeypatch.setattr(Asked, "slow", never)
    assert queried(BOTH[where], EXAMPLES).tally_all(expr) == expected


def test_texts_are_compared_by_code_points_in_any_session() -> None:
    columns = "SELECT unnest(['a', 'A', 'é', 'E', 'z']) AS x, unnest(['A', 'A', 'z', 'e', 'z']) COLLATE NOCASE AS y"
    space = dp.rows(dp.record(x=dp.text(), y=dp.text()))
    for connection in (CONNECTION, HOSTILE):
        relation = connection.sql(columns)
        assert asking(space >> dp.histogram(field("x"), bins=["A", "a", "é", "e"]))(relation) == [1, 1, 1, 0]
        assert asking(space >> dp.histogram(field("y"), bins=["A", "a", "z"]))(relation) == [2, 0, 2]
        assert asking(space >> dp.filter(field("x", str) == field("y", str)) >> dp.count())(relation) == 2
        assert asking(space >> dp.filter(field("x", str) < field("y", str)) >> dp.count())(relation) == 1


def test_a_release_is_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    query = DuckDBEngine.rows_of

    def counting(engine: DuckDBEngine, levels: Levels, group: str | None, figures: Sequence[str]) -> Any:
        asked.append(len(figures))
        return query(engine, levels, group, figures)

    monkeypatch.setattr(DuckDBEngine, "rows_of", counting)
    monkeypatch.setattr(Asked, "slow", never)
    rows = [FINE, {**FINE, "age": None, "region": "S"}, {**FINE, "minutes": None, "again": False}]
    for name, question in QUESTIONS.items():
        if name != "parts":  # which gives the rows themselves
            asked.clear()
            assert question(CONNECTION.from_arrow(pl.DataFrame(rows).to_arrow())) == question(rows)
            assert len(asked) == 1, name


VISITS: Final = dp.rows(
    dp.record(
        age=dp.integers(0, 120), region=dp.categories("N", "S"), cost=dp.numbers(0, 50), cents=dp.numbers(0, 5, "0.01"),
        day=dp.date(), id=dp.optional(dp.integers(-(2**63), 2**63 - 1)), note=dp.text(), again=dp.optional(dp.booleans()),
    )
)  # fmt: skip
VISIT: Final = {
    "age": "30", "region": "'N'", "cost": "0.25::DOUBLE", "cents": "0.07::DOUBLE", "day": "DATE '2020-01-01'",
    "id": "7::HUGEINT", "note": "'n'", "again": "TRUE",
}  # fmt: skip


def visits(**changed: str) -> Any:
    """Three rows, of which the second is changed."""
    columns = [f"CASE i WHEN 1 THEN {changed.get(name, sql)} ELSE {sql} END AS {name}" for name, sql in VISIT.items()]
    return CONNECTION.sql(f"SELECT {', '.join(columns)} FROM range(3) t(i)")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("age", "121"), ("age", "-1"), ("age", "NULL"), ("region", "'n'"), ("region", "'N '"), ("region", "NULL"),
        ("cost", "50.5::DOUBLE"), ("cost", "'NaN'::DOUBLE"), ("cost", "'inf'::DOUBLE"), ("cents", "0.075::DOUBLE"),
        ("day", "'infinity'::DATE"), ("day", "'-infinity'::DATE"), ("day", "DATE '10000-01-01'"), ("day", "NULL"),
        ("id", f"{2**63}::HUGEINT"), ("note", "NULL"),
    ],
)  # fmt: skip
def test_an_offence_anywhere_is_found(column: str, value: str) -> None:
    """Also in a row that the filter leaves out, and in a field that is not used."""
    by_region = dp.filter(dp.field("age") < 0)
    for question in (VISITS >> dp.count(), VISITS >> by_region >> dp.histogram(dp.field("region"))):
        assert asking(question)(visits()) in (3, [0, 0])
        with pytest.raises(dp.errors.InvalidData, match=f"a row, field '{column}'|could not be read"):
            asking(question)(visits(**{column: value}))


@pytest.mark.parametrize(
    ("name", "kind"), [("age", "BIGINT"), ("region", "VARCHAR"), ("cost", "DOUBLE"), ("day", "DATE")]
)
def test_nothing_but_null_is_no_member(name: str, kind: str) -> None:
    """Of which DuckDB counts null, and not 0, trues."""
    one = dp.rows(dp.record(**{name: dict(VISITS.domain.of.fields)[name]}))
    for rows in (1, 3):
        with pytest.raises(dp.errors.InvalidData, match=f"a row, field '{name}'"):
            asking(one >> dp.count())(CONNECTION.sql(f"SELECT CAST(NULL AS {kind}) AS {name} FROM range({rows})"))


@thorough(30, settings(phases=(Phase.explicit, Phase.generate), suppress_health_check=[HealthCheck.too_slow]))
@given(typed_rows, st.lists(expressions, min_size=2, max_size=4), numeric)
def test_several_groupings_are_what_each_is(rows: list[Record], keys: list[Expression], expr: Expr[Value]) -> None:
    engine = plain(counted(rows))
    table = queried(lambda _: engine, rows)
    assert isinstance(table, QueryTable)
    asked = table._common
    try:
        groups = [(asked.said(key).expr, [engine.dialect.rows()]) for key in keys]
        figures = [*asked.plan([expr]).figures(), engine.dialect.rows()]
    except NoWord:
        return
    parts, whole = engine.ask_all([(group, [*some, *figures]) for group, some in groups], figures)
    for (group, some), part in zip(groups, parts, strict=True):
        alone, of_all = engine.ask_by(group, [*some, *figures], figures)
        assert rows_of(part) == rows_of(alone)
        assert list(of_all) == list(whole)


def rows_of(groups: Groups) -> list[str]:
    return sorted(map(repr, zip(groups.values, *groups.columns, strict=True)))


def test_sums_do_not_wrap() -> None:
    far = 1 << 61
    for bound, values in {far: [far, far, far, far - 1, -5, -far], 1 << 100: [1 << 100, 1 << 100, -7]}.items():
        relation = CONNECTION.sql(f"SELECT unnest([{', '.join(f'{value}::HUGEINT' for value in values)}]) AS x")
        total = dp.rows(dp.record(x=dp.integers(-bound, bound))) >> dp.select(field("x", int)) >> dp.sum()
        assert asking(total)(relation) == sum(values)


def test_a_sum_beyond_64_bits_ends_the_query() -> None:
    for values in ([1 << 62, 1 << 62], [-(1 << 62)] * 3, [(1 << 63) - 1] * 5):
        CONNECTION.execute(f"CREATE OR REPLACE TABLE far AS SELECT unnest({values}) AS x")
        for own in (True, False):
            engine = DuckDBEngine(CONNECTION.table("far").project("x AS c0"), ["x"], own=own)
            with pytest.raises(duckdb.ConversionException):
                engine.ask([engine.dialect.sum(engine.column("x").expr)])
    assert (
        asking(dp.rows(dp.record(x=dp.integers(0, 1 << 61))) >> dp.select(field("x", int)) >> dp.sum())(
            CONNECTION.sql(f"SELECT {1 << 61} AS x FROM range(9)")
        )
        == 9 << 61
    )


def test_rows_that_are_others_in_every_reading_count_once() -> None:
    relation = CONNECTION.sql("SELECT random() < 0.5 AS b FROM range(1000)")
    space = dp.rows(dp.record(b=dp.booleans()), size=1000)
    either = asking(space >> dp.histogram(field("b")))
    queries = asking(space >> dp.linear_queries(field("b", bool), ~field("b", bool)))
    for answers in (either(relation), queries(relation)):
        assert isinstance(answers, list)
        assert sum(answers) == 1000


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Nor is anything written: the file is open for reading alone."""
    path = str(tmp_path / "rows.duckdb")
    with duckdb.connect(path) as writing:
        writing.execute('CREATE TABLE c0 AS SELECT 3 AS c1, 4 AS m0, 5 AS "count(*)"')
    with duckdb.connect(path, read_only=True) as reading:
        before = reading.sql("SELECT * FROM duckdb_views() UNION ALL BY NAME SELECT * FROM duckdb_tables()").fetchall()
        for name, value in {"c1": 3, "m0": 4, "count(*)": 5}.items():
            total = dp.rows(dp.record(**{name: dp.integers(0, 9)})) >> dp.select(field(name, int)) >> dp.sum()
            assert asking(total)(reading.table("c0")) == value
        after = reading.sql("SELECT * FROM duckdb_views() UNION ALL BY NAME SELECT * FROM duckdb_tables()").fetchall()
    assert before == after


def test_what_is_nested_deeply_is_not_written_out_again_and_again() -> None:
    def length(depth: int) -> int:
        engine = plain(EXAMPLES)
        expr = reduce(lambda inner, bound: inner.clip(-bound, 20 + bound), range(depth), field("i"))
        asked = said(expr.node, engine.dialect, {"i": Word(engine.column("i").expr, COUNTS, -5, 20)})
        assert isinstance(asked, Word)
        assert engine.ask([engine.dialect.sum(asked.expr)]) == [sum(max(n - 4, 0) for n in range(12))]
        return sum(len(text) for made in engine.dialect.levels([asked.expr]) for text in made.values())

    assert length(20) < 3 * length(10)


def test_a_bound_on_rows_that_is_kept_by_one_reading() -> None:
    relation = CONNECTION.sql("SELECT i FROM range(5) t(i)")
    for size, fine in {5: True, 4: False, 6: False}.items():
        question = asking(dp.rows(dp.record(i=dp.integers(0, 9)), size=size) >> dp.count())
        if fine:
            assert question(relation) == 5
        else:
            with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
                question(relation)
