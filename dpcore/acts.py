"""What a rule does with its premises: how its release is made of theirs, and at which distances it asks for their maps.

A rule says both when it is stated. Readers of certificates and whoever draws many releases at once go by it.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

D = TypeVar("D")


class Release(Enum):
    """How the release of a rule is made."""

    BY_RUN = "nothing is known of it but its run"
    NOISED = "independent noise on each coordinate: of n copies of a value side by side it is n releases"
    CHAINED = "each premise on what the one before gave"
    SAME = "that of its premise"
    THEN = "a function of that of its premise"
    TOGETHER = "a tuple of those of its premises, on the same data"
    BY_PART = "a dict by key: for each part of the data that of its premise"
    JOINTLY = "a tuple: of each pair of premises, the second on what the first gave"
    IN_STAGES = "a tuple, each entry of a measurement that was chosen by those before it"


class Premises(Enum):
    """Where a rule asks for the maps of its premises."""

    NONE = "there are none"
    AT_D = "at the distance that it is asked for itself"
    AT_1 = "at distance 1"
    IN_TURN = "the first at the distance that it is asked for itself, each other at what the one before gave"
    IN_PAIRS = "of each pair the first at distance 1, the second at what the first gave"

    @property
    def all_at_one_distance(self) -> bool:
        return self not in (Premises.IN_TURN, Premises.IN_PAIRS)

    def follows(self, i: int) -> bool:
        """Whether premise i is asked at what the one before it gave."""
        return i > 0 and (self is Premises.IN_TURN or (self is Premises.IN_PAIRS and i % 2 == 1))

    def start(self, d: D, one: D) -> D:
        """The distance of each premise that follows no other."""
        return one if self in (Premises.AT_1, Premises.IN_PAIRS) else d
