"""Where data come in and go out. Between the two, arrows hold rows as a `Table` of whatever engine the rows came with.

Membership is checked here, once, when data come in. What is no member is refused before anything is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

import numpy as np

from dpcore.domains import Array, Domain, Integers, Parts, Rows, Vector
from dpcore.engines.frames.batched import table_of
from dpcore.engines.frames.carriers import column_given, source_of
from dpcore.engines.frames.reading import asked
from dpcore.engines.many_rows import for_polars
from dpcore.engines.numpy.arrays import given, holds_rows, table_of_arrays
from dpcore.engines.numpy.lists import FEW_ROWS, columns_of
from dpcore.engines.numpy.table import Columns, NumpyColumns
from dpcore.engines.outside import not_in
from dpcore.engines.python_rows import PythonRows, fresh
from dpcore.engines.table import Table
from dpcore.errors import InvalidData

D = TypeVar("D", bound=Domain)

# ---- in ----------------------------------------------------------------------------------------------------------


def receive(data: object, domain: Domain) -> object:
    """Members of the domain in the form in which arrows compute with them."""
    if isinstance(domain, Rows):
        return table(data, domain)
    if isinstance(domain, Parts):
        parts = domain.held(data)
        if parts is None:
            domain.check(data)
        assert parts is not None
        return {key: _part(i, part, domain) for i, (key, part) in enumerate(parts.items())}
    domain.check(data)
    return domain.canonical(data)


def _part(i: int, data: object, domain: Parts[Domain]) -> Table:
    try:
        return table(data, Rows(domain.of))
    except InvalidData as error:
        place = error.headline.removeprefix("the data are not in the input domain").removeprefix(": ")
        bridge = error.bridge
    raise InvalidData(f"the data are not in the input domain: part {i}, {place}", expected=domain, bridge=bridge)


def table(data: object, domain: Rows[D]) -> Table:
    """The data as a table, after checking that they are in the domain: as columns where they can be, else as rows."""
    if isinstance(data, np.ndarray):
        if not holds_rows(data, domain.of):
            return by_arrays(data, domain)
        data = [None if row is np.ma.masked else row for row in data]
    if isinstance(data, Mapping):
        return by_arrays(data, domain)
    if type(data) in (list, tuple):
        rows = cast("Sequence[object]", data)
        few = len(rows) < FEW_ROWS or domain.size not in (None, len(rows))
        return (None if few else by_columns(rows, domain)) or by_rows(data, domain)
    source = asked(lambda: source_of(data))
    if source is not None:
        return asked(lambda: source.queried(domain)) or table_of(source, domain)
    return by_rows(data, domain)


def by_arrays(data: object, domain: Rows[D]) -> Table:
    """An array, or columns by the names of the fields."""
    arrays = given(data, domain, column_given)
    read = partial(table_of_arrays, arrays, domain)
    if not for_polars(len(arrays[0])):
        return read()
    from dpcore.engines.queries.arrays import asked_of_polars

    return asked_of_polars(arrays, domain, read)


def by_columns(data: Sequence[object], domain: Rows[D]) -> NumpyColumns | None:
    """A list of plain values of the domain as columns; None where the rows have to be read one by one."""
    columns = columns_of(data, domain.of)
    return None if columns is None else NumpyColumns(Columns(columns, len(data)), domain.of)


def by_rows(data: object, domain: Rows[D]) -> PythonRows:
    """A sequence of rows, checked and held one by one: the definition of what the data are."""
    place = domain.offence(data)
    if place is not None:
        # What can be read once only is not taken: a second release would find it empty.
        raise not_in(domain, place, "list(...) of it" if isinstance(data, Iterator) else None)
    assert isinstance(data, Sequence)
    return PythonRows([domain.of.canonical(row) for row in data], domain.of)


def as_array(data: object) -> Array | None:
    """A list of int itself, no subclass, as an array of 64 bits, where all of them fit into one."""
    if type(data) is not list or set(map(type, data)) != {int}:
        return None
    try:
        return np.array(data, dtype=np.int64)
    except OverflowError:
        return None


def receive_array(data: Array, domain: Vector[Domain]) -> object:
    """A vector of whole numbers as an array of 64 bits, not to be written into; a list where it does not fit into one."""
    domain.check(data)
    whole = isinstance(domain.of, Integers) and data.dtype.kind in "iu" and not isinstance(data, np.ma.MaskedArray)
    if not whole or (data.dtype.kind == "u" and data.dtype.itemsize == 8 and data.size and int(data.max()) >= 1 << 63):
        return domain.canonical(data)
    return np.asarray(data).astype(np.int64, copy=False)


# ---- out ---------------------------------------------------------------------------------------------------------


def hand_out(value: object) -> object:
    """A value in the form in which a caller reads it."""
    if isinstance(value, Table):
        return value.given_out(value.in_memory())
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: part if type(part) is int else hand_out(part) for key, part in value.items()}
    return fresh(value)


def hand_out_array(value: object) -> object:
    """A release of a vector that came as an array: a list of whole numbers is an array as well, of Python integers where
    one of them does not fit into 64 bits. Nothing wraps."""
    if isinstance(value, np.ndarray):
        return value
    if type(value) is not list or set(map(type, value)) - {int}:
        return hand_out(value)
    try:
        return np.array(value, dtype=np.int64)
    except OverflowError:
        return np.array(value, dtype=np.object_)
