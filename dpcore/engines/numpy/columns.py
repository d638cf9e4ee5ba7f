"""Columns: many values of one expression at once, laid out so that numpy can compute on them without any rounding.

    Multiples   numbers on a grid, as int64 multiples of its step
    Floats      numbers as they were typed: each float stands for its shortest decimal, 0.1 for 1/10
    Truths      truth values          Days   dates
    Codes       a few distinct values, and for each row the index of its own
    Entries     vectors, one column for each entry
    Objects     anything else, as Python values
    Constant    one value for every row

Where the mask `null` is set, the value is null and the entry under it means nothing (but is a valid one).
"""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.domains import Array, Key, key, value_of
from dpcore.expressions.intervals import Rational

Ints: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
DaysArray: TypeAlias = NDArray[np.datetime64]
PythonArray: TypeAlias = NDArray[np.object_]

LIMIT: Final = 1 << 62
"""Results at most this large in absolute value are computed in int64; larger ones never are."""

EXACT: Final = 1 << 53
"""Up to here every whole number is a double."""


class Column(ABC):
    """So many values."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def nulls(self) -> Mask | None:
        """Where it is null; None for nowhere."""

    @abstractmethod
    def masked(self, null: Mask) -> Column:
        """Null there as well."""

    @abstractmethod
    def take(self, rows: Mask | Ints) -> Column:
        """Some of the rows."""

    @abstractmethod
    def python(self) -> list[object]:
        """The values as Python values, None for null."""


OnColumns: TypeAlias = Callable[..., Column | None]
"""An operation on columns, one for each operand."""


def together(x: Mask | None, y: Mask | None) -> Mask | None:
    """Null in either."""
    if x is None or y is None:
        return y if x is None else x
    return x | y


def none_there(values: list[object], null: Mask | None) -> list[object]:
    if null is not None:
        for i in np.flatnonzero(null).tolist():
            values[i] = None
    return values


def _taken(null: Mask | None, rows: Mask | Ints) -> Mask | None:
    return None if null is None else null[rows]


@dataclass(frozen=True, slots=True, eq=False)
class Masked(Column):
    """An array of values, and where they are null."""

    values: Array
    null: Mask | None = None

    def __len__(self) -> int:
        return len(self.values)

    def nulls(self) -> Mask | None:
        return self.null

    def masked(self, null: Mask) -> Column:
        return replace(self, null=together(self.null, null))

    def take(self, rows: Mask | Ints) -> Column:
        return replace(self, values=self.values[rows], null=_taken(self.null, rows))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Multiples(Column):
    values: Ints
    step: Rational = 1
    null: Mask | None = None

    def __len__(self) -> int:
        return len(self.values)

    def nulls(self) -> Mask | None:
        return self.null

    def masked(self, null: Mask) -> Column:
        return replace(self, null=together(self.null, null))

    def take(self, rows: Mask | Ints) -> Column:
        return Multiples(self.values[rows], self.step, _taken(self.null, rows))

    def python(self) -> list[object]:
        counts: list[int] = self.values.tolist()
        if self.step == 1:
            return none_there(list(counts), self.null)
        p, q = self.step.numerator, self.step.denominator
        return none_there([Fraction(v * p, q) for v in counts], self.null)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Floats(Masked):
    values: Reals

    def python(self) -> list[object]:
        typed: list[float] = self.values.tolist()
        return none_there([Fraction(repr(v)) for v in typed], self.null)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Truths(Masked):
    values: Mask

    def python(self) -> list[object]:
        return none_there(list(self.values.tolist()), self.null)

    def true(self) -> Mask:
        """Where it is True, and not null."""
        return self.values if self.null is None else self.values & ~self.null


@final
@dataclass(frozen=True, slots=True, eq=False)
class Days(Masked):
    values: DaysArray

    def python(self) -> list[object]:
        return none_there(list(self.values.tolist()), self.null)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Codes(Column):
    """Row i holds `table[codes[i]]`; a null is an entry None of the table."""

    codes: Ints
    table: tuple[object, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def nulls(self) -> Mask | None:
        if all(value is not None for value in self.table):
            return None
        return np.array([value is None for value in self.table], dtype=np.bool_)[self.codes]

    def masked(self, null: Mask) -> Column:
        return Codes(np.where(null, len(self.table), self.codes), (*self.table, None))

    def take(self, rows: Mask | Ints) -> Column:
        return Codes(self.codes[rows], self.table)

    def python(self) -> list[object]:
        return [self.table[code] for code in self.codes.tolist()]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Entries(Column):
    """Row i holds the vector of the i-th values of the columns, of which there is one for each entry."""

    columns: tuple[Column, ...]
    null: Mask | None = None

    def __len__(self) -> int:
        return len(self.columns[0])

    def nulls(self) -> Mask | None:
        return self.null

    def masked(self, null: Mask) -> Column:
        return replace(self, null=together(self.null, null))

    def take(self, rows: Mask | Ints) -> Column:
        return Entries(tuple(column.take(rows) for column in self.columns), _taken(self.null, rows))

    def python(self) -> list[object]:
        vectors: list[object] = [list(vector) for vector in zip(*(c.python() for c in self.columns), strict=True)]
        return none_there(vectors, self.null)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Objects(Column):
    """Python values in their canonical form, None for null."""

    values: PythonArray

    def __len__(self) -> int:
        return len(self.values)

    def nulls(self) -> Mask | None:
        found = np.fromiter((value is None for value in self.values), dtype=np.bool_, count=len(self.values))
        return found if found.any() else None

    def masked(self, null: Mask) -> Column:
        values = self.values.copy()
        values[null] = None
        return Objects(values)

    def take(self, rows: Mask | Ints) -> Column:
        return Objects(self.values[rows])

    def python(self) -> list[object]:
        return list(self.values)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Constant(Column):
    value: object
    size: int

    def __len__(self) -> int:
        return self.size

    def nulls(self) -> Mask | None:
        return np.ones(self.size, dtype=np.bool_) if self.value is None else None

    def masked(self, null: Mask) -> Column:
        return Codes(null.astype(np.int64), (self.value, None))

    def take(self, rows: Mask | Ints) -> Column:
        return Constant(self.value, int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows))

    def python(self) -> list[object]:
        return [self.value] * self.size


def plain(column: Column) -> Array | None:
    """Days or truth values, also a constant one, as an array of numpy's own; None for anything else."""
    if isinstance(column, (Days, Truths)):
        return column.values
    if isinstance(column, Constant) and isinstance(column.value, (bool, datetime.date)):
        return np.array(column.value, dtype=np.bool_ if isinstance(column.value, bool) else "datetime64[D]")
    return None


