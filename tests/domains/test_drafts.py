"""A draft is made of names and dtypes alone, and once its gaps are filled in it is the record of that table."""

from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

import numpy as np
import pytest

import dpcore as dp

INTEGERS, NUMBERS, TRUTHS = "dp.integers(..., ...)", "dp.numbers(..., ...)", "dp.booleans()"
TEXT, CATEGORIES, DAYS, OPEN = "dp.text()", "dp.categories(...)", "dp.date(..., ...)", "..."
CENTS, TENS = "dp.numbers(..., ..., '0.01')", "dp.numbers(..., ..., '10')"

SECRET: Final = "a value of the data"


def drafted(frame: object) -> dict[str, str]:
    """The domain of each column, as it stands in the draft."""
    lines = [line.strip() for line in dp.record.suggest(frame).splitlines()]
    assert lines[:4] == [*dp.record.suggest({"x": np.zeros(1)}).splitlines()[:3], "dp.record("]
    code = [line.partition("  #")[0].removesuffix(",") for line in lines[4:-1]]
    if code[0] == "**{":
        return {eval(name): domain for name, domain in (line.split(": ", 1) for line in code[1:-1])}
    return dict(line.split("=", 1) for line in code)


def polars() -> tuple[Any, Mapping[str, str]]:
    pl: Any = pytest.importorskip("polars")
    day, moment = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)
    kinds: dict[str, tuple[object, Any, str]] = {
        "a": (1, pl.Int64, INTEGERS), "b": (1, pl.UInt8, INTEGERS), "c": (1, pl.Int128, INTEGERS),
        "d": (1, pl.Float32, NUMBERS),
        "e": (True, pl.Boolean, TRUTHS), "f": (SECRET, pl.String, TEXT), "g": (SECRET, pl.Categorical, CATEGORIES),
        "h": (SECRET, pl.Enum([SECRET]), CATEGORIES), "i": (day, pl.Date, DAYS), "j": (moment, pl.Datetime("us"), DAYS),
        "k": (moment, pl.Datetime("us", "UTC"), OPEN), "l": (Decimal("1.5"), pl.Decimal(10, 2), CENTS),
        "m": (None, pl.Null, OPEN), "n": ([1], pl.List(pl.Int64), OPEN), "o": (b"x", pl.Binary, OPEN),
        "p": ({"x": 1}, pl.Struct({"x": pl.Int64}), OPEN), "q": (datetime.timedelta(1), pl.Duration, OPEN),
    }  # fmt: skip
    series = [pl.Series(name, [value], dtype=dtype) for name, (value, dtype, _) in kinds.items()]
    return pl.DataFrame(series), {name: domain for name, (_, _, domain) in kinds.items()}


def pandas() -> tuple[Any, Mapping[str, str]]:
    pd: Any = pytest.importorskip("pandas")
    optional = "dp.optional({})".format
    kinds: dict[str, tuple[object, Any, str]] = {
        "a": (1, "int64", INTEGERS), "b": (1, "uint8", INTEGERS), "c": (1, "Int64", optional(INTEGERS)),
        "d": (1.5, "float32", NUMBERS), "e": (1.5, "Float64", optional(NUMBERS)), "f": (True, "bool", TRUTHS),
        "g": (True, "boolean", optional(TRUTHS)), "h": (SECRET, "string", TEXT), "i": (SECRET, "category", CATEGORIES),
        "j": ("2020-01-01", "datetime64[ns]", DAYS), "k": ("2020-01-01", "datetime64[ns, UTC]", OPEN),
        "l": (SECRET, "object", OPEN), "m": (1, "Sparse[int]", OPEN), "n": ("2020", "period[D]", OPEN),
    }  # fmt: skip
    columns = {name: pd.Series([value], dtype=dtype) for name, (value, dtype, _) in kinds.items()}
    return pd.DataFrame(columns), {name: domain for name, (_, _, domain) in kinds.items()}


