"""Transformations and measurements of a user, each with one thing wrong, and the same done right."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import dpcore as dp
from dpcore.maps import Number

ROWS = dp.rows(dp.integers())
NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
COIN = dp.value(dp.booleans(), dp.DiscreteDistance())
AB = dp.rows(dp.categories("a", "b"))

d: Any = dp


def same(x: Number) -> Number:
    return x


def clamped_sum(rows: Sequence[int]) -> int:
    return sum(min(max(row, 0), 120) for row in rows)


def largest_first(rows: Sequence[int]) -> int:
    return 0 if not rows else (1 if rows[0] >= 0 else -1)


def shuffled(rows: Sequence[int]) -> list[int]:
    return random.sample(list(rows), len(rows))[: max(0, len(rows) - 1)]


def sorted_in_place(rows: list[int]) -> int:
    rows.sort()
    return len(rows)


def minus_length(rows: Sequence[int]) -> int:
    return -len(rows)


def fails_at_three(rows: Sequence[int]) -> int:
    return 1 // (3 - len(rows))


def noisy_length(rows: Sequence[int]) -> int:
    return len(rows) + random.randint(0, 9)


def weeks(x: object, y: object) -> Fraction:
    """A step changes up to two rows."""
    found = dp.SymmetricDistance().carried(x, y)
    return Fraction(-(-int(found) // 2))
