"""How far guesses of whole marginals are off: of each marginal, the sum over its cells of `|count - guess|`.

Argument. A marginal is told by an expression on rows, and its cells are the rows for which that is 0, those for which it
is 1, and so on. A row is in at most one cell of each marginal, so one that comes or goes moves the counts of a marginal by
at most 1 in L1. Errors of a guess follow their counts (see `absolute_errors`), and a sum over coordinates moves no further
than the vector in L1. So no error moves by more than 1, however many marginals and cells there are: d in LInf. With one
marginal of one cell and a guess of 0 the error is the count, so nothing less is true.

A row replaced is one that goes and one that comes: 2, which is reached where it leaves a cell of as many rows as were
guessed for one in which there are already more. So that is no rule of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, final

from dpcore.calculus import rule
from dpcore.calculus.parameters import COUNTS_OF_EACH, Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, expect, number_of
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Domain, Integers, Rows, Vector, key
from dpcore.engines import Table
from dpcore.errors import InvalidParameter, a_list
from dpcore.expressions import Expr, Expression, Value
from dpcore.expressions.shapes import shape_of
from dpcore.maps import Number
from dpcore.metrics import ChangeOneDistance, LInfDistance, RowMetric
from dpcore.transformations.linear_queries import Queries, structures
from dpcore.transformations.to_metric import change_one_to_symmetric

M = TypeVar("M", bound=RowMetric)


def _errors(table: Table, *, queries: tuple[Expression, ...], guesses: tuple[tuple[int, ...], ...]) -> list[int]:
    return [_off(table, query, guess) for query, guess in zip(queries, guesses, strict=True)]


def _off(table: Table, query: Expression, guess: tuple[int, ...]) -> int:
    counts = table.tally(query, {key(cell): cell for cell in range(len(guess))})
    return sum([abs(count - guessed) for count, guessed in zip(counts, guess, strict=True)])


@rule(run=_errors, writes=(Queries, Parameter("guesses", COUNTS_OF_EACH)))
def marginal_errors_symmetric(d: Number) -> Number:
    """`||e(x) - e(y)||_inf <= d`: each row added or removed moves one cell of each marginal by one, and so its error."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class MarginalErrors(Step):
    """See `marginal_errors`."""

    queries: tuple[Expression, ...]
    guesses: tuple[tuple[int, ...], ...]

    word = "marginal_errors"
    positional = 2

    def __post_init__(self) -> None:
        if len(self.queries) != len(self.guesses):
            raise InvalidParameter(
                f"Expected a guess for each of {len(self.queries)} marginals but got {len(self.guesses)}",
                produced=len(self.guesses),
            )

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Vector[Integers], LInfDistance]:
        of = row_domain(self, space)
        queries = tuple([query.on(of) for query in self.queries])
        for query in queries:
            expect(self, query.domain(of), "whole numbers, of which 0 is the first cell", _numbered)
        after = change_one_to_symmetric if isinstance(space.metric, ChangeOneDistance) else None
        if after is None:
            by_metric(self, space, symmetric=marginal_errors_symmetric)
        output = Space(Vector(Integers(0), len(queries)), LInfDistance())
        parameters = {"queries": queries, "guesses": self.guesses}
        return transformation_of(self, space, output, marginal_errors_symmetric, parameters, after=after)


def _numbered(domain: Domain) -> bool:
    return isinstance(shape_of(domain).values, Integers)


def marginal_errors(queries: Sequence[Expr[Value] | Expr[int]], guesses: Sequence[Sequence[int]]) -> MarginalErrors:
    """How far guesses of marginals are off, `marginal_errors([field("age") // 10, field("visits")], [guess, other])`.

    Each marginal is told by an expression, whole numbers from 0 on, which say in which cell a row is; its guess has a
    whole number for each cell. Rows in no cell are not counted. Its error is the sum over its cells. One row moves each of
    them by at most 1, and by 2 where it is replaced: for choosing which marginal is guessed worst.
    """
    a_list(queries, "queries")
    a_list(guesses, "guesses")
    return MarginalErrors(structures(queries), tuple(map(_counts, guesses)))


def _counts(guess: Sequence[int]) -> tuple[int, ...]:
    a_list(guess, "guesses")
    return tuple([number_of(count, "guesses", 0) for count in guess])
