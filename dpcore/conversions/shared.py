"""What conversions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

from dpcore.calculus import Curve, Premises, Raw, Release, Rule, Run, Witness, rule
from dpcore.calculus.parameters import FIGURES, UNIT, Parameter
from dpcore.maps import ZERO, Number, exp, maximum, numeral

Delta = Parameter("delta", UNIT)
Epsilons = Parameter("epsilons", FIGURES)


def same(data: object, release: Run) -> object:
    return release(data)


def recounting(
    writes: tuple[Parameter, ...] = (), witness: Witness | None = None
) -> Callable[[Callable[..., Raw]], Rule]:
    """A rule whose release is that of its premise, and its loss recounted from the loss there."""
    return rule(run=same, writes=writes, witness=witness, release=Release.SAME, premises=Premises.AT_D, on_arrays=True)


def two_lines(alpha: Number, epsilon: Number, delta: Number) -> Number:
    """The trade-off curve of (epsilon, delta): both lines that it must lie above, and zero."""
    return maximum(ZERO, 1 - delta - exp(epsilon) * alpha, exp(-epsilon) * (1 - delta - alpha))


def highest_lines(profile: Curve, epsilons: Sequence[Fraction]) -> Curve:
    """The highest of the lines of some eps."""
    pairs = [(numeral(x), profile(numeral(x))) for x in epsilons]
    return lambda alpha: maximum(*(two_lines(alpha, x, delta) for x, delta in pairs))


MANY: Final = 4096
"""How many points of a curve a witness has at most; the checker takes no more."""


def thinned(points: Iterable[Fraction], most: int = MANY) -> tuple[Fraction, ...]:
    """In rising order, and no more than a witness may have."""
    ordered = sorted(set(points))
    if len(ordered) <= most:
        return tuple(ordered)
    return tuple([ordered[i * len(ordered) // most] for i in range(most)])
