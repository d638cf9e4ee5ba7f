"""Randomized response: the true answer with probability p, otherwise one of the others. Each person alone (local)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import COUNT, UNIT, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import expect
from dpcore.core.steps import Step
from dpcore.core.typing import D, M
from dpcore.domains import Booleans, Categories, Domain, Rows, key
from dpcore.errors import InvalidParameter, MetricMismatch
from dpcore.maps import Exact, Number, Numeric, between_0_and_1, exact, is_formula, log
from dpcore.measurements.shares import Chances, Randomizer, ShareTrue, no_report, probability, told_apart
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


def _answers(
    values: Sequence[object], *, answers: tuple[Hashable, ...], p: Fraction, bits: BitSource
) -> Sequence[object]:
    """The same of each of several values, at once."""
    from dpcore.noise import samples  # not for whoever only asks for a loss

    if len(values) < samples.FEW:
        return [_answer(value, answers=answers, p=p, bits=bits) for value in values]
    places = {key(a): i for i, a in enumerate(answers)}
    truly = samples.coins(p, len(values), bits)
    others = samples.as_list(samples.uniform(1, len(answers) - 1, len(values), bits))  # how many places further on
    found = [places[key(value)] for value in values]
    return [
        answers[i if true else (i + more) % len(answers)] for i, true, more in zip(found, truly, others, strict=True)
    ]


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
    of_each=_answers,
)
def randomized_response_loss(d: Number, *, k: Number, p: Number) -> Number:
    """`log(p / ((1-p)/(k-1)))`: an answer has probability p from one value and `(1-p)/(k-1)` from any other. d is 0 or 1."""
    return d * log(p * (k - 1) / (1 - p))


def _listed(domain: Domain) -> bool:
    return isinstance(domain, (Booleans, Categories))


def answers_of(step: Step, space: Space[D, M]) -> tuple[Hashable, ...]:
    """All values of the domain, as they are given out; refused where one cannot be told from another by this metric."""
    if not isinstance(space.metric, DiscreteDistance):
        raise MetricMismatch(
            "cannot chain: the metrics differ",
            right=step,
            produced=space.metric,
            expected=DiscreteDistance(),
            bridge=f"locally({step!r}), to randomise each row alone" if isinstance(space.domain, Rows) else None,
        )
    expect(step, space.domain, "categories or truth values", _listed)
    elements = space.domain.elements()
    assert elements is not None
    answers = tuple(map(space.domain.given_out, elements))
    if len(answers) < 2:
        raise InvalidParameter("Expected at least two answers to choose from but got one", produced=space.domain)
    return answers


@final
@dataclass(frozen=True, slots=True, repr=False)
class RandomizedResponse(Randomizer):
    """See `randomized_response`."""

    p: Exact

    word = "randomized_response"

    def __post_init__(self) -> None:
        between_0_and_1(self.p, "p")

    @overload
    def __call__(
        self, space: Space[Booleans, DiscreteDistance]
    ) -> Measurement[Booleans, DiscreteDistance, PureDP, bool]: ...
    @overload
    def __call__(
        self, space: Space[Categories[H], DiscreteDistance]
    ) -> Measurement[Categories[H], DiscreteDistance, PureDP, H]: ...
    def __call__(self, space: Space[D, M]) -> object:
        return self.applied(space)

    def applied(self, space: Space[D, M]) -> Measurement[D, M, PureDP, Any]:
        answers = answers_of(self, space)
        k = len(answers)
        _more_often_true_than_not(k=k, p=self.p)
        return measurement_of(
            self, space, PureDP(), randomized_response_loss, {"answers": answers, "k": k, "p": self.p}
        )

    @property
    def estimate(self) -> ShareTrue:
        """Makes of reports of truth values an estimate of the share that is True, right on average: for `then`.

        Of reports of which a share y is True it is `1/2 + (y - 1/2)/(2p - 1)`.
        """
        self.chances(2)
        return ShareTrue(self)

    @property
    def variance(self) -> Fraction:
        """`p (1 - p)/(2p - 1)^2`: of the estimate from one truth value, whichever it is. Of n rows it is an n-th of it."""
        return self.chances(2).variance(Fraction(1), 1)

    def chances(self, k: int) -> Chances:
        p = probability(self.p, "p")
        more = f"; where rows have more answers than {k}, {self!r}.shares" if k == 2 else ""
        return told_apart(p, (1 - p) / (k - 1), self, f"p above 1/{k}, of {k} answers{more}")

    def speaking(self, reports: Sequence[object], answers: Sequence[Hashable]) -> list[int]:
        counts = Counter(map(key, reports))
        speaking = [counts[key(answer)] for answer in answers]
        if sum(speaking) < len(reports):
            raise no_report(self)
        return speaking


def randomized_response(p: Numeric) -> RandomizedResponse:
    """The true answer with probability p, each other one with equal shares of the rest: `randomized_response("3/4")`."""
    return RandomizedResponse(exact(p, "p"))