def pyarrow() -> tuple[Any, Mapping[str, str]]:
    pa: Any = pytest.importorskip("pyarrow")
    kinds: dict[str, tuple[Any, str]] = {
        "a": (pa.int8(), INTEGERS), "b": (pa.uint64(), INTEGERS), "c": (pa.float16(), NUMBERS), "d": (pa.float64(), NUMBERS),
        "e": (pa.bool_(), TRUTHS), "f": (pa.string(), TEXT), "g": (pa.large_string(), TEXT), "h": (pa.string_view(), TEXT),
        "i": (pa.dictionary(pa.int8(), pa.string()), CATEGORIES), "j": (pa.date32(), DAYS), "k": (pa.date64(), DAYS),
        "l": (pa.timestamp("us"), DAYS), "m": (pa.timestamp("us", "UTC"), OPEN), "n": (pa.decimal128(10, 2), CENTS),
        "o": (pa.decimal256(50, 2), CENTS), "p": (pa.null(), OPEN), "q": (pa.list_(pa.int8()), OPEN),
        "r": (pa.binary(), OPEN), "s": (pa.time32("s"), OPEN), "t": (pa.float32(), NUMBERS), "u": (pa.int16(), INTEGERS),
        "v": (pa.uint8(), INTEGERS), "w": (pa.uint16(), INTEGERS), "x": (pa.int32(), INTEGERS), "y": (pa.uint32(), INTEGERS),
        "z": (pa.int64(), INTEGERS), "aa": (pa.timestamp("s"), DAYS), "ab": (pa.decimal128(10, -1), TENS),
    }  # fmt: skip
    schema = pa.schema([(name, dtype) for name, (dtype, _) in kinds.items()])
    return schema.empty_table(), {name: domain for name, (_, domain) in kinds.items()}


def duckdb() -> tuple[Any, Mapping[str, str]]:
    library: Any = pytest.importorskip("duckdb")
    kinds = {
        "tinyint": INTEGERS, "smallint": INTEGERS, "integer": INTEGERS, "bigint": INTEGERS, "hugeint": INTEGERS,
        "utinyint": INTEGERS, "usmallint": INTEGERS, "uinteger": INTEGERS, "ubigint": INTEGERS, "uhugeint": INTEGERS,
        "float": NUMBERS, "double": NUMBERS, "boolean": TRUTHS, "varchar": TEXT, f"enum('{SECRET}')": CATEGORIES,
        "date": DAYS, "timestamp": DAYS, "timestamp_s": DAYS, "timestamptz": OPEN, "decimal(10, 2)": CENTS,
        "integer[]": OPEN, "struct(x integer)": OPEN, "blob": OPEN, "uuid": OPEN, "interval": OPEN,
    }  # fmt: skip
    names = [f"c{i}" for i in range(len(kinds))]
    cells = ", ".join(f"cast(null as {kind}) as {name}" for name, kind in zip(names, kinds, strict=True))
    return library.connect().sql(f"select {cells}"), dict(zip(names, kinds.values(), strict=True))


def numpy() -> tuple[Any, Mapping[str, str]]:
    kinds = {
        "int8": INTEGERS, "uint64": INTEGERS, "float16": NUMBERS, "float64": NUMBERS, "bool": TRUTHS, "U3": TEXT,
        "M8[D]": DAYS, "M8[ns]": DAYS, "m8[D]": OPEN, "S3": OPEN, "complex128": OPEN, "object": OPEN,
    }  # fmt: skip
    return {kind: np.empty(0, dtype=kind) for kind in kinds}, kinds


TABLES = [polars, pandas, pyarrow, duckdb, numpy]


@pytest.mark.parametrize("library", TABLES, ids=lambda library: library.__name__)
def test_each_dtype_of_a_library(library: Callable[[], tuple[object, Mapping[str, str]]]) -> None:
    frame, expected = library()
    assert drafted(frame) == expected
    assert SECRET not in dp.record.suggest(frame)


