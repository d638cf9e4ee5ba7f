"""Choosing the best of several candidates by their scores: permute-and-flip and the exponential mechanism.

Both release the index of a candidate. Under RangeDistance, where every step moves all scores one way, they cost half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar, final, overload

from dpcore.calculus import Rule, rule
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import expect
from dpcore.core.spaces import Named
from dpcore.core.steps import Step
from dpcore.core.typing import ME, D, M
from dpcore.domains import Integers, Numbers, Vector
from dpcore.errors import MetricMismatch, class_of
from dpcore.maps import Exact, Number, Numeric, exact, positive
from dpcore.measures import ZCDP, Measure, PureDP
from dpcore.metrics import LInfDistance, RangeDistance
from dpcore.noise import selection
from dpcore.noise.bits import BitSource
from dpcore.written.shared import Scale

V = TypeVar("V", Vector[Integers], Vector[Numbers])
N = TypeVar("N", LInfDistance, RangeDistance)
K = TypeVar("K", ZCDP, PureDP)


def _permute_and_flip(scores: Sequence[int | Fraction], *, scale: Fraction, bits: BitSource) -> int:
    return selection.permute_and_flip(scores, scale, bits)


@rule(run=_permute_and_flip, writes=(Scale,))
def permute_and_flip_linf(d: Number, *, scale: Number) -> Number:
    """`2d/scale` (McKenna and Sheldon 2020): one score may rise by d while the others fall by d."""
    return 2 * d / scale


@rule(run=_permute_and_flip, writes=(Scale,))
def permute_and_flip_range(d: Number, *, scale: Number) -> Number:
    """`d/scale`: on the way up all scores rise together, on the way down all fall, and each way costs its length."""
    return d / scale


def _exponential(scores: Sequence[int | Fraction], *, scale: Fraction, bits: BitSource) -> int:
    return selection.exponential(scores, scale, bits)


@rule(run=_exponential, writes=(Scale,))
def exponential_linf(d: Number, *, scale: Number) -> Number:
    """`(2d/scale)^2/8`: the log-likelihood ratio has a range of `2d/scale` (Cesar and Rogers 2021, Lemma 3.2)."""
    spread = 2 * d / scale
    return spread * spread / 8


@rule(run=_exponential, writes=(Scale,))
def exponential_range(d: Number, *, scale: Number) -> Number:
    """`(d/scale)^2/8`: the log-likelihood ratio has a range of `d/scale`."""
    spread = d / scale
    return spread * spread / 8


@rule(run=_exponential, writes=(Scale,))
def exponential_pure_linf(d: Number, *, scale: Number) -> Number:
    """`2d/scale` (McSherry and Talwar 2007): no log-likelihood ratio lies further from 0 than the range of them is long."""
    return 2 * d / scale


@rule(run=_exponential, writes=(Scale,))
def exponential_pure_range(d: Number, *, scale: Number) -> Number:
    """`d/scale`: the log-likelihood ratios have a range of `d/scale`, and 0 lies in it."""
    return d / scale


def _rule(step: Step, space: Space[D, M], linf: Rule, one_way: Rule) -> Rule:
    expect(step, space.domain, "a vector of scores", lambda d: isinstance(d, Vector))
    for kind, found in ((LInfDistance, linf), (RangeDistance, one_way)):
        if isinstance(space.metric, kind):
            return found
    raise MetricMismatch(
        "cannot chain: the metrics differ",
        right=step,
        produced=space.metric,
        expected=Named("LInfDistance or RangeDistance"),
        bridge="histogram(..., norm=RangeDistance), or to_metric(LInfDistance)",
    )


@final
@dataclass(frozen=True, slots=True, repr=False)
class PermuteAndFlip(Step):
    """See `permute_and_flip`."""

    scale: Exact

    word = "permute_and_flip"

    def __post_init__(self) -> None:
        positive(self.scale, "scale")

    def __call__(self, space: Space[V, N]) -> Measurement[V, N, PureDP, int]:
        found = _rule(self, space, permute_and_flip_linf, permute_and_flip_range)
        return measurement_of(self, space, PureDP(), found, {"scale": self.scale})


@final
@dataclass(frozen=True, slots=True, repr=False)
class Exponential(Step, Generic[ME]):
    """See `exponential`."""

    scale: Exact
    measure: type[ME]

    word = "exponential"
    defaults: ClassVar[Mapping[str, object]] = {"measure": ZCDP}

    def __post_init__(self) -> None:
        positive(self.scale, "scale")

    def __call__(self, space: Space[V, N]) -> Measurement[V, N, ME, int]:
        linf, one_way = _EXPONENTIAL[self.measure]
        found = _rule(self, space, linf, one_way)
        return measurement_of(self, space, self.measure(), found, {"scale": self.scale})


_EXPONENTIAL: Mapping[type[Measure], tuple[Rule, Rule]] = {
    ZCDP: (exponential_linf, exponential_range),
    PureDP: (exponential_pure_linf, exponential_pure_range),
}


def permute_and_flip(scale: Numeric) -> PermuteAndFlip:
    """The index of a candidate with a high score. Never worse than the exponential mechanism at the same loss."""
    return PermuteAndFlip(exact(scale, "scale"))


@overload
def exponential(scale: Numeric) -> Exponential[ZCDP]: ...
@overload
def exponential(scale: Numeric, *, measure: K | type[K]) -> Exponential[K]: ...
def exponential(scale: Numeric, *, measure: Measure | type[Measure] = ZCDP) -> object:
    """The index of a candidate, with probability proportional to `exp(score/scale)`. The loss is zCDP.

    With `measure=PureDP` it is pure: `exponential(scale=2, measure=PureDP)`.
    """
    return Exponential(exact(scale, "scale"), class_of(measure, _EXPONENTIAL, "measure"))
