"""The rows that meet a condition. Under ChangeOneDistance the sizes no longer agree, so it leads to SymmetricDistance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.arrows import aggregated
from dpcore.core.checks import row_function
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D, M
from dpcore.domains import Booleans, Optional, Rows
from dpcore.engines import Table, together
from dpcore.errors import InvalidExpression, InvalidParameter
from dpcore.expressions import Expr, Expression
from dpcore.functions import Condition, UserFunction
from dpcore.maps import Number
from dpcore.metrics import ChangeOneDistance, PersonDistance, SymmetricDistance
from dpcore.written import SPOKEN

Where = Parameter("condition", SPOKEN)


def _filter(table: Table, *, condition: Expression | UserFunction) -> Table:
    return table.filter(condition)


def _filter_each(tables: Sequence[Table], *, condition: Expression | UserFunction) -> Sequence[Table]:
    return together(tables).filter(condition)


@rule(run=_filter, of_each=_filter_each, writes=(Where,))
def filter_symmetric(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)`: a row added or removed is so afterwards, or is filtered out."""
    return d


@rule(run=_filter, of_each=_filter_each, writes=(Where,))
def filter_change_one(d: Number) -> Number:
    """`d_sym(f(x), f(y)) <= 2 d(x, y)`: a replaced row may leave one row out and bring another in."""
    return 2 * d


@rule(run=_filter, of_each=_filter_each, writes=(Where,))
def filter_person(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)`: whose rows are equal before, his rows are equal after; whose are none, none."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class Filter(Step):
    """See `filter`."""

    condition: Expression | UserFunction

    word = "filter"
    positional = 1

    @overload
    def __call__(
        self, space: Space[Rows[D], SymmetricDistance]
    ) -> Transformation[Rows[D], SymmetricDistance, Rows[D], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[D], ChangeOneDistance]
    ) -> Transformation[Rows[D], ChangeOneDistance, Rows[D], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[D], PersonDistance]
    ) -> Transformation[Rows[D], PersonDistance, Rows[D], PersonDistance]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        condition = self.condition
        if isinstance(condition, Expression):
            condition = condition.on(of)
            truth = condition.domain(of)
            if not Optional(Booleans()).includes(truth):
                raise InvalidExpression("Expected a condition that is true or false", right=self, produced=truth)
        parameters = {"condition": condition}
        if not isinstance(space.metric, PersonDistance):
            end = Space(Rows(of), SymmetricDistance())
            return aggregated(self, space, end, parameters, symmetric=filter_symmetric, change_one=filter_change_one)
        return transformation_of(self, space, Space(Rows(of), space.metric), filter_person, parameters)


def filter(condition: Expr[bool] | Condition) -> Filter:
    """The rows for which the condition is true; a condition that is missing (null) leaves the row out."""
    if isinstance(condition, Expression):
        return Filter(condition.structure())
    if isinstance(condition, str):
        raise InvalidParameter(
            f"Expected a condition on rows but got the text {condition!r}",
            produced=condition,
            bridge='an expression, such as field("age") >= 18: no text is ever evaluated',
        )
    if isinstance(condition, bool):
        raise InvalidParameter(
            "Expected a condition on rows but got a truth value",
            produced=condition,
            bridge="an expression, such as field(...) == ...; literal(True) for all rows",
        )
    return Filter(row_function(condition, "condition"))
