"""Which rows of each person are kept, at most so many: those first in an order of rows.

Of rows that are equal the first copy, the second and so on are told apart by their number, and by nothing else. So what
is kept of a person is a function of that person's multiset of rows, of the order, and of nothing else.

    first_of_each   by the values alone: an expression of the row, then all fields in the order of their names
    fairly          by the ranks of a key, drawn apart from the data; equal ranks in the order of the values

Were two equal rows to share a rank, of {a, a, b} b would be kept alone half of the time, and not a third.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from dpcore.engines.numpy.canonical import order_of
from dpcore.engines.numpy.columns import Column, Ints, Mask
from dpcore.engines.numpy.persons import numbered
from dpcore.engines.numpy.ranked import Ranked, Words, chunks
from dpcore.noise.row_keys import RowKey

AT_ONCE: Final = 1 << 21
"""Rows, of the persons who are chosen among together. For each row some 30 octets are held meanwhile."""

Fields = Mapping[str | None, Column]
"""Columns by the name of their field; None for rows that are no records."""


def fairly(fields: Fields, by: str | None, limit: int, key: RowKey) -> Mask:
    """Which rows are kept, at most `limit` of each person, by a key; without `by` all rows are one person's."""
    persons, sizes = _persons(fields, by)
    kept: Mask = np.ones(len(persons), dtype=np.bool_)
    above = np.where(sizes > limit, sizes, 0)
    if not above.any():
        return kept
    ranked = Ranked(_in_names(fields), persons, len(sizes), key)
    for some in _shares(above) if key.lasting else [slice(None)]:
        theirs = np.zeros_like(above)
        theirs[some] = above[some]
        rest = _rows_of(theirs, persons)
        if key.lasting:
            rest = _all_but_ties(kept, rest, ranked, persons, theirs, limit)
        if rest.size:
            _keep_first(kept, rest[ranked.order(rest)], persons, sizes, limit)
    return kept


def _all_but_ties(kept: Mask, rest: Ints, ranked: Ranked, persons: Ints, sizes: Ints, limit: int) -> Ints:
    """The same by words of 64 bits: the number of the person, and behind it as many bits of the rank as there is room for.

    A person whose words differ keeps the rows up to the `limit`-th. Only of the others copies are numbered, and their
    words made again. Gives the rows of those who have equal words even then, or had equal words for different rows.
    """
    words = ranked.words(rest)
    unsure, twice = _by_words(kept, rest, words, ranked.shift, sizes, limit)
    if not twice.size:
        return rest[:0]
    tied = np.flatnonzero(unsure[persons[rest]])
    rest = rest[tied]
    words, mixed_up = ranked.with_copies(rest, words[tied], twice)
    unsure, _ = _by_words(kept, rest, words, ranked.shift, np.where(unsure, sizes, 0), limit)
    unsure[mixed_up] = True
    return rest[unsure[persons[rest]]]


def first_of_each(fields: Fields, by: str, limit: int, first: Column | None) -> Mask:
    """Which rows are kept, at most `limit` of each person, by what an expression gave for each row."""
    persons, sizes = _persons(fields, by)
    rest = _rows_of(np.where(sizes > limit, sizes, 0), persons)
    columns = [*([] if first is None else [first]), *_in_names(fields)]
    orders = [order_of(column.take(rest)) for column in columns]
    kept: Mask = np.ones(len(persons), dtype=np.bool_)
    _keep_first(kept, rest[np.lexsort((*reversed(orders), persons[rest]))], persons, sizes, limit)
    return kept


def canonical_order(fields: Fields) -> Ints:
    """The places of all rows, in the order of `dpcore.domains.key`."""
    return np.lexsort([order_of(column) for column in reversed(_in_names(fields))])


def _in_names(fields: Fields) -> Sequence[Column]:
    return [fields[name] for name in sorted(fields, key=lambda name: name or "")]


def _persons(fields: Fields, by: str | None) -> tuple[Ints, Ints]:
    """Whose each row is, and how many rows each person has."""
    size = len(next(iter(fields.values())))
    persons, above = (np.zeros(size, dtype=np.int64), 1) if by is None else numbered(fields[by])
    return persons, np.bincount(persons, minlength=above)


def _rows_of(sizes: Ints, persons: Ints) -> Ints:
    """The places of all rows of persons who have any."""
    return np.flatnonzero((sizes > 0)[persons])


def _shares(sizes: Ints) -> Iterator[slice]:
    """Persons, so many at a time that they have `AT_ONCE` rows, or little more: what is held of them is in proportion."""
    before = np.cumsum(sizes) - sizes
    ends = np.searchsorted(before, np.arange(AT_ONCE, int(before[-1] + sizes[-1]) + AT_ONCE, AT_ONCE))
    for start, end in pairwise([0, *ends.tolist()]):
        if start < end:
            yield slice(start, end)


def _by_words(kept: Mask, rest: Ints, words: Words, shift: int, sizes: Ints, limit: int) -> tuple[Mask, Words]:
    """Keeps the rows with the `limit` least words of each person. Gives the persons who have a word twice, and the word.

    `rest` are all rows of the persons who have more than `limit`.
    """
    ordered, room = np.sort(words), np.uint64(shift)
    its = np.flatnonzero(sizes > limit)
    ends = np.cumsum(sizes[its])
    last = np.zeros(len(sizes), dtype=np.uint64)
    last[its] = ordered[ends - sizes[its] + limit - 1]
    for some in chunks(len(words)):
        kept[rest[some]] = words[some] <= last[(words[some] >> room).view(np.int64)]
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    theirs: Mask = np.zeros(len(sizes), dtype=np.bool_)
    theirs[(twice >> room).view(np.int64)] = True
    return theirs, twice


def _keep_first(kept: Mask, ordered: Ints, persons: Ints, sizes: Ints, limit: int) -> None:
    """Of rows that stand in their order, person by person, the first of each."""
    its = persons[ordered]
    begins = np.flatnonzero(np.concatenate([[True], np.diff(its) != 0])) if len(ordered) else ordered
    place = np.arange(len(ordered)) - np.repeat(begins, sizes[its[begins]])
    kept[ordered] = place < limit
