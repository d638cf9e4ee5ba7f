"""Vectors brought within a norm, row by row, exactly: every coordinate shrinks towards zero, onto the grid.

Vectors that are on no grid are rounded to one first: `clip_norm(1, norm=L2Distance, step="0.001")` is
`quantize("0.001")` and then `clip_norm(1, norm=L2Distance)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar, Final, TypeVar, cast, final, overload

import numpy as np

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, expect, row_domain
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
    raised,
    raised_norm,
)
from dpcore.engines import Table
from dpcore.engines.numpy.columns import Ints
from dpcore.engines.numpy.grids import fits
from dpcore.errors import InvalidParameter, class_of
from dpcore.maps import Exact, Number, Numeric, exact, is_formula, known, positive
from dpcore.metrics import L1Distance, L2Distance, LInfDistance, RowMetric, VectorMetric
from dpcore.transformations.row_map import Quantize
from dpcore.transformations.sum import Bound
from dpcore.written import NORM
from dpcore.written.shared import Declared

M = TypeVar("M", bound=RowMetric)

SMALL: Final = 1 << 58
"""Lengths at most this large are computed in int64."""


def clipped(vector: Sequence[int | Fraction], bound: Fraction, norm: Norm, step: Fraction) -> list[Fraction]:
    """`v * min(1, bound/||v||)`, each coordinate rounded towards zero to a multiple of `step`.

    Rounding towards zero never lengthens, so the result is within the bound.
    """
    values = [Fraction(v) for v in vector]
    length = raised_norm(values, norm)
    if norm == "LInf":
        return [_towards_zero(max(-bound, min(bound, v)), step) for v in values]
    if length <= known(raised(bound, norm)):
        return values
    if norm == "L1":
        return [_towards_zero(v * bound / length, step) for v in values]
    # |v| * bound / sqrt(length), in steps, is the square root of a rational: its integer part is exact.
    return [(1 if v >= 0 else -1) * step * _isqrt(v * v * bound * bound / (length * step * step)) for v in values]


def _towards_zero(x: Fraction, step: Fraction) -> Fraction:
    return (1 if x >= 0 else -1) * (abs(x) // step) * step


def _isqrt(x: Fraction) -> int:
    return isqrt(x.numerator // x.denominator)


@final
@dataclass(frozen=True, slots=True)
class Clipping:
    """`clipped`, of a row and of many at once."""

    bound: Fraction
    norm: Norm
    step: Fraction
    whole: bool
    name: str = "clip_norm"

    def on_row(self, row: object) -> object:
        assert isinstance(row, list)
        found = clipped(row, self.bound, self.norm, self.step)
        return [int(v) for v in found] if self.whole else found

    def on_counts(self, counts: Ints, step: Fraction) -> Ints | None:
        """In steps, b being the bound: of L1 `floor(|v| b/||v||_1)`, of L2 `floor(sqrt(v^2 b^2/||v||_2^2))`."""
        b = self.bound / step
        if self.norm == "LInf":
            return np.clip(counts, -(b // 1), b // 1) if fits(int(b)) else None
        power = 1 if self.norm == "L1" else 2
        p, q = b.numerator**power, b.denominator**power
        if p > SMALL or q > SMALL:
            return None
        sizes, largest = np.abs(counts), np.abs(counts).max(axis=1)
        measured = largest <= _root_of(SMALL // (q * counts.shape[1]), power)
        lengths = (np.where(measured[:, None], sizes, 0) ** power).sum(axis=1) * q
        long = ~measured | (lengths > p)
        small = long & measured & (largest <= _root_of(SMALL // max(p, 1), power))
        over, by = sizes[small] ** power * p, lengths[small][:, None]
        found = counts.copy()
        found[small] = np.sign(counts[small]) * (over // by if power == 1 else _roots(over, by))
        for i in np.flatnonzero(long & ~small).tolist():
            row = clipped([v * step for v in counts[i].tolist()], self.bound, self.norm, step)
            found[i] = [int(v / step) for v in row]
        return found


def _root_of(most: int, power: int) -> int:
    return most if power == 1 else isqrt(most)


def _roots(over: Ints, by: Ints) -> Ints:
    """`floor(sqrt(over/by))`, exactly: what floats say, off by one at most, and then whole numbers decide.

    Both are at most 2^58, so no root is above 2^29 and no product above `(sqrt(over) + 2 sqrt(by))^2 < 2^62`.
    """
    found: Ints = np.sqrt(over / by).astype(np.int64)
    found -= found * found * by > over
    found += (found + 1) * (found + 1) * by <= over
    return found


def _clip(table: Table, *, bound: int | Fraction, norm: Norm, domain: Vector[Domain]) -> Table:
    step = Fraction(known(domain.of.step)) if isinstance(domain.of, Numbers) and domain.of.step else Fraction(1)
    return table.map_vectors(Clipping(Fraction(bound), norm, step, isinstance(domain.of, Integers)), domain)


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
    return isinstance(domain, Vector) and isinstance(domain.of, NumberDomain) and domain.of.grid is not None


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
