"""At most so many rows of each person. Which of them are kept is a fair choice, or an order that is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, final

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, number_of
from dpcore.core.spaces import Named, row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Rows
from dpcore.engines import Table
from dpcore.errors import InvalidParameter, is_a
from dpcore.expressions import Expression, field
from dpcore.maps import Number
from dpcore.metrics import PersonDistance, SymmetricDistance
from dpcore.noise.row_keys import RowKey
from dpcore.written import SPOKEN, TEXT
from dpcore.written.shared import Limit

Person = Parameter("person", TEXT, held="by")


def _fair(table: Table, *, by: str, limit: int, key: RowKey) -> Table:
    return table.fairly(by, limit, key)


def _first_by(table: Table, *, by: str, order: Expression, limit: int) -> Table:
    return table.first_of_each(by, limit, order)


def _first(table: Table, *, by: str, limit: int) -> Table:
    return table.first_of_each(by, limit, None)


@rule(run=_fair, writes=(Person, Limit))
def bound_contributions_fair_person(d: Number, *, limit: Number) -> Number:
    """`d_sym(f_k(x), f_k(y)) <= limit * d(x, y)` for every key k: a person added or removed moves at most `limit` rows."""
    return limit * d


@rule(
    run=_first_by,
    writes=(Person, Parameter("order", SPOKEN), Limit),
    attention="which rows of a person are kept is the analyst's choice, and may bias",
)
def bound_contributions_first_by_person(d: Number, *, limit: Number) -> Number:
    """`d_sym(f(x), f(y)) <= limit * d(x, y)`: of each person the `limit` rows first in an order of rows by their values."""
    return limit * d


@rule(run=_first, writes=(Person, Limit))
def bound_contributions_person(d: Number, *, limit: Number) -> Number:
    """`d_sym(f(x), f(y)) <= limit * d(x, y)`: a person added or removed brings or takes at most `limit` rows."""
    return limit * d


@final
@dataclass(frozen=True, slots=True)
class FirstBy:
    """See `first_by`."""

    order: Expression

    def __repr__(self) -> str:
        return f"first_by({self.order!r})"


def first_by(order: Expression | str) -> FirstBy:
    """The rows that come first by an expression, `first_by(field("day"))`; equal ones by all their fields in turn.

    A choice of the analyst's: what is said of rows that were kept so may differ from what is true of all.
    """
    if isinstance(order, str):
        return FirstBy(field(order).structure())
    if not isinstance(order, Expression):
        raise InvalidParameter(
            f"Expected an expression for order but got a {type(order).__name__}", produced=order, bridge='field("day")'
        )
    return FirstBy(order.structure())


Keep: TypeAlias = Literal["random"] | FirstBy


@final
@dataclass(frozen=True, slots=True, repr=False)
class BoundContributions(Step):
    """See `bound_contributions`."""

    limit: int
    keep: Keep = "random"

    word = "bound_contributions"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"keep": "random"}

    def __call__(
        self, space: Space[Rows[D], PersonDistance]
    ) -> Transformation[Rows[D], PersonDistance, Rows[D], SymmetricDistance]:
        of = row_domain(self, space)
        output = Space(Rows(space.domain.of), SymmetricDistance())
        if isinstance(self.keep, FirstBy):
            found = by_metric(self, space, person=bound_contributions_first_by_person)
            order = self.keep.order.on(of)
            order.domain(of)
            parameters = {"by": space.metric.by, "order": order, "limit": self.limit}
        else:
            found = by_metric(self, space, person=bound_contributions_fair_person)
            parameters = {"by": space.metric.by, "limit": self.limit}
        return transformation_of(self, space, output, found, parameters)


def bound_contributions(limit: int, keep: Keep = "random") -> BoundContributions:
    """At most `limit` rows of each person, `bound_contributions(3)`: each of that person's rows is as likely to be kept.

    Which ones, a key drawn with the release decides, one for all its parts; a mean over the keys is a mean over the rows.
    `keep=first_by(field("day"))` keeps those that come first in an order, which is printed as the choice that it is.
    """
    if not isinstance(keep, FirstBy) and not (is_a(keep, str) and keep == "random"):
        raise InvalidParameter(
            "Expected keep to be 'random' or an order of rows",
            produced=keep,
            expected=Named("'random' or first_by(...)"),
            bridge='keep=first_by(field("day"))',
        )
    return BoundContributions(number_of(limit, "limit", 1), keep)
