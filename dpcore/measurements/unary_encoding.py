"""Unary encoding: one bit for each answer, each of them flipped by a coin of its own. RAPPOR and OUE are of this kind."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import COUNT, UNIT, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.typing import D, M
from dpcore.domains import Booleans, Categories, key
from dpcore.errors import InvalidParameter
from dpcore.maps import Exact, Number, Numeric, between_0_and_1, exact, is_formula, log
from dpcore.measurements.randomized_response import answers_of
from dpcore.measurements.shares import Chances, Randomizer, no_report, probability, told_apart
from dpcore.measures import PureDP
from dpcore.metrics import DiscreteDistance
from dpcore.noise.bernoulli import bernoulli
from dpcore.noise.bits import BitSource
from dpcore.written import CONSTANTS

H = TypeVar("H", bound=Hashable)


def _flipped(value: object, *, answers: tuple[Hashable, ...], p: Fraction, q: Fraction, bits: BitSource) -> list[bool]:
    return [bernoulli(p if key(answer) == key(value) else q, bits) for answer in answers]


def _each_flipped(
    values: Sequence[object], *, answers: tuple[Hashable, ...], p: Fraction, q: Fraction, bits: BitSource
) -> Sequence[object]:
    """The same of each of several values, at once."""
    from dpcore.noise import samples  # not for whoever only asks for a loss

    if len(values) < samples.FEW:
        return [_flipped(value, answers=answers, p=p, q=q, bits=bits) for value in values]
    places = {key(a): i for i, a in enumerate(answers)}
    rest, k = iter(samples.coins(q, len(values) * (len(answers) - 1), bits)), len(answers)
    reports = []
    for value, own in zip(values, samples.coins(p, len(values), bits), strict=True):
        place = places[key(value)]
        reports.append([own if i == place else next(rest) for i in range(k)])
    return reports


def _rather_true(*, p: Exact, q: Exact) -> None:
    if not is_formula(p) and not is_formula(q) and not q < p:
        raise InvalidParameter(
            f"Expected q < p but got p={p} and q={q}: the bit of the truth is to be set more often than another",
            produced=p,
            expected=q,
        )


@rule(
    run=_flipped,
    name="unary_encoding",
    writes=(Parameter("answers", CONSTANTS), Parameter("k", COUNT), Parameter("p", UNIT), Parameter("q", UNIT)),
    requires=_rather_true,
    of_each=_each_flipped,
)
def unary_encoding_loss(d: Number, *, p: Number, q: Number) -> Number:
    """`log( p (1-q) / (q (1-p)) )`: two values differ in two bits, each set with p from the one and q from the other. d is 0
    or 1."""
    return d * log(p * (1 - q) / (q * (1 - p)))


@final
@dataclass(frozen=True, slots=True, repr=False)
class UnaryEncoding(Randomizer):
    """See `unary_encoding`."""

    p: Exact
    q: Exact

    word = "unary_encoding"

    def __post_init__(self) -> None:
        between_0_and_1(self.p, "p")
        between_0_and_1(self.q, "q")
        _rather_true(p=self.p, q=self.q)

    @overload
    def __call__(
        self, space: Space[Booleans, DiscreteDistance]
    ) -> Measurement[Booleans, DiscreteDistance, PureDP, list[bool]]: ...
    @overload
    def __call__(
        self, space: Space[Categories[H], DiscreteDistance]
    ) -> Measurement[Categories[H], DiscreteDistance, PureDP, list[bool]]: ...
    def __call__(self, space: Space[D, M]) -> object:
        return self.applied(space)

    def applied(self, space: Space[D, M]) -> Measurement[D, M, PureDP, Any]:
        answers = answers_of(self, space)
        parameters = {"answers": answers, "k": len(answers), "p": self.p, "q": self.q}
        return measurement_of(self, space, PureDP(), unary_encoding_loss, parameters)

    def chances(self, k: int) -> Chances:
        return told_apart(probability(self.p, "p"), probability(self.q, "q"), self, "p above q")

    def speaking(self, reports: Sequence[object], answers: Sequence[Hashable]) -> list[int]:
        counts = [0] * len(answers)
        for report in reports:
            if not isinstance(report, list) or len(report) != len(answers) or not all(bit in (0, 1) for bit in report):
                raise no_report(self)
            for i, bit in enumerate(report):
                counts[i] += bit
        return counts


def unary_encoding(p: Numeric, q: Numeric | None = None) -> UnaryEncoding:
    """A bit for each answer, set with probability p for the truth and q for each other; q is `1 - p` unless it is said.

    `unary_encoding("3/4")` flips all bits alike, as the second coin of RAPPOR does (Erlingsson, Pihur, Korolova 2014).
    `unary_encoding("1/2", q)` is the optimized one (Wang, Blocki, Li, Jha 2017), of loss `log((1 - q)/q)`.
    """
    true = exact(p, "p")
    return UnaryEncoding(true, exact(1 - true if q is None else q, "q"))
