"""Releases from tables, side by side in one run with the engine that holds the table and protects nobody.

    python benchmarks/tables.py [ROWS ...]      # 1000 1000000 10000000

Each line asks one question of made-up visits: of a frame of polars in memory, of a Parquet file, of pandas, of arrays, of a
table of DuckDB, and of Spark with two cores, where pyspark and a JRE are there. What is timed is the whole public call, with
its checks of every declared column. The runs alternate and the least of several counts. Behind each time stand two numbers:
how many times as long it takes as the engine alone, and as the engine alone where it does the same checks, and where floats
are put on the same grid before they are added; of pandas the first only. The engine alone reads no data at all for a count.
Asked, of the first: at most 1.5 (2.5 for sums of floats on a grid); of 1000 rows, 10 ms more; of arrays, at most 1.5 times
the time of the frame of polars. MISSED says where it is more.

Where others work on the machine too, CLOCK=processor times what all processors spent: `tables_clock.py`.
ENGINES=polars,DuckDB leaves out the others. Beside them stand opendp's polars context on the frame in memory and Tumult
Analytics on the file, each in a process of its own that is ended in time: `tables_peers.py`.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

import dpcore as dp

clock: Any = import_module("tables_clock")  # found beside this file, where it is run as a script
peers: Any = import_module("tables_peers")

Frame: TypeAlias = pl.LazyFrame
Pandas: TypeAlias = Any
Database: TypeAlias = Any  # none of these has types that are promised
Table: TypeAlias = pl.DataFrame | pl.LazyFrame | Mapping[str, NDArray[np.generic]] | Database
Release: TypeAlias = Callable[[Table], object]
SIZES: Final = (10**3, 10**6, 10**7)
FEW_ROWS: Final = 1000
RUNS: Final = 5
SECONDS: Final = 60
"""After which no more runs of one question begin, once there were two of them."""

ENGINES: Final = os.environ.get("ENGINES", "polars,pandas,arrays,opendp,Tumult,DuckDB,Spark").split(",")
HEAD: Final = (
    "polars", "dpcore on it", "of a file", "dpcore on it", "pandas", "dpcore on it", "arrays",
    "opendp", "Tumult", "DuckDB", "dpcore on it", "Spark", "dpcore on it",
)  # fmt: skip
WIDTHS: Final = (9, 33, 9, 33, 9, 33, 24, 9, 9, 9, 33, 9, 33)
VERSIONS: Final = ("polars", "duckdb", "pandas", "numpy", "pyspark")
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
    """What is asked of a table by dpcore, of polars alone, of pandas alone, and of databases alone."""

    columns: tuple[str, ...]
    private: Release
    plain: Callable[[Frame], Frame]
    checked: Callable[[Frame], Frame]
    """The same, with what dpcore checks: how many rows are no members. Values by which rows are grouped are seen."""
    pandas: Callable[[Pandas], object]
    sql: str
    checked_sql: str
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
COUNT_OF_ANY = _rows(age=dp.integers()) >> dp.count() >> dp.laplace(scale=1)
BY_REGION = _rows(**VISIT) >> dp.filter(age >= 18) >> dp.histogram(region) >> dp.laplace(scale=1)
AGES = _rows(age=AGE) >> dp.select(age) >> dp.sum() >> dp.laplace(scale=120)
COSTS = _rows(cost=COST) >> dp.select(cost) >> dp.clamp(0, 60) >> dp.quantize("0.1") >> dp.sum() >> dp.laplace(scale=60)
FEW_EACH = PERSONS >> dp.bound_contributions(5) >> dp.select(age) >> dp.sum() >> dp.laplace(scale=600)
MEDIAN = _rows(age=AGE) >> dp.select(age) >> dp.quantile_scores(CANDIDATES, HALF) >> dp.exponential(1)


def _outside(column: str, high: int) -> pl.Expr:
    """How many rows are null or not between 0 and this."""
    return (pl.len() - pl.col(column).is_between(0, high).sum()).alias(f"not {column}")


def _outside_sql(column: str, high: int) -> str:
    return f"count(*) - count_if({column} BETWEEN 0 AND {high})"


AGES_ALONE, COSTS_CLIPPED = pl.col("age").sum(), pl.col("cost").clip(0, 60)
NOT_AGE, NOT_COST = _outside("age", 120), _outside("cost", 180)
NOT_AGE_SQL, NOT_COST_SQL = _outside_sql("age", 120), _outside_sql("cost", 180)
FIRST_ROWS: Final = "row_number() OVER (PARTITION BY person ORDER BY person) AS n FROM visits"


def _by_plain(key: str, *what: pl.Expr) -> Callable[[Frame], Frame]:
    return lambda f: f.group_by(key).agg(*what)


QUESTIONS: Final[Mapping[str, Question]] = {
    "count": Question(
        ("age",),
        COUNT.release,
        lambda f: f.select(pl.len()),
        lambda f: f.select(pl.len(), NOT_AGE),
        lambda f: f["age"].count(),
        "SELECT count(*) FROM visits",
        f"SELECT count(*), {NOT_AGE_SQL} FROM visits",
    ),
    "count, without bounds": Question(
        ("age",),
        COUNT_OF_ANY.release,
        lambda f: f.select(pl.len()),
        lambda f: f.select(pl.len(), pl.col("age").null_count().alias("nulls")),
        lambda f: f["age"].count(),
        "SELECT count(*) FROM visits",
        "SELECT count(*), count(*) - count(age) FROM visits",
    ),
    "filter and histogram": Question(
        ("age", "region"),
        BY_REGION.release,
        lambda f: f.filter(pl.col("age") >= 18).group_by("region").len(),
        _by_plain("region", (pl.col("age") >= 18).sum(), NOT_AGE),
        lambda f: f[f["age"] >= 18]["region"].value_counts(),
        "SELECT region, count(*) FROM visits WHERE age >= 18 GROUP BY region",
        f"SELECT region, count_if(age >= 18), {NOT_AGE_SQL} FROM visits GROUP BY region",
    ),
    "sum of integers": Question(
        ("age",),
        AGES.release,
        lambda f: f.select(AGES_ALONE),
        lambda f: f.select(AGES_ALONE, NOT_AGE),
        lambda f: f["age"].sum(),
        "SELECT sum(age) FROM visits",
        f"SELECT sum(age), {NOT_AGE_SQL} FROM visits",
    ),
    "sum on a grid of floats": Question(
        ("cost",),
        COSTS.release,
        lambda f: f.select(COSTS_CLIPPED.sum()),
        lambda f: f.select((COSTS_CLIPPED * 10).round().cast(pl.Int64).sum(), NOT_COST),
        lambda f: f["cost"].clip(0, 60).sum(),
        "SELECT sum(least(greatest(cost, 0), 60)) FROM visits",
        f"SELECT sum(CAST(round(least(greatest(cost, 0), 60) * 10) AS BIGINT)), {NOT_COST_SQL} FROM visits",
        ASKED_OF_FLOATS,
    ),
    "counts by 100 keys": Question(
        ("shop",),
        _by(shop, SHOP, "shop", SHOPS),
        _by_plain("shop", pl.len()),
        _by_plain("shop", pl.len()),
        lambda f: f.groupby("shop").size(),
        "SELECT shop, count(*) FROM visits GROUP BY shop",
        "SELECT shop, count(*) FROM visits GROUP BY shop",
    ),
    "counts by 10,000 keys": Question(
        ("item",),
        _by(item, ITEM, "item", ITEMS),
        _by_plain("item", pl.len()),
        _by_plain("item", pl.len()),
        lambda f: f.groupby("item").size(),
        "SELECT item, count(*) FROM visits GROUP BY item",
        "SELECT item, count(*) FROM visits GROUP BY item",
    ),
    "sums by 100 keys": Question(
        ("shop", "age"),
        _sum_by(shop, SHOP, "shop", SHOPS),
        _by_plain("shop", AGES_ALONE),
        _by_plain("shop", AGES_ALONE, NOT_AGE),
        lambda f: f.groupby("shop")["age"].sum(),
        "SELECT shop, sum(age) FROM visits GROUP BY shop",
        f"SELECT shop, sum(age), {NOT_AGE_SQL} FROM visits GROUP BY shop",
    ),
    "sums by 10,000 keys": Question(
        ("item", "age"),
        _sum_by(item, ITEM, "item", ITEMS),
        _by_plain("item", AGES_ALONE),
        _by_plain("item", AGES_ALONE, NOT_AGE),
        lambda f: f.groupby("item")["age"].sum(),
        "SELECT item, sum(age) FROM visits GROUP BY item",
        f"SELECT item, sum(age), {NOT_AGE_SQL} FROM visits GROUP BY item",
    ),
    "at most 5 rows a person": Question(
        ("person", "age"),
        FEW_EACH.release,
        lambda f: f.group_by("person").agg(pl.col("age").head(5)).select(pl.col("age").explode().sum()),
        lambda f: (
            f.group_by("person")
            .agg(pl.col("age").head(5), NOT_AGE)
            .select(pl.col("age").explode().sum(), pl.col("not age").sum(), pl.col("person").min())
        ),
        lambda f: f.groupby("person").head(5)["age"].sum(),
        f"SELECT sum(age) FROM (SELECT age, {FIRST_ROWS}) WHERE n <= 5",
        "SELECT sum(CASE WHEN n <= 5 THEN age END), count_if(NOT member OR member IS NULL)"
        f" FROM (SELECT age, age BETWEEN 0 AND 120 AND person BETWEEN 0 AND {1 << 40} AS member, {FIRST_ROWS})",
    ),
    "median of 25 candidates": Question(
        ("age",),
        MEDIAN.release,
        lambda f: f.select(pl.col("age").median()),
        lambda f: f.select(pl.col("age").median(), NOT_AGE),
        lambda f: f["age"].median(),
        "SELECT median(age) FROM visits",
        f"SELECT median(age), {NOT_AGE_SQL} FROM visits",
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


def session_of_spark() -> Database | None:
    if not find_spec("pyspark") or not shutil.which("java") or "Spark" not in ENGINES:
        return None
    os.environ["PYSPARK_PYTHON"] = sys.executable  # what is read in batches is packed by workers that have pyarrow
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    for name, value in {
        "ui.enabled": "false",
        "ui.showConsoleProgress": "false",
        "driver.memory": "4g",
        "sql.shuffle.partitions": "2",
    }.items():
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
    if spark is not None:
        held = spark.read.parquet(str(path)).cache()
        held.createOrReplaceTempView("visits")
        held.count()
        yield "Spark", spark


def works_of(question: Question, databases: Mapping[str, Database]) -> dict[str, Callable[[], object]]:
    """In each database, without and with privacy."""
    works: dict[str, Callable[[], object]] = {}
    for name, database in databases.items():
        works[f"plain {name}"] = partial(_fetched, database, question.sql)
        works[f"checked {name}"] = partial(_fetched, database, question.checked_sql)
        works[name] = partial(question.private, database.table("visits"))
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
    theirs: Mapping[str, Mapping[str, float]],
) -> str:
    held = frame.select(question.columns)
    arrays = {column: held[column].to_numpy() for column in question.columns}
    as_pandas = held.to_pandas()
    works: dict[str, Callable[[], object]] = {}
    frames: dict[str, Callable[[], Frame]] = {"polars": frame.lazy, "file": lambda: pl.scan_parquet(path)}
    for where, rows in frames.items():
        works[f"plain {where}"] = partial(_collected, question.plain, rows)
        works[f"checked {where}"] = partial(_collected, question.checked, rows)
    works["polars"] = lambda: question.private(frame)
    works["file"] = lambda: question.private(pl.scan_parquet(path))
    if "pandas" in ENGINES:
        works |= {"plain pandas": lambda: question.pandas(as_pandas), "pandas": lambda: question.private(as_pandas)}
    if "arrays" in ENGINES:
        works["arrays"] = lambda: question.private(arrays)
    times = clock.least(works, RUNS, SECONDS) | clock.least(works_of(question, databases), RUNS, SECONDS)
    few = len(frame) <= FEW_ROWS

    def beside(where: str) -> str:
        if where not in times:
            return f"{'-':>9}  {'-':>33}"
        plain, checked, private = times[f"plain {where}"], times.get(f"checked {where}"), times[where]
        met = private <= question.asked * plain or (few and private <= plain + MILLISECONDS_MORE)
        ratios = f"{private / plain:7.2f}x " + (f"{'-':>7}" if checked is None else f"{private / checked:6.2f}x")
        return f"{plain:9.1f}  {private:9.1f} {ratios} {'' if met else 'MISSED':6}"

    cells = [beside("polars"), beside("file"), beside("pandas"), _of_arrays(times)]
    cells += [_known(theirs[peer.name].get(name)) for peer in peers.PEERS]
    cells += [beside(each) for each in databases]
    return f"{name:26}" + "  ".join(cells)


def _collected(question: Callable[[Frame], Frame], rows: Callable[[], Frame]) -> object:
    return question(rows()).collect(engine="streaming")


def _known(milliseconds: float | None) -> str:
    return f"{'-':>9}" if milliseconds is None else f"{milliseconds:9.1f}"


def _of_arrays(times: Mapping[str, float]) -> str:
    """Beside the frame of polars."""
    if "arrays" not in times:
        return f"{'-':>24}"
    arrays, polars = times["arrays"], times["polars"]
    return f"{arrays:9.1f} {arrays / polars:6.2f}x {'' if arrays <= ASKED * polars else 'MISSED':6}"


def _versions() -> Iterator[str]:
    yield f"Python {platform.python_version()}"
    for library in VERSIONS:
        try:
            yield f"{library} {version(library)}"
        except PackageNotFoundError:
            yield f"no {library}"


def main(sizes: tuple[int, ...]) -> None:
    print(clock.machine())
    print(", ".join(_versions()))
    print("time of all processors" if os.environ.get("CLOCK") == "processor" else "time that went by")
    spark = session_of_spark()
    for rows in sizes:
        frame = made_up(rows)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "visits.parquet"
            frame.write_parquet(path)
            theirs: dict[str, Mapping[str, float]] = {}
            reasons: dict[str, str] = {}
            for peer in peers.PEERS:
                theirs[peer.name], why = peers.asked(peer, path, rows) if peer.name in ENGINES else ({}, "left out")
                reasons |= {} if why is None else {peer.name: why}
            print(
                f"\n{rows:,} rows, milliseconds; of dpcore, times the engine alone, and times the engine that checks as well"
            )
            print(f"{'':26}" + "  ".join(f"{name:>{width}}" for name, width in zip(HEAD, WIDTHS, strict=True)))
            databases = dict(in_databases(frame, path, spark))
            for name, question in QUESTIONS.items():
                print(line(name, question, frame, path, databases, theirs), flush=True)
            for name, why in reasons.items():
                print(f"{name}: {why}")


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
