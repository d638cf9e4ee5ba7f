"""Data frames of Spark, classic and Connect: few rows are fetched, many are asked where they are.

For what Spark has no exact words for, one partition after the other comes to the driver, packed as Arrow. The workers need pyarrow and the Python of the driver, as for any function of Python, but not dpcore: the one function that
is sent to them goes as it is written. Were dpcore installed there, each worker could check, add up and send its sums alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, final

import polars as pl

from dpcore.domains import Domain, Rows
from dpcore.engines.frames.arrow_batches import ArrowBatches, Batches
from dpcore.engines.frames.polars_columns import PolarsColumns, given
from dpcore.engines.frames.reading import wanted
from dpcore.engines.frames.spark_fetching import fetched, fetched_if_few, fits
from dpcore.engines.numpy.coded import Given
from dpcore.engines.table import Table

D = TypeVar("D", bound=Domain)


@final
class SparkColumns(ArrowBatches):
    """No partition is asked for before the last is read, so the largest decides what the driver holds, if not all fit."""

    __slots__ = ("_frame",)

    def __init__(self, frame: object) -> None:
        self._frame: Any = frame

    def names(self) -> Sequence[str] | None:
        return list(self._frame.columns)

    def queried(self, rows: Rows[D]) -> Table | None:
        from dpcore.engines.queries.spark import SparkEngine
        from dpcore.engines.queries.table import queried

        names = wanted(self, rows) or ()
        only = self._only(names)
        few = fetched_if_few(only)
        if few is not None:
            few.columns = list(names)
            return PolarsColumns(few, ordered=False).queried(rows)
        return queried(SparkEngine(only, names), self, rows)

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        only = self._only(names or ())
        return list(map(given, fetched(only).iter_columns())) if fits(only) else super().at_once(names)

    def _only(self, names: Sequence[str]) -> Any:
        """These columns as `c0`, `c1`, ...: `mapInArrow` does not know of quotes."""
        quoted = ("`" + name.replace("`", "``") + "`" for name in names)
        return self._frame.selectExpr(*(f"{name} AS c{place}" for place, name in enumerate(quoted)))

    def batches(self, names: Sequence[str]) -> Batches:
        for row in self._only(names).mapInArrow(packing(), "packed binary").toLocalIterator():
            yield pl.read_ipc_stream(bytes(row[0]))


def packing() -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What each worker does with its batches. A function in a function is sent by its code, and not by its name."""

    def packed(batches: Iterator[Any]) -> Iterator[Any]:
        from importlib import import_module

        pa = import_module("pyarrow")
        for batch in batches:
            bytes_of = pa.BufferOutputStream()
            with pa.ipc.new_stream(bytes_of, batch.schema) as stream:
                stream.write_batch(batch)
            yield pa.RecordBatch.from_arrays([pa.array([bytes_of.getvalue().to_pybytes()], pa.binary())], ["packed"])

    return packed
