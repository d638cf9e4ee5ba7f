"""Rows as a key ranks them: by the blocks of all their fields, and by their number among rows equal to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.engines.numpy.canonical import blocks_by_place, order_of
from dpcore.engines.numpy.columns import Column, Ints, Mask
from dpcore.engines.numpy.persons import MIX
from dpcore.noise.row_keys import RowKey

Words: TypeAlias = NDArray[np.uint64]

COPY: Final = 5
"""What stands before the number of a copy in its block."""

ROOM: Final = 64
"""Bits of a word: first those of the person, then the first of the rank."""

CHUNK: Final = 1 << 15
"""Rows whose blocks stay in the processor's cache."""


@final
class Ranked:
    """Rows of persons, and the key that ranks them."""

    def __init__(self, columns: Sequence[Column], persons: Ints, above: int, key: RowKey) -> None:
        self._columns, self._persons, self._key = columns, persons, key
        self._blocks = [blocks_by_place(column) for column in columns]
        self.shift = ROOM - max((above - 1).bit_length(), 1)

    def words(self, rows: Ints, copies: Ints | None = None) -> Words:
        """For each row its person, and behind it the first bits of its rank."""
        room, rest = np.uint64(self.shift), np.uint64(64 - self.shift)
        found = np.empty(len(rows), dtype=np.uint64)
        for some in chunks(len(rows)):
            ranks = self._ranks(rows[some], None if copies is None else copies[some])
            found[some] = (self._persons[rows[some]].view(np.uint64) << room) | (ranks >> rest)
        return found

    def _ranks(self, rows: Ints, copies: Ints | None) -> Words:
        copy = np.zeros((len(rows), 2), dtype=np.uint64)
        copy[:, 0] = COPY
        if copies is not None:
            copy[:, 1] = copies
        return self._key.ranks([*(blocks(rows) for blocks in self._blocks), copy])

    def with_copies(self, rows: Ints, words: Words, twice: Words) -> tuple[Words, Ints]:
        """The words of rows that were ranked as first copies, each as the copy that it is; and the persons of whom rows
        that differ had one word, whose copies are not numbered. `twice` are the words met more than once."""
        found, these = words.copy(), _maybe_among(words, twice)
        these = these[np.argsort(words[these], kind="stable")]  # of equal rows the first come first, on every carrier
        ordered = words[these]
        same = np.flatnonzero(ordered[1:] == ordered[:-1])
        differ = ~self._equal(rows[these[same]], rows[these[same + 1]])
        copies = _places_in_runs(ordered)
        others = these[copies > 0]
        found[others] = self.words(rows[others], copies[copies > 0])
        return found, self._persons[rows[these[same[differ]]]]

    def order(self, rows: Ints) -> Ints:
        """Person by person, by the whole ranks, then by the values: rows in any number, slowly."""
        orders = [order_of(column.take(rows)) for column in self._columns]
        together = np.lexsort(tuple(orders))
        equal: Mask = np.ones(max(len(rows) - 1, 0), dtype=np.bool_)
        for values in orders:
            equal &= np.diff(values[together]) == 0
        copies = np.zeros(len(rows), dtype=np.int64)
        copies[together] = _places_in_runs(np.cumsum(np.concatenate([[0], ~equal])))
        return np.lexsort((*reversed(orders), self._ranks(rows, copies), self._persons[rows]))

    def _equal(self, rows: Ints, others: Ints) -> Mask:
        equal: Mask = np.ones(len(rows), dtype=np.bool_)
        for column in self._columns:
            values = order_of(column.take(np.concatenate([rows, others])))
            equal &= values[: len(rows)] == values[len(rows) :]
        return equal


def _places_in_runs(ordered: NDArray[np.generic]) -> Ints:
    """How many entries equal to it stand before each."""
    begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return np.arange(len(ordered)) - np.repeat(begins, np.diff(begins, append=len(ordered)))


def _maybe_among(words: Words, wanted: Words) -> Ints:
    """Where the words are that are wanted; and where some others are."""
    room = np.uint64(64 - (8 * len(wanted)).bit_length())
    marked = np.zeros(1 << (64 - int(room)), dtype=np.bool_)
    marked[((wanted * MIX) >> room).view(np.int64)] = True
    found = [
        np.flatnonzero(marked[((words[some] * MIX) >> room).view(np.int64)]) + some.start for some in chunks(len(words))
    ]
    return np.concatenate(found)


def chunks(size: int) -> Iterator[slice]:
    return (slice(at, at + CHUNK) for at in range(0, size, CHUNK))