class Wrapped:
    """What hands over a schema by Arrow's interface, and is of no library that is known."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()


def test_other_forms_of_the_same_table() -> None:
    table, expected = pyarrow()
    dataset: Any = pytest.importorskip("pyarrow.dataset")
    for form in (table.schema, table.to_reader(), dataset.dataset(table), Wrapped(table.schema)):
        assert drafted(form) == expected
    single: Any = Wrapped(table.schema.field("a"))
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a schema of several columns"):
        dp.record.suggest(single)


def test_a_table_that_is_not_read_yet() -> None:
    frame, expected = polars()
    assert drafted(frame.lazy()) == drafted(frame.schema) == expected
    pl: Any = pytest.importorskip("polars")
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        dp.record.suggest(pl.scan_parquet("no/such/file.parquet"))
    assert refusal.value.headline == "the schema of the LazyFrame cannot be read: FileNotFoundError"
    assert refusal.value.__context__ is None


def test_one_column_by_itself() -> None:
    frame, expected = polars()
    alone = [frame[name] for name in expected]
    pd, of_pandas = pandas()
    alone += [pd[name] for name in of_pandas]
    domains = [*expected.values(), *of_pandas.values()]
    assert [dp.record.suggest(column).splitlines()[-1] for column in alone] == domains
    assert dp.record.suggest(np.zeros(3)).endswith(f"\n{NUMBERS}")


def test_columns_by_name() -> None:
    """Arrays and series of whichever library, side by side."""
    for frame, expected in (polars(), pandas(), pyarrow()):
        assert drafted({name: frame[name] for name in expected}) == expected


def test_a_schema_of_spark() -> None:
    """Its fields as they are, without a session, which needs Java."""
    types: Any = pytest.importorskip("pyspark.sql.types")
    kinds = {
        types.LongType(): INTEGERS, types.IntegerType(): INTEGERS, types.ShortType(): INTEGERS, types.ByteType(): INTEGERS,
        types.DoubleType(): NUMBERS, types.FloatType(): NUMBERS, types.BooleanType(): TRUTHS, types.StringType(): TEXT,
        types.DateType(): DAYS, types.TimestampType(): DAYS, types.TimestampNTZType(): DAYS, types.DecimalType(10, 2): CENTS,
        types.ArrayType(types.LongType()): OPEN, types.BinaryType(): OPEN,
    }  # fmt: skip
    schema = types.StructType([types.StructField(f"c{i}", kind) for i, kind in enumerate(kinds)])
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe", "schema": schema})()
    assert list(drafted(frame).values()) == list(kinds.values())


class Untouched:
    """A column of which nobody may ask more than its dtype."""

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was asked for")


def test_no_value_is_looked_at() -> None:
    assert drafted({"age": Untouched("int64"), "pay": Untouched("float64")}) == {"age": INTEGERS, "pay": NUMBERS}


def test_no_library_is_imported() -> None:
    """What the caller does not bring is not loaded, and the libraries are told by what they hand over."""
    libraries = ("polars", "pandas", "pyarrow", "duckdb", "pyspark", "narwhals", "pydantic", "annotated_types")
    program = (
        "import sys, dataclasses, numpy as np, dpcore as dp\n"
        "dp.record.suggest({'age': np.zeros(1)})\n"
        "dp.record.of(dataclasses.make_dataclass('Row', [('age', int)]))\n"
        f"print(*[name for name in {libraries} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


NAMES = ["age", "first name", "class", "a'b\n", "größe", "self", "extra"]


def test_what_is_filled_in_is_the_record() -> None:
    """Whatever the names of the columns; and what is left open is refused."""
    frame = {name: np.array([3]) for name in NAMES}
    draft = dp.record.suggest(frame)
    with pytest.raises(dp.errors.InvalidParameter, match="to be filled in from what is known beforehand"):
        eval(draft, {"dp": dp})
    filled = eval(draft.replace("..., ...", "0, 9"), {"dp": dp})
    assert filled == dp.record(**dict.fromkeys(NAMES, dp.integers(0, 9)))
    rows: Any = dp.rows(filled) >> dp.count()
    assert rows(frame) == 1
    assert dp.record.suggest({"age": np.array([3]), "pay": np.array([0.5])}).splitlines()[3:] == [
        "dp.record(",
        "    age=dp.integers(..., ...),",
        "    pay=dp.numbers(..., ...),",
        ")",
    ]


def test_what_is_beside_a_domain() -> None:
    lines = dp.record.suggest(numpy()[0]).splitlines()
    said = {line.split("'")[1]: line.partition("  # ")[2] for line in lines if line.startswith("        ")}
    assert "dp.categories(...)" in said["U3"]
    assert "midnight" in said["M8[ns]"]
    assert 'extra="ignore"' in said["object"]
    assert "dp.text()" in said["object"]
    assert [name for name, remark in said.items() if not remark] == [
        "int8",
        "uint64",
        "float16",
        "float64",
        "bool",
        "M8[D]",
    ]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (3, "Expected a table, such as a DataFrame, or arrays by name but got a int"),
        ([{"age": 3}], "Expected a table, such as a DataFrame, or arrays by name but got a list"),
        ({"age": [3]}, "Expected an array for column 'age' but got a list"),
        ({3: np.zeros(1)}, "Expected names of columns that are texts but got a int"),
        ({}, "Expected at least one column but got none"),
    ],
)
def test_what_is_no_table(frame: object, said: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        dp.record.suggest(frame)
    assert refusal.value.headline == said


def test_columns_of_one_name() -> None:
    pd: Any = pytest.importorskip("pandas")
    with pytest.raises(dp.errors.InvalidParameter, match="Expected columns of different names but got 'a' twice"):
        dp.record.suggest(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_table_of_a_class_of_the_users_own() -> None:
    """What can be released from can be suggested from: which library an object is of, one rule says."""
    pd: Any = pytest.importorskip("pandas")
    mine = type("Mine", (pd.DataFrame,), {})({"a": [1, 2]})
    assert dp.record.suggest(mine) == dp.record.suggest(pd.DataFrame({"a": [1, 2]}))
    assert (dp.rows(dp.record(a=dp.integers())) >> dp.count())(mine) == 2
