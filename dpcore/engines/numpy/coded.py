"""A column from outside as a few distinct values, and for each row the place of its own: texts, and categories of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.domains import Array, Categories, Domain, Optional
from dpcore.engines.numpy.columns import Codes, Column, Ints, per_distinct


@final
@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Row i holds `table[codes[i]]`, and null where the code is -1."""

    codes: Ints | NDArray[np.int16]
    table: tuple[object, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def value(self, row: int) -> object:
        code = int(self.codes[row])
        return None if code < 0 else self.table[code]


Given: TypeAlias = "Array | Coded"
"""A column as it comes from outside, not checked yet."""


def read_coded(data: Coded, domain: Domain) -> Column | int:
    """The column, or the first row that holds no member. Each distinct value is looked at once."""
    inner = domain.of if isinstance(domain, Optional) else domain
    fits = [inner.member(value) for value in data.table]
    bad = np.array([*[not fit for fit in fits], not domain.member(None)], dtype=np.bool_)[data.codes]  # -1 is the last
    if bad.any():
        return int(np.argmax(bad))
    # A value that is no member occurs nowhere.
    values = [inner.canonical(value) if fit else None for value, fit in zip(data.table, fits, strict=True)]
    given = data.codes.astype(np.int64, copy=False)
    codes = np.where(given < 0, len(values), given)
    if inner.types() == {str} or isinstance(inner, Categories):
        return Codes(codes, (*values, None)) if (given < 0).any() else Codes(given, tuple(values))
    return per_distinct(Codes(codes, (*values, None)), (*values, None))
