"""What conversions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

from dpcore.calculus import Curve, Premises, Raw, Release, Rule, Run, Witness, rule
from dpcore.calculus.parameters import FIGURES, UNIT, Parameter
from dpcore.maps import ZERO, Number, ends, exp, maximum, numeral
from dpcore.maps.envelope import highest

Delta = Parameter("delta", UNIT)
Slack = Parameter("slack", UNIT)
Epsilons = Parameter("epsilons", FIGURES)


def same(data: object, release: Run) -> object:
    return release(data)


def recounting(
    writes: tuple[Parameter, ...] = (), witness: Witness | None = None
) -> Callable[[Callable[..., Raw]], Rule]:
    """A rule whose release is that of its premise, and its loss recounted from the loss there."""
    return rule(run=same, writes=writes, witness=witness, release=Release.SAME, premises=Premises.AT_D, on_arrays=True)


def lines_of(epsilon: Number, delta: Number) -> tuple[tuple[Number, Number], tuple[Number, Number]]:
    """Both lines that the trade-off curve of (epsilon, delta) lies above, each as a and b of `a - b alpha`."""
    few = exp(-epsilon)
    return (1 - delta, exp(epsilon)), (few * (1 - delta), few)


def two_lines(alpha: Number, epsilon: Number, delta: Number) -> Number:
    """The trade-off curve of (epsilon, delta): both lines that it must lie above, and zero."""
    return maximum(ZERO, 1 - delta - exp(epsilon) * alpha, exp(-epsilon) * (1 - delta - alpha))


def highest_lines(profile: Curve, epsilons: Sequence[Fraction]) -> Curve:
    """The highest of the lines of some eps, about: every one of them is a bound, so one that is looked up is."""
    pairs = [(numeral(x), profile(numeral(x))) for x in epsilons]
    place = highest(line for x, delta in pairs for line in lines_of(x, delta))
    return lambda alpha: two_lines(alpha, *pairs[place(alpha) // 2])


MANY: Final = 4096
"""How many points of a curve a witness has at most; the checker takes no more."""


PAIRS: Final = 100_000
"""How many lines at how many points a checker looks at within its limit of work."""

FEW: Final = 16
"""Lines of a curve that is asked for at more points than that. Near a convex curve few are enough: from one point to the
next that has a line, the highest lies below the curve by at most a quarter of the width times the change of slope."""


def spread_out(points: Iterable[Number]) -> list[Number]:
    """Of the points that a curve is asked for, those for which a line is found: all, or a few from the first to the last."""
    by_place = {ends(point): point for point in points}
    ordered = [by_place[place] for place in sorted(by_place)]
    if len(ordered) ** 2 <= PAIRS:
        return ordered
    return [ordered[i * (len(ordered) - 1) // (FEW - 1)] for i in range(FEW)]


def thinned(points: Iterable[Fraction], most: int = MANY) -> tuple[Fraction, ...]:
    """In rising order, and no more than a witness may have."""
    ordered = sorted(set(points))
    if len(ordered) <= most:
        return tuple(ordered)
    return tuple([ordered[i * len(ordered) // most] for i in range(most)])
