"""Vectors from a matrix: each of its columns is read as a column of entries; and vectors as a matrix of whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from dpcore.domains import Array, Domain, Optional, Vector
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import Column, Entries, Ints
from dpcore.engines.numpy.grids import fits, grid

Reader: TypeAlias = Callable[[Array, Domain], object]
"""`reading.read`: a column of the domain, or where the first entry stands that is not in it."""


def vectors_in(domain: Domain) -> Vector[Domain] | None:
    """The domain of the vectors that the values are, where they are vectors."""
    inner = domain.of if isinstance(domain, Optional) else domain
    return inner if isinstance(inner, Vector) else None


def is_matrix(data: Array, domain: Domain) -> bool:
    return data.ndim == 2 and vectors_in(domain) is not None


def entries(data: Array, vectors: Vector[Domain], read: Reader) -> Column | None:
    """The rows of the matrix as vectors; None where they are not all members, or where that is not seen by columns."""
    if data.shape[1] != vectors.size or vectors.norm is not None:
        return None
    found = [read(data[:, i], vectors.of) for i in range(vectors.size)]
    columns = tuple(column for column in found if isinstance(column, Column))
    return Entries(columns) if len(columns) == vectors.size else None


def entry(data: Given, index: int) -> object:
    """One value of a column as its domain looks at it: None where it is masked, a vector where it is a row of a matrix."""
    if isinstance(data, Coded):
        return data.value(index)
    if data.ndim == 2:
        return data[index]
    return None if np.ma.getmaskarray(data)[index] else np.asarray(data)[index]


def counts_of(column: Column, step: Fraction) -> Ints | None:
    """Vectors as a matrix of so many steps; None where an entry is null, lies between steps or leaves int64."""
    if not isinstance(column, Entries) or column.null is not None or not len(column):
        return None
    found = np.empty((len(column), len(column.columns)), dtype=np.int64)
    for i, each in enumerate(column.columns):
        of = grid(each)
        ratio = None if of is None else Fraction(of.step) / step
        if of is None or ratio is None or ratio.denominator != 1 or each.nulls() is not None:
            return None
        if not fits(int(ratio), of.low * int(ratio), of.high * int(ratio)):
            return None
        found[:, i] = of.scaled(int(ratio))
    return found
