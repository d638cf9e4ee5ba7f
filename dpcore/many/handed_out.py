"""Synthetic rows as they are handed out: a list, a dict of columns, or a table of the library of another one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from dpcore.core.key_columns import key_columns
from dpcore.engines.frames.results import framing_of
from dpcore.errors import InvalidParameter

Columns = Mapping[str, Sequence[Hashable]]


def as_like(columns: Columns, values: Columns, like: object) -> object | None:
    """The columns as a table of the kind of `like`; None where that is a list, or nothing. `values` are all that each column
    can hold: these say of which type it is, and not those that came up."""
    framing = None if like is None else framing_of(like)
    if framing is None:
        if isinstance(like, Mapping):
            return dict(columns)
        if like is not None and not isinstance(like, (list, tuple)):
            raise InvalidParameter(
                f"Expected a table of a library for like but got a {type(like).__name__}",
                bridge="a frame, a dict of columns, or nothing",
            )
        return None
    made: dict[str, Any] = {}
    nullable: list[str] = []
    for name, column in columns.items():
        every = values[name]
        nullable += [name] if None in every else []
        for each, (kind, cells) in key_columns(name, [*every, *column]).items():
            made[each] = kind, cells[len(every) :]
    return framing(made, nullable)


def as_rows(columns: Columns) -> list[object]:
    """A dict for each row."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
