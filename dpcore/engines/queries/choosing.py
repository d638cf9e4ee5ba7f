"""The rows that a key keeps of each person: chosen among the fields in memory, then asked as a query of their own.

Choosing is done by the function that defines the choice on every engine; all else stays a query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpcore.domains import Domain
from dpcore.engines.numpy import keeping
from dpcore.engines.numpy.coded import Coded, Given
from dpcore.engines.numpy.columns import Codes, Column, Days, Floats, Mask, Multiples, Truths
from dpcore.engines.numpy.floats import widened
from dpcore.engines.numpy.reading import split_mask
from dpcore.engines.numpy.table import Columns, NumpyColumns
from dpcore.engines.queries.asking import Held, Query
from dpcore.engines.queries.dialect import X
from dpcore.engines.queries.words import COUNTS, FLOATS, SINGLES, TRUTHS, Word
from dpcore.engines.table import Table
from dpcore.noise.row_keys import RowKey

Fields = Mapping[str | None, Word[X]]


def kept(
    query: Query[X], fields: Fields[X], condition: X | None, domain: Domain, by: str | None, limit: int, key: RowKey
) -> tuple[Query[X], Fields[X]] | None:
    """None where the engine holds no rows in memory, or a check did not hold."""
    found = _held(query, fields, condition)
    if found is None:
        return None
    held, given = found
    columns = {name: _column(data, word) for data, (name, word) in zip(given, fields.items(), strict=True)}
    rows = keeping.fairly(columns, by, limit, key)
    chosen, exprs = held.kept(rows)
    words = {name: replace(word, expr=expr) for expr, (name, word) in zip(exprs, fields.items(), strict=True)}
    size = int(np.count_nonzero(rows))
    return Query(chosen, size, [], _batches(columns, rows, domain)), words


def _held(query: Query[X], fields: Fields[X], condition: X | None) -> tuple[Held[X], Sequence[Given]] | None:
    try:
        engine = query.engine.in_memory()
        if engine is None or Query(engine, query.size, query.checks, query.batches).ask([]) is None:
            return None
        held = engine.held([word.expr for word in fields.values()], condition)
        return held, held.columns()
    except KeyboardInterrupt:
        raise
    except BaseException:  # also what polars raises where it gives up
        return None


def _batches(columns: Mapping[str | None, Column], rows: Mask, domain: Domain) -> Callable[[], Table]:
    return lambda: NumpyColumns(Columns(columns, len(rows)).chosen(rows), domain)


def _column(data: Given, word: Word[X]) -> Column:
    """A field as numpy lays it out."""
    if isinstance(data, Coded):
        null = data.codes < 0
        if not null.any():
            return Codes(data.codes.astype(np.int64, copy=False), data.table)
        return Codes(np.where(null, len(data.table), data.codes), (*data.table, None))
    values, mask = split_mask(data)
    if word.layout is COUNTS:
        return Multiples(values.astype(np.int64, copy=False), word.step, mask)
    if word.layout is FLOATS:
        return Floats(values.astype(np.float64, copy=False), mask)
    if word.layout is SINGLES:
        return Floats(widened(values.astype(np.float32)), mask)
    if word.layout is TRUTHS:
        return Truths(values.astype(np.bool_, copy=False), mask)
    return Days(values.astype("datetime64[D]", copy=False), mask)
