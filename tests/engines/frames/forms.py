"""The same rows as every library holds them: one function for each form, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

Rows: TypeAlias = Sequence[Mapping[str, object]]
Form: TypeAlias = Callable[[Rows, Path], object]

# The doors of libraries that are tried as users call them; what has no types is `Any` here and nowhere else.
pl: Any = import_module("polars")
pd: Any = import_module("pandas")
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")
dataset: Any = import_module("pyarrow.dataset")
duckdb: Any = import_module("duckdb")


SCHEMA: Final = {
    "age": pl.Int64,
    "region": pl.String,
    "minutes": pl.Float64,
    "day": pl.Date,
    "note": pl.String,
    "again": pl.Boolean,
}


def _polars(rows: Rows) -> Any:
    return pl.DataFrame(list(rows), schema=SCHEMA)


def _file(rows: Rows, folder: Path) -> Path:
    path = folder / "rows.parquet"
    _polars(rows).write_parquet(path)
    return path


def _csv(rows: Rows, folder: Path) -> Any:
    _polars(rows).write_csv(folder / "rows.csv")
    return pl.scan_csv(folder / "rows.csv", schema=SCHEMA)


def _as_categories(frame: Any) -> Any:
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(pl.col(texts).cast(pl.Categorical))


def _as_enums(frame: Any) -> Any:
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(pl.col(name).cast(pl.Enum(frame[name].drop_nulls().unique())) for name in texts)


def _narrow(frame: Any) -> Any:
    return frame.with_columns(pl.col(name).cast(pl.Int16) for name, kind in frame.schema.items() if kind == pl.Int64)


def _pandas_categories(rows: Rows) -> Any:
    frame = pd.DataFrame(list(rows))
    texts = [name for name in frame.columns if pd.api.types.is_string_dtype(frame[name])]
    return frame.astype(dict.fromkeys(texts, "category"))


def _moments(rows: Rows) -> Any:
    frame = pd.DataFrame(list(rows))
    return frame.assign(day=pd.to_datetime(frame.day))


FORMS: Final[Mapping[str, Form]] = {
    "polars DataFrame": lambda rows, folder: _polars(rows),
    "polars DataFrame, more columns than declared": lambda rows, folder: _polars(rows).with_columns(more=1),
    "polars DataFrame of categories": lambda rows, folder: _as_categories(_polars(rows)),
    "polars DataFrame of enums": lambda rows, folder: _as_enums(_polars(rows)),
    "polars DataFrame of short integers": lambda rows, folder: _narrow(_polars(rows)),
    "polars LazyFrame": lambda rows, folder: _polars(rows).lazy(),
    "polars scan of Parquet": lambda rows, folder: pl.scan_parquet(_file(rows, folder)),
    "polars scan of CSV": _csv,
    "pandas DataFrame": lambda rows, folder: pd.DataFrame(list(rows)),
    "pandas DataFrame of objects": lambda rows, folder: pd.DataFrame(list(rows), dtype=object),
    "pandas DataFrame of categories": lambda rows, folder: _pandas_categories(rows),
    "pandas DataFrame of nullable types": lambda rows, folder: pd.DataFrame(list(rows)).convert_dtypes(),
    "pandas DataFrame of Arrow types": lambda rows, folder: _polars(rows).to_pandas(use_pyarrow_extension_array=True),
    "pandas DataFrame of moments": lambda rows, folder: _moments(rows),
    "pyarrow Table": lambda rows, folder: _polars(rows).to_arrow(),
    "pyarrow Table of dictionaries": lambda rows, folder: _as_categories(_polars(rows)).to_arrow(),
    "pyarrow RecordBatch": lambda rows, folder: pa.Table.from_pylist(list(rows)).combine_chunks().to_batches()[0],
    "pyarrow RecordBatchReader": lambda rows, folder: _polars(rows).to_arrow().to_reader(max_chunksize=7),
    "pyarrow Dataset": lambda rows, folder: dataset.dataset(_file(rows, folder)),
    "DuckDB relation": lambda rows, folder: duckdb.connect().from_arrow(_polars(rows).to_arrow()),
    "DuckDB relation of Parquet": lambda rows, folder: duckdb.connect().read_parquet(str(_file(rows, folder))),
    "dict of lists": lambda rows, folder: {name: [row[name] for row in rows] for name in rows[0]},
    "dict of polars Series": lambda rows, folder: {s.name: s for s in _polars(rows).iter_columns()},
    "dict of pandas Series": lambda rows, folder: dict(pd.DataFrame(list(rows)).items()),
}


SINGLE: Final[Mapping[str, Callable[[Sequence[object]], object]]] = {
    "polars Series": lambda values: pl.Series(values),
    "pandas Series": lambda values: pd.Series(values),
    "pandas Series of a nullable type": lambda values: pd.Series(values).convert_dtypes(),
    "pyarrow Array": lambda values: pa.array(values),
    "pyarrow ChunkedArray": lambda values: pa.chunked_array([pa.array(values)]),
}


def in_all_forms(rows: Rows, folder: Path) -> Iterator[tuple[str, object]]:
    for name, form in FORMS.items():
        yield name, form(rows, folder)


def asking(question: Any) -> Callable[[object], object]:
    """A transformation of anything that a user may hand over."""

    def answer(data: object) -> object:
        return question(data)

    return answer
