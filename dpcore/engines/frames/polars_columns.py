"""Frames and series of polars, and all that is Arrow, which is read as polars reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar, final

import polars as pl

from dpcore.domains import Domain, Rows
from dpcore.engines.frames.polars_series import given
from dpcore.engines.frames.reading import wanted
from dpcore.engines.frames.room import shares_for
from dpcore.engines.frames.shares import Shares
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.numpy.coded import Given
from dpcore.engines.table import Table

Frame: TypeAlias = pl.DataFrame | pl.LazyFrame

D = TypeVar("D", bound=Domain)

WIDTH: Final = 16
"""Octets, at most, of a value without parts; of texts, beside their own."""


@final
class PolarsColumns(Source):
    """A frame; of a series the one column."""

    __slots__ = ("_again", "_frame", "_single", "ordered", "whole")

    def __init__(self, frame: Frame, *, single: bool = False, ordered: bool = True, again: bool = False) -> None:
        """`again` is whether rows that Python gives are known to be there when they are read again."""
        self._frame, self._single, self.ordered, self._again = frame, single, ordered, again
        self.whole = isinstance(frame, pl.DataFrame)

    def names(self) -> Sequence[str] | None:
        if self._single:
            return None
        frame = self._frame
        return frame.columns if isinstance(frame, pl.DataFrame) else frame.collect_schema().names()

    def queried(self, rows: Rows[D]) -> Table | None:
        from dpcore.engines.queries.polars import PolarsEngine
        from dpcore.engines.queries.table import queried

        if self._of_python():
            return None  # what Python gives may be other rows when it is asked again, and a query may ask twice
        wanted(self, rows)  # a column that is missing is refused before anything is asked
        return queried(PolarsEngine(self._frame), self, rows)

    def apart(self, names: Sequence[str], by: str) -> Source | None:
        if self.whole or (self._of_python() and not self._again):
            return None  # a generator may have nothing left once its rows were measured
        rows, place = _chosen(self._frame, names).lazy(), list(names).index(by)
        shares = 1 if rows.collect_schema().dtypes()[place].is_float() else shares_of(rows)
        return None if shares == 1 else Shares(self, lambda take: _each(rows, take, ordered=False), place, shares)

    def _of_python(self) -> bool:
        return isinstance(self._frame, pl.LazyFrame) and "PYTHON" in self._frame.explain()

    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        rows = _chosen(self._frame, names).lazy()
        _each(rows, lambda batch: take(list(map(given, batch.iter_columns()))), ordered=self.ordered)

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        frame = _chosen(self._frame, names)
        held = frame if isinstance(frame, pl.DataFrame) else frame.collect(engine="streaming")
        return list(map(given, held.iter_columns()))


def of_series(series: pl.Series) -> PolarsColumns:
    return PolarsColumns(series.to_frame(), single=True)


def shares_of(rows: pl.LazyFrame) -> int:
    """In how many shares there is room for the rows; one where a type does not say how much its values take."""
    width, texts = 0, []
    for name, kind in rows.collect_schema().items():
        if kind.is_nested() or isinstance(kind, pl.Categorical):
            return 1
        width += WIDTH if isinstance(kind, (pl.String, pl.Decimal)) else 8
        if isinstance(kind, pl.String):
            texts.append(pl.col(name).str.len_bytes().cast(pl.Int64).sum())
    size, *octets = rows.select(pl.len(), *texts).collect(engine="streaming").row(0)
    return shares_for(size * width + sum(octets))


def _each(rows: pl.LazyFrame, take: Callable[[pl.DataFrame], None], *, ordered: bool) -> None:
    """Not by `collect_batches`, which in some versions ends in silence where an error was met."""

    def batch(some: pl.DataFrame) -> bool | None:
        take(some)
        return None

    rows.sink_batches(batch, maintain_order=ordered, lazy=False)


def _chosen(frame: Frame, names: Sequence[str] | None) -> Frame:
    if names is None:
        return frame
    all_names = frame.lazy().collect_schema().names()  # by places: a name may be a pattern to polars
    return frame.select(pl.nth(all_names.index(name)).alias(str(i)) for i, name in enumerate(names))
