"""Distances between multisets of rows: rows added, rows replaced, persons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.domains import (
    Domain,
    Key,
    Record,
    Rows,
    by_name,
    key,
)
from dpcore.errors import InvalidData, InvalidParameter, Vacuous, is_a
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

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() + (right - left).total()

    def words(self) -> str:
        return "one row more or one row less"

    def check(self, d_in: object, domain: Domain) -> int | Fraction:
        d = d_in if type(d_in) is int and d_in >= 0 else Metric.check(self, d_in, domain)
        return d if d != 1 else _not_alone(d, domain)


@final
@dataclass(frozen=True, slots=True)
class ChangeOneDistance(RowMetric):
    """Rows replaced by others. Infinite between different sizes: the number of rows counts as public."""

    def carried(self, x: object, y: object) -> Carried:
        left, right = multiset(x), multiset(y)
        return (left - right).total() if left.total() == right.total() else math.inf

    def words(self) -> str:
        return "one row replaced by another; the number of rows is public"


@final
@dataclass(frozen=True, slots=True)
class PersonDistance(RowMetric):
    """Persons whose rows are all added or all removed. The named field says whose row it is."""

    by: str
    made_of = Record

    def __post_init__(self) -> None:
        if not is_a(self.by, str):
            raise InvalidParameter(f"Expected the name of a field for by but got a {type(self.by).__name__}")

    def carried(self, x: object, y: object) -> Carried:
        left, right = self._persons(x), self._persons(y)
        return sum(
            bool(left.get(p)) + bool(right.get(p)) for p in {*left, *right} if left.get(p) != right.get(p)
        )  # rows that differ: taken out, then put in

    def _persons(self, x: object) -> dict[Key, Counter[Key]]:
        persons: dict[Key, Counter[Key]] = {}
        for row in items(x):
            fields = row if isinstance(row, Mapping) else by_name(row)
            if fields is None or self.by not in fields:
                raise InvalidData("PersonDistance reads the person from a record", expected=self)
            persons.setdefault(key(fields[self.by]), Counter())[key(fields)] += 1
        return persons

    def check(self, d_in: object, domain: Domain) -> int | Fraction:
        return _not_alone(Metric.check(self, d_in, domain), domain)

    def words(self) -> str:
        return f"all rows of one person ({self.by}) added or removed"


def _not_alone(d: int | Fraction, domain: Domain) -> int | Fraction:
    """The distance, refused where no two data sets of one size are so far apart."""
    if isinstance(domain, Rows) and domain.size is not None and d == 1:
        raise Vacuous(
            f"no two data sets of {domain.size} rows are 1 apart: adding or removing one changes the size",
            produced=d,
            bridge="d_in=2 to replace one row, or the metric ChangeOneDistance",
        )
    return d
