"""A user's function on blocks of rows, as numpy has it: `f(block)` gives a vector for each row of the block.

Its author promises that what it gives for a row depends on that row alone. Floats do not keep such a promise to the last
bit: a product of matrices may add in another order where other rows stand beside. So what counts is what the function says
of the *row alone*, in a block of one, brought within a norm and rounded to a grid; `OfBlocks.__call__` is that definition.
A block of many rows only foretells it: where a number lies further from the middle between two grid points than `MARGIN`
of a step, the function of the row alone is rounded to the same point, and where it lies nearer, the row is asked alone. So
the promise that is left is one about the function and not about the order of additions: beside other rows, it gives the
same up to that margin.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

import numpy as np

from dpcore.domains import Booleans, Domain, Norm, NumberDomain, Record, Vector
from dpcore.engines.numpy.columns import EXACT, Column, Entries, Floats, Ints, Multiples, Reals, Truths, extent
from dpcore.functions import UserFunction

Block: TypeAlias = "Reals | Mapping[str, Reals]"
"""Vectors as a matrix, records as columns by name."""

MARGIN: Final = 2.0**-16


def is_numeric(of: Domain) -> bool:
    """Whether rows of the domain make a block: vectors of numbers, or records of numbers and truth values."""
    if isinstance(of, Record):
        return all(_is_number(field) for _, field in of.fields)
    return isinstance(of, Vector) and isinstance(of.of, NumberDomain)


def _is_number(of: Domain) -> bool:
    return isinstance(of, (NumberDomain, Booleans))


@final
@dataclass(frozen=True, slots=True, eq=False)
class OfBlocks:
    """The function, of which the vectors of `size` entries are brought within `bound` and onto multiples of `step`."""

    function: UserFunction
    size: int
    bound: Fraction
    norm: Norm
    step: Fraction

    def __call__(self, row: object) -> list[Fraction]:
        """Of the row alone."""
        if isinstance(row, Mapping):
            block: Block = {name: np.array([_float(value)]) for name, value in row.items()}
        else:
            block = np.array([_floats(row)])
        return [count * self.step for count in self.rounded(self.scaled(block, 1))[0].tolist()]

    def of_many(self, columns: Mapping[str | None, Column]) -> Ints:
        """Of many rows, in steps."""
        block = {name: floats_of(column) for name, column in columns.items()}
        n = len(next(iter(columns.values())))
        scaled = self.scaled(_as_given(block), n)
        counts = self.rounded(scaled)
        near = np.asarray(np.abs(scaled - np.floor(scaled) - 0.5) <= MARGIN)
        for i in np.flatnonzero(near.any(axis=1)).tolist():
            alone = {name: values[i : i + 1] for name, values in block.items()}
            counts[i] = self.rounded(self.scaled(_as_given(alone), 1))[0]
        return counts

    def scaled(self, block: Block, n: int) -> Reals:
        """What the function says of these rows, within the norm, in steps. What is no number is no say: all of it is 0."""
        with np.errstate(all="ignore"), warnings.catch_warnings():  # a warning could tell of a row
            warnings.simplefilter("ignore")
            found = self.function.guarded(lambda: np.array(self.function.function(block), dtype=np.float64))
            if found.shape != (n, self.size):
                raise self.function.returned(found, f"of another shape than {self.size} numbers for each row")
            found = np.where(np.isfinite(found).all(axis=1, keepdims=True), found, 0.0)
            largest = np.abs(found).max(axis=1)[:, None]
            parts = np.abs(np.divide(found, largest, out=np.zeros_like(found), where=largest > 0))
            power = {"L1": parts.sum(axis=1), "L2": np.sqrt((parts * parts).sum(axis=1)), "LInf": parts.max(axis=1)}
            length = largest * power[self.norm][:, None]
            most = float(self.bound)
            return np.where(length > most, found / length * most, found) / float(self.step)

    def rounded(self, scaled: Reals) -> Ints:
        """Onto the grid, and never out of the box that the bound is in."""
        most = -(-self.bound // self.step)
        return np.clip(np.rint(scaled), -float(most), float(most)).astype(np.int64)


def _as_given(block: Mapping[str | None, Reals]) -> Block:
    return block[None] if None in block else {str(name): values for name, values in block.items()}


def floats_of(column: Column) -> Reals:
    """The floats nearest to the numbers, the same whatever layout holds them; of vectors a matrix."""
    if isinstance(column, Entries):
        return np.column_stack([floats_of(each) for each in column.columns])
    if isinstance(column, Floats):
        return column.values
    if isinstance(column, Truths):
        return column.values.astype(np.float64)
    if isinstance(column, Multiples):
        p, q = column.step.numerator, column.step.denominator
        low, high = extent(column.values)
        if max(-low, high) * p < EXACT and q < EXACT:
            return column.values * np.int64(p) / float(q)  # both exact, so that the quotient is the nearest float
    rows = column.python()
    vectors = bool(rows) and isinstance(rows[0], list)
    return np.array([_floats(row) if vectors else _float(row) for row in rows], dtype=np.float64)


def _floats(row: object) -> list[float]:
    assert isinstance(row, list)
    return list(map(_float, row))


def _float(x: object) -> float:
    assert isinstance(x, (int, Fraction))
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
