"""Releases from tables, side by side in one run with the engine that holds the table and protects nobody.

    python benchmarks/tables.py [ROWS ...]      # 1000 1000000 10000000

Each line asks one question of made-up visits: of a frame in memory, of a Parquet file, of pandas, of arrays, of a table of
DuckDB, and up to a million rows of Spark with two cores, where pyspark and a JRE are there. What is timed is the whole
public call, with its checks of every declared column, of which the engine without privacy reads only those that the
question names. The runs alternate and the least of several counts. Asked: at most 1.5 times the time of the engine alone
(2.5 for sums of floats on a grid); of 1000 rows, 10 ms more than it. Where others work on the machine too, CLOCK=processor
times what all processors spent, that of Spark included, in place of the time that went by. ENGINES=polars,DuckDB leaves out
the others.

Beside them stand opendp's polars context, where it is installed, on the frame in memory, and Tumult Analytics on the file,
where TUMULT names a Python that has it: `tables_opendp.py` and `tables_tumult.py` say what they are asked.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

import dpcore as dp

tables_opendp: Any = import_module("tables_opendp")  # found beside this file, where it is run as a script
tables_tumult: Any = import_module("tables_tumult")

Frame: TypeAlias = pl.LazyFrame
Database: TypeAlias = Any  # neither has types that are promised
Table: TypeAlias = pl.DataFrame | pl.LazyFrame | Mapping[str, NDArray[np.generic]] | Database
Release: TypeAlias = Callable[[Table], object]
SIZES: Final = (10**3, 10**6, 10**7)
ROWS_OF_SPARK: Final = 10**6
FEW_ROWS: Final = 1000
RUNS: Final = 5
ENGINES: Final = os.environ.get("ENGINES", "polars,pandas,arrays,opendp,DuckDB,Spark").split(",")
HEAD: Final = (
    "polars", "dpcore on it", "of a file", "dpcore on it", "pandas", "arrays",
    "opendp", "Tumult", "DuckDB", "dpcore on it", "Spark", "dpcore on it",
)  # fmt: skip
WIDTHS: Final = (9, 24, 9, 24, 9, 9, 9, 9, 9, 24, 9, 24)
ASKED, ASKED_OF_FLOATS, MILLISECONDS_MORE = 1.5, 2.5, 10.0
REGIONS: Final = ("N", "E", "S", "W")
CANDIDATES: Final = list(range(0, 125, 5))
HALF: Final = Fraction(1, 2)

AGE = dp.integers(0, 120)
SHOP, SHOPS, ITEMS = dp.integers(0, 99), 100, 10_000
ITEM = dp.integers(0, 9999)
COST = dp.numbers(0, 180)
PERSON = dp.integers(0, 1 << 40)

age, region, shop, item = dp.field("age", int), dp.field("region"), dp.field("shop", int), dp.field("item", int)
cost = dp.field("cost", float)


@dataclass(frozen=True)
class Question:
    """What is asked of a table by dpcore, of polars alone, and of databases alone."""

    columns: tuple[str, ...]
    private: Release
    plain: Callable[[Frame], Frame]
    sql: str
    asked: float = ASKED


def _rows(**fields: dp.types.Domain) -> dp.types.Space[dp.types.Rows[dp.types.Record], dp.SymmetricDistance]:
    return dp.rows(dp.record(**fields))


def _by(key: dp.types.Expr[int], of: dp.types.Domain, name: str, keys: int) -> Release:
    inner = dp.rows(dp.record(**{name: of})) >> dp.count() >> dp.laplace(scale=1)
    return (_rows(**{name: of}) >> dp.partition(list(range(keys)), key) >> dp.parallel(inner)).release


def _sum_by(key: dp.types.Expr[int], of: dp.types.Domain, name: str, keys: int) -> Release:
    row = dp.record(**{name: of, "age": AGE})
    inner = dp.rows(row) >> dp.select(age) >> dp.sum() >> dp.laplace(scale=120)
    return (dp.rows(row) >> dp.partition(list(range(keys)), key) >> dp.parallel(inner)).release


VISIT = {"age": AGE, "region": dp.categories(*REGIONS)}
PERSONS = dp.rows(dp.record(person=PERSON, age=AGE), dp.PersonDistance("person"))

COUNT = _rows(age=AGE) >> dp.count() >> dp.laplace(scale=1)
BY_REGION = _rows(**VISIT) >> dp.filter(age >= 18) >> dp.histogram(region) >> dp.laplace(scale=1)
AGES = _rows(age=AGE) >> dp.select(age) >> dp.sum() >> dp.laplace(scale=120)
COSTS = _rows(cost=COST) >> dp.select(cost) >> dp.clamp(0, 60) >> dp.quantize("0.1") >> dp.sum() >> dp.laplace(scale=60)
FEW_EACH = PERSONS >> dp.bound_contributions(5) >> dp.select(age) >> dp.sum() >> dp.laplace(scale=600)
MEDIAN = _rows(age=AGE) >> dp.select(age) >> dp.quantile_scores(CANDIDATES, HALF) >> dp.exponential(1)

QUESTIONS: Final[Mapping[str, Question]] = {
    "count": Question(("age",), COUNT.release, lambda f: f.select(pl.len()), "SELECT count(*) FROM visits"),
    "filter and histogram": Question(
        ("age", "region"),
        BY_REGION.release,
        lambda f: f.filter(pl.col("age") >= 18).group_by("region").len(),
        "SELECT region, count(*) FROM visits WHERE age >= 18 GROUP BY region",
    ),
    "sum of integers": Question(
        ("age",), AGES.release, lambda f: f.select(pl.col("age").sum()), "SELECT sum(age) FROM visits"
    ),
    "sum on a grid of floats": Question(
        ("cost",),
        COSTS.release,
        lambda f: f.select(pl.col("cost").clip(0, 60).sum()),
        "SELECT sum(least(greatest(cost, 0), 60)) FROM visits",
        ASKED_OF_FLOATS,
    ),
    "counts by 100 keys": Question(
        ("shop",),
        _by(shop, SHOP, "shop", SHOPS),
        lambda f: f.group_by("shop").len(),
        "SELECT shop, count(*) FROM visits GROUP BY shop",
    ),
    "counts by 10,000 keys": Question(
        ("item",),
        _by(item, ITEM, "item", ITEMS),
        lambda f: f.group_by("item").len(),
        "SELECT item, count(*) FROM visits GROUP BY item",
    ),
    "sums by 100 keys": Question(
        ("shop", "age"),
        _sum_by(shop, SHOP, "shop", SHOPS),
        lambda f: f.group_by("shop").agg(pl.col("age").sum()),
        "SELECT shop, sum(age) FROM visits GROUP BY shop",
    ),
    "sums by 10,000 keys": Question(
        ("item", "age"),
        _sum_by(item, ITEM, "item", ITEMS),
        lambda f: f.group_by("item").agg(pl.col("age").sum()),
        "SELECT item, sum(age) FROM visits GROUP BY item",
    ),
    "at most 5 rows a person": Question(
        ("person", "age"),
        FEW_EACH.release,
        lambda f: f.group_by("person").agg(pl.col("age").head(5)).select(pl.col("age").explode().sum()),
        "SELECT sum(age) FROM (SELECT age, row_number() OVER (PARTITION BY person ORDER BY person) AS n FROM visits)"
        " WHERE n <= 5",
    ),
    "median of 25 candidates": Question(
        ("age",), MEDIAN.release, lambda f: f.select(pl.col("age").median()), "SELECT median(age) FROM visits"
    ),
}


def made_up(rows: int) -> pl.DataFrame:
    dice = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "age": dice.integers(0, 121, rows),
            "region": np.array(REGIONS)[dice.integers(0, 4, rows)],
            "shop": dice.integers(0, SHOPS, rows),
            "item": dice.integers(0, ITEMS, rows),
            "cost": np.round(dice.random(rows) * 180, 2),
            "person": dice.integers(0, max(rows // 8, 1), rows),
        }
    )


def least(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Milliseconds, the least of several alternating runs."""
    clock: Callable[[], float] = time.perf_counter
    if os.environ.get("CLOCK") == "processor":
        clock = partial(processor_time, started_by(Path("/proc/self")))
    times = dict.fromkeys(works, float("inf"))
    for _ in range(RUNS):
        for name, work in works.items():
            start = clock()
            work()
            times[name] = min(times[name], 1000 * (clock() - start))
    return times


