"""Arrays from outside, one for each field or one for all, as a table; what is no member is refused by its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import numpy as np

from dpcore.domains import Array, Domain, Graphs, Optional, Record, Rows, Vector
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import Column, objects
from dpcore.engines.numpy.few_texts import few_texts
from dpcore.engines.numpy.lists import column_in
from dpcore.engines.numpy.matrices import entry, is_matrix
from dpcore.engines.numpy.reading import Offence, read, unread
from dpcore.engines.numpy.table import Columns, Made, NumpyColumns
from dpcore.engines.outside import not_in

D = TypeVar("D", bound=Domain)

MANY_TEXTS: Final = 1 << 13
"""Fewer are looked at one by one in no time."""


def holds_rows(data: Array, of: Domain) -> bool:
    """Whether only an array of Python objects can hold such rows, and no column of single values can."""
    inner = of.of if isinstance(of, Optional) else of
    return data.ndim == 1 and isinstance(inner, (Record, Graphs, Vector))


def given(data: object, domain: Rows[D], as_column: Callable[[object], Given | None]) -> list[Given]:
    """One array, of single values or a matrix of vectors; or columns by the names of the fields, in the order of these."""
    arrays = _by_name(data, domain, as_column) if isinstance(data, Mapping) else [_single(data, domain)]
    check_size(len(arrays[0]), domain)
    return [_few(array, of) for array, (_, of) in zip(arrays, fields_of(domain.of), strict=True)]


def table_of_arrays(arrays: Sequence[Given], domain: Rows[D], first: int | None = 0) -> NumpyColumns:
    """These, checked. `first` is the number of the first row; None where rows have no order."""
    columns = columns_read(fields_of(domain.of), arrays, domain, first)
    return NumpyColumns(Columns(columns, len(arrays[0])), domain.of)


def fields_of(of: Domain) -> Sequence[tuple[str | None, Domain]]:
    """The columns that rows have: by the names of their fields, or one without a name."""
    return of.fields if isinstance(of, Record) else [(None, of)]


def _single(data: object, domain: Rows[D]) -> Array:
    assert isinstance(data, np.ndarray)
    if data.ndim != 1 and not is_matrix(data, domain.of):
        raise not_in(domain, f"expected an array of 1 dimension but got one of {data.ndim}")
    return data


def _by_name(
    data: Mapping[object, object], domain: Rows[D], as_column: Callable[[object], Given | None]
) -> list[Given]:
    record = domain.of
    if not isinstance(record, Record):
        raise not_in(domain, "expected one array but got columns by name")
    for name, _ in record.fields:
        if name not in data:
            raise not_in(domain, record.missing(name, data))
    arrays = [_of_a_field(name, inner, data, domain, as_column) for name, inner in record.fields]
    if len(data) != len(arrays) and not record.open:
        raise not_in(domain, record.undeclared(data))
    if len({len(array) for array in arrays}) > 1:
        raise not_in(domain, "columns of unequal length")
    return arrays


def _few(data: Given, domain: Domain) -> Given:
    """Texts of which a few stand in many rows as those."""
    known = isinstance(data, (Coded, np.ma.MaskedArray)) or len(data) < MANY_TEXTS
    if known or not of_texts(domain):
        return data
    return few_texts(np.asarray(data)) or data


def _of_a_field(
    name: str,
    of: Domain,
    data: Mapping[object, object],
    domain: Rows[D],
    as_column: Callable[[object], Given | None],
) -> Given:
    array = as_column(data[name])
    if array is None:
        raise not_in(domain, f"field {name!r}, expected a column of values but got a {type(data[name]).__name__}")
    if isinstance(array, np.ndarray) and array.ndim != 1 and not is_matrix(array, of):
        raise not_in(domain, f"field {name!r}, expected an array of 1 dimension but got one of {array.ndim}")
    return array


def columns_read(
    fields: Sequence[tuple[str | None, Domain]], given: Sequence[Given], domain: Rows[D], start: int | None
) -> dict[str | None, Made]:
    """The columns, by the names of their fields; otherwise the first offence, by row and then by field, as it would be met
    in Python rows. The first row has the number `start`; None where rows have no order."""
    columns: dict[str | None, Made] = {}
    first: tuple[int, str, str] | None = None
    for (name, of), data in zip(fields, given, strict=True):
        if isinstance(data, np.ndarray) and data.ndim != 1 and not is_matrix(data, of):
            data = objects(data.tolist())  # lists where single values are wanted: no member, and so it is said
        column = _of_objects(data, of) or unread(data, of) or read(data, of)
        if not isinstance(column, Offence):
            columns[name] = column
        elif first is None or column.index < first[0]:
            row = "a row" if start is None else f"row {start + column.index}"
            place = row if name is None else f"{row}, field {name!r}"
            first = column.index, place, of.offence(entry(data, column.index)) or ""
    if first is not None:
        _, place, reason = first
        raise not_in(domain, f"{place}, {reason}" if reason else place)
    return columns


def _of_objects(data: Given, domain: Domain) -> Column | None:
    """Python values, which are read as those of a list; None for anything else, and where one may be no member."""
    if (
        not isinstance(data, np.ndarray)
        or isinstance(data, np.ma.MaskedArray)
        or data.dtype != object
        or data.ndim != 1
    ):
        return None
    return column_in(data.tolist(), domain)


def of_texts(domain: Domain) -> bool:
    """Whether it is made of texts, and null."""
    return domain.types() - {type(None)} == {str}


def check_size(size: int, domain: Rows[D]) -> None:
    if domain.size is not None and size != domain.size:
        raise not_in(domain, f"another number of rows than the declared {domain.size}")
