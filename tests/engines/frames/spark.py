"""Tables of Spark, classic and Connect, mean what the same rows mean, and are refused with the same words.

Run by `make spark-test`, not with the other tests: it needs a JRE and pyspark, and starts a session of two cores. Without
them it is skipped, by name.
"""

from __future__ import annotations

import datetime
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import dpcore as dp
from dpcore.engines import Table
from dpcore.engines.doors import by_rows, table
from dpcore.engines.frames import room, spark_columns, spark_fetching
from dpcore.engines.frames.arrow_batches import ArrowBatches
from dpcore.engines.frames.spark_columns import SparkColumns, SparkShares, packing
from dpcore.engines.frames.spark_fetching import FEW_OCTETS
from dpcore.engines.numpy.coded import Given
from dpcore.engines.queries import spark
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.spark import SparkEngine
from dpcore.engines.queries.sql import Levels
from dpcore.noise.bits import SeededBits
from dpcore.noise.row_keys import CipherKey
from tests.engines.frames.forms import Rows, asking, pa, pl
from tests.engines.frames.test_forms import FINE, OFFENCES, QUESTIONS, SPACE, refusal, rows_of_visits
from tests.engines.frames.test_shares import by_one_key
from tests.engines.queries import test_ahead as ahead
from tests.engines.queries import test_decimals_and_moments as decimals
from tests.engines.queries import test_files_that_lie as lies
from tests.engines.queries import test_singles as singles
from tests.engines.queries.answers import COLUMNS, EXAMPLES, keys_agree, never, numbers_agree, queried, ranks_agree
from tests.engines.queries.test_polars import NATIVE
from tests.expressions.samples import ROW, conditions, expressions, numeric, typed_rows

MISSING: Final = [] if shutil.which("java") else ["a JRE (on Debian, apt-get install -y default-jre-headless)"]
MISSING.extend(f"{package} (pip install '.[spark-test]')" for package in ("pyspark", "grpc") if not find_spec(package))

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"missing: {', '.join(MISSING)}"),
    # pyspark leaves sockets to the collector, and does not promise all of pandas 3 yet.
    pytest.mark.filterwarnings("default"),
]

Session: TypeAlias = Any  # pyspark is not there for who runs the other tests
KINDS: Final = ("Spark", "Spark Connect")
FETCHED: Final = "Spark, fetched"

SCHEMA: Final = pa.schema(
    {
        "age": pa.int64(),
        "region": pa.string(),
        "minutes": pa.float64(),
        "day": pa.date32(),
        "note": pa.string(),
        "again": pa.bool_(),
    }
)


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, Session]]:
    """Of both kinds: the classic one's JVM serves the other."""
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    port = free_port()
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "America/New_York",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": str(port),
    }
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    classic = builder.getOrCreate()
    classic.sparkContext.setLogLevel("OFF")
    connect = import_module("pyspark.sql.connect.session").SparkSession
    machine = classic.sparkContext._gateway.proc.pid
    try:
        served = connect.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        yield {"Spark": classic, "Spark Connect": served}
        served.client.set_retry_policies([])  # once the machine is gone, nobody waits for its return
    finally:
        kill(machine)


def kill(process: int) -> None:
    """A test may have done it already."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows there are, Spark is asked where it has them."""
    monkeypatch.setattr(spark_fetching, "FEW_OCTETS", -1)


@pytest.fixture(params=KINDS)
def session(request: pytest.FixtureRequest, sessions: dict[str, Session]) -> Session:
    kind: str = request.param
    return sessions[kind]


