"""Where the number of rows is known, rows that come and go are rows replaced, and each step takes the lesser bound.

Between data sets of one size every removal is matched by an addition, so d rows more or less are `floor(d/2)` rows replaced.
A row replaced moves what is computed at most as far as one that goes and one that comes, so under any of the steps here
`change_one(floor(d/2)) <= symmetric(d)`.
"""

from __future__ import annotations

from dpcore.calculus import Parameters, Rule, rule, unchanged
from dpcore.core.arrows import Transformation, transformation_of
from dpcore.core.checks import by_metric
from dpcore.core.origins import SomeSpace
from dpcore.core.spaces import Space
from dpcore.core.steps import Step
from dpcore.core.typing import DI, DO, MI, MO
from dpcore.domains import Rows
from dpcore.maps import Number, floor
from dpcore.metrics import ChangeOneDistance, SymmetricDistance


@rule(run=unchanged, writes=(), on_arrays=True)
def symmetric_to_change_one(d: Number) -> Number:
    """Between data sets of one known size every removal is matched by an addition: `floor(d/2)`."""
    return floor(d / 2)


def are_replaced(space: SomeSpace) -> bool:
    """Whether neighbours differ by rows replaced: said of the metric, or known from the size."""
    return isinstance(space.metric, ChangeOneDistance) or _come_and_go_alike(space)


def _come_and_go_alike(space: SomeSpace) -> bool:
    """Whether as many rows are added as are removed, since their number is known."""
    sized = isinstance(space.domain, Rows) and space.domain.size is not None
    return sized and isinstance(space.metric, SymmetricDistance)


def by_rows_replaced(
    step: Step,
    space: Space[DI, MI],
    output: Space[DO, MO],
    parameters: Parameters,
    *,
    symmetric: Rule,
    change_one: Rule,
) -> Transformation[DI, MI, DO, MO]:
    """What `aggregated` makes of rows that do more than come and go: their number is known, or the metric another."""
    if not _come_and_go_alike(space):
        found = by_metric(step, space, symmetric=symmetric, change_one=change_one)
        return transformation_of(step, space, output, found, parameters)
    return transformation_of(step, space, output, change_one, parameters, after=symmetric_to_change_one)
