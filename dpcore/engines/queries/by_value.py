"""How many rows are below and above some numbers, where it is known how often they have each of few values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from dpcore.engines.queries.dialect import X
from dpcore.engines.queries.words import COUNTS, Word, is_number
from dpcore.expressions.intervals import Rational

MANY: Final = 4
"""Candidates, of which each would take two aggregates, so that rows are quicker grouped by their values."""

FEW: Final = 1 << 12
"""Values, for which that is so."""


def are_few(word: Word[X], candidates: Sequence[Rational]) -> bool:
    """Whether to group by the values rather than to compare all of them with each candidate."""
    return len(candidates) >= MANY and word.layout is COUNTS and word.high - word.low < FEW


def ranks_among(rows: Mapping[Hashable, int], candidates: Sequence[Rational]) -> list[tuple[int, int]]:
    """For each candidate how many rows are below it, and how many above it, of so many rows with each value."""
    ordered = sorted((value, n) for value, n in rows.items() if is_number(value))
    assert len(ordered) == len(rows)
    values, up_to = [value for value, _ in ordered], [0, *accumulate(n for _, n in ordered)]
    return [(up_to[bisect_left(values, c)], up_to[-1] - up_to[bisect_right(values, c)]) for c in candidates]
