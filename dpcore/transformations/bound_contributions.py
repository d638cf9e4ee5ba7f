"""At most so many rows of each person. Which of them are kept depends on that person's rows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, cast, final

from dpcore.checks import by_metric, number_of, row_domain
from dpcore.core import Space, Transformation, transformation_of
from dpcore.derivation import rule
from dpcore.domains import Domain, Rows, key
from dpcore.engines import PythonRows, Table
from dpcore.maps import Number
from dpcore.metrics import PersonDistance, SymmetricDistance
from dpcore.steps import Step

D = TypeVar("D", bound=Domain)


def _first_of_each(table: Table, *, by: str, limit: int) -> Table:
    persons: dict[object, list[object]] = {}
    for row in table.rows():
        persons.setdefault(key(cast("dict[str, object]", row)[by]), []).append(row)
    kept = [row for rows in persons.values() for row in sorted(rows, key=key)[:limit]]
    return PythonRows(kept, table.domain)


@rule(run=_first_of_each)
def bound_contributions_person(d: Number, *, limit: Number) -> Number:
    """`d_sym(f(x), f(y)) <= limit * d(x, y)`: a person added or removed brings or takes at most `limit` rows."""
    return limit * d


@final
@dataclass(frozen=True, slots=True, repr=False)
class BoundContributions(Step):
    """See `bound_contributions`."""

    limit: int

    word = "bound_contributions"
    positional = 1

    def __call__(
        self, space: Space[Rows[D], PersonDistance]
    ) -> Transformation[Rows[D], PersonDistance, Rows[D], SymmetricDistance]:
        row_domain(self, space)
        found = by_metric(self, space, person=bound_contributions_person)
        output = Space(Rows(space.domain.of), SymmetricDistance())
        return transformation_of(self, space, output, found, {"by": space.metric.by, "limit": self.limit})


def bound_contributions(limit: int) -> BoundContributions:
    """At most `limit` rows of each person: the first in an order that depends on the rows' values alone.

    Those kept are not a random choice, so a statistic of them may be biased.
    """
    return BoundContributions(number_of(limit, "limit", 1))
