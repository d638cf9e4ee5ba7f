"""Several sums at once, each of a value in [0, 1] of every row. How far one row can move them all is found exactly.

In LInf, where the largest move of any one answer counts, that is at most 1, however many there are: a row adds between 0
and 1 to each, so one that comes or goes moves none by more than 1, and neither does one that takes the place of another.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar, cast, final, overload

from dpcore.calculus import Assumes, Rule, rule
from dpcore.calculus.parameters import AT_LEAST_0, Data, Parameter, entries, read_number
from dpcore.core import Space, Transformation
from dpcore.core.arrows import aggregated
from dpcore.core.checks import expect
from dpcore.core.known_size import are_replaced
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import DO, D
from dpcore.domains import FEW, Booleans, Domain, Integers, NumberDomain, Numbers, Record, Rows, Vector, real
from dpcore.engines import Table
from dpcore.errors import InvalidParameter, class_of
from dpcore.expressions import Expr, Expression, Value
from dpcore.maps import Number, is_formula, known
from dpcore.metrics import ChangeOneDistance, L1Distance, LInfDistance, Metric, RowMetric, SymmetricDistance
from dpcore.metrics.vectors import VectorMetric
from dpcore.written import EXPRESSIONS, stays_in_domain

M = TypeVar("M", bound=RowMetric)
N = TypeVar("N", bound=VectorMetric)
K = TypeVar("K", L1Distance, LInfDistance)


def _totals(table: Table, *, queries: tuple[Expression, ...], domains: tuple[Domain, ...]) -> list[int | Fraction]:
    return table.totals(queries, domains)


Queries = Parameter("queries", EXPRESSIONS)
Column = Parameter("column", AT_LEAST_0)


def _assumes(metric: Metric) -> Assumes:
    """Where the bound of a column is less than what the number of queries says, and where the values are not followed."""

    def assumed(parameters: Data, witness: Data) -> Iterator[str]:
        queries, column = entries(parameters["queries"]), read_number(parameters["column"])
        if not is_formula(column) and column < len(queries):
            step = metric.words().partition(";")[0]
            yield f"{step} moves the answers to its linear queries by at most {column} in all"
        for query in queries:
            yield from stays_in_domain(query, None)

    return assumed


@rule(run=_totals, writes=(Queries, Column), assumes=_assumes(SymmetricDistance()))
def linear_queries_symmetric(d: Number, *, column: Number) -> Number:
    """`||q(x) - q(y)||_1 <= column * d`, `column` being the most that one row adds to all queries: at most their number."""
    return column * d


@rule(run=_totals, writes=(Queries, Column), assumes=_assumes(ChangeOneDistance()))
def linear_queries_change_one(d: Number, *, column: Number) -> Number:
    """`||q(x) - q(y)||_1 <= column * d`, `column` being the largest L1 distance between what two rows add."""
    return column * d


def _unit_assumes(parameters: Data, witness: Data) -> Iterator[str]:
    for query in entries(parameters["queries"]):
        yield from stays_in_domain(query, None)


@rule(run=_totals, writes=(Queries,), assumes=_unit_assumes)
def linear_queries_linf_symmetric(d: Number) -> Number:
    """`||q(x) - q(y)||_inf <= d`: one row adds between 0 and 1 to each query."""
    return d


@rule(run=_totals, writes=(Queries,), assumes=_unit_assumes)
def linear_queries_linf_change_one(d: Number) -> Number:
    """`||q(x) - q(y)||_inf <= d`: what two rows add to a query lies between 0 and 1, and so no further apart than 1."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class LinearQueries(Step, Generic[DO, N]):
    """See `linear_queries`."""

    queries: tuple[Expression, ...]
    norm: type[N]

    word = "linear_queries"
    defaults: ClassVar[Mapping[str, object]] = {"norm": L1Distance}

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Vector[DO], N]:
        of = row_domain(self, space)
        queries = tuple([query.on(of) for query in self.queries])
        domains = tuple([query.domain(of) for query in queries])
        for domain in domains:
            expect(self, domain, "queries with values in [0, 1] on a grid", is_linear)
        output = Space(Vector(cast(DO, _grid(domains)), len(queries)), self.norm())
        symmetric, change_one = RULES_BY_NORM[self.norm]
        parameters: dict[str, object] = {"queries": queries, "domains": domains}
        if self.norm is L1Distance:
            parameters["column"] = _column(queries, of, replaced=are_replaced(space))
        return aggregated(self, space, output, parameters, symmetric=symmetric, change_one=change_one)

    def __repr__(self) -> str:
        norm: list[str] = [] if self.norm is L1Distance else [f"norm={self.norm.__name__}"]
        return f"linear_queries({', '.join([*map(repr, self.queries), *norm])})"


