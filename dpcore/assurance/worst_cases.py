"""The worst pair at each distance: of a transformation by exact distances, of a measurement by exact distributions."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from typing import Final

import numpy as np

from dpcore.assurance.arrows import AnyMeasurement, AnyTransformation, Steps, as_shown, promised, seeds, turned
from dpcore.assurance.comparisons import Comparison, claims_at
from dpcore.assurance.divergences import Masses
from dpcore.assurance.line import Line
from dpcore.assurance.universe import Members
from dpcore.distributions import Distribution
from dpcore.errors import NoDistribution
from dpcore.maps import numeral
from dpcore.maps.bounds import Bound
from dpcore.metrics import L2Distance
from dpcore.noise.bits import SeededBits

MOST_CELLS: Final = 30_000_000
MOST_OUTCOMES: Final = 500_000


def worst_moves(f: AnyTransformation, tried: Members) -> tuple[Line, ...]:
    """For each finite distance the pair whose images lie farthest apart.

    The rows of the second are turned round: their order means nothing, so nothing may depend on it. Both see one key.
    """
    found: dict[Steps, tuple[Steps | float, object, object]] = {}
    for seed in seeds(f):
        images = [f(x, bits=SeededBits(seed)) for x in tried]
        again = [f(turned(x, f.input), bits=SeededBits(seed)) for x in tried]
        for x, image in zip(tried, images, strict=True):
            for y, other in zip(tried, again, strict=True):
                d = f.input.metric.carried(x, y)
                if isinstance(d, float):
                    continue
                moved = f.output.metric.carried(image, other)
                if d not in found or moved > found[d][0]:
                    found[d] = moved, x, y
    return tuple(_moved(f, d, *found[d]) for d in sorted(found))


def _moved(f: AnyTransformation, d: Steps, moved: Steps | float, x: object, y: object) -> Line:
    """Compared as they are carried, which is exact."""
    true = math.inf if isinstance(moved, float) else Bound(numeral(moved))
    shown = as_shown(d, f.input.metric)
    figure = "distance, squared" if isinstance(f.output.metric, L2Distance) else "distance"
    return Line(shown, figure, true, promised(f, d), x, y, exact=True, steps=d)


def worst_losses(m: AnyMeasurement, tried: Members) -> tuple[tuple[Line, ...], Fraction]:
    """For each finite distance and figure of the loss the pair that it says least of, and how much was left out."""
    table = _Table(m, tried)
    lines: list[Line] = []
    for d, pairs in sorted(table.by_distance.items()):
        found = [table.worst(comparison, d, pairs) for comparison in claims_at(m, d)]
        if found:
            lines.append(max(found, key=lambda line: line.use))
    return tuple(lines), table.left_out


class _Table:
    """The distributions of all data sets, and again with the rows turned round, as rows of one table of outcomes."""

    def __init__(self, m: AnyMeasurement, tried: Members) -> None:
        self.m, self.tried = m, tried
        self.first: list[Distribution] = []
        for x in tried:
            self.first.append(m.distribution(x))
            if len(self.first[-1]) * len(tried) > MOST_OUTCOMES:  # the others have about as many
                raise NoDistribution(
                    f"the releases on {len(tried)} data sets have more than {MOST_OUTCOMES} outcomes to be written out",
                    bridge="a universe of fewer values, or fewer rows; or audit(...)",
                )
        backwards = [turned(x, m.input) for x in tried]
        self.second = [
            known if y == x else m.distribution(y) for x, y, known in zip(tried, backwards, self.first, strict=True)
        ]
        self.left_out = max((d.left_out for d in (*self.first, *self.second)), default=Fraction(0))
        number: dict[Hashable, int] = {}
        for found in (*self.first, *self.second):
            for outcome in found.masses:
                number.setdefault(outcome, len(number))
        if len(tried) * len(number) > MOST_CELLS:
            raise NoDistribution(
                f"{len(tried)} data sets of {len(number)} outcomes are more than {MOST_CELLS} probabilities",
                bridge="a universe of fewer values, or fewer rows",
            )
        self.rows = [_row(d, number) for d in self.first]
        self.columns = [
            row if d is known else _row(d, number)
            for d, known, row in zip(self.second, self.first, self.rows, strict=True)
        ]
        self.by_distance: dict[Steps, list[tuple[int, int]]] = {}
        for i, x in enumerate(tried):
            for j, y in enumerate(tried):
                d = m.input.metric.carried(x, y)
                if not isinstance(d, float):
                    self.by_distance.setdefault(d, []).append((i, j))

    def worst(self, comparison: Comparison, d: Steps, pairs: list[tuple[int, int]]) -> Line:
        """The pair is found with floats; what it loses is then enclosed."""

        def about(pair: tuple[int, int]) -> float:
            i, j = pair
            out, other = self.first[i].left_out, self.second[j].left_out
            return comparison.quick(self.rows[i], self.columns[j], float(out), float(other))

        i, j = max(pairs, key=about)
        p, q = self.first[i], self.second[j]
        true = comparison.true(p, q)
        shown = as_shown(d, self.m.input.metric)
        x, y = self.tried[i], self.tried[j]
        exact = p.complete and q.complete
        return Line(shown, comparison.figure, true, comparison.claimed, x, y, exact=exact, steps=d)


def _row(d: Distribution, number: dict[Hashable, int]) -> Masses:
    found = np.zeros(len(number))
    for outcome, mass in d.floats.items():
        found[number[outcome]] = mass
    return found
