"""The sparse vector technique: which of many queries lie above a threshold. Only those found above are paid for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar, final

from dpcore.calculus import Parameters, rule
from dpcore.calculus.parameters import COUNT, POSITIVE, WHOLE, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import expect, number_of
from dpcore.core.spaces import Named
from dpcore.core.steps import Step
from dpcore.domains import Integers, Vector
from dpcore.errors import MetricMismatch
from dpcore.maps import Exact, Number, Numeric, exact, integer, positive
from dpcore.measures import PureDP
from dpcore.metrics import LInfDistance, RangeDistance
from dpcore.noise import discrete_laplace
from dpcore.noise.bits import BitSource

N = TypeVar("N", LInfDistance, RangeDistance)


SPARSE = (
    Parameter("threshold", WHOLE),
    Parameter("threshold_scale", POSITIVE),
    Parameter("query_scale", POSITIVE),
    Parameter("hits", COUNT),
)


def _above(
    answers: Sequence[int],
    *,
    threshold: int,
    threshold_scale: Fraction,
    query_scale: Fraction,
    hits: int,
    bits: BitSource,
) -> list[bool]:
    noisy = threshold + discrete_laplace.sample(threshold_scale, bits)
    found: list[bool] = []
    for answer in answers:
        found.append(answer + discrete_laplace.sample(query_scale, bits) >= noisy)
        if found[-1] and sum(found) == hits:
            break
    return found


@rule(run=_above, writes=SPARSE)
def above_threshold_linf(d: Number, *, threshold_scale: Number, query_scale: Number, hits: Number) -> Number:
    """`d/b_T + 2 c d/b_Q` (Lyu, Su, Li 2017, Theorem 2), every query moving by at most d, stopping at the c-th hit."""
    return d / threshold_scale + 2 * hits * d / query_scale


@rule(run=_above, writes=SPARSE)
def above_threshold_range(d: Number, *, threshold_scale: Number, query_scale: Number, hits: Number) -> Number:
    """`d/b_T + c d/b_Q` (Lyu, Su, Li 2017, Theorem 3), of a range of at most d (see `RangeDistance`)."""
    return d / threshold_scale + hits * d / query_scale


@final
@dataclass(frozen=True, slots=True, repr=False)
class AboveThreshold(Step):
    """See `above_threshold`."""

    threshold: Exact
    threshold_scale: Exact
    query_scale: Exact
    hits: int = 1

    word = "above_threshold"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"hits": 1}

    def __post_init__(self) -> None:
        integer(self.threshold, "threshold")
        positive(self.threshold_scale, "threshold_scale")
        positive(self.query_scale, "query_scale")
        number_of(self.hits, "hits", 1)

    def __call__(self, space: Space[Vector[Integers], N]) -> Measurement[Vector[Integers], N, PureDP, list[bool]]:
        expect(
            self,
            space.domain,
            "a vector of whole numbers",
            lambda d: isinstance(d, Vector) and isinstance(d.of, Integers),
        )
        rules = {LInfDistance: above_threshold_linf, RangeDistance: above_threshold_range}
        found = rules.get(type(space.metric))
        if found is None:
            raise MetricMismatch(
                "cannot chain: the metrics differ",
                right=self,
                produced=space.metric,
                expected=Named("LInfDistance or RangeDistance"),
                bridge="histogram(..., norm=LInfDistance), or to_metric(LInfDistance)",
            )
        return measurement_of(self, space, PureDP(), found, self.parameters)

    @property
    def parameters(self) -> Parameters:
        """What its rules are given."""
        return {
            "threshold": self.threshold,
            "threshold_scale": self.threshold_scale,
            "query_scale": self.query_scale,
            "hits": self.hits,
        }


def above_threshold(
    threshold: Numeric, *, threshold_scale: Numeric, query_scale: Numeric, hits: int = 1
) -> AboveThreshold:
    """For each query in turn whether it lies above the threshold, both with noise, until `hits` of them did.

    The answers say only above or below, never by how much. The list ends with the last hit, or with the last query.
    """
    return AboveThreshold(
        exact(threshold, "threshold"),
        exact(threshold_scale, "threshold_scale"),
        exact(query_scale, "query_scale"),
        number_of(hits, "hits", 1),
    )
