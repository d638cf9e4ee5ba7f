"""Hadamard response: one bit about the truth, which a public coin chooses, and which is flipped by a private one.

The answers are the columns 1 to k of the Hadamard matrix of a size K > k, a power of 2, whose entry in row j and column c
is +1 where j and c have an even number of ones in common, and -1 elsewhere. A row j is drawn, all equally likely, and the
report is (j, whether the entry of the true answer is +1), the second part flipped with probability 1 - p. However many
answers there are, a report takes log2(K) + 1 bits, and at a small epsilon the estimates are about as good as the best
(Bassily, Smith 2015; Acharya, Sun, Zhang 2019).
"""

from __future__ import annotations

from collections import Counter
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


def size_of(k: int) -> int:
    """The least power of 2 above k."""
    return 1 << k.bit_length()


def entry(j: int, column: int) -> bool:
    """Whether the entry of the matrix is +1."""
    return (j & column).bit_count() % 2 == 0


def _report(value: object, *, answers: tuple[Hashable, ...], p: Fraction, bits: BitSource) -> tuple[int, bool]:
    (place,) = [i for i, answer in enumerate(answers, 1) if key(answer) == key(value)]
    j = bits.below(size_of(len(answers)))
    return j, entry(j, place) == bernoulli(p, bits)


def _reports(
    values: Sequence[object], *, answers: tuple[Hashable, ...], p: Fraction, bits: BitSource
) -> Sequence[object]:
    """The same of each of several values, at once."""
    from dpcore.noise import samples  # not for whoever only asks for a loss

    if len(values) < samples.FEW:
        return [_report(value, answers=answers, p=p, bits=bits) for value in values]
    places = {key(a): i for i, a in enumerate(answers, 1)}
    n, last = len(values), size_of(len(answers)) - 1
    rows = samples.as_list(samples.uniform(0, last, n, bits))
    truly = samples.coins(p, n, bits)
    return [(j, entry(j, places[key(x)]) == true) for x, j, true in zip(values, rows, truly, strict=True)]


def _rather_true(*, p: Exact) -> None:
    if not is_formula(p) and 2 * p < 1:
        raise InvalidParameter(
            f"Expected 1/2 <= p < 1 but got p={p}: the bit would be false more often than true", produced=p
        )


@rule(
    run=_report,
    name="hadamard_response",
    writes=(Parameter("answers", CONSTANTS), Parameter("k", COUNT), Parameter("p", UNIT)),
    requires=_rather_true,
    of_each=_reports,
)
def hadamard_response_loss(d: Number, *, p: Number) -> Number:
    """`log( p/(1-p) )`: the row of the matrix has nothing to do with the value, and the bit is true with probability p. d is
    0 or 1."""
    return d * log(p / (1 - p))


@final
@dataclass(frozen=True, slots=True, repr=False)
class HadamardResponse(Randomizer):
    """See `hadamard_response`."""

    p: Exact

    word = "hadamard_response"

    def __post_init__(self) -> None:
        between_0_and_1(self.p, "p")
        _rather_true(p=self.p)

    @overload
    def __call__(
        self, space: Space[Booleans, DiscreteDistance]
    ) -> Measurement[Booleans, DiscreteDistance, PureDP, tuple[int, bool]]: ...
    @overload
    def __call__(
        self, space: Space[Categories[H], DiscreteDistance]
    ) -> Measurement[Categories[H], DiscreteDistance, PureDP, tuple[int, bool]]: ...
    def __call__(self, space: Space[D, M]) -> object:
        return self.applied(space)

    def applied(self, space: Space[D, M]) -> Measurement[D, M, PureDP, Any]:
        answers = answers_of(self, space)
        parameters = {"answers": answers, "k": len(answers), "p": self.p}
        return measurement_of(self, space, PureDP(), hadamard_response_loss, parameters)

    def chances(self, k: int) -> Chances:
        """Where another answer is the truth, half of the rows have the entry that speaks for this one."""
        return told_apart(probability(self.p, "p"), Fraction(1, 2), self, "p above 1/2")

    def speaking(self, reports: Sequence[object], answers: Sequence[Hashable]) -> list[int]:
        counts, size = [0] * len(answers), size_of(len(answers))
        pairs = [report for report in reports if isinstance(report, tuple) and len(report) == 2]
        if not all(type(j) is int and 0 <= j < size and type(bit) is bool for j, bit in pairs) or len(pairs) < len(
            reports
        ):
            raise no_report(self)
        for (j, bit), many in Counter(pairs).items():  # there are few different ones
            for i in range(len(answers)):
                counts[i] += many * (entry(j, i + 1) == bit)
        return counts


def hadamard_response(p: Numeric) -> HadamardResponse:
    """Which bit of the truth is told, a public coin says; it is true with probability p: `hadamard_response("3/4")`."""
    return HadamardResponse(exact(p, "p"))
