"""Tallies by keys as they are typed, for tests that ask for one of them twice."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dpcore.domains import Key, key
from dpcore.engines import KeyOf, Table


def tally(table: Table, by: KeyOf, bins: Sequence[Hashable]) -> list[int]:
    """How many rows have each key."""
    places: dict[Key, int] = {}
    wanted = [places.setdefault(key(b), len(places)) for b in bins]
    counts = table.tally(by, places)
    assert len(counts) == len(places)
    return [counts[place] for place in wanted]
