"""Frames and series of pandas, whose columns are read with what pandas and numpy have: nothing else need be installed. Many
rows are asked by polars, where it is.

Null is whatever pandas says is missing: None, NaN, NaT and NA.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

import numpy as np

from dpcore.domains import Array, Domain, Rows
from dpcore.engines.frames.batched import table_of
from dpcore.engines.frames.reading import wanted
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.many_rows import for_polars
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import Mask, objects, of_width
from dpcore.engines.table import Table

if TYPE_CHECKING:
    import polars as pl

D = TypeVar("D", bound=Domain)

NUMERIC: Final = frozenset("iufb")
PLAIN: Final = NUMERIC | {"M"}
"""Kinds of numpy's types whose entries are read at once."""

DAYS: Final = "date32[day][pyarrow]"
"""The days of Arrow, which pandas gives out as objects."""

NARROW: Final = {"float": np.float32, "halffloat": np.float16}
"""Types of Arrow, by their names."""

pd: Any = import_module("pandas")  # the one door: pandas has no types of its own


@final
class PandasColumns(Source):
    """A frame; of a series the one column."""

    __slots__ = ("_frame", "_single")

    ordered = True
    whole = True

    def __init__(self, data: object) -> None:
        self._single = isinstance(data, pd.Series)
        self._frame: Any = data

    def names(self) -> Sequence[str] | None:
        return None if self._single else [name for name in self._frame.columns if isinstance(name, str)]

    def queried(self, rows: Rows[D]) -> Table | None:
        if not for_polars(len(self._frame)):
            return None
        from dpcore.engines.queries.arrays import asked_of_polars

        names = wanted(self, rows)
        columns = [_as_it_is(self._frame)] if names is None else [_as_it_is(self._frame[name]) for name in names]
        held = [column for column in columns if column is not None]
        return None if len(held) < len(columns) else asked_of_polars(held, rows, partial(table_of, self, rows))

    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        take(self.at_once(names))

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        return [_given(self._frame)] if names is None else [_given(self._frame[name]) for name in names]


def _as_it_is(series: Any) -> Given | pl.Series | None:
    """A column that polars reads at once; None where numpy reads it in other ways."""
    kind = series.dtype
    if isinstance(kind, (pd.StringDtype, pd.ArrowDtype)):
        return _by_arrow(series)
    held = getattr(kind, "numpy_dtype", kind)  # of the nullable types
    plain = isinstance(held, np.dtype) and held.kind in PLAIN
    return _given(series) if plain or isinstance(kind, pd.CategoricalDtype) else None


def _by_arrow(series: Any) -> pl.Series | None:
    """None where pandas hands out no Arrow: before 3.0, and without pyarrow."""
    import polars as pl

    try:
        return pl.Series(values=series) if hasattr(series, "__arrow_c_stream__") else None
    except ImportError:
        return None


def _given(series: Any) -> Given:
    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        table = series.cat.categories
        return Coded(series.cat.codes.to_numpy(dtype=np.int64), tuple(_given_python(table)))
    if isinstance(kind, np.dtype) and kind.kind in PLAIN:
        return np.asarray(series.to_numpy())
    missing: Mask = np.asarray(series.isna().to_numpy(), dtype=np.bool_)
    held = getattr(kind, "numpy_dtype", None)  # of the nullable types, and of Arrow's
    if str(kind) == DAYS:
        days = series.astype("timestamp[s][pyarrow]")
        return np.ma.MaskedArray(days.to_numpy(dtype="datetime64[D]", na_value=np.datetime64("NaT", "D")), missing)
    if isinstance(held, np.dtype) and held.kind in NUMERIC:
        filler = np.zeros(1, dtype=held)[0]
        return np.ma.MaskedArray(series.to_numpy(dtype=held, na_value=filler), missing)
    if pd.api.types.infer_dtype(series, skipna=True) == "string":  # where 1 stands beside True, they would be one value
        codes, table = pd.factorize(series)
        return Coded(codes.astype(np.int64), tuple(table.tolist()))
    return np.ma.MaskedArray(_lists(series, kind), missing)


def _lists(series: Any, kind: Any) -> Array:
    """As Python holds them; of Arrow's lists of narrow floats, their entries as numpy holds these."""
    held: Array = _given_python(series)
    inner: Any = getattr(kind, "pyarrow_dtype", None)
    while hasattr(inner, "value_type"):
        inner = inner.value_type
    if str(inner) not in NARROW:
        return held
    return objects([of_width(value, NARROW[str(inner)]) for value in held])


def _given_python(series: Any) -> Array:
    kind = series.dtype
    narrow = isinstance(kind, np.dtype) and kind.kind == "f"  # which pandas would give out as floats of Python
    return objects(list(series.to_numpy() if narrow else series))
