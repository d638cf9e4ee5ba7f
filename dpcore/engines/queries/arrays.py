"""Arrays as a frame of polars, which holds them where they are, and is asked like any other.

So many rows are asked on all processors at once. What polars answers is what numpy would, and what it has no exact words for
goes to numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

import numpy as np
import polars as pl

from dpcore.domains import Array, Domain, Rows
from dpcore.engines.numpy.arrays import fields_of, of_texts
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.queries.polars import PolarsEngine
from dpcore.engines.queries.table import asking
from dpcore.engines.table import Table

D = TypeVar("D", bound=Domain)

Held: TypeAlias = "Given | pl.Series"

ALONE: Final = "values"
"""What a column without a name is called."""

SIZES: Final = {"i": (1, 2, 4, 8), "u": (1, 2, 4), "f": (4, 8), "b": (1,)}
"""Kinds of numpy's types, and how many bytes those have that polars reads as the same values."""


def asked_of_polars(arrays: Sequence[Held], domain: Rows[D], read: Callable[[], Table]) -> Table:
    """The rows of these arrays; those of other types are read as `read` does."""
    frame: list[pl.Series] = []
    tables: dict[str, Sequence[str]] = {}
    fields = fields_of(domain.of)
    if "" in dict(fields):
        return read()  # polars gives names to what has none
    for array, (name, of) in zip(arrays, fields, strict=True):
        table = _table(array) if isinstance(array, Coded) else None
        column = _series(array, of) if table is None or not isinstance(array, Coded) else _places(array, len(table))
        if column is None:
            return read()
        tables |= {} if table is None else {name or ALONE: table}
        frame.append(column.alias(name or ALONE))
    engine = PolarsEngine(pl.DataFrame(frame).lazy(), steady=True, borrowed=True, tables=tables)
    return asking(engine, domain, read)


def _series(data: Held, domain: Domain) -> pl.Series | None:
    if isinstance(data, pl.Series):
        return data
    if isinstance(data, (Coded, np.ma.MaskedArray)) or data.ndim != 1:
        return None
    values = np.asarray(data)
    if values.dtype == object:
        return _texts(values, domain)
    readable = values.dtype.itemsize in SIZES.get(values.dtype.kind, ()) and values.dtype.isnative
    return pl.Series(values) if readable else None


def _texts(values: Array, domain: Domain) -> pl.Series | None:
    """Texts and None, and nothing else: polars refuses what is no text, where it is told to expect one."""
    if not of_texts(domain):
        return None
    try:
        return pl.Series(values, dtype=pl.String)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return None


def _table(data: Coded) -> Sequence[str] | None:
    """Different texts that polars has, if they are nothing else."""
    table = [value for value in data.table if type(value) is str]
    if len(set(table)) < len(data.table):
        return None
    try:
        pl.Enum(table)
    except (ValueError, pl.exceptions.PolarsError):  # half a pair of surrogates
        return None
    return table


def _places(data: Coded, texts: int) -> pl.Series:
    """Where the text of each row stands among so many, or null."""
    places = pl.Series(data.codes.astype(np.min_scalar_type(texts)))  # null is the last one, whatever it is
    null = data.codes < 0
    return pl.select(pl.when(pl.Series(~null)).then(places)).to_series() if null.any() else places
