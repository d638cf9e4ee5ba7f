"""One entry of each vector of a column, and vectors of the entries in several columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpcore.engines.numpy.columns import Column, Constant, Entries, OnColumns


def _entry(x: Column, place: Column) -> Column | None:
    if not isinstance(x, Entries) or not isinstance(place, Constant) or not isinstance(place.value, int):
        return None
    return x.columns[place.value]


def _vector(*entries: Column) -> Column | None:
    """A constant column holds its value once for all rows, and is spread over them where its vectors are looked at."""
    return Entries(entries)


COLUMNS: Final[Mapping[str, OnColumns]] = {"entry": _entry, "vector": _vector}
