"""A table: rows of a known domain, and what may be computed from them. An engine is one way to hold rows and to compute.

This is all that a rule asks of an engine, so whoever adds one implements `Table`, says in `dpcore.engines.doors` which
data it takes in, and has its table of operations beside it. What it promises:

    the same results      `PythonRows` is the definition. An engine gives the same integers and the same refusals, exactly.
                          What it has no word for, it hands on: `PythonRows(self.in_memory(), self.domain)`.
    members only          Data are checked when they come in. Rows are members of `domain`, in every step.
    no typing             Expressions were typed when the arrow was made, on a domain that includes the rows' own. They are
                          not typed again: what is accepted on a domain may be refused on a narrower one, as a comparison
                          with a category that the narrower one lacks, and a release would fail where its loss did not.
    no order              The order of rows means nothing, and none is asked for but where a method names it.
    as late as it likes   A method that gives a table may put the work off until one is called that gives numbers or rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from dpcore.domains import (
    Domain,
    Key,
    Norm,
    NumberDomain,
    Optional,
    Record,
    Vector,
)
from dpcore.errors import InvalidExpression, InvalidParameter
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction, known_as

if TYPE_CHECKING:
    from dpcore.noise.row_keys import RowKey

Total: TypeAlias = int | Fraction

KeyOf: TypeAlias = Expression | UserFunction
"""What gives each row its key. A user's function is shown copies of the rows: what it does to them is its own."""


class Table(ABC):
    """Rows of `domain`."""

    __slots__ = ("domain",)

    domain: Domain

    # -- a table from this one --

    @abstractmethod
    def filter(self, condition: Expression | UserFunction) -> Table:
        """The rows on which the condition is True; neither those on which it is False nor those on which it is null."""

    @abstractmethod
    def select(self, expr: Expression, domain: Domain) -> Table:
        """The value of the expression for each row, all of which are in this domain."""

    @abstractmethod
    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        """A record for each row, with the values of the expressions, all of which are in the domain of their field."""

    @abstractmethod
    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        """A function of the user on each row. Refuses, without naming row or value, if it does not keep its word."""

    def clipped(self, bound: Fraction, norm: Norm, domain: Vector[Domain]) -> Table:
        """Vectors brought within a norm; an engine may compute it on all rows at once, if it gives the same."""
        from dpcore.engines.clipping import clipping_of  # not for whoever only asks for a loss

        return self.map_rows(known_as(clipping_of(bound, norm, domain).on_row, "clip_norm", ""), domain)

    @abstractmethod
    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        """All the rows that a function of the user makes of each row, of each the first `limit` only."""

    @abstractmethod
    def narrowed(self, domain: Domain) -> Table:
        """The same rows, all of which are members of this narrower domain, as a filter has made sure."""

    @abstractmethod
    def padded(self, row: object, times: int) -> Table:
        """The rows, and so many more that are all this one, a canonical member of the domain."""

    @abstractmethod
    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        """At most `limit` rows for each value of a field, the first by the ranks of a key:
        `dpcore.engines.numpy.keeping` says how. Without a field, at most `limit` rows of all."""

    @abstractmethod
    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        """At most `limit` rows for each value of a field: the first by the expression, then by all fields in the order of
        their names, values in the order of `dpcore.domains.key`."""

    @abstractmethod
    def split(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[Table]:
        """The rows that have each key, by its place. A part may be no more than a filter that waits."""

    # -- numbers --

    @abstractmethod
    def count(self) -> int:
        """The number of rows."""

    @abstractmethod
    def tally(self, by: KeyOf, places: Mapping[Key, int]) -> list[int]:
        """How many rows have each key, by its place. Rows whose key is none of them are not counted. True is not 1."""

    @abstractmethod
    def tally_all(self, by: KeyOf) -> Mapping[Key, int]:
        """How many rows have each key that any row has."""

    def total(self) -> Total:
        """The exact sum of the rows, 0 when there is none: an int for whole numbers, a Fraction for others."""
        return _as_total(self._sum(None), self.domain)

    def totals(self, exprs: Sequence[Expression], domains: Sequence[Domain]) -> list[Total]:
        """The exact sum of each expression, whose values lie in its domain. A truth value counts as 1 or 0, null as 0."""
        return [_as_total(total, of) for total, of in zip(self._sums(exprs), domains, strict=True)]

    def _sums(self, exprs: Sequence[Expression]) -> Sequence[Total]:
        """Of several expressions, all of the same rows."""
        return [self._sum(e) for e in exprs]

    @abstractmethod
    def _sum(self, expr: Expression | None) -> Total:
        """Of an expression, or of the rows themselves."""

    def vector_total(self, size: int) -> list[Total]:
        """The exact sum of rows that are vectors of that size."""
        domain = self.domain
        if not isinstance(domain, Vector) or domain.size != size:
            raise InvalidParameter(f"Expected vectors of size {size} but got {domain!r}", produced=domain)
        return [_as_total(value, domain.of) for value in self._entry_sums(size)]

    @abstractmethod
    def _entry_sums(self, size: int) -> Sequence[Total]:
        """Of rows that are vectors, entry by entry; null counts as 0."""

    def ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        """How many rows, which are numbers, are below each candidate, and how many above it."""
        if not isinstance(self.domain, NumberDomain):
            raise InvalidParameter(f"Expected numbers to rank but got {self.domain!r}", produced=self.domain)
        return self._ranks(candidates)

    @abstractmethod
    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        """For each candidate, of which none is met twice, how many rows are below it and how many above."""

    # -- rows --

    def read_once(self) -> Table:
        """The same rows, for whoever asks more than one thing of them: a file may be another when it is read again."""
        return self

    def kept(self) -> Table:
        """The same rows, which nobody else writes into, for whoever asks them again another time."""
        return self

    @abstractmethod
    def in_order(self, places: Sequence[int]) -> list[object]:
        """The rows at these places, counted from 0, of all rows in the order of `dpcore.domains.key`; canonical ones."""

    @abstractmethod
    def in_memory(self) -> list[object]:
        """Every row as a canonical Python value, a new one. For results that are rows and for functions of the user: no
        rule asks for it, and it is the one method that cannot be had without bringing all rows here."""

    def given_out(self, rows: list[object]) -> list[object]:
        """Canonical rows of this table as whoever asked for them reads them."""
        return rows if self.domain.gives_as_it_holds() else list(map(self.domain.given_out, rows))


def as_totals(totals: Sequence[Total], of: Domain) -> list[Total]:
    """Sums in the form of what was added: an int of whole numbers and of truth values, a Fraction of others."""
    types = of.types()
    if types <= {int} or types <= {bool}:
        return list(map(int, totals))
    if types <= {int, Fraction}:
        return list(map(Fraction, totals))
    proper = of.of if isinstance(of, Optional) else of
    raise InvalidExpression(f"Expected numbers or truth values to add but got {proper!r}", produced=proper)


def _as_total(total: Total, of: Domain) -> Total:
    return as_totals([total], of)[0]


def as_declared(value: object, domain: Domain) -> object:
    """A result in the form of its domain: a whole number among `Numbers` is a Fraction."""
    inner = domain.of if isinstance(domain, Optional) else domain
    if isinstance(inner, Vector) and isinstance(value, list):
        return [as_declared(entry, inner.of) for entry in value]
    if not isinstance(inner, NumberDomain) or type(value) not in (int, Fraction):
        return value
    (held,) = inner.types()
    return held(value)
