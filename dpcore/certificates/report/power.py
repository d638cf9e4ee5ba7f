"""The largest true-positive rate that a test can have, for each false-positive rate: from above, as exact rationals.

A test is a function of the release that says "it is this data set, not the other". Let x be the probability with which it
says so wrongly, y that with which it says so rightly. From `P(E) <= e^eps Q(E) + delta`, used for the test and, with the
two data sets exchanged, for its opposite,

    y <= delta + e^eps x        and        1 - x <= e^eps (1 - y) + delta,   that is   y <= 1 - e^-eps (1 - delta - x)

(Wasserman and Zhou 2010). Each is a line that no test is above. The least of all lines at hand is concave, and drawn from
corner to corner it is exact. Of a trade-off curve, claimed at some points only, the steps between them are in `steps`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeAlias, final

from dpcore.certificates.report.claims import Claim
from dpcore.certificates.report.statements import Statement, statements
from dpcore.certificates.report.steps import stepwise
from dpcore.conversions import gaussian_to_tradeoff
from dpcore.conversions.shared import curve_in
from dpcore.maps import ONE, PRECISION, at_precision, ends, exp, numeral

Line: TypeAlias = tuple[Fraction, Fraction]
"""`y = slope x + start`."""

Point: TypeAlias = tuple[Fraction, Fraction]

ZERO_, ONE_ = Fraction(0), Fraction(1)
CEILING: Line = (ZERO_, ONE_)
GRAIN = 1 << 60
STEEP = 1000
"""Of a larger epsilon nothing is seen: e^1000 x is above 1 for every x that anybody would name."""


@final
@dataclass(frozen=True, slots=True)
class Power:
    """The bound at every false-positive rate."""

    claim: Claim
    lines: tuple[Line, ...]

    def at(self, x: Fraction) -> Fraction:
        """No test with the false-positive rate x, or a lower one, has a true-positive rate above this."""
        if self.claim.measure == "tradeoff":
            return stepwise(self.claim.points)(x)
        found = min(slope * x + start for slope, start in self.lines)
        return min(found, _gaussian(self.claim.value("mu"), x)) if self.claim.measure == "gaussian" else found

    def corners(self) -> list[Point]:
        """The bound as a chain of straight pieces from x = 0 to x = 1, nowhere below `at`."""
        if self.claim.measure == "tradeoff":
            return stepwise(self.claim.points).corners()
        return _corners(self.lines)


def power(claim: Claim) -> Power:
    """What follows from the claim."""
    lines = {line for statement in statements(claim) for line in _lines(statement)}
    return Power(claim, (*sorted(lines), CEILING))


def _lines(statement: Statement) -> Iterable[Line]:
    """Both lines, rounded up. The second with e^-eps from below: for x <= 1 - delta that is upwards, and beyond it, as
    everywhere, the ceiling holds."""
    epsilon, delta = statement
    if epsilon <= STEEP and delta < 1:
        _, high = at_precision(PRECISION, lambda: ends(exp(numeral(epsilon))))
        yield _up(high), _up(delta)
        fall = _up(1 / high) - Fraction(1, GRAIN)
        yield (fall, 1 - fall * (1 - delta)) if fall > 0 else CEILING


def _up(x: Fraction) -> Fraction:
    return Fraction(ceil(x * GRAIN), GRAIN)


def _gaussian(mu: Fraction, x: Fraction) -> Fraction:
    """`1 - beta(x)`, which the tangents only approach."""
    squared = numeral(mu * mu)
    curve = curve_in(gaussian_to_tradeoff.map(ONE, lambda d: squared))
    return 1 - max(ZERO_, at_precision(PRECISION, lambda: ends(curve(numeral(x)))[0]))


def _corners(lines: Iterable[Line]) -> list[Point]:
    """The corners of the least of the lines on [0, 1]: walking along it, the flatter line that crosses first takes over."""
    at, remaining = ZERO_, sorted(set(lines), key=lambda line: (line[1], line[0]))
    here = remaining[0]
    found = [(at, here[1])]
    while True:
        crossings = [
            ((start - here[1]) / (here[0] - slope), slope, start) for slope, start in remaining if slope < here[0]
        ]
        if not crossings:
            break
        at, slope, start = min(crossings)
        if at >= 1:
            break
        here = (slope, start)
        found.append((at, slope * at + start))
    return [*found, (ONE_, min(ONE_, here[0] + here[1]))]
