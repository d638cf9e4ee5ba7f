"""Engines: how rows are held and computed with. `table(data, domain)` picks one and checks the data first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar, cast

import numpy as np

from dpcore.domains import Array, Domain, Graphs, Optional, Record, Rows, Vector, bridge_for
from dpcore.engines.fresh import fresh
from dpcore.engines.lists import FEW_ROWS, columns_of
from dpcore.engines.matrices import entry, is_matrix
from dpcore.engines.numpy_columns import Columns, NumpyColumns
from dpcore.engines.python_rows import PythonRows
from dpcore.engines.reading import Offence, read
from dpcore.engines.table import Table
from dpcore.errors import InvalidData
from dpcore.expressions.columns import Column

D = TypeVar("D", bound=Domain)

__all__ = ["NumpyColumns", "PythonRows", "Table", "by_columns", "by_rows", "fresh", "table"]


def table(data: object, domain: Rows[D]) -> Table:
    """The data as a table, after checking that they are in the domain: as columns where they can be, else as rows."""
    if isinstance(data, np.ndarray):
        return _from_array(data, domain)
    if isinstance(data, Mapping):
        return _from_columns(data, domain)
    if type(data) in (list, tuple) and domain.size in (None, len(cast("Sequence[object]", data))):
        listed = cast("Sequence[object]", data)
        found = by_columns(listed, domain) if len(listed) >= FEW_ROWS else None
        if found is not None:
            return found
    return by_rows(data, domain)


def by_columns(data: Sequence[object], domain: Rows[D]) -> NumpyColumns | None:
    """A list of plain values of the domain as columns; None where the rows have to be read one by one."""
    found = columns_of(data, domain.of)
    return None if found is None else NumpyColumns(Columns(found, len(data)), domain.of)


def by_rows(data: object, domain: Rows[D]) -> PythonRows:
    """A sequence of rows, checked and held one by one: the definition of what the data are."""
    place = domain.offence(data)
    if place is not None:
        # What can be read once only is not taken: a second release would find it empty.
        raise _refusal(place, domain, "list(...) of it" if isinstance(data, Iterator) else None)
    assert isinstance(data, Sequence)
    return PythonRows([domain.of.canonical(row) for row in data], domain.of)


def _refusal(place: str, domain: Rows[D], bridge: str | None = None) -> InvalidData:
    return InvalidData(
        f"the data are not in the input domain: {place}", expected=domain, bridge=bridge or bridge_for(place)
    )


def _check_size(size: int, domain: Rows[D]) -> None:
    if domain.size is not None and size != domain.size:
        raise _refusal(f"another number of rows than the declared {domain.size}", domain)


def _from_array(data: Array, domain: Rows[D]) -> Table:
    if data.ndim != 1 and not is_matrix(data, domain.of):
        raise _refusal(f"expected an array of 1 dimension but got one of {data.ndim}", domain)
    inner = domain.of.of if isinstance(domain.of, Optional) else domain.of
    if isinstance(inner, (Record, Graphs)) or (isinstance(inner, Vector) and data.ndim == 1):
        # Only an array of Python objects can hold such rows, and no column of single values can.
        return table([None if x is np.ma.masked else x for x in data], domain)
    _check_size(len(data), domain)
    found = read(data, domain.of)
    if isinstance(found, Offence):
        raise _refusal(_place(data, found.index, domain.of, f"row {found.index}"), domain)
    return NumpyColumns(Columns({None: found}, len(data)), domain.of)


def _from_columns(data: Mapping[object, object], domain: Rows[D]) -> Table:
    if not isinstance(domain.of, Record):
        raise _refusal("expected one array but got columns by name", domain)
    arrays: dict[str, Array] = {}
    for name, inner in domain.of.fields:
        if name not in data:
            raise _refusal(f"field {name!r} is missing", domain)
        array = data[name]
        if not isinstance(array, np.ndarray):
            raise _refusal(f"field {name!r}, expected a numpy array but got a {type(array).__name__}", domain)
        if array.ndim != 1 and not is_matrix(array, inner):
            raise _refusal(f"field {name!r}, expected an array of 1 dimension but got one of {array.ndim}", domain)
        arrays[name] = array
    if len(data) != len(arrays) and not domain.of.open:
        raise _refusal(domain.of.undeclared(data), domain)
    sizes = {len(array) for array in arrays.values()}
    if len(sizes) > 1:
        raise _refusal("columns of unequal length", domain)
    size = sizes.pop()
    _check_size(size, domain)
    return NumpyColumns(Columns(_columns(arrays, domain, domain.of), size), domain.of)


def _columns(arrays: Mapping[str, Array], domain: Rows[D], record: Record) -> dict[str | None, Column]:
    """The columns; otherwise the first offence, by row and then by field, as it would be met in Python rows."""
    columns: dict[str | None, Column] = {}
    first: tuple[int, str, Domain] | None = None
    for name, inner in record.fields:
        found = read(arrays[name], inner)
        if isinstance(found, Column):
            columns[name] = found
        elif first is None or found.index < first[0]:
            first = found.index, name, inner
    if first is not None:
        index, name, inner = first
        raise _refusal(_place(arrays[name], index, inner, f"row {index}, field {name!r}"), domain)
    return columns


def _place(data: Array, index: int, domain: Domain, place: str) -> str:
    inner = domain.offence(entry(data, index))
    return f"{place}, {inner}" if inner else place
