"""How data come in and go out. Between the two, the arrows hold rows as a `Table` of whatever engine the rows came with.

Membership is checked here, once, when data come in. What is no member is refused before anything is computed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpcore.domains import Array, Domain, Integers, Parts, Rows, Vector
from dpcore.engines import Table, fresh, table
from dpcore.errors import InvalidData


def receive(data: object, domain: Domain) -> object:
    """Members of the domain in the form in which arrows compute with them."""
    if isinstance(domain, Rows):
        return table(data, domain)
    if isinstance(domain, Parts):
        if not isinstance(data, Mapping) or set(data) != set(domain.keys):
            domain.check(data)
        assert isinstance(data, Mapping)
        return {key: _part(i, data[key], domain) for i, key in enumerate(domain.keys)}
    domain.check(data)
    return domain.canonical(data)


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


def _part(i: int, data: object, domain: Parts[Domain]) -> Table:
    try:
        return table(data, Rows(domain.of))
    except InvalidData as error:
        place = error.headline.removeprefix("the data are not in the input domain").removeprefix(": ")
        bridge = error.bridge
    raise InvalidData(f"the data are not in the input domain: part {i}, {place}", expected=domain, bridge=bridge)


def hand_out(value: object) -> object:
    """A value in the form in which a caller reads it."""
    if isinstance(value, Table):
        return value.rows()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: hand_out(part) for key, part in value.items()}
    return fresh(value)
