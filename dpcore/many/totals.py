"""A linear query as one number of the rows, which one row moves by at most 1.

    rows >> filter(q) >> count()          where q is a condition: the rows that meet it
    rows >> select(q) >> sum()            where q has values in [0, 1] on a grid: their sum

A row that comes or goes takes its value along, and one that is replaced goes from one value in [0, 1] to another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dpcore.domains import Booleans, NumberDomain, Numbers, Optional
from dpcore.errors import InvalidParameter
from dpcore.expressions import Expression
from dpcore.transformations.absolute_errors import AbsoluteErrors
from dpcore.transformations.count import count
from dpcore.transformations.filter import Filter
from dpcore.transformations.linear_queries import common_step, is_linear, structure
from dpcore.transformations.row_map import Select
from dpcore.transformations.sum import Sum


@final
@dataclass(frozen=True, slots=True)
class Total:
    """A query, and the transformation into its total over all rows; its types depend on the query."""

    query: Expression
    of_rows: Any
    step: Fraction
    """Totals are multiples of it, and so is 1."""

    def errors(self, rows: float) -> Any:
        """How far off it is to guess so many rows."""
        guess = round(Fraction(rows) / self.step) * self.step
        return self.of_rows >> AbsoluteErrors(int(guess) if self.step == 1 else guess)


def total_of(query: object, space: Any) -> Total:
    """The total of a query over the rows of this space; refuses what is no linear query."""
    asked = structure(query).on(space.domain.of)
    values = asked.domain(space.domain.of)
    if isinstance(values.of if isinstance(values, Optional) else values, Booleans):  # null counts as nought
        return Total(asked, space >> Filter(asked) >> count(), Fraction(1))
    if not is_linear(values):
        raise InvalidParameter(
            "a linear query is a condition on rows, or a number of each that is known to lie between 0 and 1, on a grid",
            right=asked,
            produced=values,
            bridge='field("age") / 120 of ages up to 120; .clip(0, 1), .fill_null(0), .round("0.01")',
        )
    assert isinstance(values, NumberDomain)
    step = common_step((values,))
    return Total(asked, space >> Select(asked, Numbers(values.low, values.high, step)) >> Sum(), step)
