"""The shuffle model: reports of which nobody can say whose they are hide each other.

What is run is `locally`, which shuffles. What is claimed is less, at the price of a delta: nobody who sees all reports in an
order drawn fairly knows which of them to look at.

Bound. Feldman, McMillan, Talwar (2021), "Hiding Among the Clones", Theorem 3.1. Let each of n rows be randomised alone by
one randomizer of a pure loss e. If `16 e^e log(2/delta) <= n`, replacing one row costs (eps, delta), where

    eps = log(1 + (e^e - 1)/(e^e + 1) (8 sqrt(e^e log(4/delta)/n) + 8 e^e/n)).

Argument. Let x and y differ in one row, whose laws of a report are P and Q. These are mixtures of two laws A and B, weighed
e^e to 1 and 1 to e^e; and every other row reports, with probability e^-e, by A or B as a fair coin says. Of C + 1 reports
by A or B, that of the row in question among them, a are by A and b by B. Their order is fair, so all that tells P from Q
is that a by A and b by B are a/b times as likely if that row's report is by A. So the loss is more than eps only where
a > (1 + k) b, for k the factor of (e^e - 1)/(e^e + 1). With k' = 8 sqrt(e^e log(2/delta)/n) <= k, which the condition keeps
below 2, and h = k'/(2 + 2k'), then (1 + h)^(a - (1 + k') b) is at least 1. Its average, with a fair coin also for the row in
question, is at most (1 - e^-e k'^2/64)^n, which is at most delta/2; and a coin that is not fair makes it at most twice that.
`Clones.shuffled_pure` is this in Coq.

Where eps would be above e, it is e, which holds without any delta. Outside of the condition nothing is claimed, and it is
refused. So it is where the number of rows is not known, or not public: more and less rows are told apart by the number of
reports.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, final, overload

from dpcore.calculus import Premises, Raw, Reading, number_in, rule
from dpcore.calculus.parameters import UNIT, Parameter
from dpcore.combinators.locally import OfOneRow, R, a_randomizer, bound_randomizer, randomized, reports
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.spaces import Named
from dpcore.core.steps import Step, Values
from dpcore.core.typing import D, M, T
from dpcore.domains import Booleans, Categories, Rows
from dpcore.errors import DomainMismatch, InvalidParameter
from dpcore.maps import (
    Exact,
    Number,
    Numeric,
    between_0_and_1,
    exact,
    exp,
    is_formula,
    log,
    minimum,
    numeral,
    one_like,
    sqrt,
    substitute,
)
from dpcore.maps.bounds import Bound
from dpcore.measurements.hadamard_response import HadamardResponse
from dpcore.measurements.randomized_response import RandomizedResponse
from dpcore.measurements.unary_encoding import UnaryEncoding
from dpcore.measures import ApproxDP, PureDP
from dpcore.metrics import ChangeOneDistance, DiscreteDistance
from dpcore.written.shared import Size

H = TypeVar("H", bound=Hashable)


@rule(
    run=reports,
    name="shuffled_pure",
    writes=(Size, Parameter("delta", UNIT)),
    premises=Premises.AT_1,
    inverse=False,
)
def shuffled_pure(d: Number, loss: Reading, *, size: Number, delta: Number) -> Raw:
    """`(log(1 + (e^e - 1)/(e^e + 1) (8 sqrt(e^e log(4/delta)/n) + 8 e^e/n)), delta)` at d = 1, lifted to d: n reports of
    loss e = loss(1) each, in an order drawn fairly, where `16 e^e log(2/delta) <= n`; never more than e."""
    e = number_in(loss(one_like(d)))
    clones = 8 * sqrt(exp(e) * log(4 / delta) / size) + 8 * exp(e) / size
    return ApproxDP().group(d, (minimum(e, log(1 + (exp(e) - 1) / (exp(e) + 1) * clones)), delta))


@final
@dataclass(frozen=True, slots=True, repr=False)
class Shuffled(Step, OfOneRow, Generic[R]):
    """See `shuffled`."""

    randomizer: object
    delta: Exact

    word = "shuffled"
    positional = 1

    def __post_init__(self) -> None:
        between_0_and_1(self.delta, "delta")

    @overload
    def __call__(
        self: Shuffled[RandomizedResponse], space: Space[Rows[Booleans], ChangeOneDistance]
    ) -> Measurement[Rows[Booleans], ChangeOneDistance, ApproxDP, list[bool]]: ...
    @overload
    def __call__(
        self: Shuffled[RandomizedResponse], space: Space[Rows[Categories[H]], ChangeOneDistance]
    ) -> Measurement[Rows[Categories[H]], ChangeOneDistance, ApproxDP, list[H]]: ...
    @overload
    def __call__(
        self: Shuffled[UnaryEncoding], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, ApproxDP, list[list[bool]]]: ...
    @overload
    def __call__(
        self: Shuffled[HadamardResponse], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, ApproxDP, list[tuple[int, bool]]]: ...
    @overload
    def __call__(
        self: Shuffled[Measurement[D, DiscreteDistance, PureDP, T]], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, ApproxDP, list[T]]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        inner = randomized(self, self.randomizer, space)
        if not space.domain.size:
            raise DomainMismatch(
                "cannot chain: how well reports hide each other depends on their number, which must be known and not 0",
                right=self,
                produced=space.domain,
                expected=Named("rows of a known size"),
                bridge="rows(..., metric=ChangeOneDistance, size=n)",
            )
        if not inner.symbols and not is_formula(self.delta):
            self._enough(inner.loss(1).epsilon, space.domain.size, Fraction(self.delta))
        parameters = {"size": space.domain.size, "delta": self.delta}
        return measurement_of(self, space, ApproxDP(), shuffled_pure, parameters, (inner.derivation,))

    def bind(self, values: Values) -> Shuffled[R]:
        delta = substitute(self.delta, dict(values))
        return Shuffled(bound_randomizer(self.randomizer, values), delta)

    def _enough(self, epsilon: Bound, n: int, delta: Fraction) -> None:
        """Refuse where the theorem says nothing."""
        least = Bound.of(lambda: 16 * exp(epsilon.at()) * log(numeral(2 / delta)))
        if not least <= n:
            raise InvalidParameter(
                f"too few reports to hide each other: at delta={delta} and a loss of {float(epsilon):.6g} of each"
                f" the theorem asks for {float(least):.8g} of them",
                left=self,
                produced=n,
                expected=least,
                bridge="locally(...), whose loss is that of each report; or a smaller loss of each, or a larger delta",
            )


@overload
def shuffled(randomizer: RandomizedResponse, delta: Numeric) -> Shuffled[RandomizedResponse]: ...
@overload
def shuffled(randomizer: UnaryEncoding, delta: Numeric) -> Shuffled[UnaryEncoding]: ...
@overload
def shuffled(randomizer: HadamardResponse, delta: Numeric) -> Shuffled[HadamardResponse]: ...
@overload
def shuffled(
    randomizer: Measurement[D, DiscreteDistance, PureDP, T], delta: Numeric
) -> Shuffled[Measurement[D, DiscreteDistance, PureDP, T]]: ...
def shuffled(randomizer: object, delta: Numeric) -> object:
    """`locally(randomizer)`, whose fair order is counted: of many reports nobody knows whose is whose.

    A smaller epsilon, for a delta, by the theorem of Feldman, McMillan and Talwar, within its conditions: n rows of a known
    number, and a loss of each report of at most `log(n/(16 log(2/delta)))`.
    """
    return Shuffled(a_randomizer(randomizer), exact(delta, "delta"))
