"""The dialect of DuckDB, and its relations as the engine. One is made from another, so nothing gets a name anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, final

from dpcore.engines.queries.dialect import NoWord
from dpcore.engines.queries.membership import Column
from dpcore.engines.queries.sql import Levels, Rows, SqlDialect, SqlEngine, of_sets
from dpcore.engines.queries.words import COUNTS, DAYS, FLOATS, SINGLES, TEXTS, TRUTHS

WHOLE: Final[dict[str, tuple[int, int]]] = {
    "TINYINT": (-(1 << 7), (1 << 7) - 1),
    "SMALLINT": (-(1 << 15), (1 << 15) - 1),
    "INTEGER": (-(1 << 31), (1 << 31) - 1),
    "BIGINT": (-(1 << 63), (1 << 63) - 1),
    "UTINYINT": (0, (1 << 8) - 1),
    "USMALLINT": (0, (1 << 16) - 1),
    "UINTEGER": (0, (1 << 32) - 1),
    "UBIGINT": (0, (1 << 64) - 1),
    "HUGEINT": (-(1 << 127), (1 << 127) - 1),
}
"""Of the last two, a value beyond 64 bits ends the query, and batches are asked."""

BEYOND: Final = "DATE '20000-01-01'"
"""A day that Python does not have, for moments that are no midnight, and for the two infinite days, which would come as the
last and the first that it has."""

MOMENTS: Final = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")


@final
class DuckDBDialect(SqlDialect):
    """Texts are compared as `C` does, by code points, whatever order the session or the column prefers."""

    text_type = "VARCHAR"

    def named(self, function: str) -> str:
        return f'system.main."{function}"'

    def quoted(self, text: str) -> str:
        return "('" + text.replace("'", "''") + "' COLLATE C)"

    def plus(self, x: str, y: str) -> str:
        return self.call("+", x, y)

    def minus(self, x: str, y: str) -> str:
        return self.call("-", x, y)

    def times(self, x: str, y: str) -> str:
        return self.call("*", x, y)

    def floor_divided(self, x: str, by: int) -> str:
        # Its division rounds towards zero, and its remainder is below zero where the number is.
        divisor = self.literal(by, 0)
        below = f"({self.call('%', x, divisor)} < {self.literal(0, 0)})"
        return self.minus(self.call("//", x, divisor), self.one_if(below))

    def is_odd(self, x: str) -> str:
        return f"({self.call('%', x, self.literal(2, 0))} <> {self.literal(0, 0)})"

    def real_times(self, x: str, by: float) -> str:
        return self.call("*", x, self.literal(by, 0.0))

    def real_over(self, x: str, by: float) -> str:
        return self.call("/", x, self.literal(by, 0.0))

    def is_nan(self, x: str) -> str:
        return self.call("isnan", x)

    def within(self, x: str, low: int, high: int) -> str:
        return self.said(f"({x} BETWEEN {self._numeral(low)} AND {self._numeral(high)})")

    def _numeral(self, n: int) -> str:
        return str(n) if n >= 0 else self.literal(n, 0)  # for a sign is a function

    def day_part(self, part: str, x: str) -> str:
        if part == "weekday":
            return self.minus(self.call("isodow", x), self.literal(1, 0))
        return self.call(part, x)

    def day_number(self, x: str) -> str:
        return self.call("-", x, "DATE '1970-01-01'")

    def length(self, x: str) -> str:
        return self.call("length", x)

    def starts_with(self, x: str, start: str) -> str:
        return self.call("starts_with", x, self.quoted(start))

    def contains(self, x: str, part: str) -> str:
        return self.call("contains", x, self.quoted(part))

    # Counted and added up in 128 bits, of which those beyond 64 end the query: as 64, Python reads them in half the time.

    def how_often(self, x: str) -> str:
        return f"CAST({super().how_often(x)} AS BIGINT)"

    def misses(self, x: str) -> str:
        # Named once, so that no column is made for it. Of nothing but nulls DuckDB counts null, and not 0.
        return self.minus(self.rows(), f"COALESCE({self.how_often(x)}, 0)")

    def sum(self, x: str) -> str:
        return f"CAST({self.aggregate('sum', x)} AS BIGINT)"


@final
class DuckDBEngine(SqlEngine):
    """A relation of these columns, in this order."""

    def __init__(self, relation: Any, names: Sequence[str], *, own: bool) -> None:
        """`own` says whether all rows are of tables of DuckDB, for which `duckdb_statistics` has the reason."""
        self.dialect = DuckDBDialect()
        self._kinds = dict(zip(names, map(str, relation.types), strict=True))
        self._places = {name: f"c{place}" for place, name in enumerate(names)}
        self._rows = relation
        self._own = own

    def column(self, name: str | None) -> Column[str]:
        if name is None:
            raise NoWord
        kind, let = self._kinds[name], self.dialect.let
        its = self._places[name] if self._own else self._unknown(self._places[name])
        if kind in WHOLE:
            return Column(its if kind == "BIGINT" else let(f"CAST({its} AS BIGINT)"), COUNTS, *WHOLE[kind])
        if kind.endswith("]"):
            raise NoWord  # lists, called after what is in them
        if kind.startswith("DECIMAL("):
            return self._decimal(its, *map(int, kind[len("DECIMAL(") : -1].split(",")))
        if kind == "VARCHAR" or kind.startswith("ENUM("):
            return Column(let(f"CAST({its} AS VARCHAR) COLLATE C"), TEXTS)
        if kind == "DATE" or kind in MOMENTS:
            finite, day = self.dialect.call("isfinite", its), f"CAST({its} AS DATE)"
            return Column(
                let(f"CASE WHEN NOT {finite} OR CAST({day} AS {kind}) <> {its} THEN {BEYOND} ELSE {day} END"), DAYS
            )
        if kind == "FLOAT":
            return Column(let(f"CAST({its} AS DOUBLE)"), SINGLES)
        if kind in ("DOUBLE", "BOOLEAN"):
            return Column(its, FLOATS if kind == "DOUBLE" else TRUTHS)
        raise NoWord

    def _unknown(self, column: str) -> str:
        """The same, of which DuckDB takes nothing for granted: a union of one type is as quick as the type itself."""
        union = f"{self.dialect.named('union_value')}(a := {column})"
        return self.dialect.let(f"{self.dialect.named('union_extract')}({union}, 'a')")

    def _decimal(self, its: str, digits: int, places: int) -> Column[str]:
        """In units of its last place. A value beyond 64 bits ends the query, as does a product of more than 38 digits."""
        room = 18 if digits + places <= 18 else 38
        wide, unit = f"CAST({its} AS DECIMAL({room}, {places}))", f"CAST({10**places} AS DECIMAL({places + 1}, 0))"
        counts = self.dialect.let(f"CAST({self.dialect.call('*', wide, unit)} AS BIGINT)")
        most = 10**digits - 1
        return Column(counts, COUNTS, -most, most, Fraction(1, 10**places))

    def rows_of(self, levels: Levels, group: str | None, figures: Sequence[str]) -> Rows:
        by = [] if group is None else [group]
        answers: Rows = self._with(levels).aggregate(", ".join([*by, *figures]), *by).fetchall()
        return answers

    def rows_of_sets(self, levels: Levels, groups: Sequence[str], figures: Sequence[str]) -> Sequence[Rows]:
        asked = ", ".join([f"GROUPING({', '.join(groups)})", *groups, *figures])
        sets = f"GROUPING SETS ({', '.join(f'({group})' for group in groups)})"
        return of_sets(self._with(levels).aggregate(asked, sets).fetchall(), len(groups))

    def _with(self, levels: Levels) -> Any:
        rows, names = self._rows, list(self._places.values())
        for made in levels:
            rows = rows.project(", ".join([*names, *(f"{text} AS {name}" for name, text in made.items())]))
            names += made
        return rows
