"""Persons of rows that are too many to be held together: what is asked of them share by share is what all rows give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.frames import polars_columns, room
from dpcore.engines.frames.duckdb_columns import DuckDBColumns
from dpcore.engines.frames.polars_columns import PolarsColumns
from dpcore.engines.frames.shares import Shares, in_shares
from dpcore.noise.bits import SeededBits
from tests.engines.frames.forms import dataset, duckdb, parquet, pl

Row: TypeAlias = Mapping[str, object]
Held: TypeAlias = Callable[[Sequence[Row], Path], Any]

RECORD: Final = dp.record(who=dp.optional(dp.integers(0, 9)), x=dp.numbers(0, 99, step="1/8"), note=dp.text())
PERSONS: Final = dp.rows(RECORD, dp.PersonDistance("who"))
NAMES: Final = ("who", "x", "note")
X, NOTE, GRID = dp.field("x", float), dp.field("note", str), dp.numbers(0, 99, step="1/8")
FEW, FIRST = PERSONS >> dp.bound_contributions(2), PERSONS >> dp.bound_contributions(2, keep=dp.first_by(X))
BY_NOTE: Final = dp.histogram(NOTE, bins=["", "é"])
QUESTIONS: Final[Sequence[Any]] = (
    FEW >> dp.count(),
    FEW >> BY_NOTE,
    FEW >> dp.select(X, GRID) >> dp.sum(),
    FIRST >> dp.select(X, GRID) >> dp.sum(),
    PERSONS >> dp.filter(lambda row: row["x"] > 1) >> dp.bound_contributions(1) >> dp.count(),
    FEW >> dp.resize(5, {"who": 1, "x": 0, "note": ""}) >> BY_NOTE,
)
ROWS: Final = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.sampled_from([None, 0, 1, 2, 9]),
            "x": st.sampled_from([0.0, 0.125, 3.0]),
            "note": st.sampled_from(["", "é"]),
        }
    ),
    max_size=25,
)
SCHEMA: Final = {"who": pl.Int8, "x": pl.Float64, "note": pl.String}


def frame_of(rows: Sequence[Row]) -> Any:
    return pl.DataFrame(list(rows), schema=SCHEMA)


def _lazy(rows: Sequence[Row], folder: Path) -> Any:
    return frame_of(rows).lazy()


def _file(rows: Sequence[Row], folder: Path) -> Any:
    frame_of(rows).write_parquet(folder / "rows.parquet", row_group_size=4)
    return pl.scan_parquet(folder / "rows.parquet")


def _dataset(rows: Sequence[Row], folder: Path) -> Any:
    parquet.write_table(frame_of(rows).to_arrow(), folder / "dataset.parquet")
    return dataset.dataset(folder / "dataset.parquet")


def _duckdb(rows: Sequence[Row], folder: Path) -> Any:
    connection = duckdb.connect()
    connection.from_arrow(frame_of(rows).to_arrow()).create("visits")
    return connection.table("visits")


FORMS: Final[Mapping[str, Held]] = {"lazy": _lazy, "file": _file, "dataset": _dataset, "duckdb": _duckdb}


def by_one_key(question: Any, data: object) -> object:
    return question(data, bits=SeededBits(4))


def never(*_: object) -> Sequence[object]:
    raise AssertionError


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
@pytest.mark.parametrize("form", FORMS)
def test_shares_give_what_all_rows_give(form: str, rows: Sequence[Row], tmp_path: Path) -> None:
    expected = [by_one_key(question, rows) for question in QUESTIONS]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(room, "MOST_OCTETS", 100)
        assert [by_one_key(question, FORMS[form](rows, tmp_path)) for question in QUESTIONS] == expected


def many() -> Sequence[Row]:
    return [{"who": n % 9, "x": n % 50 / 8, "note": ""} for n in range(400)]


@pytest.mark.parametrize("form", FORMS)
def test_no_more_than_a_share_is_held(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_OCTETS", 4000)
    for source in (PolarsColumns, DuckDBColumns):
        monkeypatch.setattr(source, "at_once", never)
    monkeypatch.setattr("dpcore.engines.queries.polars.PolarsEngine.held", never)
    sizes: list[int] = []

    def seen(source: Shares, names: Sequence[str], take: Any) -> None:
        def counted(columns: Any) -> None:
            sizes.append(len(columns[0]))
            take(columns)

        feed(source, names, counted)

    feed = Shares.feed
    monkeypatch.setattr(Shares, "feed", seen)
    question = PERSONS >> dp.bound_contributions(7) >> dp.count()
    assert by_one_key(question, FORMS[form](many(), tmp_path)) == 63
    assert sum(sizes) == 400
    assert len(sizes) == 4
    assert max(sizes) < 300


@pytest.mark.parametrize("form", FORMS)
def test_a_row_that_is_no_member_is_refused_by_its_number_where_it_has_one(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_OCTETS", 4000)
    rows = [*many()[:300], {"who": 77, "x": 0.0, "note": ""}, *many()]
    named = "a row" if form == "duckdb" else "row 300"
    with pytest.raises(dp.errors.InvalidData, match=rf"{named}, field 'who'"):
        by_one_key(QUESTIONS[0], FORMS[form](rows, tmp_path))
    with pytest.raises(dp.errors.UserFunctionFailed, match="mine raised ValueError"):
        by_one_key(PERSONS >> dp.filter(mine) >> dp.bound_contributions(1) >> dp.count(), FORMS[form](many(), tmp_path))


def mine(row: Any) -> bool:
    raise ValueError("of mine")


WHOSE: Final = (None, float("nan"), 0.0, -0.0, 1.5)


@pytest.mark.parametrize("form", FORMS)
def test_persons_who_are_floats_come_together(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NaN is null, and 0.0 is -0.0, but a hash tells them apart."""
    monkeypatch.setattr(room, "MOST_OCTETS", 100)
    monkeypatch.setitem(SCHEMA, "who", pl.Float64)
    rows = [{"who": WHOSE[n % 5], "x": n % 3 / 8, "note": ""} for n in range(60)]
    record = dp.record(who=dp.optional(dp.numbers(0, 9)), x=dp.numbers(0, 99, step="1/8"), note=dp.text())
    question = dp.rows(record, dp.PersonDistance("who")) >> dp.bound_contributions(2) >> dp.count()
    assert by_one_key(question, FORMS[form](rows, tmp_path)) == by_one_key(question, rows) == 6