RULES_BY_NORM: dict[type[VectorMetric], tuple[Rule, Rule]] = {
    L1Distance: (linear_queries_symmetric, linear_queries_change_one),
    LInfDistance: (linear_queries_linf_symmetric, linear_queries_linf_change_one),
}
"""For each norm the rules under SymmetricDistance and under ChangeOneDistance."""


def _column(queries: tuple[Expression, ...], of: Domain, *, replaced: bool) -> int | Fraction:
    """The exact constant where the rows are few enough to try them all, else the number of queries."""
    rows = _few_rows(of)
    if rows is None:
        return len(queries)
    columns = {tuple(_weight(query.on_row(row)) for query in queries) for row in rows}
    most = max(map(_added, columns))
    if not replaced:
        return most
    if len(columns) ** 2 * len(queries) > 100 * FEW:  # too many pairs: one goes, and another comes
        return min(len(queries), 2 * most)
    pairs = itertools.combinations(columns, 2)
    return max((_added([a - b if a >= b else b - a for a, b in zip(*pair, strict=True)]) for pair in pairs), default=0)


def _added(numbers: Sequence[int | Fraction]) -> int | Fraction:
    found: int | Fraction = 0
    for number in numbers:  # whole ones are added as they are, which is faster
        found = found + number
    return found


def _weight(value: object) -> int | Fraction:
    """A row's share in a query: truth counts one, null nothing."""
    if value is None:
        return 0
    number = int(value) if isinstance(value, bool) else real(value)
    assert number is not None
    return number


def _few_rows(of: Domain) -> Iterator[object] | None:
    if not isinstance(of, Record):
        values = of.elements()
        return None if values is None else iter(values)
    columns = [(name, domain.elements()) for name, domain in of.fields]
    size = 1
    for _, values in columns:
        if values is None:
            return None
        size *= len(values)
    if size > FEW:
        return None
    names = [name for name, _ in columns]
    product = itertools.product(*(values for _, values in columns if values is not None))
    return (dict(zip(names, row, strict=True)) for row in product)


def is_linear(domain: Domain) -> bool:
    """Whether values lie in [0, 1] on a grid, or are truths."""
    if isinstance(domain, Booleans):
        return True
    if not isinstance(domain, NumberDomain) or domain.low is None or domain.high is None:
        return False
    if is_formula(domain.low) or is_formula(domain.high):
        return False
    return domain.grid is not None and domain.low >= 0 and domain.high <= 1


def _grid(domains: tuple[Domain, ...]) -> Domain:
    """Whole numbers for conditions, otherwise the coarsest grid that holds every query's sum."""
    if all(isinstance(d, Booleans) for d in domains):
        return Integers(0)
    return Numbers(0, None, common_step(domains))


def common_step(domains: tuple[Domain, ...]) -> Fraction:
    """The largest number of which 1 and the steps of all of them are multiples."""
    common = Fraction(1)
    for domain in domains:
        if isinstance(domain, Numbers) and domain.step is not None:
            common = _divisor(common, Fraction(known(domain.step)))
    return common


def _divisor(x: Fraction, y: Fraction) -> Fraction:
    """The largest rational of which both are multiples."""
    while y:
        x, y = y, x % y
    return x


@overload
def linear_queries(*queries: Expr[bool]) -> LinearQueries[Integers, L1Distance]: ...
@overload
def linear_queries(*queries: Expr[bool], norm: K | type[K]) -> LinearQueries[Integers, K]: ...
@overload
def linear_queries(*queries: Expr[Value]) -> LinearQueries[Numbers, L1Distance]: ...
@overload
def linear_queries(*queries: Expr[Value], norm: K | type[K]) -> LinearQueries[Numbers, K]: ...
def linear_queries(*queries: Expr[bool] | Expr[Value], norm: VectorMetric | type[VectorMetric] = L1Distance) -> object:
    """For each query the sum over all rows of a value in [0, 1]; a condition counts the rows that meet it.

    Where the rows are a few that are known beforehand, the sensitivity is the largest column norm of the query matrix;
    otherwise it is the number of queries. With `norm=LInfDistance` it is 1: for choosing among the answers.
    """
    if not queries:
        raise InvalidParameter("Expected at least one query but got none")
    return LinearQueries(structures(queries), class_of(norm, RULES_BY_NORM, "norm"))


def structures(queries: Sequence[object]) -> tuple[Expression, ...]:
    """What these queries are made of."""
    return tuple(map(structure, queries))


def structure(query: object) -> Expression:
    """What a query is made of; refused, in the same words wherever queries are asked, where it is no expression."""
    if not isinstance(query, Expression):
        raise InvalidParameter(
            f"Expected expressions of a row as queries but got a {type(query).__name__}",
            produced=query,
            bridge=f"field({query!r})" if isinstance(query, str) else 'field("age") >= 65',
        )
    return query.structure()
