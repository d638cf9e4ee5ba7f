"""Lists of plain Python values become columns, where a column holds exactly what the rows mean.

Whether it does is settled by the types of the values and nothing finer: all of one of the kinds below, exactly, with
None beside them where null is a member. Whatever else is met, a subclass, a Decimal, a fraction, an int beyond 64 bits, a
value that is no member, is no fault: the answer is None, and the rows are read one by one, which is the definition.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

import numpy as np

from dpcore.domains import Array, Booleans, Categories, Dates, Domain, Integers, Numbers, Optional, Record, Text, Vector
from dpcore.domains.instances import attribute, names_of
from dpcore.engines.numpy.columns import Codes, Column, Entries, Mask, coded, coded_plain, column_of
from dpcore.engines.numpy.matrices import entries, vectors_in
from dpcore.engines.numpy.reading import Offence, read
from dpcore.errors import all_are

R = TypeVar("R")

FEW_ROWS: Final = 16
"""Fewer rows are read one by one in less time than it takes to lay out a column."""

Reader: TypeAlias = Callable[[Sequence[object], Mask | None, Domain], Column | None]

INT, FLOAT, BOOL, TEXT, DAY = "int", "float", "bool", "text", "day"
KINDS: Final[dict[type, str]] = {
    int: INT, np.int64: INT, float: FLOAT, np.float64: FLOAT, bool: BOOL, str: TEXT, datetime.date: DAY,
}  # fmt: skip
"""The types whose values all mean one thing in a column; a subclass may mean something else."""

SEQUENCES: Final = frozenset({list, tuple})


def columns_of(rows: Sequence[object], domain: Domain) -> dict[str | None, Column] | None:
    """Each field as a column, or the rows themselves under None; None where the rows have to be read one by one."""
    if not isinstance(domain, Record):
        column = column_in(rows, domain)
        return None if column is None else {None: column}
    fields = _by_field(rows, domain)
    if fields is None:
        return None
    columns: dict[str | None, Column] = {}
    try:
        for (name, inner), values in zip(domain.fields, fields, strict=True):
            found = column_in(values, inner) or _one_by_one(values, inner)
            if found is None:
                return None
            columns[name] = found
    except KeyError:  # a dict without the field
        return None
    return columns


def _by_field(rows: Sequence[object], domain: Record[R]) -> Iterator[list[object]] | None:
    """The values of each field in turn, where all rows are dicts, or all are objects of one class with named fields."""
    names = [name for name, _ in domain.fields]
    if all_are(rows, dict):
        fitting = domain.open or set(map(len, rows)) == {len(names)}
        return (list(map(itemgetter(name), rows)) for name in names) if fitting else None
    kinds = set(map(type, rows))
    theirs = names_of(kinds.pop()) if len(kinds) == 1 else None
    if theirs is None or not set(names) <= set(theirs) or not (domain.open or len(theirs) == len(names)):
        return None
    return ([attribute(row, name) for row in rows] for name in names)


def column_in(values: Sequence[object], domain: Domain) -> Column | None:
    """The values as a column; None where they have to be read one by one."""
    types = set(map(type, values))
    null = None
    if type(None) in types:
        types.discard(type(None))
        if not domain.member(None) or not types:
            return None
        null = np.fromiter((value is None for value in values), dtype=np.bool_, count=len(values))
    vectors = vectors_in(domain)
    if vectors is not None and types:
        return _vectors(values, types, null, vectors)
    if not types <= KINDS.keys():
        return None
    inner = domain.of if isinstance(domain, Optional) else domain
    reader = READERS.get((type(inner), frozenset(KINDS[found] for found in types)))
    return None if reader is None else reader(values, null, domain)


def _vectors(values: Sequence[object], types: set[type], null: Mask | None, domain: Vector[Domain]) -> Column | None:
    """Lists and tuples of one length, or arrays of one type, entry by entry; a null is held as the first that is none."""
    if domain.norm is not None or not domain.size:
        return None
    filler = next(value for value in values if value is not None)
    rows = values if null is None else [filler if value is None else value for value in values]
    found = (_by_entry if types <= SEQUENCES else _stacked)(rows, domain)
    return found if found is None or null is None else found.masked(null)


def _by_entry(rows: Sequence[object], domain: Vector[Domain]) -> Column | None:
    sequences = [row for row in rows if isinstance(row, (list, tuple))]
    if set(map(len, sequences)) != {domain.size}:
        return None
    columns: list[Column] = []
    for its in zip(*sequences, strict=True):
        found = column_in(its, domain.of)
        if found is None:
            return None
        columns.append(found)
    return Entries(tuple(columns))


def _stacked(rows: Sequence[object], domain: Vector[Domain]) -> Column | None:
    arrays = [row for row in rows if type(row) is np.ndarray]  # a subclass may mean something else: masks, for one
    kinds = {(array.shape, array.dtype) for array in arrays}
    alike = len(arrays) == len(rows) and len(kinds) == 1 and arrays[0].ndim == 1 and arrays[0].dtype.kind in "biuf"
    return entries(np.stack(arrays), domain, read) if alike else None


def _one_by_one(values: Sequence[object], domain: Domain) -> Column | None:
    """By the definition, so that an odd field does not hold up the others; None for the rows to say where one is none."""
    if any(domain.offence(value) is not None for value in values):
        return None
    found = list(map(domain.canonical, values))
    inner = domain.of if isinstance(domain, Optional) else domain
    return coded(found) if isinstance(inner, Categories) else column_of(found)


def _array(values: Sequence[object], null: Mask | None, filler: object, dtype: str) -> Array | None:
    """As numpy holds them, masked where they are None."""
    filled = values if null is None else [filler if value is None else value for value in values]
    try:
        array: Array = np.array(filled, dtype=dtype)
    except OverflowError:
        return None
    return array if null is None else np.ma.MaskedArray(array, null)


def _checked(array: Array | None, domain: Domain) -> Column | None:
    found = None if array is None else read(array, domain)
    return None if isinstance(found, Offence) else found


def _read_as(filler: object, dtype: str) -> Reader:
    return lambda values, null, domain: _checked(_array(values, null, filler, dtype), domain)


_ints: Final = _read_as(0, "int64")
_floats: Final = _read_as(0.0, "float64")
_truths: Final = _read_as(False, "bool")
_days: Final = _read_as(datetime.date(1970, 1, 1), "datetime64[D]")


def _ints_and_floats(values: Sequence[object], null: Mask | None, domain: Domain) -> Column | None:
    """Below 2**53 every whole number is a float, and the shortest decimal of that float is the number."""
    array = _array(values, null, 0.0, "float64")
    typed = None if array is None else np.asarray(array, dtype=np.float64)
    if typed is None or not ((np.abs(typed) < 2.0**53) | np.isnan(typed)).all():
        return None
    return _checked(array, domain)


def _coded(values: Sequence[object], null: Mask | None, domain: Domain) -> Column | None:
    """Texts and categories: each distinct value is looked at once. Those of one type are equal only if they are the same."""
    found = coded_plain(values)
    if any(domain.offence(value) is not None or value != value for value in found.table):
        return None  # NaN, which is null, may stand beside None
    return Codes(found.codes, tuple(map(domain.canonical, found.table)))


READERS: Final[dict[tuple[type, frozenset[str]], Reader]] = {
    (Integers, frozenset({INT})): _ints,
    (Integers, frozenset({FLOAT})): _floats,
    (Integers, frozenset({INT, FLOAT})): _ints_and_floats,
    (Numbers, frozenset({INT})): _ints,
    (Numbers, frozenset({FLOAT})): _floats,
    (Numbers, frozenset({INT, FLOAT})): _ints_and_floats,
    (Booleans, frozenset({BOOL})): _truths,
    (Dates, frozenset({DAY})): _days,
    (Text, frozenset({TEXT})): _coded,
    (Categories, frozenset({TEXT})): _coded,
    (Categories, frozenset({INT})): _coded,
    (Categories, frozenset({FLOAT})): _coded,
    (Categories, frozenset({BOOL})): _coded,
    (Categories, frozenset({DAY})): _coded,
}
"""How values of these kinds become a column of that domain; where there is no line, row by row."""
