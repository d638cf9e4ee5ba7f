"""A function of each row alone. Rows that are equal stay equal, so data sets come no further apart.

`clamp`, `quantize` and `select` are row maps that say what they do; `row_map` takes a function nobody can look into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Generic, TypeAlias, TypeVar, cast, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import Data, Json, Parameter, fields, number
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import bridge_for, by_metric, expect, row_function
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import DO, D
from dpcore.domains import (
    Booleans,
    Domain,
    Integers,
    NumberDomain,
    Numbers,
    Record,
    Rows,
    Text,
    Vector,
    a_domain,
    integers,
    numbers,
)
from dpcore.engines import Table, Tables, together
from dpcore.errors import InvalidExpression, InvalidParameter
from dpcore.expressions import Expr, Expression, field, row
from dpcore.expressions.expr import Value, apply
from dpcore.functions import RowFunction, UserFunction
from dpcore.maps import Exact, Number, Numeric, exact, known, positive
from dpcore.metrics import Metric, PersonDistance, RowMetric
from dpcore.written import SPOKEN, Says, data_of, stays_in_domain
from dpcore.written.shared import Declared

M = TypeVar("M", bound=RowMetric)
V = TypeVar("V")
T = TypeVar("T", Table, Tables)


To: TypeAlias = Expression | tuple[tuple[str, Expression], ...] | UserFunction | Says


def _map_rows(table: T, *, to: To, domain: Domain) -> T:
    if isinstance(to, UserFunction):
        return table.map_rows(to, domain)
    if isinstance(to, tuple):
        assert isinstance(domain, Record)
        return table.select_record(dict(to), domain)
    return table.select(to if isinstance(to, Expression) else _said(to), domain)


def _map_each(tables: Sequence[Table], *, to: To, domain: Domain) -> Sequence[Table]:
    return _map_rows(together(tables), to=to, domain=domain)


@lru_cache(maxsize=256)
def _said(step: Says) -> Expression:
    """Made once, and not at each release."""
    return step.expression()


def _stay_in_domain(parameters: Data, witness: Data) -> Iterator[str]:
    """The expressions of new rows, each with the domain declared for it."""
    to, domain = fields(parameters["to"]), fields(parameters["domain"])
    if "expression" in to:
        yield from stays_in_domain(to["expression"], domain)
    if "record" in to:
        declared = fields(domain["fields"])
        for name, e in fields(to["record"]).items():
            yield from stays_in_domain(e, declared[name])


@rule(
    run=_map_rows,
    name="row_map",
    writes=(Parameter("to", SPOKEN), Declared),
    assumes=_stay_in_domain,
    of_each=_map_each,
)
def row_map_stability(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)` for rows mapped one by one: a row added, removed or replaced is so afterwards."""
    return d


def _mapped(step: Step, space: Space[Rows[D], M], domain: DO, to: To) -> Transformation[Rows[D], M, Rows[DO], M]:
    by_metric(step, space, symmetric=row_map_stability, change_one=row_map_stability, person=row_map_stability)
    keep_person(step, space.metric, to)
    output = Space(Rows(domain, space.domain.size), space.metric)
    return transformation_of(step, space, output, row_map_stability, {"to": to, "domain": domain})


def keep_person(step: Step, metric: Metric, to: object) -> None:
    """Under PersonDistance a row must stay its person's: refuse what might change or drop the field that says whose."""
    if not isinstance(metric, PersonDistance):
        return
    if isinstance(to, tuple) and _is_field(dict(to).get(metric.by), metric.by):
        return
    raise InvalidParameter(
        f"{step.word} under {metric} must keep the field that says whose row it is",
        right=step,
        expected=metric,
        bridge=f"select({metric.by}=field({metric.by!r}), ...), or bound_contributions(limit) first",
    )


def _is_field(e: Expression | None, name: str) -> bool:
    """Whether it is that field and nothing else, declared or not."""
    return e is not None and any(e.same_as(kept) for kept in (field(name), field(name, int), field(name, str)))


# ---- clamp -------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Clamp(Step):
    """See `clamp`."""

    low: Exact
    high: Exact

    word = "clamp"
    positional = 2

    def __post_init__(self) -> None:
        Numbers(self.low, self.high)  # checks their order

    @overload
    def __call__(self, space: Space[Rows[Integers], M]) -> Transformation[Rows[Integers], M, Rows[Integers], M]: ...
    @overload
    def __call__(self, space: Space[Rows[Numbers], M]) -> Transformation[Rows[Numbers], M, Rows[Numbers], M]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        expect(self, of, "rows of numbers", lambda d: isinstance(d, NumberDomain), bridge_for(of))
        if isinstance(of, Integers):
            return _mapped(self, space, integers(self.low, self.high), self)
        return _mapped(self, space, numbers(self.low, self.high, of.step if isinstance(of, Numbers) else None), self)

    def expression(self) -> Expression:
        """What happens to a row."""
        return row().clip(known(self.low), known(self.high)).structure()

    def written(self) -> Json:
        """An expression holds numbers only; as data its bounds may be symbols."""
        bounds: list[Json] = [{"op": "number", "value": number(end)} for end in (self.low, self.high)]
        return {"op": "clip", "of": [{"op": "row"}, *bounds]} if self.symbols() else data_of(self.expression())


def clamp(low: Numeric, high: Numeric) -> Clamp:
    """Every row brought into `[low, high]`: what lies below becomes `low`, what lies above `high`."""
    return Clamp(exact(low, "low"), exact(high, "high"))


