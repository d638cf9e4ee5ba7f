"""The event that tells two samples of releases apart best, chosen on one half of them and counted on the other.

Statistics of a release are made from the first quarter of the samples: how much likelier it was on x than on y, its
coordinates, their projection on the difference of the means. On the second quarter the statistic and the threshold are
chosen; floats may guide the choice, for what they choose is then tested on releases that they have not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np

from dpcore.assurance.sampling import Releases
from dpcore.assurance.statistics import Floats, statistics

MOST_THRESHOLDS: Final = 4000


@final
@dataclass(frozen=True, slots=True)
class Event:
    """`statistic >= threshold`, and how often it happened among the releases kept for the test."""

    statistic: str
    threshold: float
    likelier_on_x: bool
    """Whether it is the event of x that is rare on y, or the other way round."""
    hits: int
    """On the data on which it is likelier."""
    other_hits: int
    of: int
    """So many releases of each were kept for the test."""


Score: TypeAlias = Callable[[Floats, Floats, int], Floats]
"""How good events are that happened so often on either side, out of so many releases."""


def best_event(on_x: Releases, on_y: Releases, score: Score) -> Event:
    """The best event by a score, and its counts in the second half."""
    n = len(on_x)
    quarter, half = n // 4, n // 2
    best: tuple[float, str, float, bool, Floats, Floats] | None = None
    for name, x, y in statistics(on_x, on_y, quarter):
        thresholds = _thresholds(np.concatenate([x[quarter:half], y[quarter:half]]))
        seen = [np.sort(side[quarter:half]) for side in (x, y)]
        hits = [(len(s) - np.searchsorted(s, thresholds, "left")).astype(float) for s in seen]
        for likelier_on_x, mine, theirs in ((True, hits[0], hits[1]), (False, hits[1], hits[0])):
            values = score(mine, theirs, half - quarter)
            at = int(np.argmax(values))
            if best is None or values[at] > best[0]:
                best = float(values[at]), name, float(thresholds[at]), likelier_on_x, x, y
    assert best is not None
    _, name, threshold, likelier_on_x, x, y = best
    mine, theirs = (x, y) if likelier_on_x else (y, x)
    counts = [int((side[half:] >= threshold).sum()) for side in (mine, theirs)]
    return Event(name, threshold, likelier_on_x, counts[0], counts[1], n - half)


def _thresholds(values: Floats) -> Floats:
    found = np.unique(values)
    if len(found) <= MOST_THRESHOLDS:
        return found
    return np.unique(np.quantile(values, np.linspace(0, 1, MOST_THRESHOLDS), method="lower"))


def surplus_score(factor: float, z: float) -> Score:
    """`p - e^epsilon q`, each pushed by about z standard errors to the safe side."""

    def score(mine: Floats, theirs: Floats, of: int) -> Floats:
        low, high = _pushed(mine, theirs, of, z)
        return low - factor * high

    return score


def ratio_score(delta: float, z: float) -> Score:
    """`log((p - delta)/q)`, each pushed by about z standard errors to the safe side."""

    def score(mine: Floats, theirs: Floats, of: int) -> Floats:
        low, high = _pushed(mine, theirs, of, z)
        above = np.maximum(low - delta, 0.0)
        return np.log(above, out=np.full_like(above, -math.inf), where=above > 0) - np.log(high)

    return score


def _pushed(mine: Floats, theirs: Floats, of: int, z: float) -> tuple[Floats, Floats]:
    p, q = mine / of, theirs / of
    low = p - z * np.sqrt(p * (1 - p) / of)
    high = q + z * np.sqrt(q * (1 - q) / of) + z * z / (2 * of)
    return low, high
