"""The local model: each row is randomised alone, as if by the person whose it is, and nothing but the reports is released.

Argument. Let R lose at most eps between any two values, as a randomizer of one value under DiscreteDistance does. The rows
are put in an order that is drawn fairly, and R is run on each, with coins of its own.

    d rows replaced cost d eps     Say which row stands where, in the order before it was shuffled, alike for both data sets:
                                   first what they share, then the d that differ. For each order the reports are independent,
                                   and all but d of them have one distribution for both; each of the d loses eps at most.
                                   The order is drawn alike for both, so the mixture loses no more.
    the order of rows says nothing Rows in another order are as if another order had been drawn, which is as likely.
    of rows added or removed       there is no such loss: the number of reports is the number of rows, and tells data sets of
                                   different sizes apart for certain. So another metric is refused.

Nothing less is true: where one report can show a loss of eps, d reports show d eps, and the multiset of reports does so too
where rows that were all alike become all another.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar, final, overload

from dpcore.calculus import Premises, Raw, Reading, Run, number_in, on_each, rule
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.origins import Contents, Part, Placed, SomeSpace
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step, Values, bound
from dpcore.core.typing import D, M, T
from dpcore.domains import Booleans, Categories, Rows
from dpcore.engines import Table
from dpcore.errors import DomainMismatch, InvalidParameter, MeasureMismatch, MetricMismatch
from dpcore.maps import Number, one_like
from dpcore.measurements.hadamard_response import HadamardResponse
from dpcore.measurements.randomized_response import RandomizedResponse
from dpcore.measurements.shares import Randomizer
from dpcore.measurements.unary_encoding import UnaryEncoding
from dpcore.measures import PureDP
from dpcore.metrics import ChangeOneDistance, DiscreteDistance, SymmetricDistance
from dpcore.noise.bits import BitSource

H = TypeVar("H", bound=Hashable)
R = TypeVar("R")


def reports(table: Table, release: Run, *, bits: BitSource) -> list[object]:
    """A report of each row, in an order drawn fairly: the rows are shuffled, from an order that they alone decide."""
    table = table.read_once()
    rows = table.in_order(range(table.count()))
    for i in range(len(rows) - 1, 0, -1):  # Fisher and Yates: each of the i + 1 that are left is as likely
        j = bits.below(i + 1)
        rows[i], rows[j] = rows[j], rows[i]
    return list(on_each(release, rows))


@rule(run=reports, name="locally_pure", writes=(), premises=Premises.AT_1)
def locally_pure(d: Number, loss: Reading) -> Raw:
    """`d loss(1)`: each row is randomised alone, so d rows replaced change d reports; their order is drawn fairly."""
    return d * number_in(loss(one_like(d)))


class OfOneRow(Placed):
    """A step that runs a randomizer on each row alone."""

    __slots__ = ()

    randomizer: object

    def contents(self, space: SomeSpace) -> Contents:
        """The randomizer, on one row."""
        domain = space.domain
        assert isinstance(domain, Rows)
        alone = Space(domain.of, DiscreteDistance())
        return Contents((Part(on_one(self.randomizer, alone), alone),))


@final
@dataclass(frozen=True, slots=True, repr=False)
class Locally(Step, OfOneRow, Generic[R]):
    """See `locally`."""

    randomizer: object
    """Of the type R, as `locally` and the checks of a call see to."""

    word = "locally"
    positional = 1

    @overload
    def __call__(
        self: Locally[RandomizedResponse], space: Space[Rows[Booleans], ChangeOneDistance]
    ) -> Measurement[Rows[Booleans], ChangeOneDistance, PureDP, list[bool]]: ...
    @overload
    def __call__(
        self: Locally[RandomizedResponse], space: Space[Rows[Categories[H]], ChangeOneDistance]
    ) -> Measurement[Rows[Categories[H]], ChangeOneDistance, PureDP, list[H]]: ...
    @overload
    def __call__(
        self: Locally[UnaryEncoding], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, PureDP, list[list[bool]]]: ...
    @overload
    def __call__(
        self: Locally[HadamardResponse], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, PureDP, list[tuple[int, bool]]]: ...
    @overload
    def __call__(
        self: Locally[Measurement[D, DiscreteDistance, PureDP, T]], space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, PureDP, list[T]]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        inner = randomized(self, self.randomizer, space)
        return measurement_of(self, space, PureDP(), locally_pure, {}, (inner.derivation,))

    def bind(self, values: Values) -> Locally[R]:
        return Locally(bound_randomizer(self.randomizer, values))


def bound_randomizer(randomizer: object, values: Values) -> object:
    """The same with numbers in the place of symbols, also of those in a measurement."""
    if not isinstance(randomizer, Measurement):
        return bound(randomizer, values)
    given = {name: x for name, x in values.items() if name in randomizer.symbols}
    return randomizer.bind(**given) if given else randomizer


def randomized(
    step: Step, randomizer: object, space: Space[Rows[D], M]
) -> Measurement[D, DiscreteDistance, PureDP, object]:
    """The randomizer on one row of the space, after every check."""
    of = row_domain(step, space)
    if not isinstance(space.metric, ChangeOneDistance):
        raise MetricMismatch(
            "cannot chain: each row gives a report, so the number of reports tells how many rows there are, and the number"
            " must be public",
            right=step,
            produced=space.metric,
            expected=ChangeOneDistance(),
            bridge="rows(..., metric=ChangeOneDistance)"
            + (
                ", or to_metric(ChangeOneDistance) where the size is known"
                * isinstance(space.metric, SymmetricDistance)
            ),
        )
    inner = on_one(randomizer, Space(of, DiscreteDistance()))
    if not isinstance(inner.measure, PureDP):
        raise MeasureMismatch(
            "each row is randomised by a pure randomizer: losses in other measures are not added up over the rows here",
            right=step,
            produced=inner.measure,
            expected=PureDP(),
            bridge=".to(...) after locally(...)",
        )
    return inner


def on_one(randomizer: object, space: Space[D, DiscreteDistance]) -> Measurement[D, DiscreteDistance, PureDP, object]:
    """The randomizer as a measurement of one row."""
    if isinstance(randomizer, Measurement):
        if not isinstance(randomizer.input.metric, DiscreteDistance):
            raise MetricMismatch(
                "cannot chain: a row is replaced by any other, so a randomizer is needed that protects any other value",
                right=randomizer,
                produced=randomizer.input.metric,
                expected=DiscreteDistance(),
                bridge="value(..., DiscreteDistance) >> ...",
            )
        if not randomizer.input.domain.includes(space.domain):
            raise DomainMismatch(
                "cannot chain: a row can be what its randomizer does not accept",
                right=randomizer,
                produced=space.domain,
                expected=randomizer.input.domain,
            )
        return randomizer
    assert isinstance(randomizer, Randomizer)
    return randomizer.applied(space)


@overload
def locally(randomizer: RandomizedResponse) -> Locally[RandomizedResponse]: ...
@overload
def locally(randomizer: UnaryEncoding) -> Locally[UnaryEncoding]: ...
@overload
def locally(randomizer: HadamardResponse) -> Locally[HadamardResponse]: ...
@overload
def locally(
    randomizer: Measurement[D, DiscreteDistance, PureDP, T],
) -> Locally[Measurement[D, DiscreteDistance, PureDP, T]]: ...
def locally(randomizer: object) -> object:
    """Each row randomised alone, `locally(randomized_response("3/4"))`: a list of reports, in an order drawn fairly.

    A randomizer is one of `randomized_response`, `unary_encoding` and `hadamard_response`, or a measurement of one value
    under DiscreteDistance. The number of reports is the number of rows, which must be public: rows under ChangeOneDistance.
    """
    return Locally(a_randomizer(randomizer))


def a_randomizer(x: object) -> object:
    """Refuse what is none, where a caller without a type checker may hand over anything."""
    if isinstance(x, (Randomizer, Measurement)):
        return x
    raise InvalidParameter(
        f"Expected a randomizer of one row, such as randomized_response(p), but got a {type(x).__name__}", produced=x
    )
