"""The engine for plain Python rows: a list of canonical values, and the definition of what every engine computes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import cast, final

import numpy as np

from dpcore.domains import Domain, Key, Record, key
from dpcore.engines.numpy import keeping
from dpcore.engines.numpy.columns import Column, Ints, column_of
from dpcore.engines.table import KeyOf, Table, Total, as_declared
from dpcore.engines.user_functions import flat_mapped, key_by, mapped
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction, reading
from dpcore.noise.row_keys import RowKey


@final
class PythonRows(Table):
    """Rows as Python values: records are dicts, grid numbers are Fractions."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[object], domain: Domain) -> None:
        """The rows must be canonical members of the domain; `dpcore.engines.table` checks what comes from outside."""
        self.domain, self._rows = domain, rows

    def filter(self, condition: Expression | UserFunction) -> Table:
        if isinstance(condition, UserFunction):
            return PythonRows(reading(lambda: [row for row in self._rows if condition.truth(fresh(row))]), self.domain)
        holds = condition.node.on_row
        return PythonRows([row for row in self._rows if holds(row) is True], self.domain)

    def select(self, expr: Expression, domain: Domain) -> Table:
        value = expr.node.on_row
        return PythonRows([as_declared(value(row), domain) for row in self._rows], domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        parts = [(name, exprs[name].node.on_row, inner) for name, inner in domain.fields]
        rows = [{name: as_declared(value(row), inner) for name, value, inner in parts} for row in self._rows]
        return PythonRows(rows, domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return PythonRows(mapped(self.in_memory(), f, domain), domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return PythonRows(flat_mapped(self.in_memory(), f, domain, limit), domain)

    def narrowed(self, domain: Domain) -> Table:
        return PythonRows(self._rows, domain)

    def padded(self, row: object, times: int) -> Table:
        return PythonRows([*self._rows, *[row] * times], self.domain)

    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        return self._at(np.flatnonzero(keeping.fairly(self._columns(), by, limit, key)))

    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        first = None if order is None else column_of([order.node.on_row(row) for row in self._rows])
        return self._at(np.flatnonzero(keeping.first_of_each(self._columns(), by, limit, first)))

    def _columns(self) -> dict[str | None, Column]:
        if not isinstance(self.domain, Record):
            return {None: column_of(self._rows)}
        names = [name for name, _ in self.domain.fields]
        records = cast("Sequence[Mapping[str, object]]", self._rows)
        return {name: column_of([row[name] for row in records]) for name in names}

    def _at(self, places: Ints) -> Table:
        return PythonRows([self._rows[place] for place in places.tolist()], self.domain)

    def split(self, by: KeyOf, places: Mapping[Key, int]) -> list[Table]:
        parts: list[list[object]] = [[] for _ in places]
        for row, its in zip(self._rows, self._keys(by), strict=True):
            place = places.get(its)
            if place is not None:
                parts[place].append(row)
        return [PythonRows(part, self.domain) for part in parts]

    def _keys(self, by: KeyOf) -> Iterable[Key]:
        if isinstance(by, UserFunction):
            return reading(lambda: [key_by(by, fresh(row)) for row in self._rows])
        return map(key, map(by.node.on_row, self._rows))

    def count(self) -> int:
        return len(self._rows)

    def tally(self, by: KeyOf, places: Mapping[Key, int]) -> list[int]:
        counts = [0] * len(places)
        for its in self._keys(by):
            place = places.get(its)
            if place is not None:
                counts[place] += 1
        return counts

    def tally_all(self, by: KeyOf) -> Counter[Key]:
        return Counter(self._keys(by))

    def _sum(self, expr: Expression | None) -> Total:
        return add_up(self._rows if expr is None else map(expr.node.on_row, self._rows))

    def _entry_sums(self, size: int) -> list[Total]:
        vectors = cast("Sequence[Sequence[object]]", self._rows)
        return [add_up(vector[i] for vector in vectors) for i in range(size)]

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        ordered = sorted(candidates)
        # How many rows have so many candidates below them, and so many at most as large as they are.
        under, up_to = [0] * (len(ordered) + 1), [0] * (len(ordered) + 1)
        for value in cast("Sequence[Rational]", self._rows):
            under[bisect_left(ordered, value)] += 1
            up_to[bisect_right(ordered, value)] += 1
        places = {candidate: place for place, candidate in enumerate(ordered)}
        not_above, below = list(accumulate(under)), list(accumulate(up_to))
        return [(below[places[c]], len(self._rows) - not_above[places[c]]) for c in candidates]

    def in_order(self, places: Sequence[int]) -> list[object]:
        ordered = sorted(self._rows, key=key)
        return [fresh(ordered[place]) for place in places]

    def in_memory(self) -> list[object]:
        return [fresh(row) for row in self._rows]


def fresh(value: object) -> object:
    """The value as somebody else may change it: its lists and records copied all the way down. Nothing else that rows hold
    can be changed."""
    if isinstance(value, dict):
        return {name: fresh(inner) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    # The entries of a list are of one kind.
    return [fresh(inner) for inner in value] if value and isinstance(value[0], (list, dict)) else value.copy()


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
