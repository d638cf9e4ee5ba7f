"""Several tables that the same is done to, as the parts of one are: an engine that holds all of them does it at once.

What is done is what `Table` says, to each. Whoever has a word for all of them together implements `Tables`; otherwise they
are gone through one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import final, overload

from dpcore.domains import Domain, Record
from dpcore.domains.keys import keys_of
from dpcore.engines.table import KeyOf, Table, Total
from dpcore.errors import InvalidParameter
from dpcore.expressions import Expression
from dpcore.functions import UserFunction


class Tables(Sequence[Table], ABC):
    """Tables of one domain."""

    @abstractmethod
    def at(self, place: int) -> Table:
        """The table at a place from 0 on."""

    @overload
    def __getitem__(self, place: int) -> Table: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Table]: ...
    def __getitem__(self, place: int | slice) -> Table | Sequence[Table]:
        places = range(len(self))[place]
        return self.at(places) if isinstance(places, int) else [self.at(each) for each in places]

    def each(self, change: Callable[[Table], Table]) -> Tables:
        """What is made of each, one by one."""
        return OneByOne(list(map(change, self)))

    def filter(self, condition: Expression | UserFunction) -> Tables:
        """Of each the rows on which the condition is True."""
        return self.each(lambda table: table.filter(condition))

    def select(self, expr: Expression, domain: Domain) -> Tables:
        """The value of the expression for each row of each."""
        return self.each(lambda table: table.select(expr, domain))

    def select_record(self, exprs: Mapping[str, Expression], domain: Record) -> Tables:
        """A record for each row of each."""
        return self.each(lambda table: table.select_record(exprs, domain))

    def map_rows(self, f: Callable[[object], object], domain: Domain) -> Tables:
        """A function of the user on each row of each."""
        return self.each(lambda table: table.map_rows(f, domain))

    def narrowed(self, domain: Domain) -> Tables:
        """The same rows, which are members of this narrower domain."""
        return self.each(lambda table: table.narrowed(domain))

    def counts(self) -> Sequence[int]:
        """The number of rows of each."""
        return [table.count() for table in self]

    def totals(self) -> Sequence[Total]:
        """The exact sum of the rows of each."""
        return [table.total() for table in self]


@final
class OneByOne(Tables):
    """Tables that have nothing in common which would save work."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables)

    def at(self, place: int) -> Table:
        return self._tables[place]


def together(tables: Sequence[Table]) -> Tables:
    """These, with what is done to all of them at once."""
    return tables if isinstance(tables, Tables) else OneByOne(tables)


@final
class Parts(Mapping[Hashable, Table]):
    """The parts of a table by their keys, and all of them together."""

    def __init__(self, keys: Sequence[Hashable], tables: Sequence[Table]) -> None:
        self._tables, self._places = tables, dict(zip(keys, range(len(keys)), strict=True))

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._places)

    def __getitem__(self, its: Hashable) -> Table:
        return self._tables[self._places[its]]

    def of(self, keys: Sequence[Hashable]) -> Sequence[Table]:
        """The parts of these keys, in their order."""
        places = [self._places[its] for its in keys]
        return self._tables if places == list(range(len(self))) else [self._tables[place] for place in places]


def parts_of(data: Mapping[Hashable, object], keys: Sequence[Hashable]) -> Sequence[object]:
    """The parts of these keys, all together where they are those of one table."""
    return data.of(keys) if isinstance(data, Parts) else [data[its] for its in keys]


def grouped(table: Table, by: KeyOf, keys: Sequence[Hashable]) -> Parts:
    """The rows of each key. Rows whose key is none of them are in no part. True is not 1."""
    places = dict(zip(keys_of(keys), range(len(keys)), strict=True))
    if len(places) < len(keys) or len(set(keys)) < len(keys):
        raise InvalidParameter("Expected different keys but got one twice (1 and True are the same key of a dict)")
    return Parts(keys, table.split(by, places))
