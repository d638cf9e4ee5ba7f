"""Two mechanisms that publish rows as they are, to show what small deltas allow: name-and-shame, and one random row.

Nobody should use them. They are private in TotalVariation, or at epsilon 0 with a delta, and reveal somebody all the same;
so there is no way from them to a finite epsilon without delta, and dpcore refuses to make one up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.calculus import Raw, rule
from dpcore.calculus.parameters import UNIT, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import by_metric
from dpcore.core.spaces import Named, row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Rows
from dpcore.engines import Table
from dpcore.errors import DomainMismatch
from dpcore.maps import ZERO, Exact, Number, Numeric, between_0_and_1, exact
from dpcore.measures import ApproxDP, TotalVariation
from dpcore.metrics import ChangeOneDistance
from dpcore.noise.bernoulli import bernoulli
from dpcore.noise.bits import BitSource
from dpcore.written.shared import Size


def _shame(table: Table, *, delta: Fraction, bits: BitSource) -> list[object]:
    # In an order that the rows alone decide, so that one source of bits publishes the same of them however they came.
    table = table.read_once()
    return table.given_out(table.in_order([place for place in range(table.count()) if bernoulli(delta, bits)]))


@rule(
    run=_shame,
    name="name_and_shame",
    writes=(Parameter("delta", UNIT),),
    attention="some rows are published as they are",
)
def name_and_shame_loss(d: Number, *, delta: Number) -> Number:
    """`d * delta`: a row replaced shows only if it is published, which it is with probability delta."""
    return d * delta


@final
@dataclass(frozen=True, slots=True, repr=False)
class NameAndShame(Step):
    """See `name_and_shame`."""

    delta: Exact

    word = "name_and_shame"

    def __post_init__(self) -> None:
        between_0_and_1(self.delta, "delta")

    def __call__(
        self, space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, TotalVariation, list[object]]:
        row_domain(self, space)
        found = by_metric(self, space, change_one=name_and_shame_loss)
        return measurement_of(self, space, TotalVariation(), found, {"delta": self.delta})


def name_and_shame(delta: Numeric) -> NameAndShame:
    """Every row published with probability delta, in plain view. A warning, not a mechanism."""
    return NameAndShame(exact(delta, "delta"))


def _one_row(table: Table, *, bits: BitSource) -> object:
    table = table.read_once()
    (row,) = table.given_out(table.in_order([bits.below(table.count())]))
    return row


@rule(run=_one_row, name="random_row", writes=(Size,), attention="a row is published as it is")
def random_row_loss(d: Number, *, size: Number) -> Raw:
    """`(0, d/n)`: of n rows one is published, and with probability d/n it is one of the d replaced."""
    return ZERO, d / size


@final
@dataclass(frozen=True, slots=True, repr=False)
class RandomRow(Step):
    """See `random_row`."""

    word = "random_row"

    def __call__(
        self, space: Space[Rows[D], ChangeOneDistance]
    ) -> Measurement[Rows[D], ChangeOneDistance, ApproxDP, object]:
        row_domain(self, space)
        found = by_metric(self, space, change_one=random_row_loss)
        if not space.domain.size:
            raise DomainMismatch(
                "cannot chain: delta is one over the number of rows, which must be known and not 0",
                right=self,
                produced=space.domain,
                expected=Named("rows of a known size"),
                bridge="rows(..., metric=ChangeOneDistance, size=n)",
            )
        return measurement_of(self, space, ApproxDP(), found, {"size": space.domain.size})


def random_row() -> RandomRow:
    """One row, drawn uniformly, published as it is. A warning, not a mechanism."""
    return RandomRow()