def test_a_stream_that_duckdb_reads_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured, it would be at its end."""
    monkeypatch.setattr(room, "MOST_OCTETS", 100)
    rows = many()
    stream = duckdb.connect().from_arrow(frame_of(rows).to_arrow().to_reader())
    question = PERSONS >> dp.filter(lambda row: True) >> dp.bound_contributions(7) >> dp.count()
    assert by_one_key(question, stream) == by_one_key(question, rows) == 63


def test_rows_that_are_others_when_they_are_read_again_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a row whose person is another in each reading would be in several shares."""
    monkeypatch.setattr(room, "MOST_OCTETS", 4000)
    relation = duckdb.connect().sql(
        "SELECT CAST(floor(random() * 9) AS INT) AS who, 0.0::DOUBLE AS x, '' AS note FROM range(400)"
    )
    with pytest.raises(dp.errors.InvalidData, match="were others"):
        by_one_key(QUESTIONS[0], relation)


@pytest.mark.parametrize("most", [room.MOST_OCTETS, 1000])
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_python_gives_may_be_given_once(question: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once its rows were measured a generator had none left, and none were counted."""
    monkeypatch.setattr(room, "MOST_OCTETS", most)
    rows, frame = many(), frame_of(many())
    batches = iter([frame])
    once = pl.io.plugins.register_io_source(lambda *_: batches, schema=frame.schema)
    assert by_one_key(question, once) == by_one_key(question, rows)


def test_a_macro_of_the_user_measures_nothing() -> None:
    """DuckDB calls what is named `strlen` in the user's schema."""
    for macro in ("strlen(x) AS 'long'", "sum(x) AS 'much'"):
        connection = duckdb.connect()
        connection.execute(f"CREATE MACRO {macro}")
        relation = connection.sql("SELECT i % 9 AS who, 0.0::DOUBLE AS x, '' AS note FROM range(90) t(i)")
        assert by_one_key(QUESTIONS[0], relation) == 18


def test_rows_that_come_in_pieces_are_refused() -> None:
    def batches(*shares: Sequence[int]) -> Iterator[Any]:
        yield from (pl.DataFrame({"c0": its, "share": its}) for its in shares)

    assert [len(batch) for batch in in_shares(batches([0, 0], [0, 2, 2], [2], [1]))] == [3, 3, 1]
    with pytest.raises(dp.errors.InvalidData, match="order"):
        list(in_shares(batches([0, 0], [2], [0])))


def test_what_there_is_room_for_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_OCTETS", 1000)
    assert [room.shares_for(octets) for octets in (0, 1000, 1001, 2000, 2001)] == [1, 1, 2, 2, 3]
    texts = pl.LazyFrame({"a": ["é" * 50, None], "b": [1, 2]})
    monkeypatch.setattr(room, "MOST_OCTETS", 2 * (16 + 8) + 100)
    assert polars_columns.shares_of(texts) == 1
    monkeypatch.setattr(room, "MOST_OCTETS", 2 * (16 + 8) + 99)
    assert polars_columns.shares_of(texts) == 2
    assert polars_columns.shares_of(texts.with_columns(pl.concat_list("b").alias("c"))) == 1
