"""Each row replaced by a few. The number kept of each is enforced, not trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, final

from dpcore.calculus import rule
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, number_of, of_one_row, row_function
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import DO, D
from dpcore.domains import Domain, Rows, Vector
from dpcore.engines import Table
from dpcore.errors import InvalidParameter
from dpcore.functions import RowFunction, UserFunction
from dpcore.maps import Number
from dpcore.metrics import SymmetricDistance
from dpcore.written.shared import Declared, Function, Limit


def _flat_map(table: Table, *, function: UserFunction, domain: Domain, limit: int) -> Table:
    return table.flat_map(function, domain, limit)


@rule(run=_flat_map, writes=(Function, Declared, Limit))
def flat_map_symmetric(d: Number, *, limit: Number) -> Number:
    """`d(f(x), f(y)) <= limit * d(x, y)`: of what one row gives, at most `limit` rows are kept."""
    return limit * d


@final
@dataclass(frozen=True, slots=True, repr=False)
class FlatMap(Step, Generic[DO]):
    """See `flat_map`."""

    function: UserFunction
    domain: DO
    limit: int

    word = "flat_map"
    positional = 3

    def __call__(
        self, space: Space[Rows[D], SymmetricDistance]
    ) -> Transformation[Rows[D], SymmetricDistance, Rows[DO], SymmetricDistance]:
        of_one_row(self.function.function, "function", arrays=isinstance(row_domain(self, space), Vector))
        found = by_metric(self, space, symmetric=flat_map_symmetric)
        parameters = {"function": self.function, "domain": self.domain, "limit": self.limit}
        return transformation_of(self, space, Space(Rows(self.domain), SymmetricDistance()), found, parameters)


def flat_map(function: RowFunction, domain: DO, limit: int) -> FlatMap[DO]:
    """Each row replaced by the rows that a Python function gives for it, the first `limit` of them kept.

    Which ones are kept is no choice of ours: the order is the function's own, so of a row they are always the same. The
    function is an assumption: it must be a function of the row alone.
    """
    if not isinstance(domain, Domain):
        raise InvalidParameter(f"Expected a domain for the function's values but got a {type(domain).__name__}")
    return FlatMap(row_function(function, arrays=True), domain, number_of(limit, "limit", 1))
