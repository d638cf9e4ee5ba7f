"""A column of polars as the arrays that `dpcore.engines.numpy` reads, without a copy where polars makes none."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import polars as pl

from dpcore.domains import Array
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import objects, of_width

EPOCH = datetime.date(1970, 1, 1)


def given(series: pl.Series) -> Given:
    kind = series.dtype
    if isinstance(kind, (pl.String, pl.Categorical, pl.Enum)):
        return _texts(series)
    filler = _filler(kind)
    if filler is None:
        return _vectors(series) if isinstance(kind, (pl.List, pl.Array)) else _one_by_one(series)
    if not series.null_count():
        return series.to_numpy()
    return np.ma.MaskedArray(series.fill_null(filler).to_numpy(), series.is_null().to_numpy())


def _filler(kind: pl.DataType) -> object:
    """A proper value, to stand under the mask; None where numpy has no entries of this type."""
    if isinstance(kind, pl.Boolean):
        return False
    if kind.is_integer():
        return None if isinstance(kind, (pl.Int128, pl.UInt128)) else 0
    if kind.is_float():
        return 0.0
    moment = isinstance(kind, pl.Date) or (isinstance(kind, pl.Datetime) and kind.time_zone is None)
    return EPOCH if moment else None


def _texts(series: pl.Series) -> Coded:
    table = series.unique().drop_nulls().cast(pl.String)
    codes = series.cast(pl.String).cast(pl.Enum(table)).to_physical().cast(pl.Int64)
    return Coded(codes.fill_null(-1).to_numpy(), tuple(table.to_list()))


def _one_by_one(series: pl.Series) -> Array:
    """As Python holds the values; null is None, which no domain but an optional one has."""
    if isinstance(series.dtype, pl.Decimal) and not series.dtype.scale:
        series = series.cast(pl.Int128)  # DuckDB writes integers of 128 bits so, and a Decimal is cut to 38 digits
    inner: Any = series.dtype
    while isinstance(inner, (pl.List, pl.Array)):
        inner = inner.inner
    held = series.to_list()
    if not inner.is_float() or isinstance(inner, pl.Float64):
        return objects(held)
    width = pl.Series([], dtype=inner).to_numpy().dtype.type  # Python's floats would be other decimals
    return objects([of_width(value, width) for value in held])


def _vectors(series: pl.Series) -> Array:
    """Lists of one length as a matrix, which is read entry by entry; others as Python holds them."""
    lengths = series.list.len() if isinstance(series.dtype, pl.List) else series.arr.len()
    inner = series.explode()
    sizes = lengths.unique()
    if series.null_count() or inner.null_count() or len(sizes) != 1 or not sizes[0] or _filler(inner.dtype) is None:
        return _one_by_one(series)
    return inner.to_numpy().reshape(len(series), int(sizes[0]))
