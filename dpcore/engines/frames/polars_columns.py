"""Frames and series of polars: what reads their columns. All that is Arrow is read as polars reads it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar, final

import numpy as np
import polars as pl

from dpcore.domains import Array, Domain, Rows
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import objects, of_width
from dpcore.engines.table import Table

Frame: TypeAlias = pl.DataFrame | pl.LazyFrame

D = TypeVar("D", bound=Domain)

EPOCH = datetime.date(1970, 1, 1)


@final
class PolarsColumns(Source):
    """A frame; of a series the one column."""

    __slots__ = ("_frame", "_single", "ordered", "whole")

    def __init__(self, frame: Frame, *, single: bool = False, ordered: bool = True) -> None:
        self._frame, self._single, self.ordered = frame, single, ordered
        self.whole = isinstance(frame, pl.DataFrame)

    def names(self) -> Sequence[str] | None:
        if self._single:
            return None
        frame = self._frame
        return frame.columns if isinstance(frame, pl.DataFrame) else frame.collect_schema().names()

    def queried(self, rows: Rows[D]) -> Table | None:
        from dpcore.engines.queries.polars import PolarsEngine
        from dpcore.engines.queries.table import queried

        if isinstance(self._frame, pl.LazyFrame) and "PYTHON" in self._frame.explain():
            return None  # what Python gives may be other rows when it is asked again, and a query may ask twice
        return queried(PolarsEngine(self._frame), self, rows)

    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        # Not `collect_batches`, which in some versions ends in silence where an error was met.
        def batch(frame: pl.DataFrame) -> bool | None:
            take(list(map(given, frame.iter_columns())))
            return None

        _chosen(self._frame, names).lazy().sink_batches(batch, maintain_order=self.ordered, lazy=False)

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        frame = _chosen(self._frame, names)
        held = frame if isinstance(frame, pl.DataFrame) else frame.collect(engine="streaming")
        return list(map(given, held.iter_columns()))


def of_series(series: pl.Series) -> PolarsColumns:
    return PolarsColumns(series.to_frame(), single=True)


def _chosen(frame: Frame, names: Sequence[str] | None) -> Frame:
    if names is None:
        return frame
    all_names = frame.lazy().collect_schema().names()  # by places: a name may be a pattern to polars
    return frame.select(pl.nth(all_names.index(name)).alias(str(i)) for i, name in enumerate(names))


def given(series: pl.Series) -> Given:
    """A column as `dpcore.engines.numpy` reads it, without a copy where polars makes none."""
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
