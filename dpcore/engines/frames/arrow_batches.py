"""Rows that are held elsewhere, by a database, and come as batches of Arrow. They are read as polars reads them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from contextlib import closing
from itertools import groupby
from typing import Final, TypeAlias

import polars as pl

from dpcore.engines.frames.polars_columns import given
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import objects
from dpcore.errors import InvalidData

BATCH: Final = 1 << 17
"""Rows that are asked for at a time."""

SHARE: Final = "share"
"""The column that says which rows come together."""

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
        with closing(self.batches(names or ())) as batches:
            for batch in batches:
                take(list(map(given, batch.iter_columns())))

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        batches = list(self.batches(names or ()))
        if not batches:
            return [objects([])] * len(names or ())
        return list(map(given, pl.concat(batches).iter_columns()))


def in_shares(batches: Batches) -> Batches:
    """Rows that come share by share, as a column says: of each share one batch. What comes in pieces is refused."""
    seen: set[object] = set()
    with closing(batches):
        pieces = (piece for batch in batches for piece in batch.partition_by(SHARE, maintain_order=True))
        for share, its in groupby(pieces, key=lambda piece: piece.item(0, SHARE)):
            if share in seen:
                raise InvalidData("the rows did not come in the order that was asked for")
            seen.add(share)
            yield pl.concat(its).drop(SHARE)


def counted(batches: Batches, rows: int) -> Batches:
    """The same batches of so many rows, for where a stream that is cut short may end like one that is whole."""
    with closing(batches):
        for batch in batches:
            rows -= len(batch)
            yield batch
    if rows:
        raise InvalidData("the data were read twice, and had another number of rows")