def processor_time(started: Sequence[Path]) -> float:
    """Seconds that this process and those that it started have spent, as Linux tells."""
    spent, tick = time.process_time(), os.sysconf("SC_CLK_TCK")
    for process in started:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / tick
    return spent


def started_by(process: Path) -> list[Path]:
    """The processes that it started, and those that they did."""
    texts = [(thread / "children").read_text() for thread in (process / "task").iterdir()]
    own = [Path("/proc") / child for text in texts for child in text.split()]
    return [*own, *(each for child in own for each in started_by(child))]


def session_of_spark() -> Database | None:
    if not find_spec("pyspark") or not shutil.which("java") or "Spark" not in ENGINES:
        return None
    os.environ["PYSPARK_PYTHON"] = sys.executable  # what is read in batches is packed by workers that have pyarrow
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    for name, value in {"ui.enabled": "false", "driver.memory": "4g", "sql.shuffle.partitions": "2"}.items():
        builder = builder.config(f"spark.{name}", value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def in_databases(frame: pl.DataFrame, path: Path, spark: Database | None) -> Iterator[tuple[str, Database]]:
    """The visits as a table of this name, held by each."""
    if "DuckDB" in ENGINES:
        connection = import_module("duckdb").connect()
        connection.execute(f"CREATE TABLE visits AS SELECT * FROM '{path}'")
        yield "DuckDB", connection
    if spark is not None and len(frame) <= ROWS_OF_SPARK:
        held = spark.read.parquet(str(path)).cache()
        held.createOrReplaceTempView("visits")
        held.count()
        yield "Spark", spark


def works_of(question: Question, databases: Mapping[str, Database]) -> dict[str, Callable[[], object]]:
    """In each database, without and with privacy."""
    works: dict[str, Callable[[], object]] = {}
    for name, database in databases.items():
        plain = partial(_fetched, database, question.sql)
        works |= {f"plain {name}": plain, name: partial(question.private, database.table("visits"))}
    return works


def _fetched(database: Database, query: str) -> object:
    asked = database.sql(query)
    return asked.collect() if hasattr(asked, "collect") else asked.fetchall()


def line(
    name: str,
    question: Question,
    frame: pl.DataFrame,
    path: Path,
    databases: Mapping[str, Database],
    tumult: Mapping[str, float],
) -> str:
    held = frame.select(question.columns)
    arrays = {column: held[column].to_numpy() for column in question.columns}
    as_pandas = held.to_pandas()
    works: dict[str, Callable[[], object]] = {
        "plain": lambda: question.plain(frame.lazy()).collect(engine="streaming"),
        "polars": lambda: question.private(frame),
        "plain file": lambda: question.plain(pl.scan_parquet(path)).collect(engine="streaming"),
        "file": lambda: question.private(pl.scan_parquet(path)),
        "pandas": lambda: question.private(as_pandas),
        "arrays": lambda: question.private(arrays),
    }
    works = {name: work for name, work in works.items() if name not in ("pandas", "arrays") or name in ENGINES}
    works |= works_of(question, databases)
    theirs = tables_opendp.releases(CANDIDATES, REGIONS).get(name)
    if theirs is not None and "opendp" in ENGINES:
        works["opendp"] = theirs(held.lazy())
    times = least(works)
    few = len(frame) <= FEW_ROWS
    cells = [f"{times['plain']:9.1f}", _beside(times["polars"], times["plain"], question.asked, few)]
    cells += [f"{times['plain file']:9.1f}", _beside(times["file"], times["plain file"], question.asked, few)]
    others = (times.get("pandas"), times.get("arrays"), times.get("opendp"), tumult.get(name))
    cells += [f"{known:9.1f}" if known else f"{'-':>9}" for known in others]
    for each in databases:
        plain = times[f"plain {each}"]
        cells += [f"{plain:9.1f}", _beside(times[each], plain, question.asked, few)]
    return f"{name:26}" + "  ".join(cells)


def _beside(private: float, plain: float, asked: float, few: bool) -> str:
    met = private <= asked * plain or (few and private <= plain + MILLISECONDS_MORE)
    return f"{private:9.1f} {private / plain:6.2f}x {'' if met else 'MISSED':6}"


def main(sizes: tuple[int, ...]) -> None:
    spark = session_of_spark()
    for rows in sizes:
        print(f"\n{rows:,} rows, milliseconds")
        print(f"{'':26}" + "  ".join(f"{name:>{width}}" for name, width in zip(HEAD, WIDTHS, strict=True)))
        frame = made_up(rows)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "visits.parquet"
            frame.write_parquet(path)
            databases = dict(in_databases(frame, path, spark))
            tumult = tables_tumult.releases(path)
            for name, question in QUESTIONS.items():
                print(line(name, question, frame, path, databases, tumult), flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
