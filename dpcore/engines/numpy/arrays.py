"""Arrays from outside, one for each field or one for all, as a table; what is no member is refused by its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from dpcore.domains import Array, Domain, Graphs, Optional, Record, Rows, Vector
from dpcore.engines.numpy.matrices import entry, is_matrix
from dpcore.engines.numpy.reading import Offence, read, unread
from dpcore.engines.numpy.table import Columns, Made, NumpyColumns
from dpcore.engines.outside import not_in

D = TypeVar("D", bound=Domain)


def holds_rows(data: Array, of: Domain) -> bool:
    """Whether only an array of Python objects can hold such rows, and no column of single values can."""
    inner = of.of if isinstance(of, Optional) else of
    return data.ndim == 1 and isinstance(inner, (Record, Graphs, Vector))


def from_array(data: Array, domain: Rows[D]) -> NumpyColumns:
    """One array, of single values, or a matrix of vectors."""
    if data.ndim != 1 and not is_matrix(data, domain.of):
        raise not_in(domain, f"expected an array of 1 dimension but got one of {data.ndim}")
    _check_size(len(data), domain)
    column = unread(data, domain.of) or read(data, domain.of)
    if isinstance(column, Offence):
        raise not_in(domain, _place(data, column.index, domain.of, f"row {column.index}"))
    return NumpyColumns(Columns({None: column}, len(data)), domain.of)


def from_columns(data: Mapping[object, object], domain: Rows[D]) -> NumpyColumns:
    """Arrays by the names of the fields."""
    record = domain.of
    if not isinstance(record, Record):
        raise not_in(domain, "expected one array but got columns by name")
    for name, _ in record.fields:
        if name not in data:
            raise not_in(domain, record.missing(name, data))
    arrays = {name: _of_a_field(name, inner, data, domain) for name, inner in record.fields}
    if len(data) != len(arrays) and not record.open:
        raise not_in(domain, record.undeclared(data))
    sizes = {len(array) for array in arrays.values()}
    if len(sizes) > 1:
        raise not_in(domain, "columns of unequal length")
    size = sizes.pop()
    _check_size(size, domain)
    return NumpyColumns(Columns(_columns(arrays, domain, record), size), record)


def _of_a_field(name: str, of: Domain, data: Mapping[object, object], domain: Rows[D]) -> Array:
    array = data[name]
    if not isinstance(array, np.ndarray):
        raise not_in(domain, f"field {name!r}, expected a numpy array but got a {type(array).__name__}")
    if array.ndim != 1 and not is_matrix(array, of):
        raise not_in(domain, f"field {name!r}, expected an array of 1 dimension but got one of {array.ndim}")
    return array


def _columns(arrays: Mapping[str, Array], domain: Rows[D], record: Record) -> dict[str | None, Made]:
    """The columns; otherwise the first offence, by row and then by field, as it would be met in Python rows."""
    columns: dict[str | None, Made] = {}
    first: tuple[int, str, Domain] | None = None
    for name, inner in record.fields:
        column = unread(arrays[name], inner) or read(arrays[name], inner)
        if not isinstance(column, Offence):
            columns[name] = column
        elif first is None or column.index < first[0]:
            first = column.index, name, inner
    if first is not None:
        index, name, inner = first
        raise not_in(domain, _place(arrays[name], index, inner, f"row {index}, field {name!r}"))
    return columns


def _check_size(size: int, domain: Rows[D]) -> None:
    if domain.size is not None and size != domain.size:
        raise not_in(domain, f"another number of rows than the declared {domain.size}")


def _place(data: Array, index: int, domain: Domain, place: str) -> str:
    inner = domain.offence(entry(data, index))
    return f"{place}, {inner}" if inner else place
