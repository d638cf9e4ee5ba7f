"""Which rows of each person are kept, at most so many: those first in an order of rows.

Of rows that are equal the first copy, the second and so on are told apart by their number, and by nothing else. So what
is kept of a person is a function of that person's multiset of rows, of the order, and of nothing else.

    first_of_each   by the values alone: an expression of the row, then all fields in the order of their names
    fairly          by the ranks of a key, drawn apart from the data; equal ranks in the order of the values

Were two equal rows to share a rank, of {a, a, b} b would be kept alone half of the time, and not a third.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from dpcore.engines.numpy.canonical import blocks_of, order_of
from dpcore.engines.numpy.columns import Column, Ints, Mask
from dpcore.noise.row_keys import RowKey

Fields = Mapping[str | None, Column]
"""Columns by the name of their field; None for rows that are no records."""

MIX: Final = np.uint64(0x9E3779B97F4A7C15)
COPY: Final = 5
"""What stands before the number of a copy in its block."""


def fairly(fields: Fields, by: str | None, limit: int, key: RowKey) -> Ints:
    """The places of the rows kept, at most `limit` of each person, by a key; without `by` all rows are one person's."""
    groups, rest = _persons_above(fields, by, limit)
    columns = [column.take(rest) for column in _in_names(fields)]
    orders = [order_of(column) for column in columns]
    copies = _copies(orders)
    if not len(rest):
        return _all_but(rest, rest, len(groups))
    message = [*map(blocks_of, columns), np.column_stack([np.full_like(copies, COPY), copies]).view(np.uint64)]
    ranks, group = key.ranks(message), groups[rest]
    order = np.lexsort((ranks, group))
    if _any_twice(ranks[order], group[order]):
        order = np.lexsort((*reversed(orders), ranks, group))
    return _first(rest, order, groups, limit)


def first_of_each(fields: Fields, by: str, limit: int, first: Column | None) -> Ints:
    """The places of the rows kept, at most `limit` of each person, by what an expression gave for each row."""
    groups, rest = _persons_above(fields, by, limit)
    columns = [*([] if first is None else [first]), *_in_names(fields)]
    orders = [order_of(column.take(rest)) for column in columns]
    return _first(rest, np.lexsort((*reversed(orders), groups[rest])), groups, limit)


def canonical_order(fields: Fields) -> Ints:
    """The places of all rows, in the order of `dpcore.domains.key`."""
    return np.lexsort([order_of(column) for column in reversed(_in_names(fields))])


def _in_names(fields: Fields) -> list[Column]:
    return [fields[name] for name in sorted(fields, key=lambda name: name or "")]


def _persons_above(fields: Fields, by: str | None, limit: int) -> tuple[Ints, Ints]:
    """Whose each row is, as a number from 0, and the places of the rows of those who have more than `limit`."""
    size = len(next(iter(fields.values())))
    groups = np.zeros(size, dtype=np.int64) if by is None else _from_zero(order_of(fields[by]))
    sizes = np.bincount(groups)
    return groups, np.flatnonzero((sizes > limit)[groups])


def _from_zero(values: Ints) -> Ints:
    if not values.size:
        return values
    low, high = int(values.min()), int(values.max())
    if high - low <= 4 * values.size + 1000:
        return values - low
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _first(rest: Ints, order: Ints, groups: Ints, limit: int) -> Ints:
    """Of the rows in their order the first of each group; and all of those who have no more."""
    sizes = np.bincount(groups)
    ordered = rest[order]
    lengths = sizes[groups[ordered]]
    begins = np.flatnonzero(np.concatenate([[True], np.diff(groups[ordered]) != 0])) if len(ordered) else ordered
    place = np.arange(len(ordered)) - np.repeat(begins, lengths[begins])
    return _all_but(rest, ordered[place < limit], len(groups))


def _all_but(rest: Ints, kept: Ints, size: int) -> Ints:
    chosen: Mask = np.ones(size, dtype=np.bool_)
    chosen[rest] = False
    chosen[kept] = True
    return np.flatnonzero(chosen)


def _any_twice(ranks: np.typing.NDArray[np.uint64], group: Ints) -> bool:
    return bool(np.any((ranks[1:] == ranks[:-1]) & (group[1:] == group[:-1])))


def _copies(orders: Sequence[Ints]) -> Ints:
    """The number of each row among the rows equal to it, from 0.

    Equal rows are brought together by a mix of their fields. That rows so brought together are equal is looked at, not
    trusted: where two others mix alike, all is sorted.
    """
    mixed = np.zeros(len(orders[0]), dtype=np.uint64)
    for values in orders:
        mixed = (mixed ^ values.view(np.uint64)) * MIX
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed, kind="stable")  # so that of equal rows the first come first, on every carrier
    same = mixed[order][1:] == mixed[order][:-1]
    copies = np.zeros(len(order), dtype=np.int64)
    if not same.any():
        return copies
    equal = _equal_to_next(orders, order)
    if (same != equal).any():
        order = np.lexsort(tuple(orders))
        equal = _equal_to_next(orders, order)
    begins = np.flatnonzero(np.concatenate([[True], ~equal]))
    copies[order] = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    return copies


def _equal_to_next(orders: Sequence[Ints], order: Ints) -> Mask:
    equal: Mask = np.ones(max(len(order) - 1, 0), dtype=np.bool_)
    for values in orders:
        ordered = values[order]
        equal &= ordered[1:] == ordered[:-1]
    return equal
