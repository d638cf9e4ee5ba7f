"""Whose each row is, as whole numbers from 0: the same for equal values, in no order."""

from __future__ import annotations

from typing import Final

import numpy as np

from dpcore.engines.numpy.canonical import order_of
from dpcore.engines.numpy.columns import Codes, Column, Ints, Multiples

MIX: Final = np.uint64(0x9E3779B97F4A7C15)
ROUNDS: Final = 6


def numbered(column: Column) -> tuple[Ints, int]:
    """A number for each value, and one that is above all of them."""
    if isinstance(column, Codes) and set(map(type, column.table)) <= {str} and _all_differ(column.table):
        return column.codes, len(column.table)
    values = column.values if isinstance(column, Multiples) and column.null is None else order_of(column)
    if not values.size:
        return values, 0
    low, high = int(values.min()), int(values.max())
    if high - low <= 4 * values.size + 1000:
        return (values - low if low else values), high - low + 1
    return _in_slots(values)


def _all_differ(table: tuple[object, ...]) -> bool:
    return len(set(table)) == len(table)


def _in_slots(values: Ints) -> tuple[Ints, int]:
    """Values that lie far apart. Each is written into a slot that a mix of it names, and has it if it is read back from
    there; the others are written into slots of their own. A slot is one value's, whatever the mix is worth."""
    found, left, above = np.empty_like(values), np.arange(len(values)), 0
    for _ in range(ROUNDS):
        bits = max(len(left).bit_length() - 1, 1)
        slots: Ints = ((values[left].view(np.uint64) * MIX) >> np.uint64(64 - bits)).astype(np.int64)
        held = np.zeros(1 << bits, dtype=np.int64)
        held[slots] = values[left]
        has_it = held[slots] == values[left]
        found[left[has_it]] = slots[has_it] + above
        left, above = left[~has_it], above + (1 << bits)
        if not left.size:
            return found, above
    distinct, places = np.unique(values[left], return_inverse=True)
    found[left] = places + above
    return found, above + len(distinct)
