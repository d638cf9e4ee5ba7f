"""Vectors brought within a norm, row by row, exactly: every coordinate shrinks towards zero, onto the grid.

Vectors that are on no grid are rounded to one first: `clip_norm(1, norm=L2Distance, step="0.001")` is
`quantize("0.001")` and then `clip_norm(1, norm=L2Distance)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar, cast, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, expect
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import (
    Domain,
    Integers,
    Norm,
    NumberDomain,
    Numbers,
    Rows,
    Vector,
    integers,
    numbers,
    on_a_grid,
)
from dpcore.engines import Table
from dpcore.errors import InvalidParameter, class_of
from dpcore.maps import Exact, Number, Numeric, exact, is_formula, known, positive
from dpcore.metrics import L1Distance, L2Distance, LInfDistance, RowMetric, VectorMetric
from dpcore.transformations.row_map import Quantize
from dpcore.transformations.sum import Bound
from dpcore.written import NORM
from dpcore.written.shared import Declared

M = TypeVar("M", bound=RowMetric)


def _clip(table: Table, *, bound: int | Fraction, norm: Norm, domain: Vector[Domain]) -> Table:
    return table.clipped(Fraction(bound), norm, domain)


@rule(run=_clip, writes=(Bound, Parameter("norm", NORM), Declared))
def clip_norm_rows(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)`: a function of each row alone."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class ClipNorm(Step):
    """See `clip_norm`."""

    bound: Exact
    norm: type[VectorMetric]
    step: Exact | None = None

    word = "clip_norm"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"step": None}

    def __post_init__(self) -> None:
        if self.step is not None:
            positive(self.step, "step")
        if not is_formula(self.bound) and self.bound < 0:
            raise InvalidParameter(f"Expected a bound of at least 0 but got bound={self.bound}", produced=self.bound)

    @overload
    def __call__(
        self, space: Space[Rows[Vector[Integers]], M]
    ) -> Transformation[Rows[Vector[Integers]], M, Rows[Vector[Integers]], M]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Vector[Numbers]], M]
    ) -> Transformation[Rows[Vector[Numbers]], M, Rows[Vector[Numbers]], M]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        if self.step is not None:
            vectors = cast("Space[Rows[Vector[Numbers]], RowMetric]", space)
            return Quantize(self.step)(vectors) >> ClipNorm(self.bound, self.norm)
        expect(self, of, "rows of vectors on a grid", _grid_vector, _grid_for(self, of))
        assert isinstance(of, Vector)
        found = by_metric(self, space, symmetric=clip_norm_rows, change_one=clip_norm_rows)
        norm = self.norm().norm
        domain = Vector(_around_zero(of.of), of.size, norm, self.bound)
        parameters = {"bound": self.bound, "norm": norm, "domain": domain}
        return transformation_of(self, space, Space(Rows(domain, space.domain.size), space.metric), found, parameters)


def _grid_vector(domain: Domain) -> bool:
    return isinstance(domain, Vector) and on_a_grid(domain.of)


def _grid_for(step: ClipNorm, domain: Domain) -> str:
    if isinstance(domain, Vector) and isinstance(domain.of, Numbers):
        return f"clip_norm(bound, norm={step.norm.__name__}, step=...), or quantize(step) first"
    return "rows(vector(integers(), size)), or rows(vector(numbers(), size)) with a step"


def _around_zero(domain: Domain) -> Domain:
    """Coordinates move towards zero, so zero and what lies between must belong."""
    assert isinstance(domain, NumberDomain)
    low = None if domain.low is None else min(0, known(domain.low))
    high = None if domain.high is None else max(0, known(domain.high))
    return integers(low, high) if isinstance(domain, Integers) else numbers(low, high, domain.grid)


def clip_norm(bound: Numeric, norm: VectorMetric | type[VectorMetric], step: Numeric | None = None) -> ClipNorm:
    """Every vector shortened to at most `bound` in a norm, `clip_norm(10, norm=L2Distance)`.

    With a `step`, its entries are rounded to multiples of it first, as vectors of any numbers need.
    """
    of = class_of(norm, (L1Distance, L2Distance, LInfDistance), "norm")
    return ClipNorm(exact(bound, "bound"), of, None if step is None else exact(step, "step"))
