"""Exact sums: of numbers on a grid, and of vectors whose norm is bounded row by row. No float is ever summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import AT_LEAST_0, NUMBER, Parameter
from dpcore.core import Space, Transformation
from dpcore.core.arrows import aggregated
from dpcore.core.chaining import FILTERED
from dpcore.core.checks import bridge_for, expect
from dpcore.core.spaces import Named, row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Domain, Integers, NumberDomain, Numbers, Rows, Vector, norm_bound, on_a_grid
from dpcore.engines import Table, together
from dpcore.errors import DomainMismatch, class_of, refuses
from dpcore.maps import Number, maximum
from dpcore.metrics import AbsoluteDistance, L1Distance, L2Distance, LInfDistance, RowMetric, VectorMetric
from dpcore.written.shared import Size

M = TypeVar("M", bound=RowMetric)
N = TypeVar("N", bound=VectorMetric)


Low, High = Parameter("low", NUMBER), Parameter("high", NUMBER)
Bound = Parameter("bound", AT_LEAST_0)


# ---- of numbers --------------------------------------------------------------------------------------------------


def _sum(table: Table) -> int | Fraction:
    return table.total()


def _sums(tables: Sequence[Table]) -> Sequence[int | Fraction]:
    return together(tables).totals()


@rule(run=_sum, of_each=_sums, writes=(Low, High))
def sum_symmetric(d: Number, *, low: Number, high: Number) -> Number:
    """`|sum(x) - sum(y)| <= d * max(|low|, |high|)`: each row added or removed brings its own value."""
    return d * maximum(abs(low), abs(high))


@rule(run=_sum, of_each=_sums, writes=(Low, High))
def sum_change_one(d: Number, *, low: Number, high: Number) -> Number:
    """`|sum(x) - sum(y)| <= d * (high - low)`: each replaced row goes from one value to another."""
    return d * (high - low)


@rule(run=_sum, of_each=_sums, writes=(Low, High))
def sum_filtered(d: Number, *, low: Number, high: Number) -> Number:
    """`d/2 * max(high - low, |low|, |high|)`: of rows that a filter left, where at most d/2 leave and at most d/2 enter."""
    return d / 2 * maximum(high - low, abs(low), abs(high))


FILTERED[sum_symmetric.name] = lambda arrow: sum_filtered


@final
@dataclass(frozen=True, slots=True, repr=False)
class Sum(Step):
    """See `sum`."""

    word = "sum"

    @overload
    def __call__(
        self, space: Space[Rows[Integers], M]
    ) -> Transformation[Rows[Integers], M, Integers, AbsoluteDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Numbers], M]
    ) -> Transformation[Rows[Numbers], M, Numbers, AbsoluteDistance]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        expect(self, of, "rows of whole numbers, or of numbers on a grid", on_a_grid, bridge_for(of))
        assert isinstance(of, NumberDomain)
        if of.low is None or of.high is None:
            raise DomainMismatch(
                "cannot chain: a sum needs bounds on its rows, or one row could move it without limit",
                right=self,
                produced=of,
                expected=Named("low and high"),
                bridge="clamp(low, high)",
            )
        output: Domain = Integers() if isinstance(of, Integers) else Numbers(step=of.grid)
        end = Space(output, AbsoluteDistance())
        bounds = {"low": of.low, "high": of.high}
        return aggregated(self, space, end, bounds, symmetric=sum_symmetric, change_one=sum_change_one)


# ---- of vectors --------------------------------------------------------------------------------------------------


def _vector_sum(table: Table, *, size: int) -> list[int | Fraction]:
    return table.vector_total(size)


@rule(run=_vector_sum, writes=(Bound, Size))
def vector_sum_symmetric(d: Number, *, bound: Number) -> Number:
    """`||sum(x) - sum(y)|| <= d * bound` in the norm that bounds each row (L1, LInf)."""
    return d * bound


@rule(run=_vector_sum, writes=(Bound, Size))
def vector_sum_change_one(d: Number, *, bound: Number) -> Number:
    """`||sum(x) - sum(y)|| <= 2 d * bound`: each replaced row takes one vector out and puts one in (L1, LInf)."""
    return 2 * d * bound


@rule(run=_vector_sum, writes=(Bound, Size))
def vector_sum_l2_symmetric(d: Number, *, bound: Number) -> Number:
    """The same for L2, carried as squares: `bound` is the square of the norm's bound."""
    return d * d * bound


@rule(run=_vector_sum, writes=(Bound, Size))
def vector_sum_l2_change_one(d: Number, *, bound: Number) -> Number:
    """The same for L2, carried as squares: `bound` is the square of the norm's bound."""
    return 4 * d * d * bound


@final
@dataclass(frozen=True, slots=True, repr=False)
class VectorSum(Step, Generic[N]):
    """See `sum`."""

    norm: type[N]

    word = "sum"

    @overload
    def __call__(
        self, space: Space[Rows[Vector[Integers]], M]
    ) -> Transformation[Rows[Vector[Integers]], M, Vector[Integers], N]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Vector[Numbers]], M]
    ) -> Transformation[Rows[Vector[Numbers]], M, Vector[Numbers], N]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        off_grid = isinstance(of, Vector) and isinstance(of.of, NumberDomain) and of.of.grid is None
        bridge = "quantize(step), or clip_norm(bound, norm=..., step=...)" if off_grid else None
        expect(self, of, "rows of vectors on a grid", lambda d: isinstance(d, Vector) and on_a_grid(d.of), bridge)
        assert isinstance(of, Vector)
        norm = self.norm()
        bound = norm_bound(of, norm.norm)
        if bound is None:
            raise DomainMismatch(
                f"cannot chain: a sum needs a bound on the {norm.norm} norm of each row",
                right=self,
                produced=of,
                expected=Named(f"a bound on the {norm.norm} norm"),
                bridge=f"clip_norm(bound, norm={self.norm.__name__})",
            )
        squared = norm.norm == "L2"
        symmetric = vector_sum_l2_symmetric if squared else vector_sum_symmetric
        change_one = vector_sum_l2_change_one if squared else vector_sum_change_one
        each: Domain = Integers() if isinstance(of.of, Integers) else Numbers(step=of.of.grid)
        output = Space(Vector(each, of.size), norm)
        parameters = {"bound": bound, "size": of.size}
        return aggregated(self, space, output, parameters, symmetric=symmetric, change_one=change_one)


@overload
def sum() -> Sum: ...
@overload
def sum(*, norm: N | type[N]) -> VectorSum[N]: ...
@refuses("rows(...) >> select(field(name)) >> clamp(low, high) >> sum() >> laplace(scale), then .release(data)")
def sum(*, norm: VectorMetric | type[VectorMetric] | None = None) -> object:
    """The exact sum of all rows; of vectors, `sum(norm=L2Distance)`, measured in that norm."""
    if norm is None:
        return Sum()
    return VectorSum(class_of(norm, (L1Distance, L2Distance, LInfDistance), "norm"))
