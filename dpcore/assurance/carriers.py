"""The same rows on every carrier: besides a list, typed and masked arrays and arrays of Python objects.

What an arrow says of data may depend neither on who holds them nor on how one more row makes a column be laid out. A float
too large for whole-number arithmetic does that to all the others, so rows are tried with such a row beside them too.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from dpcore.assurance.arrows import parts_of
from dpcore.domains import Array, Domain, NumberDomain, Numbers, Optional, Parts, Record, Rows, real
from dpcore.metrics import items

Held: TypeAlias = tuple[str, object]

HUGE: Final = (10**13, 10**30, -(10**13))
"""Numbers that change the layout of a column on a grid of hundredths, and of any grid."""


def carriers(data: object, domain: Domain) -> Iterator[Held]:
    """Every other way to hold these data, with its name."""
    for name, column in (("typed arrays", typed), ("arrays of objects", objects)):
        held = _held(data, domain, column)
        if held is not None:
            yield name, held


def differing(
    data: object, domain: Domain, expected: object, run: Callable[[object], object], same: Callable[[object], bool]
) -> str | None:
    """What comes out for the same data on another carrier, in words, where it is not the same."""
    for name, held in carriers(data, domain):
        try:
            found = run(held)
        except Exception as error:  # whatever it is: from a list it was not raised
            return f"{type(error).__name__} from {name}, {expected!r} from a list"
        if not same(found):
            return f"{found!r} from {name}, {expected!r} from a list"
    return None


def with_a_huge_row(data: object, domain: Domain) -> object | None:
    """The rows with one more, which holds a number too large for the arithmetic of columns; None where none can."""
    if not isinstance(domain, Rows) or domain.size is not None:
        return None
    rows = list(items(data))
    for of, put in _numbers_of(domain.of, rows):
        for huge in HUGE:
            if of.member(huge):
                return [*rows, put(huge)]
    return None


def _numbers_of(of: Domain, rows: list[object]) -> Iterator[tuple[Domain, Callable[[object], object]]]:
    """Where a row holds a number, and the row with another in its place."""
    if isinstance(_proper(of), NumberDomain):
        yield of, lambda x: x
    elif isinstance(of, Record) and rows:
        first = _record(rows[0])
        for name, inner in of.fields:
            if isinstance(_proper(inner), NumberDomain):
                yield inner, partial(_with_field, first, name)


def _with_field(record: Mapping[str, object], name: str, value: object) -> object:
    return {**record, name: value}


def _record(row: object) -> Mapping[str, object]:
    assert isinstance(row, Mapping), row
    return row


def _proper(domain: Domain) -> Domain:
    inner: Domain = domain.of if isinstance(domain, Optional) else domain
    return inner


Column: TypeAlias = "Callable[[Sequence[object], Domain], Array | None]"


def _held(data: object, domain: Domain, column: Column) -> object | None:
    if isinstance(domain, Parts):
        parts = {key: _rows(rows, domain.of, column) for key, rows in parts_of(data).items()}
        return None if any(held is None for held in parts.values()) else parts
    return _rows(data, domain.of, column) if isinstance(domain, Rows) else None


def _rows(data: object, of: Domain, column: Column) -> object | None:
    rows = list(items(data))
    if not isinstance(of, Record):
        return column(rows, of)
    records = [_record(row) for row in rows]
    columns = {name: column([row[name] for row in records], field) for name, field in of.fields}
    if not columns or all(found is None for found in columns.values()):
        return None
    # A field that numpy has no type for is held as objects beside the others.
    return {
        name: objects([row[name] for row in records], field) if columns[name] is None else columns[name]
        for name, field in of.fields
    }


def objects(values: Sequence[object], domain: Domain) -> Array:
    """An array of Python values, of one dimension also where they are sequences."""
    found = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        found[i] = value
    return found


def typed(values: Sequence[object], domain: Domain) -> Array | None:
    """As numpy holds values of one type, what is missing being masked; None where it cannot hold just these."""
    missing = [value is None for value in values]
    present = [value for value in values if value is not None]
    array = _array(present, _proper(domain)) if present else None
    if array is None:
        return None
    filled = np.repeat(array[:1], len(values))
    filled[np.flatnonzero(~np.array(missing))] = array
    return np.ma.MaskedArray(filled, missing) if any(missing) else filled


def _array(values: list[object], domain: Domain) -> Array | None:
    types = {type(value) for value in values}
    if types == {bool}:
        return np.array(values)
    if types == {datetime.date}:
        return np.array(values, dtype="datetime64[D]")
    if types == {str}:
        texts = np.array(values)
        return texts if texts.tolist() == values else None  # numpy drops NUL characters at the end
    if types == {int} and not isinstance(domain, Numbers):
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            return None
    if types <= {int, float, Fraction} and isinstance(domain, Numbers):
        floats = [_float(value) for value in values]
        return np.array(floats) if all(map(_same, floats, values)) else None
    return None


def _float(value: object) -> float:
    assert isinstance(value, (int, float, Fraction)), value
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _same(found: float, value: object) -> bool:
    """Whether the float stands for the number, as its shortest decimal."""
    return real(found) == real(value)
