"""Which library an object comes from, and what reads it. No library is imported to find that out."""

from __future__ import annotations

from typing import Protocol, runtime_checkable
from weakref import WeakSet

import numpy as np

from dpcore.domains.frames import Streamed, libraries_of
from dpcore.engines.frames.reading import asked
from dpcore.engines.frames.source import Source
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import objects
from dpcore.errors import InvalidData
from dpcore.extras import require


@runtime_checkable
class Held(Protocol):
    """What hands out one array or one batch of rows as Arrow does."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


READ: WeakSet[object] = WeakSet()
"""Streams that were read to their end: there is nothing left in them, which is not to say that there was nothing."""


AGAIN = frozenset({"pyarrow", "duckdb", "ibis", "narwhals", "polars", "pandas"})
"""Libraries whose tables hand out their rows as often as they are asked."""


def source_of(data: object) -> Source | None:
    """What reads the object, if its library is known or it speaks Arrow; None for anything else."""
    made_by = set(libraries_of(data))
    if "pandas" in made_by and hasattr(data, "isna"):
        from dpcore.engines.frames.pandas_columns import PandasColumns

        return PandasColumns(data)
    held_elsewhere = _in_a_database(data, made_by)
    if held_elsewhere is not None:
        return held_elsewhere
    if "polars" in made_by or isinstance(data, (Streamed, Held)) or _is_dataset(data, made_by):
        require("polars", "tables")
        return _as_polars(data, made_by)
    return None


def column_given(data: object) -> Given | None:
    """One column: an array, a series, or a list of values; None for anything else."""
    if isinstance(data, np.ndarray):
        return data
    if isinstance(data, (list, tuple)):
        return objects(data)
    source = asked(lambda: source_of(data))
    if source is None or asked(source.names) is not None:
        return None
    return asked(lambda: source.at_once(None))[0]


def _in_a_database(data: object, made_by: set[str]) -> Source | None:
    """Asked of the class: as an attribute of the object, it might be the name of a column."""
    if "duckdb" in made_by and hasattr(type(data), "project"):
        require("polars", "tables")
        from dpcore.engines.frames.duckdb_columns import DuckDBColumns

        return DuckDBColumns(data)
    if "pyspark" in made_by and hasattr(type(data), "mapInArrow"):
        require("polars", "tables")
        from dpcore.engines.frames.spark_columns import SparkColumns

        return SparkColumns(data)
    if "ibis" in made_by and hasattr(type(data), "to_pyarrow_batches") and hasattr(type(data), "columns"):
        require("polars", "tables")
        from dpcore.engines.frames.ibis_columns import IbisColumns

        return IbisColumns(data)
    return None


def _is_dataset(data: object, made_by: set[str]) -> bool:
    return "pyarrow" in made_by and hasattr(data, "scanner")


def _as_polars(data: object, made_by: set[str]) -> Source | None:
    import polars as pl

    from dpcore.engines.frames.polars_columns import PolarsColumns, of_series

    if isinstance(data, (pl.DataFrame, pl.LazyFrame)):
        return PolarsColumns(data)
    if isinstance(data, pl.Series):
        return of_series(data)
    if not isinstance(data, (Streamed, Held)):
        return None if not hasattr(data, "scanner") else PolarsColumns(pl.scan_pyarrow_dataset(data), again=True)
    if not made_by & AGAIN or hasattr(data, "read_next_batch"):  # what can be read once, as far as anybody knows
        if data in READ:
            raise InvalidData("this stream was read before, and nothing is left in it", bridge=".read_all(), a table")
        READ.add(data)
    if any(hasattr(data, name) for name in ("schema", "columns", "column_names")):
        return PolarsColumns(pl.DataFrame(data))
    return of_series(pl.Series(values=data))
