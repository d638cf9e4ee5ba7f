"""What all learners need: a loss shared out, and the noise of which a release costs at most a share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Final, TypeAlias, final

from dpcore.core import Measurement
from dpcore.core.origins import Contents, Placed, SomeSpace
from dpcore.domains import Domain, NumberDomain, Numbers, Vector
from dpcore.engines.clipping import clipped
from dpcore.errors import InvalidParameter
from dpcore.maps import exact, known
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.laplace import laplace
from dpcore.measures.losses import Loss, PureLoss, ZCDPLoss
from dpcore.metrics import L1Distance, L2Distance, VectorMetric

Point: TypeAlias = tuple[Fraction, ...]

# Of which measure and on which space is checked when they are made, and types of steps cannot say it of both noises.
Release: TypeAlias = Measurement[Any, Any, Any, Any]
Onto: TypeAlias = Callable[[Any], Any]


@final
@dataclass(frozen=True, slots=True)
class Noisy:
    """How a loss of some kind is spent on sums: in which norm they are measured, and by what noise."""

    norm: type[VectorMetric]
    noise: Callable[[Fraction], Onto]
    scale: Callable[[Fraction], Fraction]
    """What multiplies the scale, where the loss is to be so many times less."""


def _root(x: Fraction) -> Fraction:
    """At least the square root, and more by at most a part in 2^40; itself, where it is rational."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    if p * p == x.numerator and q * q == x.denominator:
        return Fraction(p, q)
    bits = max(0, 42 + (x.denominator.bit_length() - x.numerator.bit_length() + 1) // 2)
    return Fraction(isqrt((x.numerator << 2 * bits) // x.denominator) + 1, 1 << bits)


MOST_ROUNDS: Final = 1 << 20

NOISES: Final[dict[type[Loss], Noisy]] = {
    PureLoss: Noisy(L1Distance, laplace, lambda ratio: ratio),
    ZCDPLoss: Noisy(L2Distance, gaussian, _root),
}


def noisy(loss: Loss, word: str) -> Noisy:
    """How the loss is spent; refused where it is not of a kind that sums are released in, or nothing at all."""
    found = NOISES.get(type(loss))
    if found is None:
        raise InvalidParameter(
            f"Expected pure(epsilon) or zcdp(rho) as the loss of {word} but got a {type(loss).__name__}",
            produced=loss,
            bridge="zcdp(rho), and .to(ApproxDP, delta=...) of the whole",
        )
    if any(part.exact is None or part.exact <= 0 for part in loss.parts):
        raise InvalidParameter(f"Expected a loss of exact numbers above 0 for {word}", produced=loss)
    return found


def scale_costing(build: Callable[[Fraction], Release], share: Loss) -> Fraction:
    """The scale at which what is built with it costs the share; of a root that is not rational, a hair more.

    The loss must be inverse to the scale (PureDP) or to its square (zCDP), as that of sums is.
    """
    [unit], [wanted] = build(Fraction(1)).loss(1).parts, share.parts
    assert wanted.exact is not None
    if unit.upper == 0:
        raise InvalidParameter("Expected sums that a row can move: these cost nothing, whatever the noise")
    return noisy(share, "sums").scale(Fraction(unit.upper) / wanted.exact)


def point(x: object, name: str) -> Point:
    """Exact coordinates, as they were typed."""
    given = x.tolist() if hasattr(x, "tolist") else x
    if not isinstance(given, (list, tuple)) or not given:
        raise InvalidParameter(f"Expected a list of numbers for {name} but got a {type(x).__name__}", produced=x)
    return tuple([Fraction(known(exact(v, name), name)) for v in given])


def onto(x: Sequence[Fraction], of: Vector[Domain]) -> Point:
    """The nearest grid point of the box, shortened to what the domain allows: a member."""
    assert isinstance(of.of, NumberDomain)
    assert of.of.grid is not None
    step = Fraction(known(of.of.grid))
    low, high = of.of.low, of.of.high
    rounded = [round(v / step) * step for v in x]
    inside = [v if low is None else max(v, Fraction(known(low))) for v in rounded]
    inside = [v if high is None else min(v, Fraction(known(high))) for v in inside]
    if of.norm is None or of.bound is None:
        return tuple(inside)
    return tuple(clipped(inside, Fraction(known(of.bound)), of.norm, step))


def typed(x: Sequence[Fraction], of: Vector[Domain]) -> list[int] | list[Fraction]:
    """As rows of the domain hold them."""
    return list(x) if isinstance(of.of, Numbers) else [int(v) for v in x]


class InRounds(Placed):
    """A step whose rounds are chosen from what was released before them."""

    __slots__ = ()

    def contents(self, space: SomeSpace) -> Contents:
        return Contents(unforeseen=f"what the rounds of {self!r} choose")
