"""Linkage: what tables that hide everybody in a crowd say of one person, put together (Ganta, Kasiviswanathan, Smith 2008).

A table of k-anonymity has generalised cells, so that each row agrees with at least k - 1 others in all that an outsider may
know of a person. Of two such tables with one person in both, the secrets that each leaves possible have few in common.

A cell is a value; a text in which `*` stands for any one character, `"130**"`, or is all of it, `"*"`; a range of whole
numbers, `range(30)`; or a set of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from dpcore.errors import InvalidParameter

Row: TypeAlias = Mapping[str, object]


def link(tables: Sequence[Sequence[Row]], known: Mapping[str, object], secret: str) -> set[Hashable]:
    """The secrets that all tables leave possible of somebody in all of them: `link([a, b], {"age": 28}, "illness")`."""
    if not tables:
        raise InvalidParameter("Expected tables to link but got none", produced=tables)
    return set[Hashable].intersection(*(_possible(table, known, secret) for table in tables))


def anonymity(table: Sequence[Row], secret: str) -> int:
    """The k of the table: so many rows at least agree in all but the secret."""
    groups = Counter(tuple((name, repr(cell)) for name, cell in sorted(row.items()) if name != secret) for row in table)
    if not groups:
        raise InvalidParameter("Expected a table with rows but it has none", produced=table)
    return min(groups.values())


def _possible(table: Sequence[Row], known: Mapping[str, object], secret: str) -> set[Hashable]:
    """The secrets of the rows that may be the person's."""
    found: set[Hashable] = set()
    for number, row in enumerate(table):
        missing = sorted({secret, *known} - set(row))
        if missing:
            raise InvalidParameter(f"row {number} has no field {missing[0]!r}", produced=missing[0])
        hidden = row[secret]
        if not isinstance(hidden, Hashable):
            raise InvalidParameter(f"the secret of row {number} cannot be told from others", produced=type(hidden))
        if all(_may_be(row[name], value) for name, value in known.items()):
            found.add(hidden)
    return found


def _may_be(cell: object, value: object) -> bool:
    if isinstance(cell, (range, set, frozenset)):
        return value in cell
    if isinstance(cell, str) and "*" in cell:
        text = str(value)
        return cell == "*" or (len(cell) == len(text) and all(c in ("*", t) for c, t in zip(cell, text, strict=True)))
    return cell == value
