"""How data come in and go out. Between the two, the arrows hold rows as a `Table` of whatever engine the rows came with.

Membership is checked here, once, when data come in. What is no member is refused before anything is computed.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpcore.domains import Domain, Parts, Rows
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
        try:
            return {key: table(data[key], Rows(domain.of)) for key in domain.keys}
        except InvalidData:
            domain.check(data)  # says in which part
            raise
    domain.check(data)
    return domain.canonical(data)


def hand_out(value: object) -> object:
    """A value in the form in which a caller reads it."""
    if isinstance(value, Table):
        return value.rows()
    if isinstance(value, dict):
        return {key: hand_out(part) for key, part in value.items()}
    return fresh(value)
