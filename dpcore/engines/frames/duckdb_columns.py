"""Relations of DuckDB: its result comes in batches, of which one is held at a time.

Without pyarrow, in which DuckDB hands them out, all rows of the declared columns come at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeVar, final

import polars as pl

from dpcore.domains import Domain, Rows
from dpcore.engines.frames.arrow_batches import BATCH, ArrowBatches, Batches, counted
from dpcore.engines.frames.reading import wanted
from dpcore.engines.frames.room import shares_for
from dpcore.engines.frames.shares import Shares
from dpcore.engines.frames.source import Source
from dpcore.engines.table import Table
from dpcore.errors import InvalidData

READERS: Final = ("to_arrow_reader", "fetch_record_batch", "fetch_arrow_reader")
"""What hands out batches, by version, newest first."""

WIDTHS: Final = {
    **dict.fromkeys(("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DATE", "FLOAT", "DOUBLE", "TIMESTAMP"), 8),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), 8),
    **dict.fromkeys(("HUGEINT", "VARCHAR"), 16),
}
"""Octets of a value of these types, at most; of texts, beside their own."""

ARROW: Final = "ARROW_SCAN"
"""What reads Arrow, in a plan: a stream of it may be read once, and there is nothing left when its rows were measured."""

D = TypeVar("D", bound=Domain)

duckdb: Any = import_module("duckdb")  # the one door


@final
class DuckDBColumns(ArrowBatches):
    """A relation, which has places for its rows at times; it does not say when, so none is named."""

    __slots__ = ("_relation",)

    def __init__(self, relation: object) -> None:
        self._relation: Any = relation

    def names(self) -> Sequence[str] | None:
        return list(self._relation.columns)

    def queried(self, rows: Rows[D]) -> Table | None:
        from dpcore.engines.queries.duckdb import DuckDBEngine
        from dpcore.engines.queries.duckdb_statistics import of_its_own_tables
        from dpcore.engines.queries.table import queried

        own = of_its_own_tables(self._relation)  # before all else: after a statement DuckDB looks names up anew
        names = wanted(self, rows) or ()
        return queried(DuckDBEngine(self._only(names), names, own=own), self, rows)

    def _only(self, names: Sequence[str]) -> Any:
        """These columns as `c0`, `c1`, ... By name, for a place may be another column's by now. And a new relation, for of
        the old one some rows may be gone already."""
        met = [name.casefold() for name in self._relation.columns]
        for name in names:
            if met.count(name.casefold()) > 1:
                raise InvalidData(f"field {name!r} is there more than once: to DuckDB, a and A are one name")
        quoted = ['"' + name.replace('"', '""') + '"' for name in names]
        return self._relation.project(", ".join(f"{name} AS c{place}" for place, name in enumerate(quoted)))

    def apart(self, names: Sequence[str], by: str) -> Source | None:
        from dpcore.engines.queries.duckdb_statistics import plan_of

        rows, place = self._only(names), list(names).index(by)
        alike = str(rows.types[place]) not in ("FLOAT", "DOUBLE") and find_spec("pyarrow")
        shares = shares_of(rows) if alike and ARROW not in plan_of(self._relation) else 1
        return None if shares == 1 else Shares(self, lambda take: self.each(names, take), place, shares)

    def batches(self, names: Sequence[str]) -> Batches:
        rows = self._only(names)
        for name, kind in zip(names, map(str, rows.types), strict=True):
            if "HUGEINT" in kind and kind != "HUGEINT":
                message = f"field {name!r} is of type {kind}, which Arrow does not hold exactly"
                raise InvalidData(message, bridge="CAST(...)")
        if int(duckdb.__version__.partition(".")[0]) >= 2:
            return _read(rows)
        # Before 2, another query on the same connection ended a result without a word.
        return counted(_read(rows), rows.aggregate("count(*)").fetchall()[0][0])


def shares_of(rows: Any) -> int:
    """In how many shares there is room for the rows; one where a type does not say how much its values take."""
    width, asked = 0, ['system.main."count"(*)']  # a macro of the user may have their names
    for name, kind in zip(rows.columns, map(str, rows.types), strict=True):
        if kind not in WIDTHS and (kind.endswith("]") or not kind.startswith("DECIMAL(")):
            return 1
        width += WIDTHS.get(kind, WIDTHS["HUGEINT"])
        if kind == "VARCHAR":
            asked.append(f'system.main."sum"(system.main."strlen"({name}))')
    ((size, *octets),) = rows.aggregate(", ".join(asked)).fetchall()
    return shares_for(size * width + sum(int(each or 0) for each in octets))


def _read(rows: Any) -> Batches:
    if find_spec("pyarrow") is None:
        yield pl.DataFrame(rows)
        return
    # Asked of the class: of a relation, it might be the name of a column.
    reader = getattr(rows, next(name for name in READERS if hasattr(type(rows), name)))
    yield from map(pl.DataFrame, reader(BATCH))
