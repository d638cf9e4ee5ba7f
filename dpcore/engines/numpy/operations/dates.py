"""Parts of days, as numpy counts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from dpcore.domains import Array
from dpcore.engines.numpy.columns import Column, Days, DaysArray, Ints, Multiples, OnColumns, plain


def _part(compute: Callable[[DaysArray], Ints]) -> Callable[[Column], Column | None]:
    return lambda x: Multiples(compute(x.values)) if isinstance(x, Days) else None


def _count(x: Array, unit: str) -> Ints:
    return x.astype(f"datetime64[{unit}]").astype(np.int64)


def _day_of_month(x: DaysArray) -> Ints:
    return _count(x, "D") - x.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + 1


def _since(x: Column, start: Column) -> Column | None:
    days, first = plain(x), plain(start)
    if days is None or first is None:
        return None
    since: Ints = _count(days, "D") - _count(first, "D")
    return Multiples(since)


COLUMNS: Final[Mapping[str, OnColumns]] = {
    "year": _part(lambda x: _count(x, "Y") + 1970),
    "month": _part(lambda x: _count(x, "M") % 12 + 1),
    "day": _part(_day_of_month),
    # 1970-01-01 was a Thursday.
    "weekday": _part(lambda x: (_count(x, "D") + 3) % 7),
    "days_since": _since,
}
