"""The engine for numpy columns: one column for each field, expressions computed on whole columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import cast, final

import numpy as np

from dpcore.domains import Domain, Key, Record
from dpcore.engines.fresh import fresh
from dpcore.engines.grouping import places_of
from dpcore.engines.python_rows import PythonRows, add_up
from dpcore.engines.ranking import column_ranks
from dpcore.engines.table import Table, Total, as_declared
from dpcore.engines.user_functions import flat_mapped, mapped
from dpcore.expressions import Expr, Expression
from dpcore.expressions.columns import Codes, Column, Constant, Entries, Ints, Mask, Multiples, Truths, lengthened
from dpcore.expressions.intervals import Rational


@final
class Columns:
    """Columns by the name of their field, None for single values. Chosen rows are taken when a column is asked for."""

    __slots__ = ("_found", "_parent", "_rows", "size")

    def __init__(self, columns: Mapping[str | None, Column], size: int) -> None:
        self._found: dict[str | None, Column] = dict(columns)
        self._parent: Columns | None = None
        self._rows: Mask | Ints | None = None
        self.size = size

    def chosen(self, rows: Mask | Ints, size: int) -> Columns:
        found = Columns({}, size)
        found._parent, found._rows = self, rows
        return found

    def column(self, name: str | None) -> Column:
        if name not in self._found and self._parent is not None and self._rows is not None:
            self._found[name] = self._parent.column(name).take(self._rows)
        return self._found[name]

    def __len__(self) -> int:
        return self.size


@final
class NumpyColumns(Table):
    """Rows as columns. Nothing is ever written into a column, so those given by the caller are used as they are."""

    __slots__ = ("_columns",)

    def __init__(self, columns: Columns, domain: Domain) -> None:
        """The columns must hold members of the domain: `dpcore.engines.table` checks data that come from outside."""
        super().__init__(domain)
        self._columns = columns

    def count(self) -> int:
        return self._columns.size

    def rows(self) -> list[object]:
        if not isinstance(self.domain, Record):
            return self._python(None, self.domain)
        names = [name for name, _ in self.domain.fields]
        values = [self._python(name, inner) for name, inner in self.domain.fields]
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]

    def _python(self, name: str | None, domain: Domain) -> list[object]:
        return [fresh(as_declared(value, domain)) for value in self._columns.column(name).python()]

    def columns(self) -> dict[str | None, Column]:
        names = [name for name, _ in self.domain.fields] if isinstance(self.domain, Record) else [None]
        return {name: self._columns.column(name) for name in names}

    def padded(self, row: object, times: int) -> Table:
        if not times:
            return self
        fields = cast("Mapping[str | None, object]", row if isinstance(self.domain, Record) else {None: row})
        longer = {name: lengthened(column, fields[name], times) for name, column in self.columns().items()}
        return NumpyColumns(Columns(longer, self.count() + times), self.domain)

    def column(self, expr: Expression) -> Column:
        return expr.on_columns(self._columns)

    def narrowed(self, domain: Domain) -> Table:
        return NumpyColumns(self._columns, domain)

    def filter(self, condition: Expr[bool]) -> Table:
        return self.chosen(_true(condition.on_columns(self._columns)))

    def chosen(self, rows: Mask | Ints) -> Table:
        size = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return NumpyColumns(self._columns.chosen(rows, size), self.domain)

    def select(self, expr: Expression, domain: Domain) -> Table:
        return NumpyColumns(Columns({None: expr.on_columns(self._columns)}, self.count()), domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        columns: dict[str | None, Column] = {name: expr.on_columns(self._columns) for name, expr in exprs.items()}
        return NumpyColumns(Columns(columns, self.count()), domain)

    def _sum(self, expr: Expression | None) -> Total:
        return column_sum(self._columns.column(None) if expr is None else expr.on_columns(self._columns))

    def _entry_sums(self, size: int) -> list[Total]:
        column = self._columns.column(None)
        if isinstance(column, Entries) and column.null is None:
            return [column_sum(each) for each in column.columns]
        return Table._entry_sums(self, size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        column = self._columns.column(None)
        return column_ranks(column, candidates) or PythonRows(column.python(), self.domain).ranks(candidates)

    def _tally(self, expr: Expression, places: Mapping[Key, int]) -> list[int]:
        found = places_of(expr.on_columns(self._columns), places)
        return [int(n) for n in np.bincount(found + 1, minlength=len(places) + 1)[1:]]

    def _split(self, expr: Expression, places: Mapping[Key, int]) -> list[Table]:
        found = places_of(expr.on_columns(self._columns), places)
        order = np.argsort(found, kind="stable")
        ends = np.searchsorted(found[order], np.arange(len(places) + 1))
        return [self.chosen(order[ends[i] : ends[i + 1]]) for i in range(len(places))]

    def kept(self, holds: Callable[[object], bool]) -> Table:
        return self.chosen(np.fromiter(map(holds, self.rows()), dtype=np.bool_, count=self.count()))

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return PythonRows(mapped(self.rows(), f, domain), domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return PythonRows(flat_mapped(self.rows(), f, domain, limit), domain)


def _true(column: Column) -> Mask:
    """Where it is True: neither False nor null."""
    if isinstance(column, Truths):
        return column.true()
    if isinstance(column, Constant):
        return np.full(len(column), column.value is True)
    if isinstance(column, Codes):
        return np.array([value is True for value in column.table], dtype=np.bool_)[column.codes]
    return np.fromiter((value is True for value in column.python()), dtype=np.bool_, count=len(column))


def column_sum(column: Column) -> Total:
    """The exact sum; null counts as 0."""
    if isinstance(column, Truths):
        return int(np.count_nonzero(column.true()))
    if isinstance(column, Multiples):
        values = column.values if column.null is None else column.values[~column.null]
        count = exact_sum(values)
        return count if column.step == 1 else Fraction(count) * column.step
    if isinstance(column, Constant):
        return add_up((column.value,)) * len(column)
    if isinstance(column, Codes):
        counts = np.bincount(column.codes, minlength=len(column.table)).tolist()
        return sum((add_up((v,)) * n for v, n in zip(column.table, counts, strict=True)), Fraction(0))
    return add_up(column.python())


def exact_sum(values: Ints) -> int:
    """A sum that cannot wrap: the high and the low half of each entry are added apart, 2**30 entries at a time."""
    if not values.size:
        return 0
    if max(-int(values.min()), int(values.max())) * values.size < 1 << 63:
        return int(values.sum())
    total = 0
    for start in range(0, values.size, 1 << 30):
        block = values[start : start + (1 << 30)]
        total += (int((block >> 32).sum()) << 32) + int((block & 0xFFFFFFFF).sum())
    return total
