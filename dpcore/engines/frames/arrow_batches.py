"""Rows that are held elsewhere, by a database, and come as batches of Arrow. They are read as polars reads them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Final, TypeAlias

import polars as pl

from dpcore.engines.frames.polars_series import given
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import objects
from dpcore.errors import InvalidData

BATCH: Final = 1 << 17
"""Rows that are asked for at a time."""

Batches: TypeAlias = Generator[pl.DataFrame, None, None]


class ArrowBatches(Source):
    """Columns by name of rows that have no order. Each reading asks the database anew."""

    __slots__ = ()

    ordered = False
    whole = False

    @abstractmethod
    def batches(self, names: Sequence[str]) -> Batches:
        """These columns, in this order. What is closed early gives back what it holds of the database."""

    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        self.each(names or (), lambda batch: take(list(map(given, batch.iter_columns()))))

    def each(self, names: Sequence[str], take: Callable[[pl.DataFrame], None]) -> None:
        """Hand over each batch."""
        with closing(self.batches(names)) as batches:
            for batch in batches:
                take(batch)

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        batches = list(self.batches(names or ()))
        if not batches:
            return [objects([])] * len(names or ())
        return list(map(given, pl.concat(batches).iter_columns()))


def counted(batches: Batches, rows: int) -> Batches:
    """The same batches of so many rows, for where a stream that is cut short may end like one that is whole."""
    with closing(batches):
        for batch in batches:
            rows -= len(batch)
            yield batch
    if rows:
        raise InvalidData("the data were read twice, and had another number of rows")
