"""Every secret that is consistent with the answers: the exhaustive attack of Dinur and Nissim (2003, Theorem 2.2).

If all subsets of n people are counted within an error E, any bits that are consistent with that differ from the true ones in
at most 4 E places: of the people whose bit is 1 in the one and 0 in the other both counts are within E of one answer, so
there are at most 2 E of them; and so for 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from dpcore.attacks.subsets import Answers, Subsets, answered, bits_of, matrix, real
from dpcore.core.checks import number_of
from dpcore.errors import InvalidParameter
from dpcore.maps import show

MOST: Final = 20
"""So many people's bits are gone through, 2^20 of them."""

BLOCK: Final = 1 << 12


@final
@dataclass(frozen=True, slots=True)
class Consistent:
    """All bits that are consistent with the answers."""

    guesses: tuple[tuple[int, ...], ...]

    def furthest(self, secret: Sequence[int]) -> int:
        """In how many places the worst of them differs from the secret."""
        if not self.guesses:
            raise InvalidParameter("Expected a guess to compare with but nothing is consistent with the answers")
        return int(np.abs(np.asarray(self.guesses) - bits_of(secret, len(self.guesses[0]))).sum(axis=1).max())

    def __len__(self) -> int:
        return len(self.guesses)


def consistent(answers: Answers, subsets: Subsets, error: float, people: int) -> Consistent:
    """All bits whose counts are within the error of every answer: `consistent(answers, subsets, error=1, people=8)`."""
    people = number_of(people, "people", 1)
    if people > MOST:
        raise InvalidParameter(
            f"Expected 1 to {MOST} people but got people={show(people)}: all of their bits are gone through",
            produced=people,
            bridge="reconstruct(answers, queries, people)",
        )
    most = real(error, "error")
    if most < 0:
        raise InvalidParameter(f"Expected an error of at least 0 but got error={most}", produced=error)
    asked = matrix(subsets, people)
    given = answered(answers, len(asked))
    found: list[tuple[int, ...]] = []
    for first in range(0, 1 << people, BLOCK):
        numbers = np.arange(first, min(first + BLOCK, 1 << people))
        bits = numbers[:, None] >> np.arange(people) & 1
        near = (np.abs(bits @ asked.T - given) <= most).all(axis=1)
        found += [tuple(int(bit) for bit in row) for row in bits[near]]
    return Consistent(tuple(found))
