"""Exact sums of columns. Null counts as 0."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpcore.engines.numpy.columns import BLOCK, Codes, Column, Constant, Ints, Multiples, Truths
from dpcore.engines.python_rows import add_up
from dpcore.engines.table import Total


def column_sum(column: Column) -> Total:
    """The exact sum of the values."""
    if isinstance(column, Truths):
        return int(np.count_nonzero(column.true()))
    if isinstance(column, Multiples):
        values = column.values if column.null is None else column.values[~column.null]
        count = exact_sum(values)
        return count if column.step == 1 else Fraction(count) * column.step
    if isinstance(column, Constant):
        return add_up((column.value,)) * len(column)
    if isinstance(column, Codes):
        counts = np.bincount(column.codes, minlength=len(column.table)).tolist()
        return sum((add_up((v,)) * n for v, n in zip(column.table, counts, strict=True)), Fraction(0))
    return add_up(column.python())


def exact_sum(values: Ints) -> int:
    """A sum that cannot wrap: of a block with large entries, the high and the low half of each are added apart."""
    total = 0
    for start in range(0, values.size, BLOCK):
        block = values[start : start + BLOCK]
        if max(-int(block.min()), int(block.max())) * block.size < 1 << 63:
            total += int(block.sum())
        else:
            total += (int((block >> 32).sum()) << 32) + int((block & 0xFFFFFFFF).sum())
    return total
