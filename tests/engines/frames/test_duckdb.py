"""Relations of DuckDB: every type of theirs, names of all kinds, and what goes wrong in the middle of a query."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

import dpcore as dp
from dpcore.engines.frames import duckdb_columns
from dpcore.engines.frames.arrow_batches import BATCH, counted
from dpcore.engines.frames.duckdb_columns import DuckDBColumns
from dpcore.engines.numpy.coded import Given
from tests.engines.frames.forms import asking, duckdb, pl

HUGE = 2**127 - 1
MANY = 3 * BATCH
ONE = dp.rows(dp.record(i=dp.integers()))


@pytest.fixture
def database() -> Any:
    with duckdb.connect() as connection:
        yield connection


def held(relation: object, **fields: dp.types.Domain) -> object:
    """The values of the one declared field, as Python has them."""
    ((name, domain),) = fields.items()
    bins = dp.rows(dp.record(**{name: domain}))
    return asking(bins >> dp.row_map(lambda row: row[name], domain))(relation)


TYPES: list[tuple[str, dp.types.Domain, object]] = [
    (f"{HUGE}::HUGEINT", dp.integers(), HUGE),
    (f"(-{HUGE})::HUGEINT", dp.integers(), -HUGE),
    ("sum(7)", dp.integers(), 7),
    ("255::UTINYINT", dp.integers(), 255),
    ("0.1::DECIMAL(38, 20)", dp.numbers(step="0.1"), Fraction(1, 10)),
    ("0.1::FLOAT", dp.numbers(0, 1), Fraction(1, 10)),
    ("'b'::ENUM('a', 'b')", dp.categories("a", "b"), "b"),
    ("TRUE", dp.booleans(), True),
    ("[1, 2]", dp.vector(dp.integers(), 2), [1, 2]),
    ("[1, 2]::INTEGER[2]", dp.vector(dp.integers(), 2), [1, 2]),
    ("NULL", dp.optional(dp.integers()), None),
    ("'NaN'::DOUBLE", dp.optional(dp.numbers()), None),
]


@pytest.mark.parametrize(("sql", "domain", "value"), TYPES, ids=[sql for sql, _, _ in TYPES])
def test_types(database: Any, sql: str, domain: dp.types.Domain, value: object) -> None:
    assert held(database.sql(f"SELECT {sql} AS x"), x=domain) == [value]


def test_days_and_moments(database: Any) -> None:
    by_year = dp.rows(dp.record(x=dp.date("2000-01-01", "2029-12-31"))) >> dp.histogram(
        dp.field("x").year(), bins=[2020, 2021]
    )
    for kind in ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_NS"):
        assert asking(by_year)(database.sql(f"SELECT '2021-03-01'::{kind} AS x")) == [0, 1], kind
    for moment in ("'2021-03-01 10:00:00'::TIMESTAMP", "'2021-03-01'::TIMESTAMPTZ", "'10:00:00'::TIME"):
        with pytest.raises(dp.errors.InvalidData, match="a row, field 'x'"):
            asking(by_year)(database.sql(f"SELECT {moment} AS x"))


@pytest.mark.parametrize("kind", ["UHUGEINT", "HUGEINT[]", "STRUCT(a UHUGEINT)"])
def test_what_arrow_does_not_hold_exactly_is_refused_by_name(database: Any, kind: str) -> None:
    with pytest.raises(dp.errors.InvalidData, match="field 'x' is of type"):
        held(database.sql(f"SELECT NULL::{kind} AS x"), x=dp.optional(dp.integers()))


@pytest.mark.parametrize("name", ['say "x"', "a.b", "select", "é ", "'", "rowid", "fetch_arrow_reader", "#2"])
def test_names(database: Any, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    assert held(database.sql(f"SELECT 1 AS other, 2 AS {quoted}"), **{name: dp.integers()}) == [2]


def test_names_that_are_one_to_duckdb(database: Any) -> None:
    with pytest.raises(dp.errors.InvalidData, match="more than once"):
        held(database.sql('SELECT 1 AS a, 2 AS "A"'), A=dp.integers())
    with pytest.raises(dp.errors.InvalidData, match="field 'a' is missing"):
        held(database.sql('SELECT 2 AS "A"'), a=dp.integers())


def test_columns_that_changed_places_since_are_read_by_name(database: Any) -> None:
    database.execute("CREATE TABLE t AS SELECT 1 AS i, 2 AS b")
    relation = database.table("t")
    database.execute("ALTER TABLE t DROP i")
    database.execute("ALTER TABLE t ADD i INTEGER DEFAULT 7")
    assert held(relation, i=dp.integers()) == [7]
    database.execute("ALTER TABLE t RENAME i TO j")
    with pytest.raises(dp.errors.InvalidData, match=r"could not be read|is missing"):
        held(relation, i=dp.integers())


def test_batches_are_bounded_and_come_again(database: Any) -> None:
    source = DuckDBColumns(database.sql(f"SELECT i, 'x'::ENUM('x') AS e FROM range({MANY}) t(i)"))
    sizes: list[int] = []

    def take(columns: Sequence[Given]) -> None:
        sizes.append(len(columns[0]))

    for _ in range(2):
        sizes.clear()
        source.feed(["i", "e"], take)
        assert sum(sizes) == MANY
        assert max(sizes) <= BATCH
    assert list(map(len, source.at_once(["e", "i"]))) == [MANY, MANY]
    assert asking(ONE >> dp.count())(database.sql("SELECT 1 AS i WHERE FALSE")) == 0
    assert asking(ONE >> dp.resize(2, {"i": 3}) >> dp.count())(database.sql("SELECT 1 AS i WHERE FALSE")) == 2


def test_without_pyarrow_all_rows_come_at_once(database: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_columns, "find_spec", lambda name: None)
    relation = database.sql(f"SELECT i FROM range({MANY}) t(i)")
    sizes: list[int] = []
    DuckDBColumns(relation).feed(["i"], lambda columns: sizes.append(len(columns[0])))
    assert sizes == [MANY]
    total = ONE >> dp.select(dp.field("i", int)) >> dp.clamp(0, MANY) >> dp.sum()
    assert asking(total)(relation) == MANY * (MANY - 1) // 2


def unreadable(relation: object) -> str:
    with pytest.raises(dp.errors.InvalidData) as refused:
        asking(ONE >> dp.count())(relation)
    assert "secret" not in str(refused.value)
    return refused.value.headline


def test_a_query_that_fails_at_its_end_counts_nothing(database: Any, tmp_path: Path) -> None:
    failing = f"CASE i WHEN {MANY - 1} THEN 'secret' ELSE '1' END::BIGINT"
    assert "could not be read" in unreadable(database.sql(f"SELECT {failing} AS i FROM range({MANY}) t(i)"))
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"i": range(9)}).write_parquet(path)
    relation = database.read_parquet(str(path))
    assert asking(ONE >> dp.count())(relation) == 9
    path.unlink()
    assert "could not be read" in unreadable(relation)
    relation = database.sql("SELECT 1 AS i")
    database.close()
    assert "could not be read" in unreadable(relation)


def test_after_a_refusal_in_the_middle_the_connection_is_free(database: Any) -> None:
    relation = database.sql(f"SELECT CASE WHEN i = 9 THEN NULL ELSE i END AS i FROM range({MANY}) t(i)")
    with pytest.raises(dp.errors.InvalidData, match="a row, field 'i'") as kept:
        asking(ONE >> dp.count())(relation)
    assert database.sql("SELECT 1").fetchall() == [(1,)]
    assert kept.value is not None


def test_a_query_on_the_same_connection_in_the_middle_is_never_fewer_rows(database: Any) -> None:
    def meddling(row: Any) -> object:
        if row["i"] == BATCH:
            database.sql("SELECT 42").fetchall()
        return 1

    total = ONE >> dp.row_map(meddling, dp.integers(0, 1)) >> dp.sum()
    with pytest.raises(dp.errors.DPError):
        asking(total)(database.sql(f"SELECT i FROM range({MANY}) t(i)"))


def test_a_stream_that_is_cut_short_is_refused() -> None:
    batches = [pl.DataFrame({"i": [1, 2]}), pl.DataFrame({"i": [3]})]
    assert len(list(counted((batch for batch in batches), 3))) == 2
    for size in (2, 4):
        with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
            list(counted((batch for batch in batches), size))


LISTS: Final = {"DECIMAL(9, 2)[]": dp.numbers(), "DECIMAL(9, 2)[1]": dp.numbers(), "ENUM('1', '2')[]": dp.text()}


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_is_not_what_it_is_of(kind: str) -> None:
    """A list of an ENUM was taken for the text that it is written as, and one of decimals ended the question."""
    relation = duckdb.sql(f"SELECT i % 3 AS who, CAST(['1'] AS {kind}) AS x FROM range(9) t(i)")
    for domain in (dp.text(), dp.categories("[1]"), dp.numbers()):
        with pytest.raises(dp.errors.InvalidData, match="a row, field 'x'"):
            asking(dp.rows(dp.record(x=domain)) >> dp.count())(relation)
    lists = dp.record(who=dp.integers(), x=dp.vector(LISTS[kind], size=1))
    assert asking(dp.rows(lists) >> dp.count())(relation) == 9
    assert asking(dp.rows(lists, dp.PersonDistance("who")) >> dp.bound_contributions(2) >> dp.count())(relation) == 6
