"""The keys that the rows of a column have: which of some given ones, and how often each there is."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.domains import Key, key
from dpcore.domains.keys import DAY, NULL_KEY, NUMBER
from dpcore.engines.numpy.canonical import order_of
from dpcore.engines.numpy.columns import Codes, Column, Constant, Days, Ints, Mask, Multiples, Truths, extent
from dpcore.expressions.intervals import Rational

NOWHERE: Final = -1

LEAST: Final = -(1 << 63)
MOST: Final = (1 << 63) - 1
"""Of 64 bits."""

EPOCH: Final = datetime.date(1970, 1, 1).toordinal()
"""From which numpy counts days."""


def places_of(column: Column, places: Mapping[Key, int]) -> Ints:
    """The place of each row's key, -1 where it is none of the keys."""
    null_place = places.get(NULL_KEY, NOWHERE)
    if isinstance(column, Codes):
        table = [places.get(key(value), NOWHERE) for value in column.table]
        return np.array(table, dtype=np.int64)[column.codes] if table else np.empty(0, dtype=np.int64)
    if isinstance(column, Constant):
        return np.full(len(column), places.get(key(column.value), NOWHERE), dtype=np.int64)
    if isinstance(column, Truths):
        yes, no = (places.get(key(value), NOWHERE) for value in (True, False))
        return _nulled(np.where(column.values, yes, no).astype(np.int64), column.null, null_place)
    if isinstance(column, Multiples):
        return _nulled(_looked_up(column.values, _counts(places, column.step)), column.null, null_place)
    if isinstance(column, Days):
        wanted = {k[1] - EPOCH: place for k, place in places.items() if k[0] == DAY and isinstance(k[1], int)}
        days = column.values.astype("datetime64[D]").astype(np.int64)
        return _nulled(_looked_up(days, wanted), column.null, null_place)
    found = (places.get(key(value), NOWHERE) for value in column.python())
    return np.fromiter(found, dtype=np.int64, count=len(column))


def counted(column: Column) -> dict[Key, int]:
    """How many rows have each key."""
    _, first, counts = np.unique(order_of(column), return_index=True, return_counts=True)
    return dict(zip(map(key, column.take(first).python()), counts.tolist(), strict=True))


def counts_by_place(places: Ints, size: int) -> list[int]:
    """How many rows have each place; those of none are left out."""
    inside = not places.size or int(places.min()) >= 0
    counts: list[int] = np.bincount(places if inside else places + 1, minlength=size + (not inside)).tolist()
    return counts if inside else counts[1:]


def _nulled(found: Ints, null: Mask | None, place: int) -> Ints:
    return found if null is None else np.where(null, np.int64(place), found)


def _counts(places: Mapping[Key, int], step: Rational) -> dict[int, int]:
    """The numbers among the keys that lie on the grid, as multiples of its step."""
    p, q = step.numerator, step.denominator
    found: dict[int, int] = {}
    for each, place in places.items():
        if each[0] != NUMBER:
            continue
        number = each[1]
        assert isinstance(number, (int, Fraction))
        count, left = divmod(number.numerator * q, number.denominator * p)  # in whole numbers: there may be many keys
        if not left and LEAST <= count <= MOST:
            found[count] = place
    return found


def _looked_up(values: Ints, wanted: Mapping[int, int]) -> Ints:
    """The place of each value: by a table where the wanted ones lie close together, by bisection otherwise."""
    if not wanted or not values.size:
        return np.full(len(values), NOWHERE, dtype=np.int64)
    keys, its_places = (
        np.fromiter(each, dtype=np.int64, count=len(wanted)) for each in (wanted.keys(), wanted.values())
    )
    first, last = int(keys.min()), int(keys.max())
    low, high = extent(values)
    inside = first <= low and high <= last
    if inside and np.array_equal(keys, its_places):
        return values
    if last - first <= 4 * len(values) + 1000 and low >= -(1 << 62) and high <= 1 << 62 and abs(first) <= 1 << 62:
        # One entry more at each end, for all values outside.
        table = np.full(last - first + 3, NOWHERE, dtype=np.int64)
        table[keys - first + 1] = its_places
        if inside:
            return table[values - (first - 1)]
        return table[np.clip(values, first - 1, last + 1) - (first - 1)]
    order = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys, values, sorter=order), len(keys) - 1)
    found = order[at]
    return np.where(keys[found] == values, its_places[found], NOWHERE)
