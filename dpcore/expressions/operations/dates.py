"""Parts of days, and the days between two of them."""

from __future__ import annotations

import datetime
from typing import Final

from dpcore.domains import Domain, Integers
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import method
from dpcore.expressions.shapes import Shape, dates

FIRST: Final = datetime.date.min
LAST: Final = datetime.date.max


def year(x: datetime.date) -> int:
    return x.year


def month(x: datetime.date) -> int:
    """1 for January."""
    return x.month


def day(x: datetime.date) -> int:
    """Of the month, from 1."""
    return x.day


def weekday(x: datetime.date) -> int:
    """0 for Monday, 6 for Sunday."""
    return x.weekday()


def days_since(x: datetime.date, start: datetime.date) -> int:
    """Negative before it."""
    return (x - start).days


def _range(domain: Domain) -> tuple[datetime.date, datetime.date]:
    low, high = dates(domain)
    return low or FIRST, high or LAST


def _year_shape(x: Domain) -> Shape:
    low, high = _range(x)
    return Shape(Integers(low.year, high.year))


def _month_shape(x: Domain) -> Shape:
    low, high = _range(x)
    return Shape(Integers(low.month, high.month) if low.year == high.year else Integers(1, 12))


def _day_shape(x: Domain) -> Shape:
    low, high = _range(x)
    same = (low.year, low.month) == (high.year, high.month)
    return Shape(Integers(low.day, high.day) if same else Integers(1, 31))


def _weekday_shape(x: Domain) -> Shape:
    dates(x)
    return Shape(Integers(0, 6))


def _since_shape(x: Domain, start: Domain) -> Shape:
    (low, high), (first, last) = _range(x), _range(start)
    return Shape(Integers((low - last).days, (high - first).days))


TABLE: Final = (
    Operation("year", 1, year, _year_shape, method("year")),
    Operation("month", 1, month, _month_shape, method("month")),
    Operation("day", 1, day, _day_shape, method("day")),
    Operation("weekday", 1, weekday, _weekday_shape, method("weekday")),
    Operation("days_since", 2, days_since, _since_shape, method("days_since")),
)
