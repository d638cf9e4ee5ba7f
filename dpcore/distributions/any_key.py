"""A key of which every order of rows is as likely: what a cipher stands for, for a source of bits that follows a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import Blocks, Ranks, RowKey


@final
class AnyKey(RowKey):
    """Ranks by an order of all that was asked for, into which each new entry is put at a place drawn from the bits.

    So all orders are as likely, and every part of one release sees the same one.
    """

    def __init__(self, bits: BitSource) -> None:
        self._bits = bits
        self._order: list[bytes] = []

    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        entries = [row.tobytes() for row in np.hstack(list(message))]
        for entry in sorted(set(entries) - set(self._order)):  # not in the order of the rows, which means nothing
            self._order.insert(self._bits.below(len(self._order) + 1), entry)
        places = {entry: place for place, entry in enumerate(self._order)}
        return np.array([places[entry] for entry in entries], dtype=np.uint64)
