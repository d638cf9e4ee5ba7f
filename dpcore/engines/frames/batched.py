"""The table of rows that come in batches: each goes through the engine of numpy, and only what adds up is kept.

What is done to single rows waits for the batches. What needs all rows at once, an order or who has how many of them, reads
all of them into memory, and so does the choice of parts.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import Generic, TypeAlias, TypeVar, final

from dpcore.domains import Domain, Key, Record, Rows
from dpcore.engines.frames.reading import all_checked, asked, wanted
from dpcore.engines.frames.source import Source
from dpcore.engines.numpy.arrays import check_size, table_of_arrays
from dpcore.engines.numpy.coded import Given
from dpcore.engines.table import KeyOf, Table, Total
from dpcore.errors import InvalidData
from dpcore.expressions import Expression
from dpcore.expressions.intervals import Rational
from dpcore.functions import UserFunction
from dpcore.noise.row_keys import RowKey

Step: TypeAlias = Callable[[Table], Table]

D = TypeVar("D", bound=Domain)
N = TypeVar("N", int, Total)


@final
class Batched(Table, Generic[D]):
    """Rows of a source, and what is done to each of them."""

    __slots__ = ("_as_read", "_names", "_rows", "_source", "_steps")

    def __init__(
        self,
        source: Source,
        rows: Rows[D],
        names: Sequence[str] | None,
        domain: Domain,
        steps: tuple[Step, ...] = (),
        as_read: bool = True,
    ) -> None:
        self.domain = domain
        self._source, self._rows, self._names, self._steps = source, rows, names, steps
        self._as_read = as_read  # whether the rows that are left are as they were read

    def _then(self, step: Step, domain: Domain, as_read: bool = False) -> Table:
        return Batched(self._source, self._rows, self._names, domain, (*self._steps, step), as_read)

    def _each(self, take: Callable[[Table], None]) -> None:
        """Hand over the rows so far, batch by batch. That there are as many as was declared is known at the end."""
        size = 0
        raised: list[BaseException] = []  # by us or by a function of the user, and not by what reads the data

        def batch(columns: Sequence[Given]) -> None:
            nonlocal size
            try:
                table = table_of_arrays(columns, self._rows, size if self._source.ordered else None)
                size += table.count()
                take(self._after(table))
            except BaseException as error:
                raised.append(error)
                raise

        try:
            asked(lambda: self._source.feed(self._names, batch))
        except InvalidData:
            if raised:
                self._named(raised[0])
                raise raised[0] from None
            raise
        check_size(size, self._rows)

    def _named(self, error: BaseException) -> None:
        """Raise the same with the number of the row, of rows that have one where they do not come in shares."""
        of = self._source.of
        if isinstance(error, InvalidData) and of is not None and of.ordered:
            Batched(of, self._rows, self._names, self._rows.of)._each(lambda table: None)

    def _after(self, table: Table) -> Table:
        return reduce(lambda rows, step: step(rows), self._steps, table)

    def _all(self) -> Table:
        """All rows, in memory."""
        return self._after(all_checked(self._source, self._names, self._rows))

    # -- row by row --

    def filter(self, condition: Expression | UserFunction) -> Table:
        return self._then(lambda table: table.filter(condition), self.domain, self._as_read)

    def select(self, expr: Expression, domain: Domain) -> Table:
        return self._then(lambda table: table.select(expr, domain), domain)

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Table:
        return self._then(lambda table: table.select_record(exprs, domain), domain)

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Table:
        return self._then(lambda table: table.map_rows(f, domain), domain)

    def flat_map(self, f: Callable[[object], object], domain: Domain, limit: int) -> Table:
        return self._then(lambda table: table.flat_map(f, domain, limit), domain)

    def narrowed(self, domain: Domain) -> Table:
        return self._then(lambda table: table.narrowed(domain), domain, self._as_read)

    # -- all rows of a person at once --

    def fairly(self, by: str | None, limit: int, key: RowKey) -> Table:
        apart = self._apart(by) if key.lasting else None
        if apart is None:
            return self._all().fairly(by, limit, key)
        return apart(lambda rows: rows.fairly(by, limit, key))

    def first_of_each(self, by: str, limit: int, order: Expression | None) -> Table:
        apart = self._apart(by)
        if apart is None:
            return self._all().first_of_each(by, limit, order)
        return apart(lambda rows: rows.first_of_each(by, limit, order))

    def _apart(self, by: str | None) -> Callable[[Step], Table] | None:
        """What does a step to all rows of some persons at a time, for as long as no value of a row was changed."""
        names = self._names
        if by is None or names is None or not self._as_read:
            return None
        source = asked(lambda: self._source.apart(names, by))
        if source is None:
            return None
        steps = self._steps
        return lambda step: Batched(source, self._rows, names, self.domain, (*steps, step), as_read=False)

    # -- all rows at once --

    def padded(self, row: object, times: int) -> Table:
        return self._all().padded(row, times)

    def split(self, by: KeyOf, places: Mapping[Key, int]) -> Sequence[Table]:
        return self._all().split(by, places)

    def in_order(self, places: Sequence[int]) -> list[object]:
        return self._all().in_order(places)

    def in_memory(self) -> list[object]:
        return self._all().in_memory()

    def read_once(self) -> Table:
        return self._all()

    # -- sums over the batches --

    def count(self) -> int:
        return self._added(lambda table: [table.count()], 1)[0]

    def tally(self, by: KeyOf, places: Mapping[Key, int]) -> list[int]:
        return self._added(lambda table: table.tally(by, places), len(places))

    def tally_all(self, by: KeyOf) -> Mapping[Key, int]:
        counts: Counter[Key] = Counter()
        self._each(lambda table: counts.update(table.tally_all(by)))
        return counts

    def _sum(self, expr: Expression | None) -> Total:
        return self._added(lambda table: [table._sum(expr)], 1)[0]

    def _sums(self, exprs: Sequence[Expression]) -> Sequence[Total]:
        return self._added(lambda table: table._sums(exprs), len(exprs))

    def _entry_sums(self, size: int) -> Sequence[Total]:
        return self._added(lambda table: table._entry_sums(size), size)

    def _ranks(self, candidates: Sequence[Rational]) -> list[tuple[int, int]]:
        flat = self._added(lambda table: list(chain.from_iterable(table._ranks(candidates))), 2 * len(candidates))
        return list(zip(flat[::2], flat[1::2], strict=True))

    def _added(self, figures: Callable[[Table], Sequence[N]], size: int) -> list[N]:
        """So many figures of each batch, added up."""
        totals: list[N] = [0] * size

        def add(table: Table) -> None:
            totals[:] = map(operator.add, totals, figures(table))

        self._each(add)
        return totals


def table_of(source: Source, domain: Rows[D]) -> Table:
    """The rows of a source: as columns where all are in memory, else as a table that reads them when it is asked."""
    names = wanted(source, domain)
    if not source.whole:
        return Batched(source, domain, names, domain.of)
    return all_checked(source, names, domain)
