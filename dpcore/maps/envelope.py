"""Which of many lines is highest at a point, looked up among the few that are highest anywhere.

What is looked up only proposes: the middles of enclosures are compared, so where two lines are nearly as high the lower of
them may be named. Whoever asks evaluates that line, and a bound that holds for every line holds for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from flint import arb

from dpcore.maps.kinds import ball_of
from dpcore.maps.numbers import Number


def highest(lines: Iterable[tuple[Number, Number]]) -> Callable[[Number], int]:
    """Of lines `a - b x`, given as (a, b), the place of one that is about the highest at x."""
    middles = [(ball_of(b).mid(), ball_of(a).mid(), place) for place, (a, b) in enumerate(lines)]
    kept: list[tuple[arb, arb, int]] = []
    until: list[arb] = []  # up to where each line that is kept is the highest; the last one is from there on
    for line in sorted(middles, reverse=True):  # the steeper a line, the further to the left it is the highest
        if kept and kept[-1][0] == line[0]:
            continue  # a parallel one that is no higher
        while kept and until and not _crossing(kept[-1], line) > until[-1]:
            del kept[-1], until[-1]
        if kept:
            until.append(_crossing(kept[-1], line))
        kept.append(line)
    return lambda x: kept[bisect_left(until, ball_of(x).mid())][2]


def _crossing(steeper: tuple[arb, arb, int], flatter: tuple[arb, arb, int]) -> arb:
    """Where the one overtakes the other."""
    return ((steeper[1] - flatter[1]) / (steeper[0] - flatter[0])).mid()