# ---- quantize ----------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Quantize(Step):
    """See `quantize`."""

    step: Exact

    word = "quantize"
    positional = 1

    def __post_init__(self) -> None:
        positive(self.step, "step")

    @overload
    def __call__(self, space: Space[Rows[Numbers], M]) -> Transformation[Rows[Numbers], M, Rows[Numbers], M]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Vector[Numbers]], M]
    ) -> Transformation[Rows[Vector[Numbers]], M, Rows[Vector[Numbers]], M]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        each = of.of if isinstance(of, Vector) else of
        expect(
            self, of, "rows of numbers, or of vectors of numbers", lambda d: isinstance(each, Numbers), bridge_for(of)
        )
        assert isinstance(each, Numbers)
        step = known(self.step, "step")
        low, high = (None if b is None else _rounded(known(b), step) for b in (each.low, each.high))
        grid = numbers(low, high, step)
        # Rounding may lengthen a vector, so a bound on its norm is not carried over.
        return _mapped(self, space, Vector(grid, of.size) if isinstance(of, Vector) else grid, self)

    def expression(self) -> Expression:
        """What happens to a row."""
        return row().round(known(self.step)).structure()

    def written(self) -> Json:
        """As data."""
        return data_of(self.expression())


def _rounded(x: int | Fraction, step: int | Fraction) -> Fraction:
    return round(Fraction(x) / step) * Fraction(step)


def quantize(step: Numeric) -> Quantize:
    """Every row rounded to the nearest multiple of `step`, ties to the even one; vectors entry by entry.

    What a sum of real numbers needs first.
    """
    return Quantize(exact(step, "step"))


# ---- select ------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Select(Step, Generic[DO]):
    """See `select`."""

    to: Expression | tuple[tuple[str, Expression], ...]
    domain: DO | None = None

    word = "select"
    positional = 2
    defaults: ClassVar[Mapping[str, object]] = {"domain": None}

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Rows[DO], M]:
        of = row_domain(self, space)
        to: To
        if isinstance(self.to, tuple):
            to = tuple([(name, e.on(of)) for name, e in self.to])
            derived: Domain = Record(tuple([(name, e.domain(of)) for name, e in to]))
        else:
            to = self.to.on(of)
            derived = to.domain(of)
        if self.domain is not None:
            if not self.domain.includes(derived):
                raise InvalidExpression(
                    "the expression can give values outside the declared domain",
                    right=self,
                    produced=derived,
                    expected=self.domain,
                )
            derived = self.domain
        return _mapped(self, space, cast(DO, derived), to)

    def __repr__(self) -> str:
        if isinstance(self.to, tuple):
            return f"select({', '.join(f'{name}={e!r}' for name, e in self.to)})"
        return Step.__repr__(self)


@overload
def select(to: Expr[int], /) -> Select[Integers]: ...
@overload
def select(to: Expr[float], /) -> Select[Numbers]: ...
@overload
def select(to: Expr[bool], /) -> Select[Booleans]: ...
@overload
def select(to: Expr[str], /) -> Select[Text]: ...
@overload
def select(to: Expr[V], domain: DO, /) -> Select[DO]: ...
@overload
def select(to: Sequence[Expr[int]], /) -> Select[Vector[Integers]]: ...
@overload
def select(to: Sequence[Expr[float]], /) -> Select[Vector[Numbers]]: ...
@overload
def select(to: Sequence[Expr[Value]], /) -> Select[Vector[Numbers]]: ...
@overload
def select(to: Sequence[Expression | int | float | Fraction], domain: DO, /) -> Select[DO]: ...
@overload
def select(**fields: Expression | Sequence[Expression]) -> Select[Record]: ...
def select(to: object = None, domain: Domain | None = None, /, **fields: object) -> object:
    """Rows computed from rows: `select(field("age", int) + 1)`, records, `select(age=field("age"))`, or vectors, given
    by their entries, `select([field("x", float), field("y", float)])`.

    Where types cannot know what a field holds, the domain says it: `select(field("age"), integers(0, 120))`.
    """
    given = [("", to)] if to is not None else list(fields.items())
    if (to is None) == (not fields):
        raise InvalidParameter("Expected one expression, or several with names, but got both or none")
    chosen: list[tuple[str, Expression]] = []
    for name, each in given:
        e = _vector_of(each) if isinstance(each, (list, tuple)) else each
        if not isinstance(e, Expression):
            raise InvalidParameter(
                f"Expected an expression to select but got a {type(e).__name__}",
                produced=e,
                bridge=f"field({e!r})" if isinstance(e, str) else "row_map(function, domain) for a Python function",
            )
        chosen.append((name, e.structure()))
    if domain is not None:
        a_domain(domain, "domain")
    return Select(tuple(chosen) if to is None else chosen[0][1], domain)


def _vector_of(entries: Sequence[object]) -> Expression:
    if not entries or not any(isinstance(e, Expression) for e in entries):
        raise InvalidParameter("Expected expressions as the entries of a vector, one at least", produced=entries)
    return Expression(apply("vector", *entries))


# ---- a user's function -------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class RowMap(Step, Generic[DO]):
    """See `row_map`."""

    function: UserFunction
    domain: DO

    word = "row_map"
    positional = 2

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Rows[DO], M]:
        row_domain(self, space)
        return _mapped(self, space, self.domain, self.function)


def row_map(function: RowFunction, domain: DO) -> RowMap[DO]:
    """Each row put through a Python function with values in `domain`.

    The function is an assumption: it must be a function of the row alone, and nobody can check that by reading it.
    A value outside the domain, or an exception, stops the release.
    """
    if not isinstance(domain, Domain):
        raise InvalidParameter(f"Expected a domain for the function's values but got a {type(domain).__name__}")
    return RowMap(row_function(function, arrays=isinstance(domain, Vector)), domain)
