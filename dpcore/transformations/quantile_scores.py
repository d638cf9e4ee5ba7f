"""How well each candidate serves as the a/b-quantile: whole numbers, 0 for a perfect one, lower for worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import COUNT, FIGURES, WHOLE_FROM_0, Parameter
from dpcore.core import Space, Transformation
from dpcore.core.arrows import aggregated
from dpcore.core.chaining import FILTERED
from dpcore.core.checks import bridge_for, expect
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Integers, NumberDomain, Numbers, Rows, Vector
from dpcore.engines import Table
from dpcore.errors import InvalidParameter, a_list
from dpcore.maps import Number, Numeric, exact, known, maximum
from dpcore.metrics import LInfDistance, RowMetric
from dpcore.transformations.histogram import disjoint

M = TypeVar("M", bound=RowMetric)


_WRITES = (Parameter("candidates", FIGURES), Parameter("a", WHOLE_FROM_0), Parameter("b", COUNT))


def _scores(table: Table, *, candidates: tuple[int | Fraction, ...], a: int, b: int) -> list[int]:
    return [-abs((b - a) * below - a * above) for below, above in table.ranks(candidates)]


@rule(run=_scores, writes=_WRITES)
def quantile_scores_symmetric(d: Number, *, a: Number, b: Number) -> Number:
    """`|s_c(x) - s_c(y)| <= d max(a, b-a)`.

    The score of c is `-|(b-a) #{rows < c} - a #{rows > c}|`. A row added or removed moves the difference by b-a, by a, or
    not at all.
    """
    return d * maximum(a, b - a)


@rule(run=_scores, writes=_WRITES)
def quantile_scores_change_one(d: Number, *, a: Number, b: Number) -> Number:
    """`|s_c(x) - s_c(y)| <= d b`: a row that goes from below c to above it moves the difference by (b-a) + a."""
    return d * b


@rule(run=_scores, writes=_WRITES)
def quantile_scores_filtered(d: Number, *, b: Number) -> Number:
    """`|s_c(x) - s_c(y)| <= d/2 b`: of rows that a filter left, where at most d/2 leave and at most d/2 enter."""
    return d / 2 * b


FILTERED[quantile_scores_symmetric.name] = lambda arrow: quantile_scores_filtered


@final
@dataclass(frozen=True, slots=True, repr=False)
class QuantileScores(Step):
    """See `quantile_scores`."""

    candidates: tuple[int | Fraction, ...]
    q: Fraction

    word = "quantile_scores"
    positional = 2

    @overload
    def __call__(
        self, space: Space[Rows[Integers], M]
    ) -> Transformation[Rows[Integers], M, Vector[Integers], LInfDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Numbers], M]
    ) -> Transformation[Rows[Numbers], M, Vector[Integers], LInfDistance]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        expect(self, of, "rows of numbers", lambda d: isinstance(d, NumberDomain), bridge_for(of))
        output = Space(Vector(Integers(None, 0), len(self.candidates)), LInfDistance())
        parameters = {"candidates": self.candidates, "a": self.q.numerator, "b": self.q.denominator}
        return aggregated(
            self, space, output, parameters, symmetric=quantile_scores_symmetric, change_one=quantile_scores_change_one
        )


def quantile_scores(candidates: Sequence[Numeric], q: Numeric) -> QuantileScores:
    """Scores of candidate values for the q-quantile, `quantile_scores(range(0, 101), "1/2")` for the median."""
    a_list(candidates, "candidates")
    values = [known(exact(c, "candidates"), "candidates") for c in candidates]
    disjoint(values, "candidates")
    level = Fraction(known(exact(q, "q"), "q"))
    if not 0 <= level <= 1:
        raise InvalidParameter(f"Expected 0 <= q <= 1 but got q={level}", produced=level)
    return QuantileScores(tuple(values), level)
