"""The distance between rows kept apart by key."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from dpcore.domains import Parts
from dpcore.errors import InvalidData, class_of
from dpcore.metrics.metric import Carried, Metric, multiset
from dpcore.metrics.rows import ChangeOneDistance, SymmetricDistance

P = TypeVar("P", SymmetricDistance, ChangeOneDistance)


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class PartDistance(Metric, Generic[P]):
    """A vector of distances, one for each part, taken together.

    Of SymmetricDistance: their sum. Of ChangeOneDistance: the least number of moves, a move being one row replaced inside
    a part, or taken out of part i and put into part j, or (where rows of no part are left out) taken out or put in.
    """

    of: P
    whole = True
    domains = (Parts,)

    def __init__(self, of: P | type[P]) -> None:
        object.__setattr__(self, "of", class_of(of, (SymmetricDistance, ChangeOneDistance), "of")())

    def __repr__(self) -> str:
        return f"PartDistance({self.of})"

    def carried(self, x: object, y: object) -> Carried:
        out, into = self._surplus(x, y), self._surplus(y, x)
        if isinstance(self.of, SymmetricDistance):
            return sum(out.values()) + sum(into.values())
        # Each move takes at most one row out and puts at most one in, and can always do both.
        return max(sum(out.values()), sum(into.values()))

    def vector(self, x: object, y: object) -> dict[Hashable, Carried]:
        """The symmetric distance within each part."""
        out, into = self._surplus(x, y), self._surplus(y, x)
        return {key: out[key] + into[key] for key in out}

    @staticmethod
    def _surplus(x: object, y: object) -> dict[Hashable, int]:
        if not (isinstance(x, Mapping) and isinstance(y, Mapping) and set(x) == set(y)):
            raise InvalidData("parts with different keys have no distance")
        return {key: (multiset(x[key]) - multiset(y[key])).total() for key in x}

    def words(self) -> str:
        return f"{self.of.words()}, in any of the parts"
