"""Models fitted in rounds. Noise on counts and on sums at once has too many outcomes to try them all."""

from __future__ import annotations

import dpcore as dp
from tests.laws.examples.example import L1, Example, Examples

INTERVAL = dp.rows(dp.vector(dp.numbers(-1, 1, 1), 1, L1, 1))


def clusters() -> object:
    return INTERVAL >> dp.lloyd(2, 1, dp.pure(2), [[-1], [1]])


def mean() -> object:
    """Descent towards the mean of the rows."""
    return INTERVAL >> dp.descend(lambda at: [dp.row()[0] - at[0]], 1, dp.pure(1), clip=1, start=[0], size=3, step=1)


LEARNED: Examples = [Example("lloyd", clusters, ([-1], [1])), Example("descend", mean, ([-1], [1]))]
