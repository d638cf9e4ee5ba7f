"""Which fields a model holds together: the cliques of a junction tree, over which a distribution is known by its parts.

Fields that are counted together must stand in one clique. Which cliques that takes follows from eliminating one field
after another, each time the one that makes the smallest clique (Lauritzen and Spiegelhalter 1988; the order is a rule
of thumb). What two neighbouring cliques share, all cliques on the one side share with those on the other. Nothing here
sees data: `models` computes with it, `synthesize` bounds its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import TypeAlias, final

Fields: TypeAlias = tuple[int, ...]
"""Some fields, in ascending order."""


@final
@dataclass(frozen=True, slots=True)
class Junction:
    """Cliques, each behind the one that it hangs on."""

    sizes: tuple[int, ...]
    cliques: tuple[Fields, ...]
    above: tuple[int | None, ...]
    """For each clique the place of the one that it hangs on."""

    @property
    def cells(self) -> int:
        """How many numbers the model holds."""
        return sum(prod(self.sizes[i] for i in clique) for clique in self.cliques)

    def shared(self, clique: int) -> Fields:
        """What a clique shares with the one above it."""
        return _shared(self, clique)

    def home(self, fields: Fields) -> int | None:
        """The smallest clique that holds these fields."""
        return _home(self, fields)

    def way(self, start: int, end: int) -> list[int]:
        """The cliques from one to another."""
        up, down = self._upwards(start), self._upwards(end)
        meeting = next(clique for clique in up if clique in down)
        return up[: up.index(meeting) + 1] + down[: down.index(meeting)][::-1]

    def _upwards(self, clique: int) -> list[int]:
        found = [clique]
        while (parent := self.above[found[-1]]) is not None:
            found.append(parent)
        return found


@lru_cache(maxsize=1 << 10)
def _shared(junction: Junction, clique: int) -> Fields:
    """A fit asks for it in each of its steps."""
    parent = junction.above[clique]
    return () if parent is None else tuple([i for i in junction.cliques[clique] if i in junction.cliques[parent]])


@lru_cache(maxsize=1 << 12)
def _home(junction: Junction, fields: Fields) -> int | None:
    wanted = {*fields}
    holding = [number for number, clique in enumerate(junction.cliques) if wanted <= {*clique}]
    return min(holding, key=lambda number: prod(junction.sizes[i] for i in junction.cliques[number]), default=None)


def junction_of(sizes: Sequence[int], together: Iterable[Fields]) -> Junction:
    """A junction tree that holds each of these together, and every field."""
    maximal = _cliques(sizes, together)
    order: list[int] = [0]
    above: dict[int, int | None] = {0: None}
    while len(order) < len(maximal):
        ways = [(a, b) for a in order for b in range(len(maximal)) if b not in above]
        parent, child = max(ways, key=lambda way: len({*maximal[way[0]]} & {*maximal[way[1]]}))
        above[child] = order.index(parent)
        order.append(child)
    return Junction(tuple(sizes), tuple([maximal[i] for i in order]), tuple([above[i] for i in order]))


def _cliques(sizes: Sequence[int], together: Iterable[Fields]) -> list[Fields]:
    """Those that no other holds, as the fields are eliminated."""
    beside: dict[int, set[int]] = {i: set() for i in range(len(sizes))}
    for fields in together:
        for a, b in combinations(fields, 2):
            beside[a].add(b)
            beside[b].add(a)
    found: list[set[int]] = []
    while beside:
        least = min(beside, key=lambda i: prod(sizes[j] for j in beside[i] | {i}))
        around = beside.pop(least)
        if not any(around | {least} <= other for other in found):
            found.append(around | {least})
        for i in around:
            beside[i] |= around
            beside[i] -= {i, least}
    return [tuple(sorted(clique)) for clique in found]