def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows are fetched, as they are for users; and never asked."""
    monkeypatch.setattr(spark_fetching, "FEW_OCTETS", FEW_OCTETS)
    monkeypatch.setattr(SparkEngine, "rows_of", never)
    monkeypatch.setattr(SparkColumns, "batches", never)


@pytest.fixture(params=(*KINDS, FETCHED))
def each_way(request: pytest.FixtureRequest, sessions: dict[str, Session], monkeypatch: pytest.MonkeyPatch) -> Session:
    kind: str = request.param
    if kind != FETCHED:
        return sessions[kind]
    as_it_comes(monkeypatch)
    return sessions["Spark"]


def frame(session: Session, rows: Rows) -> Any:
    return session.createDataFrame(pa.Table.from_pylist(list(rows), schema=SCHEMA)).repartition(2)


def without_order(answer: object) -> object:
    """The rows of each part in an order that is the same for all."""
    return {key: sorted(map(repr, part)) for key, part in answer.items()} if isinstance(answer, dict) else answer


few = settings(
    max_examples=3,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@few
@given(rows=rows_of_visits)
def test_they_mean_the_same(sessions: dict[str, Session], rows: Rows) -> None:
    for kind, session in sessions.items():
        held = frame(session, rows)
        for name, question in QUESTIONS.items():
            assert without_order(question(held)) == without_order(question(rows)), (kind, name)
    held = frame(sessions["Spark"], rows)
    with pytest.MonkeyPatch.context() as patched:
        as_it_comes(patched)
        for name, question in QUESTIONS.items():
            assert without_order(question(held)) == without_order(question(rows)), (FETCHED, name)


def test_the_same_refusals(each_way: Session) -> None:
    for name, value in OFFENCES.values():
        rows = [FINE, FINE, {**FINE, name: value}, FINE]
        assert refusal(frame(each_way, rows)) == refusal(rows).replace("row 2", "a row")
    assert "field 'region' is missing" in refusal(frame(each_way, [FINE]).drop("region"))


def of_column(session: Session, sql: str, domain: Any, rows: int = 1) -> object:
    """The values of one column, which has a name of its own."""
    chosen = session.range(rows).selectExpr(f"{sql} AS `a.``b`", "id AS other")
    return asking(dp.rows(dp.record(**{"a.`b": domain})) >> dp.row_map(lambda row: row["a.`b"], domain))(chosen)


DAYS: Final = dp.date("2000-01-01", "2029-12-31")


def test_types(each_way: Session) -> None:
    assert of_column(each_way, "CAST(0.1 AS DECIMAL(38, 18))", dp.numbers(step="0.1")) == [Fraction(1, 10)]
    assert of_column(each_way, "CAST(12345678901234567890 AS DECIMAL(38, 0))", dp.integers()) == [12345678901234567890]
    assert of_column(each_way, "CAST(7 AS TINYINT)", dp.integers()) == [7]
    assert of_column(each_way, "CAST(0.1 AS FLOAT)", dp.numbers(0, 1)) == [Fraction(1, 10)]
    assert of_column(each_way, "CAST('NaN' AS DOUBLE)", dp.optional(dp.numbers())) == [None]
    assert of_column(each_way, "NULL", dp.optional(dp.text())) == [None]
    assert of_column(each_way, "array(1, 2)", dp.vector(dp.integers(), 2)) == [[1, 2]]
    assert of_column(each_way, "TIMESTAMP_NTZ '2020-03-01'", DAYS) == [datetime.date(2020, 3, 1)]
    for wrong in ("TIMESTAMP '2020-03-01'", "TIMESTAMP_NTZ '2020-03-01 10:00:00'", "'2020-03-01'"):
        with pytest.raises(dp.errors.InvalidData, match=r"a row, field 'a\.`b'"):
            of_column(each_way, wrong, DAYS)
    with pytest.raises(dp.errors.InvalidData, match="a row"):
        of_column(each_way, "array(1, NULL)", dp.vector(dp.integers(), 2))


KINDS_OF_COLUMNS: Final = {
    "i": "SMALLINT", "oi": "INT", "g": "DOUBLE", "third": "BIGINT", "f": "DOUBLE", "of": "DOUBLE", "k": "TINYINT",
    "b": "BOOLEAN", "ob": "BOOLEAN", "c": "STRING", "oc": "STRING", "t": "STRING", "d": "DATE", "od": "DATE",
}  # fmt: skip


def engine(session: Session, rows: Rows) -> SparkEngine:
    sample = pl.DataFrame(list(rows or EXAMPLES[:1]), schema=COLUMNS, strict=False).to_arrow()
    held = session.createDataFrame(sample).limit(len(rows))  # of no rows, Connect makes no frame
    columns = [f"CAST(`{name}` AS {kind}) AS c{place}" for place, (name, kind) in enumerate(KINDS_OF_COLUMNS.items())]
    return SparkEngine(held.selectExpr(*columns), list(KINDS_OF_COLUMNS))


@settings(few, max_examples=4)
@given(typed_rows, conditions, numeric, expressions)
def test_what_spark_answers_is_what_the_rows_give(
    sessions: dict[str, Session], rows: Rows, condition: Any, expr: Any, by: Any
) -> None:
    for session in sessions.values():
        held = partial(engine, session)
        numbers_agree(held, rows, condition, expr)
        keys_agree(held, rows, by, condition)
        ranks_agree(held, rows, "f", [-3, 0, Fraction(1, 10)])


def test_several_groupings_are_one_query(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    alone, sets = SparkEngine.rows_of, SparkEngine.rows_of_sets

    def one(engine: SparkEngine, levels: Levels, group: str | None, figures: Sequence[str]) -> object:
        asked.append(1)
        return alone(engine, levels, group, figures)

    def several(engine: SparkEngine, levels: Levels, groups: Sequence[str], figures: Sequence[str]) -> object:
        asked.append(len(groups))
        return sets(engine, levels, groups, figures)

    monkeypatch.setattr(SparkEngine, "rows_of", one)
    monkeypatch.setattr(SparkEngine, "rows_of_sets", several)
    by_age = ahead.PEOPLE >> dp.histogram(ahead.age, bins=[17, 30, 31]) >> dp.laplace(scale="1/40")
    everything = dp.compose([ahead.COUNT, ahead.TOTAL, ahead.COSTS, ahead.BY_REGION, by_age, ahead.MEAN])
    expected = (3, 153, Fraction(506, 10), [2, 2], [1, 1, 0], {"N": (2, 95), "S": (1, 58)})
    assert everything.release(session.createDataFrame(ahead.FRAME.to_arrow())) == expected
    assert everything.release(session.createDataFrame(ahead.FRAME.to_arrow()).limit(0))[:2] == (0, 0)
    assert asked == [2, 2]


EXACT: Final = {
    "a": "DECIMAL(9, 2)", "b": "DECIMAL(18, 6)", "c": "DECIMAL(18, 3)", "moment": "TIMESTAMP_NTZ", "other": "TIMESTAMP_NTZ",
}  # fmt: skip


def exactly(session: Session, rows: Sequence[Mapping[str, object]]) -> Any:
    """Decimals and moments, read from texts."""
    texts = [{name: None if row[name] is None else str(row[name]) for name in EXACT} for row in rows]
    held = session.createDataFrame(pa.Table.from_pylist(texts, schema=pa.schema(dict.fromkeys(EXACT, pa.string()))))
    return held.selectExpr(*(f"CAST({name} AS {kind}) AS {name}" for name, kind in EXACT.items()))


def test_decimals_and_moments(each_way: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Mapping[str, object]] = [
        {
            "a": Decimal(7 * n - 30).scaleb(-2), "b": None if n % 3 else Decimal(n * 125_000 - 1).scaleb(-6),
            "c": Decimal((n - 4) ** 15).scaleb(-3), "other": datetime.datetime(1 + 1110 * n, 2, 28),
            "moment": None if n % 4 else datetime.datetime(1969 + n, 12, 31),
        }
        for n in range(10)
    ]  # fmt: skip
    held, expected = exactly(each_way, rows), [question(rows) for question in decimals.QUESTIONS.values()]
    with monkeypatch.context() as patched:
        patched.setattr(Asked, "slow", never)
        assert [question(held) for question in decimals.QUESTIONS.values()] == expected
    for name, value in decimals.OFFENCES:
        if value not in (Decimal(10**19), datetime.datetime(1949, 12, 31)):
            with pytest.raises(dp.errors.InvalidData, match=f"'{name}'"):
                asking(decimals.NARROW >> dp.count())(
                    exactly(each_way, [decimals.FINE, {**decimals.FINE, name: value}])
                )


def test_floats_of_32_bits(each_way: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = singles.HALVES
    expected = [question(rows) for question in singles.QUESTIONS.values()]
    monkeypatch.setattr(Asked, "slow", never)
    held = each_way.createDataFrame(singles.as_frame(rows).to_arrow())
    assert [question(held) for question in singles.QUESTIONS.values()] == expected


@pytest.mark.parametrize("domain", [dp.booleans(), dp.text(), dp.integers(0, 9), dp.date(), dp.numbers(0, 9)])
def test_nothing_but_null_is_no_member(each_way: Session, domain: dp.types.Domain) -> None:
    kinds = {"booleans()": "BOOLEAN", "text()": "STRING", "date()": "DATE", "numbers(0, 9)": "DOUBLE"}
    held = each_way.range(3).selectExpr(f"CAST(NULL AS {kinds.get(repr(domain), 'BIGINT')}) AS x")
    with pytest.raises(dp.errors.InvalidData, match="'x'"):
        asking(dp.rows(dp.record(x=domain)) >> dp.count())(held)


def test_spark_answers_by_itself(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Asked, "slow", never)
    asked = queried(partial(engine, session), EXAMPLES)
    for name, expr in NATIVE.items():
        assert asked.tally_all(expr) == by_rows(EXAMPLES, dp.types.Rows(ROW)).tally_all(expr), name


OF_PERSONS: Final = dp.record(
    who=dp.integers(), n=dp.optional(dp.integers(-9, 9)), paid=dp.booleans(), day=dp.optional(dp.date()),
    place=dp.categories("N", "é", ""), twos=dp.categories(0, 2, 4),
)  # fmt: skip
PERSONS: Final = dp.rows(OF_PERSONS, dp.PersonDistance("who"))
ROWS_OF_PERSONS: Final[Sequence[Mapping[str, object]]] = [
    {
        "who": -(1 << 63) if n % 5 == 0 else n % 3, "n": None if n % 7 == 0 else n % 4 - 2, "paid": n % 2 == 0,
        "day": None if n % 11 == 0 else datetime.date(1 + 1999 * (n % 2), 2, 28), "place": ["N", "é", ""][n % 3],
        "twos": n % 3 * 2,
    }
    for n in range(120)
]  # fmt: skip


def of_persons(session: Session) -> Any:
    kinds = [("who", pa.int64()), ("n", pa.int8()), ("paid", pa.bool_()), ("day", pa.date32()), ("place", pa.string())]
    schema = pa.schema([*kinds, ("twos", pa.int32())])
    return session.createDataFrame(pa.Table.from_pylist(list(ROWS_OF_PERSONS), schema=schema)).repartition(3)


def test_spark_keeps_the_rows_that_the_hash_says(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[Table] = [table(of_persons(session), PERSONS.domain), by_rows(ROWS_OF_PERSONS, PERSONS.domain)]
    n, own, some = dp.field("n"), dp.field("paid", bool), CipherKey(SeededBits(3))
    monkeypatch.setattr(room, "MOST_OCTETS", 999)
    monkeypatch.setattr(ArrowBatches, "at_once", never)
    for limit, before in ((1, own), (5, ~own | own), (2, n.is_null())):
        asked, rows = (each.filter(before).fairly("who", limit, some) for each in tables)
        for key in (dp.field("who"), n, dp.field("day"), dp.field("place")):
            assert asked.tally_all(key) == rows.tally_all(key), (limit, before, key)


def test_persons_come_share_by_share(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of them is what is asked of all rows at once, which may not be had."""
    rows = [{"who": n % 7, "x": n / 8, "note": str(n % 3)} for n in range(90)]
    held = session.createDataFrame(pa.Table.from_pylist(rows)).repartition(3)
    record = dp.record(who=dp.integers(0, 9), x=dp.numbers(0, 99, step="1/8"), note=dp.text())
    persons, x = dp.rows(record, dp.PersonDistance("who")), dp.field("x", float)
    few, first = persons >> dp.bound_contributions(4), persons >> dp.bound_contributions(4, keep=dp.first_by(x))
    late = persons >> dp.filter(lambda row: row["x"] > 3) >> dp.bound_contributions(2)
    grid = dp.numbers(0, 99, step="1/8")
    by_note = dp.histogram(dp.field("note"), bins=["0", "1", "2"])
    questions = [few >> dp.count(), few >> dp.select(x, grid) >> dp.sum(), few >> by_note, first >> by_note]
    questions += [
        first >> dp.select(x, grid) >> dp.sum(),
        late >> dp.count(),
        few >> dp.resize(9, rows[0]) >> dp.count(),
    ]
    expected = [by_one_key(question, rows) for question in questions]
    monkeypatch.setattr(room, "MOST_OCTETS", 999)
    sent = [len(batch) for batch in at_most_once(held, 3)]
    assert sum(sent) == len(rows)
    assert 1 < len(sent) <= 7
    with monkeypatch.context() as patched:
        patched.setattr(SparkColumns, "at_once", never)
        assert [by_one_key(question, held) for question in questions] == expected
    # A person who is known by a double, of which 0.0 and -0.0 are equal and no octets are, comes with all the others.
    wholes = held.selectExpr("IF(who = 0, IF(x < 1, -0.0D, 0.0D), CAST(who AS DOUBLE)) AS who", "x", "note")
    assert [by_one_key(question, wholes) for question in questions] == expected


