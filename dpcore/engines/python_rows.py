"""The engine for plain Python rows: a list of canonical values, and the definition of what every engine computes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import cast, final

import numpy as np

from dpcore.domains import Domain, Key, Record, key
from dpcore.engines.fresh import fresh
from dpcore.engines.table import Table, Total, as_declared
from dpcore.engines.user_functions import flat_mapped, mapped
from dpcore.expressions import Expr, Expression
from dpcore.expressions.columns import Column, Ints, Mask, column_of
from dpcore.expressions.intervals import Rational


@final
class PythonRows(Table):
    """Rows as Python values: records are dicts, grid numbers are Fractions."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[object], domain: Domain) -> None:
        """The rows must be canonical members of the domain; `dpcore.engines.table` checks what comes from outside."""
        super().__init__(domain)
        self._rows = rows

    def count(self) -> int:
        return len(self._rows)

    def rows(self) -> list[object]:
        return [fresh(row) for row in self._rows]

    def columns(self) -> dict[str | None, Column]:
        if not isinstance(self.domain, Record):
            return {None: column_of(self._rows)}
        names = [name for name, _ in self.domain.fields]
        return {name: column_of([cast("dict[str, object]", row)[name] for row in self._rows]) for name in names}

    def chosen(self, rows: Mask | Ints) -> Table:
        places: list[int] = (np.flatnonzero(rows) if rows.dtype == np.bool_ else rows).tolist()
        return PythonRows([self._rows[i] for i in places], self.domain)

    def padded(self, row: object, times: int) -> Table:
        return PythonRows([*self._rows, *[row] * times], self.domain)

    def column(self, expr: Expression) -> Column:
        return column_of([expr.node.on_row(row) for row in self._rows])

    def narrowed(self, domain: Domain) -> Table:
        return PythonRows(self._rows, domain)

    def filter(self, condition: Expr[bool]) -> Table:
        holds = condition.node.on_row
        return PythonRows([row for row in self._rows if holds(row) is True], self.domain)

    def select(self, expr: Expression, domain: Domain) -> Table:
        value = expr.node.on_row
        return PythonRows([as_declared(value(row), domain) for row in self._rows], domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        parts = [(name, exprs[name].node.on_row, inner) for name, inner in domain.fields]
        rows = [{name: as_declared(value(row), inner) for name, value, inner in parts} for row in self._rows]
        return PythonRows(rows, domain)

    def _sum(self, expr: Expression | None) -> Total:
        values = self._rows if expr is None else map(expr.node.on_row, self._rows)
        return add_up(values)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        ordered = sorted(candidates)
        # How many rows have so many candidates below them, and so many at most as large as they are.
        under, up_to = [0] * (len(ordered) + 1), [0] * (len(ordered) + 1)
        for value in cast("Sequence[Rational]", self._rows):
            under[bisect_left(ordered, value)] += 1
            up_to[bisect_right(ordered, value)] += 1
        return in_order(candidates, ordered, under, up_to, len(self._rows))

    def _tally(self, expr: Expression, places: Mapping[Key, int]) -> list[int]:
        counts = [0] * len(places)
        value = expr.node.on_row
        for row in self._rows:
            place = places.get(key(value(row)))
            if place is not None:
                counts[place] += 1
        return counts

    def _split(self, expr: Expression, places: Mapping[Key, int]) -> list[Table]:
        parts: list[list[object]] = [[] for _ in places]
        value = expr.node.on_row
        for row in self._rows:
            place = places.get(key(value(row)))
            if place is not None:
                parts[place].append(row)
        return [PythonRows(part, self.domain) for part in parts]

    def kept(self, holds: Callable[[object], bool]) -> Table:
        return PythonRows([row for row in self._rows if holds(fresh(row))], self.domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return PythonRows(mapped(self.rows(), f, domain), domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return PythonRows(flat_mapped(self.rows(), f, domain, limit), domain)


def in_order(
    candidates: Sequence[Rational], ordered: Sequence[Rational], under: Iterable[int], up_to: Iterable[int], size: int
) -> list[tuple[int, int]]:
    """The rows below and above each candidate, from how many rows have k candidates below, and k up to, themselves."""
    places = {candidate: place for place, candidate in enumerate(ordered)}
    not_above, below = list(accumulate(under)), list(accumulate(up_to))
    return [(below[places[c]], size - not_above[places[c]]) for c in candidates]


def add_up(values: Iterable[object]) -> Total:
    """The exact sum; null counts as 0. Whole numbers and fractions are added apart, which is faster."""
    whole = 0
    parts: dict[int, int] = {}
    for value in values:
        if isinstance(value, int):
            whole += value
        elif isinstance(value, Fraction):
            parts[value.denominator] = parts.get(value.denominator, 0) + value.numerator
    return sum((Fraction(n, d) for d, n in parts.items()), Fraction(whole)) if parts else whole
