"""A table: one multiset of rows of a known domain, and what may be computed from it. An engine is one way to hold it.

Every engine gives the same results, exactly. Expressions were typed when the arrow that computes them was made, on a domain
that includes the rows' own. They are not typed again here: what is accepted on a domain may be refused on a narrower one,
as a comparison with a category that the narrower one lacks, and then a release would fail where its loss did not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from dpcore.domains import Domain, Integers, Key, NumberDomain, Numbers, Optional, Record, Vector, key
from dpcore.errors import InvalidExpression, InvalidParameter
from dpcore.expressions import Expr, Expression
from dpcore.expressions.columns import Column, Ints, Mask
from dpcore.expressions.intervals import Rational
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
    def columns(self) -> Mapping[str | None, Column]:
        """The rows as columns by the name of their field; under None where they are no records."""

    @abstractmethod
    def chosen(self, rows: Mask | Ints) -> Table:
        """The rows at these places."""

    @abstractmethod
    def padded(self, row: object, times: int) -> Table:
        """The rows, and so many more that are all this one, a canonical member of the domain."""

    @abstractmethod
    def column(self, expr: Expression) -> Column:
        """The value of the expression for each row."""

    @abstractmethod
    def rows(self) -> list[object]:
        """The rows as canonical Python values, new ones."""

    @abstractmethod
    def filter(self, condition: Expr[bool]) -> Table:
        """The rows on which the condition is True; neither those on which it is False nor those on which it is null."""

    @abstractmethod
    def select(self, expr: Expression, domain: Domain) -> Table:
        """The value of the expression for each row, all of which are in this domain."""

    @abstractmethod
    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        """A record for each row, with the values of the expressions, all of which are in the domain of their field."""

    @abstractmethod
    def _sum(self, expr: Expression | None) -> Total:
        """Of an expression, or of the rows themselves."""

    @abstractmethod
    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        """For each candidate, of which none is met twice, how many rows are below it and how many above."""

    @abstractmethod
    def _tally(self, expr: Expression, places: Mapping[Key, int]) -> list[int]:
        """How many rows have each key, by its place."""

    @abstractmethod
    def _split(self, expr: Expression, places: Mapping[Key, int]) -> list[Table]:
        """The rows that have each key, by its place."""

    @abstractmethod
    def kept(self, holds: Callable[[object], bool]) -> Table:
        """The rows of which a function of the user says so. It is shown copies: what it does to them is its own."""

    @abstractmethod
    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        """A function of the user on each row. Refuses, without naming row or value, if it does not keep its word."""

    @abstractmethod
    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        """All the rows that a function of the user makes of each row, of each the first `limit` only."""

    # -- what is asked of it --

    def total(self) -> Total:
        """The exact sum of the rows, 0 when there is none: an int for whole numbers, a Fraction for others."""
        return _as_total(shape_of(self.domain).values, self._sum(None))

    def totals(self, exprs: Sequence[Expression], domains: Sequence[Domain]) -> list[Total]:
        """The exact sum of each expression, whose values lie in its domain. A truth value counts as 1 or 0, null as 0."""
        return [_as_total(shape_of(of).values, self._sum(e)) for e, of in zip(exprs, domains, strict=True)]

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

    def ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        """How many rows, which are numbers, are below each candidate, and how many above it."""
        if not isinstance(self.domain, NumberDomain):
            raise InvalidParameter(f"Expected numbers to rank but got {self.domain!r}", produced=self.domain)
        return self._ranks(candidates)

    def tally(self, by: Expression, bins: Sequence[Hashable]) -> list[int]:
        """How many rows have each key. Rows whose key is none of them are not counted. True is not 1."""
        places = _places(bins)
        counts = self._tally(by, places)
        return [counts[places[key(b)]] for b in bins]

    def partition(self, by: Expression, keys: Sequence[Hashable]) -> dict[Hashable, Table]:
        """The rows of each key. Rows whose key is none of them are in no part. True is not 1."""
        places = _places(keys)
        if len(places) < len(keys) or len(set(keys)) < len(keys):
            raise InvalidParameter("Expected different keys but got one twice (1 and True are the same key of a dict)")
        parts = self._split(by, places)
        return {k: parts[places[key(k)]] for k in keys}


def _places(bins: Sequence[Hashable]) -> dict[Key, int]:
    places: dict[Key, int] = {}
    for b in bins:
        places.setdefault(key(b), len(places))
    return places


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
