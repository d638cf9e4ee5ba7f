"""Randomized response: the true answer with probability p, otherwise one of the others. Each person alone (local)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import COUNT, UNIT, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import expect
from dpcore.core.steps import Step
from dpcore.core.typing import D, M
from dpcore.domains import Booleans, Categories, key
from dpcore.errors import InvalidParameter, MetricMismatch
from dpcore.maps import Exact, Number, Numeric, exact, is_formula, log
from dpcore.measures import PureDP
from dpcore.metrics import DiscreteDistance
from dpcore.noise.bernoulli import bernoulli
from dpcore.noise.bits import BitSource
from dpcore.written import CONSTANTS

H = TypeVar("H")


def _answer(value: object, *, answers: tuple[Hashable, ...], p: Fraction, bits: BitSource) -> object:
    truly = bernoulli(p, bits)
    found = [a for a in answers if (key(a) == key(value)) == truly]
    return found[0] if truly else found[bits.below(len(found))]


def _more_often_true_than_not(*, k: int, p: Exact) -> None:
    if not is_formula(p) and p < Fraction(1, k):
        raise InvalidParameter(
            f"Expected 1/{k} <= p < 1 for {k} answers but got p={p}: the truth would be the least likely answer",
            produced=p,
        )


@rule(
    run=_answer,
    name="randomized_response",
    writes=(Parameter("answers", CONSTANTS), Parameter("k", COUNT), Parameter("p", UNIT)),
    requires=_more_often_true_than_not,
)
def randomized_response_loss(d: Number, *, k: Number, p: Number) -> Number:
    """`log(p / ((1-p)/(k-1)))`: an answer has probability p from one value and `(1-p)/(k-1)` from any other. d is 0 or 1."""
    return d * log(p * (k - 1) / (1 - p))


@final
@dataclass(frozen=True, slots=True, repr=False)
class RandomizedResponse(Step):
    """See `randomized_response`."""

    p: Exact

    word = "randomized_response"

    def __post_init__(self) -> None:
        if not is_formula(self.p) and not 0 < self.p < 1:
            raise InvalidParameter(f"Expected 0 < p < 1 but got p={self.p}", produced=self.p)

    @overload
    def __call__(
        self, space: Space[Booleans, DiscreteDistance]
    ) -> Measurement[Booleans, DiscreteDistance, PureDP, bool]: ...
    @overload
    def __call__(
        self, space: Space[Categories[H], DiscreteDistance]
    ) -> Measurement[Categories[H], DiscreteDistance, PureDP, H]: ...
    def __call__(self, space: Space[D, M]) -> object:
        if not isinstance(space.metric, DiscreteDistance):
            raise MetricMismatch(
                "cannot chain: the metrics differ", right=self, produced=space.metric, expected=DiscreteDistance()
            )
        expect(self, space.domain, "categories or truth values", lambda d: isinstance(d, (Booleans, Categories)))
        known = space.domain.elements()
        assert known is not None
        answers = tuple(map(space.domain.given_out, known))
        k = len(answers)
        if k < 2:
            raise InvalidParameter("Expected at least two answers to choose from but got one", produced=space.domain)
        _more_often_true_than_not(k=k, p=self.p)
        return measurement_of(
            self, space, PureDP(), randomized_response_loss, {"answers": answers, "k": k, "p": self.p}
        )


def randomized_response(p: Numeric) -> RandomizedResponse:
    """The true answer with probability p, each other one with equal shares of the rest: `randomized_response("3/4")`."""
    return RandomizedResponse(exact(p, "p"))