def column_of(values: Sequence[object]) -> Column:
    """A column of Python values, in the best layout that holds them exactly."""
    types = {type(value) for value in values}
    has_null = type(None) in types
    types.discard(type(None))
    null = np.fromiter((v is None for v in values), dtype=np.bool_, count=len(values)) if has_null else None
    if types == {bool}:
        return Truths(np.fromiter((v is True for v in values), dtype=np.bool_, count=len(values)), null)
    if types == {int}:
        whole = [v if isinstance(v, int) else 0 for v in values]
        if min(whole) >= -LIMIT and max(whole) <= LIMIT:
            return Multiples(np.array(whole, dtype=np.int64), 1, null)
    if types == {datetime.date}:
        days = [v if isinstance(v, datetime.date) else datetime.date.min for v in values]
        return Days(np.array(days, dtype="datetime64[D]"), null)
    return Objects(objects(values))


def objects(values: Sequence[object]) -> PythonArray:
    """An array of Python values, of one dimension even where the values are sequences."""
    array = np.empty(len(values), dtype=np.object_)
    for i, value in enumerate(values):
        array[i] = value
    return array


def of_width(value: object, width: Callable[[float], object]) -> object:
    """Lists of floats, with entries of that many bits: as Python's own they would be other decimals."""
    if isinstance(value, (list, np.ndarray)):
        return [of_width(each, width) for each in value]
    return width(value) if isinstance(value, float) else value


def coded(values: Sequence[object]) -> Codes:
    """The distinct values, which must be hashable, and where each row finds its own. True and 1 are two values."""
    places: dict[Key, int] = {}
    codes = [places.setdefault(key(value), len(places)) for value in values]
    return Codes(np.array(codes, dtype=np.int64), tuple(map(value_of, places)))


def coded_plain(values: Sequence[object]) -> Codes:
    """The same for values of one type, None aside, where equal values are the same."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    codes = np.fromiter(map(places.__getitem__, values), dtype=np.int64, count=len(values))
    return Codes(codes, tuple(places))


def per_distinct(codes: Codes, results: Sequence[object]) -> Column:
    """A column that holds `results[code]` in each row."""
    if len(codes) == 0 or not results:
        return Objects(np.empty(0, dtype=np.object_))
    column = column_of(results)
    return Codes(codes.codes, tuple(results)) if isinstance(column, Objects) else column.take(codes.codes)


def lengthened(column: Column, value: object, times: int) -> Column:
    """The column, and this canonical value so many times more."""
    if isinstance(column, Multiples) and column.null is None and isinstance(value, (int, Fraction)):
        count = Fraction(value) / column.step
        if count.denominator == 1 and abs(count) <= LIMIT:
            return replace(column, values=np.concatenate([column.values, np.full(times, int(count), dtype=np.int64)]))
    if isinstance(column, Codes):
        codes = np.concatenate([column.codes, np.full(times, len(column.table), dtype=np.int64)])
        return Codes(codes, (*column.table, value))
    return column_of([*column.python(), *[value] * times])


BLOCK: Final = 1 << 16
"""Entries that stay in the processor's cache while they are read several times."""


def extent(values: Ints) -> tuple[int, int]:
    """The least and the greatest, 0 and 0 of none, read once from memory."""
    blocks = [values[start : start + BLOCK] for start in range(0, values.size, BLOCK)]
    ends = [(int(block.min()), int(block.max())) for block in blocks] or [(0, 0)]
    return min(least for least, _ in ends), max(most for _, most in ends)
