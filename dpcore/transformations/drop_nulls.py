"""The rows in which nothing is missing where it is needed. What is left is known to be there, so it can be summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.arrows import aggregated
from dpcore.core.spaces import Named, row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D, M, T
from dpcore.domains import Domain, Optional, Record, Rows
from dpcore.engines import Table, together
from dpcore.errors import DomainMismatch, InvalidExpression, is_a
from dpcore.expressions import Expression, field, row
from dpcore.maps import Number
from dpcore.metrics import ChangeOneDistance, PersonDistance, SymmetricDistance
from dpcore.written import TEXTS

Names = Parameter("names", TEXTS, held="fields")


def _drop(table: Table, *, fields: tuple[str, ...], domain: Domain) -> Table:
    return table.filter(present(fields)).narrowed(domain)


def _drop_each(tables: Sequence[Table], *, fields: tuple[str, ...], domain: Domain) -> Sequence[Table]:
    return together(tables).filter(present(fields)).narrowed(domain)


@lru_cache(maxsize=256)
def present(fields: tuple[str, ...]) -> Expression:
    """Whether none of the fields is missing, or the row itself where no field is named."""
    missing = [field(name).is_null() for name in fields] or [row().is_null()]
    return reduce(lambda a, b: a & b, (~m for m in missing)).structure()


@rule(run=_drop, of_each=_drop_each, writes=(Names,))
def drop_nulls_symmetric(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)`: a filter, whose condition is a function of the row alone."""
    return d


@rule(run=_drop, of_each=_drop_each, writes=(Names,))
def drop_nulls_change_one(d: Number) -> Number:
    """`d_sym(f(x), f(y)) <= 2 d(x, y)`: a replaced row may leave one row out and bring another in."""
    return 2 * d


@rule(run=_drop, of_each=_drop_each, writes=(Names,))
def drop_nulls_person(d: Number) -> Number:
    """`d(f(x), f(y)) <= d(x, y)`: whose rows are equal before, his rows are equal after; whose are none, none."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class DropNulls(Step):
    """See `drop_nulls`."""

    fields: tuple[str, ...]

    word = "drop_nulls"

    @overload
    def __call__(
        self, space: Space[Rows[Optional[D]], SymmetricDistance]
    ) -> Transformation[Rows[Optional[D]], SymmetricDistance, Rows[D], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Optional[D]], ChangeOneDistance]
    ) -> Transformation[Rows[Optional[D]], ChangeOneDistance, Rows[D], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Record[T]], SymmetricDistance]
    ) -> Transformation[Rows[Record[T]], SymmetricDistance, Rows[Record], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Record[T]], ChangeOneDistance]
    ) -> Transformation[Rows[Record[T]], ChangeOneDistance, Rows[Record], SymmetricDistance]: ...
    @overload
    def __call__(
        self, space: Space[Rows[Record[T]], PersonDistance]
    ) -> Transformation[Rows[Record[T]], PersonDistance, Rows[Record], PersonDistance]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        domain = self._left(of)
        parameters = {"fields": self.fields, "domain": domain}
        if not isinstance(space.metric, PersonDistance):
            end = Space(Rows(domain), SymmetricDistance())
            return aggregated(
                self, space, end, parameters, symmetric=drop_nulls_symmetric, change_one=drop_nulls_change_one
            )
        return transformation_of(self, space, Space(Rows(domain), space.metric), drop_nulls_person, parameters)

    def _left(self, of: Domain) -> Domain:
        """The domain of the rows that are left."""
        if not self.fields:
            if isinstance(of, Optional):
                inner: Domain = of.of
                return inner
            raise DomainMismatch(
                "cannot chain: drop_nulls() needs rows that may be missing",
                right=self,
                produced=of,
                expected=Named("rows of an optional domain"),
                bridge="drop_nulls('field', ...) for records" if isinstance(of, Record) else None,
            )
        present(self.fields).domain(of)
        assert isinstance(of, Record)
        for name in self.fields:
            if not isinstance(of.domain(name), Optional):
                raise InvalidExpression(f"the field {name!r} is never missing", right=self, produced=of.domain(name))
        return Record(
            tuple(
                (name, inner.of if name in self.fields and isinstance(inner, Optional) else inner)
                for name, inner in of.fields
            )
        )

    def __repr__(self) -> str:
        return f"drop_nulls({', '.join(map(repr, self.fields))})"


def drop_nulls(*fields: str) -> DropNulls:
    """The rows in which none of these fields is missing, `drop_nulls("age")`; without a name, those that are not null."""
    for name in fields:
        if not is_a(name, str):
            raise InvalidExpression(f"Expected names of fields but got a {type(name).__name__}", produced=name)
    return DropNulls(tuple(dict.fromkeys(fields)))
