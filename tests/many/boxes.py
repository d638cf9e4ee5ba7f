"""Somebody who asks how many people live in a box, and how far east, and looks closer where he was told of many."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpcore as dp
from dpcore.noise.bits import SeededBits
from dpcore.types import OnlineWeights

X, Y = dp.field("x"), dp.field("y")


@dataclass(frozen=True)
class Places:
    """People, each in one cell of a square."""

    side: int
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    shares: NDArray[np.float64]
    """Of each cell, the share of the people in it."""

    @property
    def size(self) -> int:
        return len(self.x)

    def space(self) -> Any:
        cell = dp.integers(0, self.side - 1)
        return dp.rows(dp.record(x=cell, y=cell), dp.ChangeOneDistance(), size=self.size)

    def columns(self) -> dict[str, NDArray[np.int64]]:
        return {"x": self.x, "y": self.y}


def places(side: int, size: int) -> Places:
    """Many live in one quarter, and where depends on how."""
    dice = np.random.default_rng(1)
    x = np.minimum(side - 1, dice.gamma(2, side / 16, size).astype(np.int64))
    y = np.minimum(side - 1, (x / 2 + dice.gamma(3, side / 25, size)).astype(np.int64))
    shares = np.zeros((side, side))
    np.add.at(shares, (x, y), 1 / size)
    return Places(side, x, y, shares)


def asked(
    people: Places, begun: dp.types.Interactive[Any, Any, Any, Any], queries: int, seed: int, *, numbers: bool = True
) -> float:
    """The largest error of so many answers; infinite, where fewer were given.

    With `numbers` how far east those in the box live is asked as well, as a share of the way.
    """
    weights: OnlineWeights[dp.PureDP] = begun.start(people.columns(), bits=SeededBits(seed))
    dice, worst = Random(seed), 0.0
    box = whole = [0, people.side, 0, people.side]
    while len(weights.told) < queries:
        if weights.over:
            return float("inf")
        axis = dice.randrange(2)
        low, high = box[2 * axis : 2 * axis + 2]
        if high - low < 2:
            box = whole
            continue
        half = [*box]
        half[2 * axis + 1] = dice.randrange(low + 1, high)
        a, b, c, d = half
        inside = (a <= X) & (b > X) & (c <= Y) & (d > Y)
        shares = people.shares[a:b, c:d].sum(axis=1)
        told = weights.ask(inside)
        worst = max(worst, abs(told - float(shares.sum())))
        if numbers and _goes_on(weights, queries) and dice.random() < 0.1:
            how_far = weights.ask(dp.when(inside).then(X / people.side).otherwise(0))
            worst = max(worst, abs(how_far - float(shares @ np.arange(a, b)) / people.side))
        box = half if told > 1 / 50 and dice.random() < 0.8 else whole
    return worst


def _goes_on(weights: OnlineWeights[dp.PureDP], queries: int) -> bool:
    return len(weights.told) < queries and not weights.over
