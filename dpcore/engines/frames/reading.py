"""Columns of a source, checked to be members of a domain, as a table. An offence is named by its row, field and reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from dpcore.domains import Domain, Record, Rows
from dpcore.engines.frames.source import Source
from dpcore.engines.numpy.arrays import check_size, table_of_arrays
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.engines.outside import not_in
from dpcore.errors import DPError, InvalidData
from dpcore.kinds import place_of

D = TypeVar("D", bound=Domain)
T = TypeVar("T")


def wanted(source: Source, domain: Rows[D]) -> Sequence[str] | None:
    """The columns to be read, in the order of the fields; those that were not declared are left aside."""
    names, record = asked(source.names), domain.of
    if names is None or not isinstance(record, Record):
        if names is None and not isinstance(record, Record):
            return None
        expected, met = ("columns by name", "one column") if names is None else ("one column", "columns by name")
        raise not_in(domain, f"expected {expected} but got {met}", None if names is None else 'frame["name"]')
    declared = [name for name, _ in record.fields]
    for name in declared:
        if name not in names:
            raise not_in(domain, record.missing(name, names))
        if list(names).count(name) > 1:
            raise not_in(domain, f"field {name!r} is there more than once")
    return declared


def all_checked(source: Source, names: Sequence[str] | None, domain: Rows[D]) -> NumpyColumns:
    """All rows, in memory."""
    columns = asked(lambda: source.at_once(names))
    check_size(len(columns[0]), domain)
    return table_of_arrays(columns, domain, 0 if source.ordered else None)


def asked(question: Callable[[], T]) -> T:
    """What another library answers. What it raises may hold values of the data, and is kept from view but for
    its type, or the base of it that anybody has."""
    try:
        return question()
    except (DPError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raised = place_of(error)
    raise InvalidData(
        f"the data could not be read: {raised} was raised",
        bridge="the library that holds these data, alone, on them: what it says may hold values, and is not repeated here",
    )
