"""Frames that are handed out: of the library whose table came in.

    pandas, pyarrow                          a frame of pandas, a table of pyarrow
    polars, DuckDB, Spark, Ibis              a frame of polars, which reads them all

What is in no library known here, as lists and arrays are, gets no frame.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy as np

from dpcore.domains.frames import libraries_of

Kind: TypeAlias = str
INTEGERS: Final = "int64"
FLOATS: Final = "float64"
TEXTS: Final = "string"
TRUTHS: Final = "bool"
DAYS: Final = "day"
OTHERS: Final = "other"
"""What a function made of a release, of any type."""

Results: TypeAlias = Mapping[str, tuple[Kind, Sequence[object]]]
"""Columns by name: of which type, and what they hold."""

Framing: TypeAlias = Callable[[Results, Collection[str]], object]
"""The second says which columns may hold nulls, whether these do or not; others may too, where they do."""


def framing_of(data: object) -> Framing | None:
    """How results are handed to whoever gave these data; None where they are no table of another library."""
    made_by = set(libraries_of(data))
    if "pandas" in made_by:
        return _of_pandas
    if "pyarrow" in made_by:
        return _of_pyarrow
    return _of_polars if made_by & {"polars", "duckdb", "pyspark", "ibis"} else None


def _of_polars(results: Results, nullable: Collection[str]) -> object:
    import polars as pl

    types = {INTEGERS: pl.Int64, FLOATS: pl.Float64, TEXTS: pl.String, TRUTHS: pl.Boolean, DAYS: pl.Date}

    def column(name: str, kind: Kind, values: Sequence[object]) -> pl.Series:
        if kind in types:
            return pl.Series(name, values, types[kind])
        try:
            return pl.Series(name, values)
        except (TypeError, pl.exceptions.PolarsError):
            return pl.Series(name, list(map(repr, values)))

    return pl.DataFrame([column(name, kind, values) for name, (kind, values) in results.items()])


def _of_pyarrow(results: Results, nullable: Collection[str]) -> object:
    pa: Any = import_module("pyarrow")
    types = {INTEGERS: pa.int64(), FLOATS: pa.float64(), TEXTS: pa.string(), TRUTHS: pa.bool_(), DAYS: pa.date32()}

    def column(kind: Kind, values: Sequence[object]) -> object:
        try:
            return pa.array(values, types.get(kind))
        except pa.ArrowException:
            return pa.array(list(map(repr, values)))

    return pa.table({name: column(kind, values) for name, (kind, values) in results.items()})


def _of_pandas(results: Results, nullable: Collection[str]) -> object:
    pd: Any = import_module("pandas")
    with_nulls = {INTEGERS: "Int64", FLOATS: "Float64", TRUTHS: "boolean"}

    def column(name: str, kind: Kind, values: Sequence[object]) -> object:
        if kind in with_nulls:
            has_nulls = name in nullable or None in values
            return pd.array(values, with_nulls[kind]) if has_nulls else np.array(values, kind)
        return (
            np.array(values, "datetime64[s]")
            if kind is DAYS
            else pd.Series(values, dtype=None if kind is TEXTS else object)
        )

    return pd.DataFrame({name: column(name, kind, values) for name, (kind, values) in results.items()})
