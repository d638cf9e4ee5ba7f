"""Rows that are too many to be held together, so many persons at a time: a share is all rows of some values of a column.

What is chosen of a person is a function of that person's rows, so it may be chosen share by share, as long as equal persons
are in one share and each row is in one. Who shuffles rows by a hash, as Spark does, hands out the shares of one reading.
Whatever else gives batches is read once for each share, and every reading has to be of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final, TypeAlias, final

import numpy as np
import polars as pl

from dpcore.engines.frames.polars_series import given
from dpcore.engines.frames.source import Source, Take
from dpcore.engines.numpy.coded import Given
from dpcore.errors import InvalidData

SHARE: Final = "share"
"""The column that says which rows come together."""

Read: TypeAlias = Callable[[Callable[[pl.DataFrame], None]], None]
"""Hands over all rows, so many at a time."""


def in_shares(batches: Iterable[pl.DataFrame]) -> Iterable[pl.DataFrame]:
    """Rows that come share by share, as a column says: of each share one batch. What comes in pieces is refused."""
    seen: set[object] = set()
    pieces = (piece for batch in batches for piece in batch.partition_by(SHARE, maintain_order=True))
    for share, its in groupby(pieces, key=lambda piece: piece.item(0, SHARE)):
        if share in seen:
            raise InvalidData("the rows did not come in the order that was asked for")
        seen.add(share)
        yield pl.concat(its).drop(SHARE)


@final
class Shares(Source):
    """The rows of a source, which is read once for each share. Values of the column that are equal must have one hash: it
    cannot be one of floats, where NaN is null, and a file may have either."""

    __slots__ = ("_by", "_read", "_size", "of")

    of: Source
    ordered = False
    whole = False

    def __init__(self, of: Source, read: Read, by: int, size: int) -> None:
        self.of, self._read, self._by, self._size = of, read, by, size

    def names(self) -> Sequence[str] | None:
        return self.of.names()

    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        return self.of.at_once(names)

    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        readings: set[tuple[int, int]] = set()
        for share in range(self._size):
            reading = Reading(self._by, self._size, share)
            self._read(reading.take)
            readings.add((reading.rows, reading.hashes))
            if len(readings) > 1:
                raise InvalidData("the rows were others when they were read again")
            if reading.pieces:
                take(reading.together())


@final
class Reading:
    """One share of all rows, and what is seen of the others: how many there are, and the sum of their hashes."""

    def __init__(self, by: int, size: int, share: int) -> None:
        self._by, self._size, self._share = by, size, share
        self.pieces: list[pl.DataFrame] = []
        self.rows = self.hashes = 0

    def together(self) -> Sequence[Given]:
        """The rows of the share. The pieces are let go."""
        rows = pl.concat(self.pieces, rechunk=True)
        self.pieces.clear()
        return list(map(given, rows.iter_columns()))

    def take(self, rows: pl.DataFrame) -> None:
        self.pieces.append(rows.filter(rows.to_series(self._by).hash() % self._size == self._share))
        self.rows += len(rows)
        self.hashes = (self.hashes + int(np.add.reduce(rows.hash_rows().to_numpy()))) % (1 << 64)
