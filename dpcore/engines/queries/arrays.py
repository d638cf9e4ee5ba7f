"""Arrays as a frame of polars, which holds them where they are, and is asked like any other.

So many rows are asked on all processors at once. What polars answers is what numpy would, and what it has no exact words for
goes to numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, final

import numpy as np
import polars as pl

from dpcore.domains import Array, Domain, Rows
from dpcore.engines.numpy.arrays import fields_of, of_texts
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import Ints, Mask
from dpcore.engines.numpy.reading import split_mask
from dpcore.engines.queries.polars import A_DAY, PolarsEngine
from dpcore.engines.queries.table import asking
from dpcore.engines.table import Table

D = TypeVar("D", bound=Domain)

Held: TypeAlias = "Given | pl.Series"

ALONE: Final = "values"
"""What a column without a name is called."""

SIZES: Final = {"i": (1, 2, 4, 8), "u": (1, 2, 4), "f": (4, 8), "b": (1,)}
"""Kinds of numpy's types, and how many bytes those have that polars reads as the same values."""


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """How moments of numpy become those of polars: as which numbers, how many of them for one, and what these stand for."""

    a_day: int
    kind: pl.DataType
    number: type[pl.DataType] = pl.Int64
    times: int = 1


UNITS: Final = {
    "datetime64[D]": Unit(1, pl.Date(), pl.Int32),
    "datetime64[s]": Unit(86_400, pl.Datetime("ms"), times=1000),
    "datetime64[ms]": Unit(A_DAY["ms"], pl.Datetime("ms")),
    "datetime64[us]": Unit(A_DAY["us"], pl.Datetime("us")),
    "datetime64[ns]": Unit(A_DAY["ns"], pl.Datetime("ns")),
}

FAR: Final = 1 << 22
"""Days: more than Python has, and polars fails where it reads what is much farther off."""

NAT: Final = np.iinfo(np.int64).min
"""What stands where there is no moment."""


def asked_of_polars(arrays: Sequence[Held], domain: Rows[D], read: Callable[[], Table]) -> Table:
    """The rows of these arrays; those of other types are read as `read` does."""
    frame: list[pl.Series] = []
    tables: dict[str, pl.Enum] = {}
    fields = fields_of(domain.of)
    if "" in dict(fields):
        return read()  # polars gives names to what has none
    for array, (name, of) in zip(arrays, fields, strict=True):
        found, its_name = _column(array, of), name or ALONE
        if found is None:
            return read()
        column, kind = found
        frame.append(column.alias(its_name))
        if kind is not None:
            tables[its_name] = kind
    return asking(PolarsEngine(pl.DataFrame(frame), borrowed=True, tables=tables), domain, read)


def _column(data: Held, domain: Domain) -> tuple[pl.Series, pl.Enum | None] | None:
    """What polars holds of it, and of which texts this is the places."""
    if isinstance(data, Coded):
        kind = _kind(data)
        return None if kind is None else (_places(data, len(kind.categories)), kind)
    series = _series(data, domain)
    return None if series is None else (series, None)


def _series(data: Array | pl.Series, domain: Domain) -> pl.Series | None:
    if isinstance(data, pl.Series):
        return data
    if data.ndim != 1 or not data.dtype.isnative:
        return None
    values, mask = split_mask(data)
    if values.dtype == object:
        return _texts(values, domain) if mask is None else None
    if values.dtype.kind == "M":
        series = _moments(values)
    else:
        series = pl.Series(values) if values.dtype.itemsize in SIZES.get(values.dtype.kind, ()) else None
    return series if series is None or mask is None else _without(series, mask)


def _moments(values: Array) -> pl.Series | None:
    """Moments are held where they are, days as numbers of half the length; NaT is null."""
    unit = UNITS.get(str(values.dtype))
    if unit is None:
        return None
    whole: Ints = values.view(np.int64)
    missing = whole == NAT
    series = pl.Series(whole)
    known = _without(series, missing) if missing.any() else series
    if any(isinstance(end, int) and abs(end) > FAR * unit.a_day for end in (known.min(), known.max())):
        return None
    return (known * unit.times if unit.times > 1 else known).cast(unit.number).cast(unit.kind)


def _without(series: pl.Series, missing: Mask) -> pl.Series:
    """With null where an entry is missing."""
    return pl.select(pl.when(pl.Series(~missing)).then(series)).to_series()


def _texts(values: Array, domain: Domain) -> pl.Series | None:
    """Texts and None, and nothing else: polars refuses what is no text, where it is told to expect one."""
    if not of_texts(domain):
        return None
    try:
        return pl.Series(values, dtype=pl.String)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return None


def _kind(data: Coded) -> pl.Enum | None:
    """Its table as different texts that polars has, if they are nothing else."""
    table = [value for value in data.table if type(value) is str]
    if len(set(table)) < len(data.table):
        return None
    try:
        return pl.Enum(table)
    except (ValueError, pl.exceptions.PolarsError):  # half a pair of surrogates
        return None


def _places(data: Coded, texts: int) -> pl.Series:
    """Where the text of each row stands among so many, or null."""
    places = pl.Series(data.codes.astype(np.min_scalar_type(texts)))  # null is the last one, whatever it is
    null = data.codes < 0
    return _without(places, null) if null.any() else places
