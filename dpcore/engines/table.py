"""A table: one multiset of rows of a known domain, and what may be computed from it. An engine is one way to hold it.

Every engine gives the same results, exactly. An expression is checked against the rows before it is computed, so a
computation cannot fail half-way for a reason that lies in the data.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from dpcore.domains import Domain, Integers, Numbers, Optional, Record, Vector
from dpcore.engines.keys import Key, key_of
from dpcore.errors import DomainMismatch, InvalidExpression, InvalidParameter
from dpcore.expressions import Expr, Expression
from dpcore.expressions.shapes import NUMBER, TRUTH, expect, interval, kind, shape_of

Total: TypeAlias = int | Fraction


class Table(ABC):
    """Rows of `domain`. Their order means nothing, and every method keeps it."""

    __slots__ = ("domain",)

    domain: Domain

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    # -- what an engine does, after the checks --

    @abstractmethod
    def count(self) -> int:
        """The number of rows."""

    @abstractmethod
    def narrowed(self, domain: Domain) -> Table:
        """The same rows, all of which are members of this narrower domain, as a filter has made sure."""

    @abstractmethod
    def rows(self) -> list[object]:
        """The rows as canonical Python values, new ones."""

    @abstractmethod
    def _filter(self, condition: Expression) -> Table: ...

    @abstractmethod
    def _select(self, expr: Expression, domain: Domain) -> Table: ...

    @abstractmethod
    def _select_record(self, exprs: Mapping[str, Expression], domain: Domain) -> Table: ...

    @abstractmethod
    def _sum(self, expr: Expression | None) -> Total:
        """Of an expression, or of the rows themselves."""

    @abstractmethod
    def _tally(self, expr: Expression, places: Mapping[Key, int]) -> list[int]:
        """How many rows have each key, by its place."""

    @abstractmethod
    def _split(self, expr: Expression, places: Mapping[Key, int]) -> list[Table]:
        """The rows that have each key, by its place."""

    @abstractmethod
    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        """A function of the user on each row. Refuses, without naming row or value, if it does not keep its word."""

    @abstractmethod
    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        """All the rows that a function of the user makes of each row, of each the first `limit` only."""

    # -- what is asked of it --

    def filter(self, condition: Expr[bool]) -> Table:
        """The rows on which the condition is True; neither those on which it is False nor those on which it is null."""
        values = shape_of(condition.domain(self.domain)).values
        if values is not None and kind(values) != TRUTH:
            raise InvalidExpression(f"Expected a truth value but got {values!r} from {condition!r}", produced=values)
        return self._filter(condition)

    def select(self, expr: Expression, domain: Domain) -> Table:
        """The value of the expression for each row."""
        _check_inclusion(domain, expr.domain(self.domain), expr)
        return self._select(expr, domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Domain) -> Table:
        """A record for each row, with the values of the expressions."""
        if not isinstance(domain, Record) or {name for name, _ in domain.fields} != set(exprs):
            raise InvalidExpression("Expected a record with one field for each expression", produced=domain)
        for name, inner in domain.fields:
            _check_inclusion(inner, exprs[name].domain(self.domain), exprs[name])
        return self._select_record(exprs, domain)

    def total(self) -> Total:
        """The exact sum of the rows, 0 when there is none: an int for whole numbers, a Fraction for others."""
        return _as_total(shape_of(self.domain).values, self._sum(None))

    def totals(self, exprs: Sequence[Expression]) -> list[Total]:
        """The exact sum of each expression. A truth value counts as 1 or 0, null as 0."""
        return [_as_total(shape_of(expr.domain(self.domain)).values, self._sum(expr)) for expr in exprs]

    def vector_total(self, size: int) -> list[Total]:
        """The exact sum of rows that are vectors of that size."""
        domain = self.domain
        if not isinstance(domain, Vector) or domain.size != size:
            raise InvalidParameter(f"Expected vectors of size {size} but got {domain!r}", produced=domain)
        of = shape_of(domain.of).values
        return [_as_total(of, value) for value in self._entry_sums(size)]

    def _entry_sums(self, size: int) -> list[Total]:
        """Of rows that are vectors, entry by entry; null counts as 0."""
        sums: list[Total] = [0] * size
        for vector in self.rows():
            assert isinstance(vector, list)
            for i, value in enumerate(vector):
                sums[i] += value or 0
        return sums

    def tally(self, key: Expression, bins: Sequence[Hashable]) -> list[int]:
        """How many rows have each key. Rows whose key is none of them are not counted. True is not 1."""
        key.domain(self.domain)
        places = _places(bins)
        counts = self._tally(key, places)
        return [counts[places[key_of(b)]] for b in bins]

    def partition(self, key: Expression, keys: Sequence[Hashable]) -> dict[Hashable, Table]:
        """The rows of each key. Rows whose key is none of them are in no part. True is not 1."""
        key.domain(self.domain)
        places = _places(keys)
        if len(places) < len(keys) or len(set(keys)) < len(keys):
            raise InvalidParameter("Expected different keys but got one twice (1 and True are the same key of a dict)")
        parts = self._split(key, places)
        return {k: parts[places[key_of(k)]] for k in keys}


def _places(bins: Sequence[Hashable]) -> dict[Key, int]:
    places: dict[Key, int] = {}
    for b in bins:
        places.setdefault(key_of(b), len(places))
    return places


def _check_inclusion(declared: Domain, derived: Domain, expr: Expression) -> None:
    if declared == derived or declared.includes(derived):
        return
    # `includes` does not know that null alone, or nothing at all, fits any optional domain.
    shape = shape_of(derived)
    if shape.values is None and (isinstance(declared, Optional) or not shape.null):
        return
    raise DomainMismatch(f"the results of {expr!r} are not all in the domain", left=expr, produced=derived,
                         right=expr, expected=declared)  # fmt: skip


def _as_total(values: Domain | None, total: Total) -> Total:
    if values is None:
        return 0
    if expect_summable(values) == TRUTH or interval(values).whole:
        return int(total)
    return Fraction(total)


def expect_summable(values: Domain) -> str:
    found = kind(values)
    if found not in (NUMBER, TRUTH):
        raise InvalidExpression(f"Expected numbers or truth values to add but got {values!r}", produced=values)
    return expect(values, NUMBER, TRUTH)


def as_declared(value: object, domain: Domain) -> object:
    """A result in the form of its domain: a whole number among `Numbers` is a Fraction."""
    inner = domain.of if isinstance(domain, Optional) else domain
    if isinstance(inner, Vector) and isinstance(value, list):
        return [as_declared(entry, inner.of) for entry in value]
    if isinstance(inner, Numbers) and type(value) is int:
        return Fraction(value)
    return int(value) if isinstance(inner, Integers) and isinstance(value, Fraction) else value
