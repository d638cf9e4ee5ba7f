"""Distances between multisets of rows: rows added, rows replaced, persons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dpcore.domains import (
    Key,
    Record,
    Rows,
    by_name,
    key,
)
from dpcore.errors import InvalidData, InvalidParameter, is_a
from dpcore.metrics.metric import Carried, Metric, items, multiset


class RowMetric(Metric):
    """A distance between multisets of rows. The order of rows never counts."""

    __slots__ = ()
    whole = True
    domains = (Rows,)


@final
@dataclass(frozen=True, slots=True)
class SymmetricDistance(RowMetric):
    """Rows added plus rows removed."""

    come_and_go = True
    one_apart = "one row more or one row less"

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() + (right - left).total()


@final
@dataclass(frozen=True, slots=True)
class ChangeOneDistance(RowMetric):
    """Rows replaced by others. Infinite between different sizes: the number of rows counts as public."""

    one_apart = "one row replaced by another; the number of rows is public"

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() if left.total() == right.total() else math.inf


@final
@dataclass(frozen=True, slots=True)
class PersonDistance(RowMetric):
    """Persons whose rows are all added or all removed. The named field says whose row it is."""

    by: str
    made_of = Record
    come_and_go = True
    one_apart = "all rows of one person ({self.by}) added or removed"

    def __post_init__(self) -> None:
        if not is_a(self.by, str):
            raise InvalidParameter(f"Expected the name of a field for by but got a {type(self.by).__name__}")
        object.__setattr__(self, "by", str.__str__(self.by))  # not what a subclass makes of it

    def carried(self, x: object, y: object) -> Carried:
        left, right = self._persons(x), self._persons(y)
        # Where the rows of a person differ, one set of them is taken out and the other put in.
        return sum(bool(left.get(p)) + bool(right.get(p)) for p in {*left, *right} if left.get(p) != right.get(p))

    def _persons(self, x: object) -> dict[Key, Counter[Key]]:
        persons: dict[Key, Counter[Key]] = {}
        for row in items(x):
            fields = row if isinstance(row, Mapping) else by_name(row)
            if fields is None or self.by not in fields:
                raise InvalidData("PersonDistance reads the person from a record", expected=self)
            persons.setdefault(key(fields[self.by]), Counter())[key(fields)] += 1
        return persons
