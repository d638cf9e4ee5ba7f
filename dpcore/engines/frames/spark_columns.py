"""Data frames of Spark, classic and Connect: few rows are fetched, many are asked where they are.

For what Spark has no exact words for, one partition after the other comes to the driver, packed as Arrow. The workers need
pyarrow and the Python of the driver, as for any function of Python, but not dpcore: the one function that is sent to them
goes as it is written. Were dpcore installed there, each worker could check, add up and send its sums alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, Final, TypeVar, final

import polars as pl

from dpcore.domains import Domain, Rows
from dpcore.engines.frames.arrow_batches import ArrowBatches, Batches
from dpcore.engines.frames.polars_columns import PolarsColumns
from dpcore.engines.frames.polars_series import given
from dpcore.engines.frames.reading import wanted
from dpcore.engines.frames.shares import SHARE, in_shares
from dpcore.engines.frames.source import Source
from dpcore.engines.frames.spark_fetching import fetched_if_few, fetched_together, shares_of
from dpcore.engines.numpy.coded import Given
from dpcore.engines.table import Table

D = TypeVar("D", bound=Domain)

EQUAL_ALIKE: Final = frozenset({"boolean", "tinyint", "smallint", "int", "bigint", "date", "timestamp_ntz", "string"})
"""Types of which equal values are the same octets, so that a hash keeps them together. Of doubles NaN is null, and 0.0 is
-0.0."""


@final
class SparkColumns(ArrowBatches):
    """No partition is asked for before the last is read, so the largest decides what the driver holds, if not all fit."""

    __slots__ = ("_frame", "_measured")

    def __init__(self, frame: object) -> None:
        self._frame: Any = frame
        self._measured: dict[tuple[str, ...], int | None] = {}

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
        rows = fetched_together(self._only(names or ())) if self._shares(names or ()) == 1 else None
        return super().at_once(names) if rows is None else list(map(given, rows.iter_columns()))

    def apart(self, names: Sequence[str], by: str) -> Source | None:
        rows = self._only(names)
        its, kind = rows.dtypes[list(names).index(by)]
        shares = self._shares(names) if kind in EQUAL_ALIKE or kind.startswith("decimal(") else None
        return None if shares in (None, 1) else SparkShares(rows, its, shares)

    def _shares(self, names: Sequence[str]) -> int | None:
        """In how many these columns come; measured once, for whether they come apart and for whether all are fetched."""
        columns = tuple(names)
        if columns not in self._measured:
            self._measured[columns] = shares_of(self._only(names))
        return self._measured[columns]

    def _only(self, names: Sequence[str]) -> Any:
        """These columns as `c0`, `c1`, ...: `mapInArrow` does not know of quotes."""
        quoted = ("`" + name.replace("`", "``") + "`" for name in names)
        return self._frame.selectExpr(*(f"{name} AS c{place}" for place, name in enumerate(quoted)))

    def batches(self, names: Sequence[str]) -> Batches:
        return _packed(self._only(names))


@final
class SparkShares(ArrowBatches):
    """The rows as Spark shuffles them by the hash of a column: a share is what one partition holds, and comes as a batch."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Any, by: str, shares: int) -> None:
        # What `repartition` goes by. Were it something else, shares would come in pieces, which is seen.
        share = f"system.builtin.pmod(system.builtin.hash({by}), {shares}) AS {SHARE}"
        self._rows: Any = rows.repartition(shares, by).selectExpr("*", share)

    def names(self) -> Sequence[str] | None:
        return list(self._rows.columns)[:-1]

    def batches(self, names: Sequence[str]) -> Batches:
        with closing(_packed(self._rows)) as batches:
            yield from in_shares(batches)


def _packed(rows: Any) -> Batches:
    for row in rows.mapInArrow(packing(), "packed binary").toLocalIterator():
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
