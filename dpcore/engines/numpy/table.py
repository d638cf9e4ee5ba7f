"""Rows as columns, one for each field: the table of this engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, final

import numpy as np

from dpcore.domains import Domain, Key, Norm, Record, Vector
from dpcore.engines.blocks import OfBlocks
from dpcore.engines.clipping import clipping_of
from dpcore.engines.numpy import keeping
from dpcore.engines.numpy.clipping import on_counts
from dpcore.engines.numpy.columns import Codes, Column, Constant, Entries, Ints, Mask, Multiples, Truths, lengthened
from dpcore.engines.numpy.computed import computed
from dpcore.engines.numpy.grouping import NOWHERE, counted, counts_by_place, places_of
from dpcore.engines.numpy.matrices import counts_of
from dpcore.engines.numpy.parts import NumpyParts
from dpcore.engines.numpy.ranking import column_ranks
from dpcore.engines.numpy.sums import column_sum
from dpcore.engines.python_rows import PythonRows, fresh
from dpcore.engines.table import KeyOf, Table, Total, as_declared
from dpcore.engines.tables import Tables
from dpcore.engines.user_functions import flat_mapped, key_by, mapped
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction, reading
from dpcore.noise.row_keys import RowKey

Made: TypeAlias = Column | Callable[[], Column]
"""A column, or what makes it when it is first asked for."""


@final
class Columns:
    """Columns by the name of their field, None for single values. Chosen rows are taken when a column is asked for."""

    __slots__ = ("_found", "_parent", "_rows", "size")

    def __init__(self, columns: Mapping[str | None, Made], size: int) -> None:
        self._found = dict(columns)
        self._parent: Columns | None = None
        self._rows: Mask | Ints | None = None
        self.size = size

    def chosen(self, rows: Mask | Ints) -> Columns:
        found = Columns({}, int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows))
        found._parent, found._rows = self, rows
        return found

    def kept(self) -> Columns:
        """Copies of all."""
        if self._parent is not None and self._rows is not None:
            return self._parent.kept().chosen(self._rows)
        every = np.arange(self.size)
        return Columns({name: self.column(name).take(every) for name in list(self._found)}, self.size)

    def column(self, name: str | None) -> Column:
        if name not in self._found and self._parent is not None and self._rows is not None:
            self._found[name] = self._parent.column(name).take(self._rows)
        found = self._found[name]
        if not isinstance(found, Column):
            found = self._found[name] = found()
        return found

    def __len__(self) -> int:
        return self.size


@final
class NumpyColumns(Table):
    """Rows as columns. Nothing is ever written into a column, so those given by the caller are used as they are."""

    __slots__ = ("_columns",)

    def __init__(self, columns: Columns, domain: Domain) -> None:
        """The columns must hold members of the domain: `dpcore.engines.table` checks data that come from outside."""
        self.domain, self._columns = domain, columns

    def filter(self, condition: Expression | UserFunction) -> Table:
        if isinstance(condition, UserFunction):
            holds = reading(lambda: [*map(condition.truth, self.in_memory())])
            return self.chosen(np.array(holds, dtype=np.bool_))
        return self.chosen(self.where(condition))

    def where(self, condition: Expression) -> Mask:
        """On which rows it is True."""
        return _true(self._computed(condition))

    def single(self) -> Column:
        """The only column."""
        return self._columns.column(None)

    def kept(self) -> Table:
        return NumpyColumns(self._columns.kept(), self.domain)

    def chosen(self, rows: Mask | Ints) -> NumpyColumns:
        """Some of the rows: where it holds, or at these places."""
        return NumpyColumns(self._columns.chosen(rows), self.domain)

    def _computed(self, expr: Expression) -> Column:
        return computed(expr.node, self._columns)

    def select(self, expr: Expression, domain: Domain) -> Table:
        return NumpyColumns(Columns({None: self._computed(expr)}, self.count()), domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        columns: dict[str | None, Column] = {name: self._computed(expr) for name, expr in exprs.items()}
        return NumpyColumns(Columns(columns, self.count()), domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        if isinstance(f, UserFunction) and isinstance(f.function, OfBlocks) and self.count():
            return self._of_entries(f.function.of_many(self._fields()), f.function.step, domain)
        return PythonRows(mapped(self.in_memory(), f, domain), domain)

    def clipped(self, bound: Fraction, norm: Norm, domain: Vector[Domain]) -> Table:
        clip = clipping_of(bound, norm, domain)
        counts = counts_of(self._columns.column(None), clip.step)
        found = None if counts is None else on_counts(clip, counts, clip.step)
        if found is None:
            return super().clipped(bound, norm, domain)
        return self._of_entries(found, clip.step, domain)

    def _of_entries(self, counts: Ints, step: Fraction, domain: Domain) -> Table:
        entries = Entries(tuple(Multiples(column, step) for column in counts.T))
        return NumpyColumns(Columns({None: entries}, self.count()), domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return PythonRows(flat_mapped(self.in_memory(), f, domain, limit), domain)

    def narrowed(self, domain: Domain) -> Table:
        return NumpyColumns(self._columns, domain)

    def padded(self, row: object, times: int) -> Table:
        if not times:
            return self
        fields = row if isinstance(self.domain, Record) and isinstance(row, Mapping) else {None: row}
        longer = {name: lengthened(column, fields[name], times) for name, column in self._fields().items()}
        return NumpyColumns(Columns(longer, self.count() + times), self.domain)

    def _fields(self) -> dict[str | None, Column]:
        names = [name for name, _ in self.domain.fields] if isinstance(self.domain, Record) else [None]
        return {name: self._columns.column(name) for name in names}

    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        return self.chosen(keeping.fairly(self._fields(), by, limit, key))

    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        first = None if order is None else self._computed(order)
        return self.chosen(keeping.first_of_each(self._fields(), by, limit, first))

    def split(self, by: KeyOf, places: Mapping[Key, int]) -> Tables:
        return NumpyParts(self, self._places(by, places), len(places))

    def _places(self, by: KeyOf, places: Mapping[Key, int]) -> Ints:
        if not isinstance(by, UserFunction):
            return places_of(self._computed(by), places)
        its_places = reading(lambda: [places.get(key_by(by, row), NOWHERE) for row in self.in_memory()])
        return np.array(its_places, dtype=np.int64)

    def count(self) -> int:
        return self._columns.size

    def tally(self, by: KeyOf, places: Mapping[Key, int]) -> list[int]:
        return counts_by_place(self._places(by, places), len(places))

    def tally_all(self, by: KeyOf) -> Mapping[Key, int]:
        if isinstance(by, UserFunction):
            return reading(lambda: Counter(key_by(by, row) for row in self.in_memory()))
        return counted(self._computed(by))

    def _sum(self, expr: Expression | None) -> Total:
        return column_sum(self._columns.column(None) if expr is None else self._computed(expr))

    def _entry_sums(self, size: int) -> Sequence[Total]:
        column = self._columns.column(None)
        if isinstance(column, Entries) and column.null is None:
            return [column_sum(each) for each in column.columns]
        return PythonRows(column.python(), self.domain)._entry_sums(size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        column = self._columns.column(None)
        return column_ranks(column, candidates) or PythonRows(column.python(), self.domain).ranks(candidates)

    def in_order(self, places: Sequence[int]) -> list[object]:
        return self.chosen(keeping.canonical_order(self._fields())[np.array(places, dtype=np.int64)]).in_memory()

    def in_memory(self) -> list[object]:
        if not isinstance(self.domain, Record):
            return self._python(None, self.domain)
        names = [name for name, _ in self.domain.fields]
        values = [self._python(name, inner) for name, inner in self.domain.fields]
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]

    def _python(self, name: str | None, domain: Domain) -> list[object]:
        return [fresh(as_declared(value, domain)) for value in self._columns.column(name).python()]


def _true(column: Column) -> Mask:
    """Where it is True: neither False nor null."""
    if isinstance(column, Truths):
        return column.true()
    if isinstance(column, Constant):
        return np.full(len(column), column.value is True)
    if isinstance(column, Codes):
        return np.array([value is True for value in column.table], dtype=np.bool_)[column.codes]
    return np.fromiter((value is True for value in column.python()), dtype=np.bool_, count=len(column))
