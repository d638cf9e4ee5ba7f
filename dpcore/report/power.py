"""What follows from a claim for whoever tests: statements `P(E) <= e^eps Q(E) + delta`, and the largest true-positive rate
of any test, for each false-positive rate. From above, as exact rationals; `guarantee` shows them.

**Statements.** Each is got by a rule of dpcore from the claimed figures, which bound the loss from above, and is rounded up;
a claim of a curve is used at its points and nowhere else. More statements make a closer picture; every one is true alone.

**Tests.** A test is a function of the release that says "it is this data set, not the other". Let x be the probability with
which it says so wrongly, y that with which it says so rightly. From a statement, used for the test and, with the two data
sets exchanged, for its opposite,

    y <= delta + e^eps x        and        1 - x <= e^eps (1 - y) + delta,   that is   y <= 1 - e^-eps (1 - delta - x)

(Wasserman and Zhou 2010). Each is a line that no test is above. The least of all lines at hand is concave, and drawn from
corner to corner it is exact.

**A trade-off curve, claimed at some points only.** At each point (a, b) a test with the false-positive rate a has at most
the true-positive rate 1 - b. The largest true-positive rate y(x) grows with x; and y(x)/x falls, since y is concave (tests
can be mixed by a coin) and y(0) >= 0. So

    y(x) <= 1 - b   for x <= a        and        y(x) <= x (1 - b)/a   for x >= a > 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Final, TypeAlias, final

from dpcore.calculus import Raw, curve_in, pair_in
from dpcore.conversions.from_gaussian import gaussian_to_profile, gaussian_to_tradeoff
from dpcore.conversions.from_orders import approximate_zcdp_to_approx, renyi_to_approx, zcdp_to_approx_tight
from dpcore.errors import Undecided
from dpcore.maps import ONE, PRECISION, Number, at_precision, ends, exp, numeral
from dpcore.report.figures import Claim

Statement: TypeAlias = tuple[Fraction, Fraction]
"""An epsilon and its delta."""

Line: TypeAlias = tuple[Fraction, Fraction]
"""`y = slope x + start`."""

Point: TypeAlias = tuple[Fraction, Fraction]

NEVER, ALWAYS = Fraction(0), Fraction(1)
CEILING: Final[Line] = (NEVER, ALWAYS)

DELTAS: Final = tuple(Fraction(1, 10**12) * Fraction(8, 5) ** k for k in range(59))
"""Where losses without a delta of their own are turned into statements: from 10^-12 to about 0.7."""

TANGENTS: Final = 48
REACH: Final = 8
"""How many tangents of a Gaussian curve are drawn, and how many standard deviations out."""

GRAIN: Final = 1 << 60
"""Slopes are rounded up to parts of 1 of this size."""

STEEP: Final = 1000
"""Of a larger epsilon nothing is seen: e^1000 x is above 1 for every x that anybody would name."""

# ---- statements --------------------------------------------------------------------------------------------------------


def statements(claim: Claim) -> list[Statement]:
    """What follows from the claim, for events E of the release from data so far apart, in both orders."""
    return [(epsilon, delta) for epsilon, delta in _following(claim) if delta < 1]


def at_delta(claim: Claim, delta: Fraction) -> Statement | None:
    """The statement of the least epsilon at this delta that is claimed or follows; None where there is none."""
    if claim.measure == "zcdp":
        rho = _as_loss(numeral(claim.value("rho")))
        return _rounded(lambda: zcdp_to_approx_tight.map(ONE, rho, delta=numeral(delta), alpha=None))
    if claim.measure == "approximate_zcdp":
        return _beside(claim.value("rho"), claim.value("delta"), delta)
    if claim.measure == "renyi":
        each = (_of_order(alpha, epsilon, delta) for alpha, epsilon in claim.points)
        return min((pair for pair in each if pair is not None), default=None)
    return min((s for s in statements(claim) if s[1] <= delta), default=None)


def _following(claim: Claim) -> Iterable[Statement]:
    match claim.measure:
        case "pure":
            return [(claim.value("epsilon"), NEVER)]
        case "approx":
            return [(claim.value("epsilon"), claim.value("delta"))]
        case "total_variation":
            return [(Fraction(0), claim.value("delta"))]
        case "profile":
            return claim.points
        case "zcdp" | "approximate_zcdp" | "renyi":
            return [pair for delta in DELTAS if (pair := at_delta(claim, delta)) is not None]
        case "gaussian":
            return _of_gaussian(claim.value("mu"))
    return []  # of a trade-off curve its points say all


def _beside(rho: Fraction, delta: Fraction, at: Fraction) -> Statement | None:
    """What is left of a delta, beside that of the claim, is what the rest is converted at."""
    if at <= delta:
        return None
    loss = _as_loss((numeral(rho), numeral(delta)))
    return _rounded(lambda: approximate_zcdp_to_approx.map(ONE, loss, slack=numeral(at - delta), alpha=None))


def _of_order(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Statement | None:
    curve = _as_loss(lambda order: numeral(epsilon))  # it is asked at the order alpha only
    return _rounded(lambda: renyi_to_approx.map(ONE, curve, delta=numeral(delta), alpha=numeral(alpha)))


def _of_gaussian(mu: Fraction) -> Iterator[Statement]:
    profile = partial(gaussian_to_profile.map, ONE, _as_loss(numeral(mu * mu)))

    def at(epsilon: Number) -> Raw:
        return epsilon, curve_in(profile())(epsilon)

    for k in range(TANGENTS + 1):
        pair = _rounded(partial(at, numeral(mu * Fraction(k * REACH, TANGENTS))))
        if pair is not None:
            yield pair


def _as_loss(loss: Raw) -> Callable[[Number], Raw]:
    """The loss as a rule reads it of a premise."""
    return lambda d: loss


def _rounded(compute: Callable[[], Raw]) -> Statement | None:
    """The pair, rounded up; None where its figures grew beyond all use."""
    try:
        epsilon, delta = at_precision(PRECISION, lambda: pair_in(compute()))
        return ends(epsilon)[1], max(NEVER, ends(delta)[1])
    except (Undecided, OverflowError):
        return None


# ---- tests -------------------------------------------------------------------------------------------------------------


class Power(ABC):
    """The largest true-positive rate of any test, at every false-positive rate."""

    @abstractmethod
    def at(self, x: Fraction) -> Fraction:
        """No test with the false-positive rate x, or a lower one, has a true-positive rate above this."""

    @abstractmethod
    def corners(self) -> list[Point]:
        """The bound as a chain of straight pieces from x = 0 to x = 1, nowhere below `at`."""


def power(claim: Claim) -> Power:
    """What follows from the claim."""
    if claim.measure == "tradeoff":
        return Stepwise(tuple(sorted((a, 1 - min(ALWAYS, b)) for a, b in claim.points)))
    lines = {line for statement in statements(claim) for line in _lines(statement)}
    return Lines((*sorted(lines), CEILING), claim.value("mu") if claim.measure == "gaussian" else None)


@final
@dataclass(frozen=True, slots=True)
class Lines(Power):
    """The least of some lines; of Gaussian privacy the curve itself, which the lines only approach."""

    lines: tuple[Line, ...]
    mu: Fraction | None

    def at(self, x: Fraction) -> Fraction:
        least = min(slope * x + start for slope, start in self.lines)
        return least if self.mu is None else min(least, _gaussian(self.mu, x))

    def corners(self) -> list[Point]:
        """Walking along it, the flatter line that crosses first takes over."""
        slope, start = min(self.lines, key=lambda line: (line[1], line[0]))
        found = [(NEVER, start)]
        while True:
            crossings = [((b - start) / (slope - a), a, b) for a, b in self.lines if a < slope]
            at, a, b = min(crossings, default=(ALWAYS, slope, start))
            if at >= 1:
                return [*found, (ALWAYS, min(ALWAYS, slope + start))]
            slope, start = a, b
            found.append((at, slope * at + start))


@final
@dataclass(frozen=True, slots=True)
class Stepwise(Power):
    """The bound that follows from points `(a, 1 - b)`, in the order of a."""

    points: tuple[Point, ...]

    def at(self, x: Fraction) -> Fraction:
        flat = (y for a, y in self.points if a >= x)
        return min([ALWAYS, *flat, *([x * ray] if (ray := self._ray(x)) is not None else [])])

    def corners(self) -> list[Point]:
        """On each interval flat, or a ray through 0 and then flat."""
        found = [(NEVER, self.at(NEVER))]
        for end in (*(a for a, _ in self.points if a > 0), *([] if (ALWAYS, ALWAYS) in self.points else [ALWAYS])):
            start = found[-1][0]
            flat, ray = min([ALWAYS, *(y for a, y in self.points if a >= end)]), self._ray(start)
            if ray is None:
                found.append((start, flat))  # it may leap, right of 0
            elif ray > 0 and start < flat / ray < end:
                found.append((flat / ray, flat))
            found.append((end, self.at(end)))
        return found

    def _ray(self, x: Fraction) -> Fraction | None:
        """The least slope from 0 through a point that is not right of x."""
        return min((y / a for a, y in self.points if 0 < a <= x), default=None)


def _lines(statement: Statement) -> Iterator[Line]:
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
    """`1 - beta(x)`."""
    curve = curve_in(gaussian_to_tradeoff.map(ONE, _as_loss(numeral(mu * mu))))
    return 1 - max(NEVER, at_precision(PRECISION, lambda: ends(curve(numeral(x)))[0]))
