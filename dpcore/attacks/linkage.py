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

from dpcore.attacks.subsets import listed
from dpcore.errors import InvalidParameter
from dpcore.functions import is_hashable, looked_at

Row: TypeAlias = Mapping[str, object]


def link(tables: Sequence[Sequence[Row]], known: Mapping[str, object], secret: str) -> set[Hashable]:
    """The secrets that all tables leave possible of somebody in all of them: `link([a, b], {"age": 28}, "illness")`."""
    a_mapping(known, "known")
    a_name(secret)
    return set[Hashable].intersection(*[_possible(table, known, secret) for table in listed(tables, "tables to link")])


def anonymity(table: Sequence[Row], secret: str) -> int:
    """The k of the table: so many rows at least agree in all but the secret."""
    a_name(secret)
    rows = [a_mapping(row, f"row {number}") for number, row in enumerate(listed(table, "a table with rows"))]
    groups = Counter(
        tuple([(name, _printed(row[name], number)) for name in sorted(row, key=repr) if name != secret])
        for number, row in enumerate(rows)
    )
    return min(groups.values())


def a_mapping(x: object, name: str) -> Row:
    """Refuse what has no fields by name."""
    if not isinstance(x, Mapping) or not all(isinstance(each, str) for each in x):
        raise InvalidParameter(
            f"Expected a mapping of names for {name} but got a {type(x).__name__}",
            produced=type(x),
            bridge='{"age": 28}',
        )
    return x


def a_name(x: object) -> None:
    if not isinstance(x, str):
        raise InvalidParameter(
            f"Expected the name of a field for secret but got a {type(x).__name__}", produced=type(x)
        )


def _possible(table: object, known: Row, secret: str) -> set[Hashable]:
    """The secrets of the rows that may be the person's."""
    found: set[Hashable] = set()
    for number, each in enumerate(listed(table, "a table", least=0)):
        row = a_mapping(each, f"row {number}")
        missing = sorted({secret, *known} - set(row))
        if missing:
            raise InvalidParameter(f"row {number} has no field {missing[0]!r}", produced=missing[0])
        hidden = row[secret]
        if not is_hashable(hidden):
            raise InvalidParameter(f"the secret of row {number} cannot be told from others", produced=type(hidden))
        if all(_may_be(row[name], value) for name, value in known.items()):
            found.add(hidden)
    return found


def _printed(cell: object, number: int) -> str:
    found = looked_at(lambda: repr(cell))
    if found is None:
        raise InvalidParameter(f"a cell of row {number} cannot be told from others", produced=type(cell))
    return found


def _may_be(cell: object, value: object) -> bool:
    """What cannot be compared with the cell is not in it."""
    if isinstance(cell, str) and "*" in cell:
        text = str(looked_at(lambda: str(value)))
        return cell == "*" or (len(cell) == len(text) and all(c in ("*", t) for c, t in zip(cell, text, strict=True)))
    if isinstance(cell, (range, set, frozenset)):
        return looked_at(lambda: value in cell) is True
    return looked_at(lambda: bool(cell == value)) is True
