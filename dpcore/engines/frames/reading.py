"""Columns of a source, checked to be members of a domain, as a table. An offence is named by its row, field and reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from dpcore.domains import Domain, Record, Rows
from dpcore.engines.frames.source import Source
from dpcore.engines.numpy.arrays import check_size, columns_read
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.table import Columns, NumpyColumns
from dpcore.engines.outside import not_in
from dpcore.errors import DPError, InvalidData

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


def checked(columns: Sequence[Given], domain: Rows[D], first: int | None) -> NumpyColumns:
    """A batch as a table. `first` is the number of its first row; None where rows have no order."""
    read = columns_read(fields_of(domain.of), columns, domain, first)
    return NumpyColumns(Columns(read, len(columns[0])), domain.of)


def all_checked(source: Source, names: Sequence[str] | None, domain: Rows[D]) -> NumpyColumns:
    """All rows, in memory."""
    columns = asked(lambda: source.at_once(names))
    check_size(len(columns[0]), domain)
    return checked(columns, domain, 0 if source.ordered else None)


def fields_of(of: Domain) -> Sequence[tuple[str | None, Domain]]:
    """The columns that rows have: by the names of their fields, or one without a name."""
    return of.fields if isinstance(of, Record) else [(None, of)]


def asked(question: Callable[[], T]) -> T:
    """What another library answers. What it raises may hold values of the data, and is kept from view but for its type."""
    try:
        return question()
    except (DPError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raised = f"{type(error).__module__}.{type(error).__qualname__}"
    raise InvalidData(f"the data could not be read: {raised} was raised")
