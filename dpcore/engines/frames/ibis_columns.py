"""Tables of Ibis, in batches of Arrow. Whether more than one is held at a time is up to the backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import polars as pl

from dpcore.engines.frames.arrow_batches import BATCH, ArrowBatches, Batches, counted


@final
class IbisColumns(ArrowBatches):
    """The rows are counted first: not of every backend is it known that it says so where it stops early."""

    __slots__ = ("_table",)

    def __init__(self, table: object) -> None:
        self._table: Any = table

    def names(self) -> Sequence[str] | None:
        return list(self._table.columns)

    def batches(self, names: Sequence[str]) -> Batches:
        rows = self._table.select(*names)
        size: int = (
            rows.count().to_pyarrow().as_py()
        )  # before the stream is there: a backend may have one query at a time
        return counted((pl.DataFrame(batch) for batch in rows.to_pyarrow_batches(chunk_size=BATCH)), size)
