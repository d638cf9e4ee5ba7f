"""The dialect of Spark, and its data frames as the engine, classic and Connect."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, Final, final

from dpcore.engines.queries.dialect import NoWord
from dpcore.engines.queries.membership import Column
from dpcore.engines.queries.sql import Levels, Rows, SqlDialect, SqlEngine, of_sets
from dpcore.engines.queries.words import COUNTS, DAYS, FLOATS, SINGLES, TEXTS, TRUTHS

WHOLE: Final[dict[str, int]] = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
"""Their bits."""

PARTS: Final[dict[str, str]] = {"year": "year", "month": "month", "day": "dayofmonth", "weekday": "weekday"}

MOST_ROWS: Final = 1 << 32

BEYOND: Final = "CAST('+20000-01-01' AS DATE)"
"""A day that Python does not have, for moments that are no midnight."""


@final
class SparkDialect(SqlDialect):
    """Texts are their bytes in UTF-8, which are in the order of code points whatever the session compares texts by."""

    text_type = "BINARY"

    def named(self, function: str) -> str:
        return f"system.builtin.{function}"

    def quoted(self, text: str) -> str:
        return f"X'{text.encode().hex()}'"

    def plus(self, x: str, y: str) -> str:
        return self.said(f"({x} + {y})")

    def minus(self, x: str, y: str) -> str:
        return self.said(f"({x} - {y})")

    def times(self, x: str, y: str) -> str:
        return self.said(f"({x} * {y})")

    def floor_divided(self, x: str, by: int) -> str:
        # Its division rounds towards zero, and its remainder is below zero where the number is.
        divisor, zero = self.literal(by, 0), self.literal(0, 0)
        return self.said(f"(({x} div {divisor}) - CAST((({x} % {divisor}) < {zero}) AS BIGINT))")

    def is_odd(self, x: str) -> str:
        return self.said(f"(({x} % {self.literal(2, 0)}) <> {self.literal(0, 0)})")

    def real_times(self, x: str, by: float) -> str:
        return self.said(f"({x} * {self.literal(by, 0.0)})")

    def real_over(self, x: str, by: float) -> str:
        return self.said(f"({x} / {self.literal(by, 0.0)})")

    def is_nan(self, x: str) -> str:
        return f"({x} = CAST('NaN' AS DOUBLE))"  # true of it here, and null of null

    def day_part(self, part: str, x: str) -> str:
        return f"CAST({self.call(PARTS[part], x)} AS BIGINT)"

    def day_number(self, x: str) -> str:
        return f"CAST({self.call('unix_date', x)} AS BIGINT)"

    def length(self, x: str) -> str:
        return f"CAST({self.call('length', f'CAST({x} AS STRING)')} AS BIGINT)"

    def starts_with(self, x: str, start: str) -> str:
        return self.call("startswith", x, self.quoted(start))

    def contains(self, x: str, part: str) -> str:
        return self.call("contains", x, self.quoted(part))

    def misses(self, x: str) -> str:
        # Said once, it is no column of a query around it, which Spark would have to analyse.
        return self.how_often(self.said(f"(CASE WHEN {x} THEN FALSE ELSE TRUE END)"))

    def sum(self, x: str) -> str:
        # In 64 bits, which wrap where the session is not told to raise.
        too_many = f"CAST({self.named('raise_error')}('too many rows') AS BIGINT)"
        return f"(CASE WHEN {self.rows()} > {MOST_ROWS} THEN {too_many} ELSE {self.aggregate('sum', x)} END)"


@final
class SparkEngine(SqlEngine):
    """A data frame of these columns, in this order, which are called `c0`, `c1`, ..."""

    def __init__(self, frame: Any, names: Sequence[str]) -> None:
        self.dialect = SparkDialect()
        self._places = {name: f"c{place}" for place, name in enumerate(names)}
        self._kinds = {name: kind for name, (_, kind) in zip(names, frame.dtypes, strict=True)}
        self._rows = frame
        connect = "connect" in type(frame).__module__
        self._functions: Any = import_module("pyspark.sql.connect.functions" if connect else "pyspark.sql.functions")

    def column(self, name: str | None) -> Column[str]:
        if name is None:
            raise NoWord
        its, kind, let = self._places[name], self._kinds[name], self.dialect.let
        if kind in WHOLE:
            most = 1 << (WHOLE[kind] - 1)
            return Column(its if kind == "bigint" else let(f"CAST({its} AS BIGINT)"), COUNTS, -most, most - 1)
        if kind.startswith("decimal("):
            return self._decimal(its, *map(int, kind[len("decimal(") : -1].split(",")))
        if kind == "timestamp_ntz":
            day = f"CAST({its} AS DATE)"
            return Column(let(f"CASE WHEN CAST({day} AS TIMESTAMP_NTZ) <> {its} THEN {BEYOND} ELSE {day} END"), DAYS)
        if kind == "string":
            return Column(let(f"CAST({its} AS BINARY)"), TEXTS)
        if kind == "float":
            return Column(let(f"CAST({its} AS DOUBLE)"), SINGLES)
        layouts = {"double": FLOATS, "boolean": TRUTHS, "date": DAYS}
        if kind not in layouts:
            raise NoWord
        return Column(its, layouts[kind])

    def _decimal(self, its: str, digits: int, places: int) -> Column[str]:
        """In units of its last place. With more digits a product may be rounded, and a cast to 64 bits wraps."""
        if digits > 18:
            raise NoWord
        unit = f"CAST({10**places} AS DECIMAL({places + 1}, 0))"
        counts = self.dialect.let(f"CAST(({its} * {unit}) AS BIGINT)")
        most = 10**digits - 1
        return Column(counts, COUNTS, -most, most, Fraction(1, 10**places))

    def rows_of(self, levels: Levels, group: str | None, figures: Sequence[str]) -> Rows:
        rows = self._with(levels)
        return self._answers(rows.groupBy() if group is None else rows.groupBy(group), figures)

    def rows_of_sets(self, levels: Levels, groups: Sequence[str], figures: Sequence[str]) -> Sequence[Rows]:
        rows = self._with(levels)
        if not hasattr(type(rows), "groupingSets"):  # before Spark 4
            raise NoWord
        sets, size = rows.groupingSets([[group] for group in groups], *groups), len(groups)
        answers = self._answers(sets, [f"{self.dialect.named('grouping_id')}()", *figures])
        return of_sets([[row[size], *row[:size], *row[size + 1 :]] for row in answers], size)

    def _with(self, levels: Levels) -> Any:
        rows = self._rows
        for made in levels:
            rows = rows.selectExpr("*", *(f"{text} AS {name}" for name, text in made.items()))
        return rows

    def _answers(self, groups: Any, figures: Sequence[str]) -> Rows:
        asked = [self._functions.expr(f"{figure} AS f{place}") for place, figure in enumerate(figures)]
        rows: Rows = groups.agg(*asked).collect()
        if not {bytes, bytearray} & {kind for row in rows for kind in map(type, row)}:
            return rows
        return [
            [bytes(each).decode() if isinstance(each, (bytes, bytearray)) else each for each in row] for row in rows
        ]
