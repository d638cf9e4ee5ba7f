"""What a file of Parquet says of its columns, their least and greatest values and their nulls, is believed by nobody."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock

import pytest

import dpcore as dp
from dpcore.engines.queries.duckdb_statistics import of_its_own_tables
from tests.engines.frames.forms import asking, duckdb, pl

FAR: Final = 1_000_000_007
NULLS: Final = b"\x36\x06\x28", b"\x36\x00\x28"
"""How Parquet writes that there are three nulls, before the greatest value, and that there are none."""

CONNECTION: Final = duckdb.connect()

TELLS: Final = int(duckdb.__version__.partition(".")[0]) >= 2
"""Whether this version gives its plans as more than drawings."""

READERS: Final[dict[str, Callable[[Path], Any]]] = {
    "DuckDB": lambda path: CONNECTION.read_parquet(str(path)),
    "a query of DuckDB": lambda path: CONNECTION.sql(f"SELECT x FROM '{path}' WHERE TRUE"),
    "polars": pl.scan_parquet,
}


def lying(path: Path, values: Sequence[object], kind: Any, truth: bytes, lie: bytes) -> Path:
    """A file of these values, in which what it says of them is another thing."""
    pl.DataFrame({"x": values}, schema={"x": kind}).write_parquet(path, compression="uncompressed")
    file = path.read_bytes()
    footer = len(file) - 8 - int(struct.unpack("<I", file[-8:-4])[0])
    assert truth in file[footer:]
    path.write_bytes(file[:footer] + file[footer:].replace(truth, lie))
    return path


def numbers(path: Path) -> Path:
    return lying(path, [3, 7, FAR] * 3, pl.Int64, struct.pack("<q", FAR), struct.pack("<q", 7))


def doubles(path: Path) -> Path:
    return lying(path, [0.25, 7.5, 1e9], pl.Float64, struct.pack("<d", 1e9), struct.pack("<d", 7.5))


def days(path: Path) -> Path:
    far = (datetime.date(2900, 1, 1) - datetime.date(1970, 1, 1)).days
    held = [datetime.date(1970, 1, 8), datetime.date(2900, 1, 1)]
    return lying(path, held, pl.Date, struct.pack("<i", far), struct.pack("<i", 9))


def with_nulls(path: Path) -> Path:
    return lying(path, [3, None, 7] * 3, pl.Int64, *NULLS)


X: Final = dp.field("x")
N: Final = dp.field("x", int)
CASES: Final[dict[str, tuple[Callable[[Path], Path], dp.types.Domain]]] = {
    "integers": (numbers, dp.integers(0, 120)),
    "integers without a lower bound": (numbers, dp.integers(high=120)),
    "numbers": (doubles, dp.numbers(0, 60)),
    "days": (days, dp.date("1970-01-01", "2000-01-01")),
    "nulls": (with_nulls, dp.integers()),
    "nulls within bounds": (with_nulls, dp.integers(0, 120)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("case", CASES)
def test_what_is_no_member_is_refused(case: str, reader: str, tmp_path: Path) -> None:
    written, domain = CASES[case]
    rows = READERS[reader](written(tmp_path / "rows.parquet"))
    space = dp.rows(dp.record(x=domain))
    for question in (space >> dp.count(), space >> dp.filter(X.is_null()) >> dp.count()):
        with pytest.raises(dp.errors.InvalidData, match="field 'x'"):
            asking(question)(rows)


@pytest.mark.parametrize("reader", READERS)
def test_keys_are_those_of_the_rows(reader: str, tmp_path: Path) -> None:
    rows = READERS[reader](numbers(tmp_path / "rows.parquet"))
    counts = dp.rows(dp.record(x=dp.integers(0, FAR))) >> dp.histogram(X, bins=[3, 7, FAR])
    assert asking(counts)(rows) == [3, 3, 3]
    with pytest.raises(dp.errors.InvalidData, match="field 'x'"):
        asking(dp.rows(dp.record(x=dp.integers(0, 120))) >> dp.histogram(X, bins=[3, 7]))(rows)


@pytest.mark.parametrize("reader", READERS)
def test_what_is_done_to_rows_is_done(reader: str, tmp_path: Path) -> None:
    """A clamp that the file says is not needed, and a null that it says is not there."""
    rows = READERS[reader](numbers(tmp_path / "numbers.parquet"))
    clamped = dp.rows(dp.record(x=dp.integers(0, 2 * FAR))) >> dp.select(N) >> dp.clamp(0, 120) >> dp.sum()
    assert asking(clamped)(rows) == 3 * (3 + 7 + 120)
    nulls = READERS[reader](with_nulls(tmp_path / "nulls.parquet"))
    filled = dp.rows(dp.record(x=dp.optional(dp.integers(0, 120)))) >> dp.select(N.fill_null(50)) >> dp.sum()
    assert asking(filled)(nulls) == 3 * (3 + 50 + 7)


def test_of_its_own_tables_duckdb_knows(tmp_path: Path) -> None:
    path = numbers(tmp_path / "rows.parquet")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE own AS SELECT x, x AS y FROM range(9) t(x)")
        connection.execute("CREATE VIEW seen AS SELECT y FROM own JOIN own AS other USING (y) WHERE y % 2 = 0")
        connection.execute(f"CREATE VIEW file AS SELECT x AS \"SEQ_SCAN\" FROM '{path}'")
        for name in ("own", "seen"):
            assert of_its_own_tables(connection.table(name).project("y AS c0")) == TELLS
        for query in ("FROM file", 'FROM own SEMI JOIN file ON y = "SEQ_SCAN"', f"FROM '{path}'", "FROM range(3)"):
            assert not of_its_own_tables(connection.sql(query))


def test_a_session_may_want_several_plans() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE own AS SELECT x FROM range(9) t(x)")
        connection.execute("SET explain_output = 'all'")
        assert not of_its_own_tables(connection.table("own"))
        assert asking(dp.rows(dp.record(x=dp.integers(0, 8))) >> dp.count())(connection.table("own")) == 9


def test_a_version_that_tells_nothing_is_not_believed() -> None:
    relation = Mock(spec=["explain"])
    relation.explain.side_effect = [TypeError("explain(): incompatible function arguments"), "a drawn plan"]
    assert not of_its_own_tables(relation)
