"""The number of rows. One row added or removed moves it by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, final

from dpcore.calculus import rule
from dpcore.core import Space, Transformation
from dpcore.core.arrows import aggregated
from dpcore.core.chaining import FILTERED
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Integers, Rows
from dpcore.engines import Table, together
from dpcore.errors import refuses
from dpcore.maps import Number
from dpcore.metrics import AbsoluteDistance, RowMetric

M = TypeVar("M", bound=RowMetric)


def _count(table: Table) -> int:
    return table.count()


def _counts(tables: Sequence[Table]) -> Sequence[int]:
    return together(tables).counts()


@rule(run=_count, of_each=_counts, writes=())
def count_symmetric(d: Number) -> Number:
    """`| |x| - |y| | <= d`: each row added or removed moves the count by one."""
    return d


@rule(run=_count, of_each=_counts, writes=(), attention="the number of rows is public, and no noise protects it")
def count_change_one(d: Number) -> Number:
    """`|x| = |y|` whenever d is finite: the number of rows is public under ChangeOneDistance."""
    return 0 * d


@rule(run=_count, of_each=_counts, writes=())
def count_filtered(d: Number) -> Number:
    """`d/2`: of rows that were replaced a filter leaves d apart; at most d/2 of them leave, and at most d/2 enter."""
    return d / 2


FILTERED[count_symmetric.name] = lambda arrow: count_filtered


@final
@dataclass(frozen=True, slots=True, repr=False)
class Count(Step):
    """See `count`."""

    word = "count"

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Integers, AbsoluteDistance]:
        row_domain(self, space)
        output = Space(Integers(0), AbsoluteDistance())
        return aggregated(self, space, output, {}, symmetric=count_symmetric, change_one=count_change_one)


@refuses("rows(...) >> filter(...) >> count() >> laplace(scale), then .release(data)")
def count() -> Count:
    """The number of rows."""
    return Count()