def at_most_once(held: Any, shares: int) -> list[Any]:
    """The shares of persons, of whom none is in two of them."""
    its = held.selectExpr("CAST(who AS BIGINT) AS c0", "x AS c1")
    batches = list(SparkShares(its, "c0", shares).batches(["who", "x"]))
    whose = [who for batch in batches for who in batch["c0"].unique()]
    assert len(whose) == len(set(whose))
    return batches


def test_few_rows_are_chosen_by_the_driver(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkShares, "batches", never)
    measured: list[object] = []
    alone = spark_fetching.shares_of

    def once(frame: Any) -> int | None:
        measured.append(frame)
        return alone(frame)

    monkeypatch.setattr(spark_columns, "shares_of", once)
    few = PERSONS >> dp.bound_contributions(2) >> dp.count()
    assert asking(few)(of_persons(session)) == asking(few)(ROWS_OF_PERSONS)
    assert len(measured) == 1
    assert asking(few)(session.range(0).selectExpr(*EMPTY)) == 0


def test_more_rows_than_spark_believes_are_asked_where_they_are(
    sessions: dict[str, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    alone = spark_fetching.fetched

    def counted(frame: Any) -> Any:
        rows = alone(frame)
        sent.append(len(rows))
        return rows

    monkeypatch.setattr(spark_fetching, "FEW_OCTETS", FEW_OCTETS)
    monkeypatch.setattr(spark_fetching, "FEW_ROWS", 9)
    monkeypatch.setattr(spark_fetching, "fetched", counted)
    for rows in (9, 10, 1000):
        copies = sessions["Spark"].range(1, 2).selectExpr(f"explode(sequence(1, {rows} * id)) AS id")
        assert asking(ID >> dp.count())(copies) == rows
    assert sent == [9, 10, 10]


def test_rows_are_measured_before_they_are_fetched_together(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = session.range(4).selectExpr("IF(id = 0, NULL, repeat('\u00e9', 50)) AS c0", "CAST(id AS INT) AS c1")
    monkeypatch.setattr(room, "MOST_OCTETS", 4 * (16 + 4) + 3 * 100)
    assert spark_fetching.shares_of(texts) == spark_fetching.shares_of(texts.limit(0)) == 1
    monkeypatch.setattr(room, "MOST_OCTETS", 4 * (16 + 4) + 3 * 100 - 1)
    assert spark_fetching.shares_of(texts) == 2
    assert spark_fetching.shares_of(session.range(1).selectExpr("array(id) AS c0")) is None


def test_what_may_not_be_fetched_is_asked(each_way: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the session lets less come at once, `spark.driver.maxResultSize`."""
    monkeypatch.undo()
    monkeypatch.setattr(spark_fetching, "fetched", never)
    assert asking(ID >> dp.count())(each_way.range(9)) == 9
    assert asking(PERSONS >> dp.bound_contributions(2) >> dp.count())(of_persons(each_way)) == 8


def test_a_spark_that_does_not_know_whole_names_has_everything_read_in_batches(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = of_persons(session)
    alone = type(held).selectExpr

    def without_whole_names(frame: Any, *texts: str) -> Any:
        if any("system.builtin" in text for text in texts):
            raise ValueError
        return alone(frame, *texts)

    monkeypatch.setattr(type(held), "selectExpr", without_whole_names)
    few = PERSONS >> dp.bound_contributions(2)
    for question in (few >> dp.count(), few >> dp.histogram(dp.field("place"))):
        assert by_one_key(question, held) == by_one_key(question, ROWS_OF_PERSONS)


def test_octets_that_are_no_text_are_refused(each_way: Session) -> None:
    """To Spark they are a text. Polars believed it, and panicked."""
    texts = each_way.range(4).selectExpr("CAST(IF(id = 2, X'61FF', X'61') AS STRING) AS x")
    assert spark_fetching.fetched_if_few(texts) is None
    its = dp.record(x=dp.text())
    few = dp.rows(its, dp.PersonDistance("x")) >> dp.bound_contributions(1)
    for question in (few >> dp.count(), dp.rows(its) >> dp.row_map(lambda row: row["x"], dp.text())):
        with pytest.raises(dp.errors.InvalidData, match="could not be read"):
            asking(question)(texts)


EMPTY: Final = (
    "id AS who", "CAST(id AS INT) AS n", "id > 0 AS paid", "CAST(NULL AS DATE) AS day", "'N' AS place",
    "CAST(id AS INT) AS twos",
)  # fmt: skip


def test_texts_are_compared_by_code_points_whatever_the_column_prefers(each_way: Session) -> None:
    columns = ("CAST(id AS STRING) COLLATE UNICODE_CI AS y", "IF(id < 2, 'a', IF(id < 5, 'A', 'it''s')) AS x")
    texts = each_way.range(6).selectExpr(*columns)
    lower = each_way.range(6).selectExpr("IF(id < 2, 'a', 'A') COLLATE UTF8_LCASE AS x")
    by_x = asking(dp.rows(dp.record(x=dp.text())) >> dp.histogram(dp.field("x"), bins=["A", "a", "it's"]))
    assert (by_x(texts), by_x(lower)) == ([3, 2, 1], [4, 2, 0])


def test_what_sums_up_to_more_than_64_bits_is_raised(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "MOST_ROWS", 11)
    for rows in (EXAMPLES[:11], EXAMPLES):
        held = engine(session, rows)
        total = held.dialect.sum(held.column("i").expr)
        if len(rows) <= spark.MOST_ROWS:
            assert held.ask([total]) == [sum(int(str(row["i"])) for row in rows)]
        else:
            with pytest.raises(Exception, match="too many rows"):
                held.ask([total])


@pytest.mark.parametrize("case", lies.CASES)
def test_what_a_file_says_of_its_columns_is_no_check(case: str, each_way: Session, tmp_path: Path) -> None:
    written, domain = lies.CASES[case]
    rows = each_way.read.parquet(str(written(tmp_path / "rows.parquet")))
    space = dp.rows(dp.record(x=domain))
    for question in (space >> dp.count(), space >> dp.filter(lies.X.is_null()) >> dp.count()):
        with pytest.raises(dp.errors.InvalidData, match="field 'x'"):
            asking(question)(rows)


def test_a_clamp_is_made_whatever_a_file_says(each_way: Session, tmp_path: Path) -> None:
    rows = each_way.read.parquet(str(lies.numbers(tmp_path / "numbers.parquet")))
    clamped = dp.rows(dp.record(x=dp.integers(0, 2 * lies.FAR))) >> dp.select(lies.N) >> dp.clamp(0, 120) >> dp.sum()
    assert asking(clamped)(rows) == 3 * (3 + 7 + 120)


def test_rows_that_are_others_in_every_reading_count_once(session: Session) -> None:
    frame = session.range(1000).selectExpr("rand() < 0.5 AS b")
    space, b = dp.rows(dp.record(b=dp.booleans()), size=1000), dp.field("b", bool)
    for question in (space >> dp.histogram(b), space >> dp.linear_queries(b, ~b)):
        answers = asking(question)(frame)
        assert isinstance(answers, list)
        assert sum(answers) == 1000


MANY: Final = 100_000
AGES: Final = dp.rows(dp.record(age=dp.integers(0, 120)))
ID: Final = dp.rows(dp.record(id=dp.integers()))


def test_batches_are_bounded_and_come_again(session: Session) -> None:
    source = SparkColumns(session.range(0, MANY, 1, 4))
    sizes: list[int] = []

    def take(columns: Sequence[Given]) -> None:
        sizes.append(len(columns[0]))

    for _ in range(2):
        sizes.clear()
        source.feed(["id"], take)
        assert sum(sizes) == MANY
        assert max(sizes) <= MANY / 4
    assert asking(ID >> dp.count())(session.range(0)) == 0
    assert asking(ID >> dp.resize(2, {"id": 3}) >> dp.count())(session.range(0)) == 2


def test_a_query_that_fails_at_its_end_counts_nothing(each_way: Session, tmp_path: Path) -> None:
    session = each_way
    failing = session.range(MANY).selectExpr(f"CAST(IF(id = {MANY - 1}, 'secret', '1') AS BIGINT) AS id")
    session.range(9).write.parquet(str(tmp_path / "rows"))
    vanishing = session.read.parquet(str(tmp_path / "rows"))
    assert asking(ID >> dp.count())(vanishing) == 9
    shutil.rmtree(tmp_path / "rows")
    for data in (failing, vanishing, session.range(9).crossJoin(session.range(9))):
        with pytest.raises(dp.errors.InvalidData) as refused:
            asking(ID >> dp.count())(data)
        assert "secret" not in str(refused.value)


def test_the_workers_need_no_dpcore() -> None:
    sent = import_module("pyspark.cloudpickle").dumps(packing())
    program = "import sys; sys.modules['dpcore'] = None; import pickle; print(pickle.load(sys.stdin.buffer).__name__)"
    done = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True, check=True)
    assert done.stdout == b"packed\n"


def test_the_page_on_tables(session: Session) -> None:
    page = (Path(__file__).parents[3] / "docs/tables.md").read_text(encoding="utf-8")
    (example,) = [code for code in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL) if "spark" in code]
    adults = AGES >> dp.filter(dp.field("age") >= 18) >> dp.count() >> dp.laplace(scale=1)
    exec(example, {"spark": session, "adults": adults})


def dying(session: Session, die: Callable[[], object]) -> dp.errors.DPError:
    """The refusal of data that are lost after the first row was read."""

    def meddling(row: Any) -> object:
        if row["id"] == 0:
            die()
        return 1

    total = ID >> dp.row_map(meddling, dp.integers(0, 1)) >> dp.sum() >> dp.laplace(scale=1)
    with pytest.raises(dp.errors.DPError) as refused:
        total.release(session.range(0, MANY, 1, 20))
    return refused.value


def test_an_operation_that_is_interrupted_releases_nothing(sessions: dict[str, Session]) -> None:
    session = sessions["Spark Connect"]
    assert "could not be read" in str(dying(session, session.interruptAll))
    assert asking(SPACE >> dp.count())(frame(session, [FINE])) == 1


def test_a_session_that_dies_releases_nothing(sessions: dict[str, Session]) -> None:
    session = sessions["Spark"]  # the last test: the other session dies with it
    machine = session.sparkContext._gateway.proc.pid
    assert "could not be read" in str(dying(session, lambda: kill(machine)))
