"""What an engine answers by one query is what the rows give one by one: every operation, whatever the data."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import polars as pl

from dpcore.domains import Record, Rows, booleans
from dpcore.engines import Table, grouped, together
from dpcore.engines.doors import by_rows
from dpcore.engines.queries.ahead import Ahead
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.asking import Engine, Query
from dpcore.engines.queries.membership import Check, Column, read
from dpcore.engines.queries.table import QueryTable
from dpcore.engines.queries.words import COUNTS, Word
from dpcore.expressions import Expr, Expression, Value, field
from tests.engines.tallies import tally
from tests.expressions.samples import ROW

Row: TypeAlias = Mapping[str, object]
Held: TypeAlias = Callable[[Sequence[Row]], Engine[Any]]
"""Rows of the columns of `COLUMNS`, thirds as counts of thirds, as an engine has them."""


COLUMNS: dict[str, type[pl.DataType]] = {
    "i": pl.Int16, "oi": pl.Int64, "g": pl.Float64, "third": pl.Int64, "f": pl.Float64, "of": pl.Float64, "k": pl.Int8,
    "b": pl.Boolean, "ob": pl.Boolean, "c": pl.String, "oc": pl.String, "t": pl.String, "d": pl.Date, "od": pl.Date,
}  # fmt: skip
"""Those of `ROW` that polars holds; expressions of the others go the way of batches, here of the rows themselves."""


class Watched(Engine[Any]):
    """An engine that may not raise: what it raises is not seen elsewhere, for the rows are then asked in batches."""

    def __init__(self, engine: Engine[Any]) -> None:
        self._engine, self.dialect, self.steady, self.raised = (
            engine,
            engine.dialect,
            engine.steady,
            list[BaseException](),
        )

    def column(self, name: str | None) -> Column[Any]:
        return self._engine.column(name)

    def ask(self, figures: Sequence[Any]) -> Any:
        return self._watched(lambda: self._engine.ask(figures))

    def ask_by(self, group: Any, figures: Sequence[Any], of_all: Sequence[Any]) -> Any:
        return self._watched(lambda: self._engine.ask_by(group, figures, of_all))

    def _watched(self, question: Callable[[], Any]) -> Any:
        try:
            return question()
        except BaseException as error:
            self.raised.append(error)
            raise


def counted(rows: Sequence[Row]) -> list[dict[str, object]]:
    """The rows as the engine is given them."""
    thirds = [row["third"] for row in rows]
    wholes = [third * 3 if isinstance(third, Fraction) else third for third in thirds]
    return [{**{name: row[name] for name in COLUMNS}, "third": n} for row, n in zip(rows, wholes, strict=True)]


def queried(held: Held, rows: Sequence[Row]) -> Table:
    """The rows as a table that asks the engine."""
    return asking(held(counted(rows)), rows)


def asking(engine: Engine[Any], rows: Sequence[Row]) -> Table:
    words: dict[str | None, Word[Any]] = {}
    checks: list[Check[Any]] = []
    for name, domain in ROW.fields:
        if name == "third":
            words[name] = Word(engine.column(name).expr, COUNTS, -6, 6, Fraction(1, 3))
        elif name in COLUMNS:
            words[name], more = read(engine.dialect, engine.column(name), domain)
            checks += more
    return QueryTable(ROW, Asked(Ahead(Query(engine, None, checks, lambda: by_rows(rows, Rows(ROW)))), words))


def typed(values: object) -> object:
    """With the types, for 1 == True == Fraction(1) in Python."""
    return [typed(value) for value in values] if isinstance(values, list) else (type(values), values)


def agree(held: Held, rows: Sequence[Row], compute: Callable[[Table], object]) -> None:
    engine = Watched(held(counted(rows)))
    assert typed(compute(asking(engine, rows))) == typed(compute(by_rows(rows, Rows(ROW))))
    assert not engine.raised


def numbers_agree(held: Held, rows: Sequence[Row], condition: Expr[bool], expr: Expr[Value]) -> None:
    domain = expr.domain(ROW)

    def compute(t: Table) -> list[object]:
        kept = t.filter(condition)
        return [
            kept.count(),
            kept.totals([expr, condition], [domain, booleans()]),
            kept.select(expr, domain).total(),
            kept.filter(field("b", bool)).count(),
        ]

    agree(held, rows, compute)


def keys_agree(held: Held, rows: Sequence[Row], expr: Expression, condition: Expr[bool]) -> None:
    bins: list[Hashable] = [None, True, 0, 1, "N", *(expr.on_row(ROW.canonical(row)) for row in rows)]
    wanted = list(dict.fromkeys(bins))
    agree(held, rows, lambda t: tally(t.filter(condition), expr, bins))
    agree(held, rows, lambda t: sorted(t.filter(condition).tally_all(expr).items()))
    agree(held, rows, lambda t: [part.count() for part in grouped(t.filter(condition), expr, wanted).values()])
    agree(held, rows, lambda t: [part.filter(condition).count() for part in grouped(t, expr, wanted).values()])
    together_agree(held, rows, lambda t: grouped(t, expr, wanted).of(wanted), condition)


def together_agree(
    held: Held, rows: Sequence[Row], parts: Callable[[Table], Sequence[Table]], condition: Expr[bool]
) -> None:
    """What is done to all parts at once is what is done to each."""
    i, of = field("i"), field("i").domain(ROW)
    record = {"i": i, "c": field("c")}
    domain = Record(tuple((name, e.domain(ROW)) for name, e in record.items()))

    def compute(t: Table) -> list[object]:
        kept = together(parts(t)).filter(condition)
        chosen = kept.select_record(record, domain).narrowed(domain)
        return [list(kept.counts()), list(kept.select(i, of).totals()), list(chosen.counts())]

    agree(held, rows, compute)


def ranks_agree(held: Held, rows: Sequence[Row], name: str, candidates: Sequence[int | Fraction]) -> None:
    unique, of = list(dict.fromkeys(candidates)), field(name).domain(ROW)
    agree(held, rows, lambda t: t.select(field(name), of).ranks(unique))


EXAMPLES: list[Row] = [
    {
        "i": n - 4, "oi": None if n % 3 else n % 4, "big": n, "g": (n - 5) / 4, "third": None, "f": n / 10,
        "of": None if n % 4 == 1 else (n - 5) / 20, "k": 1, "b": n % 2 == 0, "ob": None if n % 3 else n % 2 == 0,
        "c": ["N", "e ", "South", ""][n % 4], "oc": None, "t": ["N", "South", "", "é", "Ω", "a\0"][n % 6],
        "d": datetime.date(2019, 12, 30) + datetime.timedelta(37 * n), "od": None, "v": [0, 0], "ov": None,
    }
    for n in range(12)
]  # fmt: skip
"""On which every operation has more than one answer."""


def never(asked: object) -> Table:
    raise AssertionError("the engine was not asked")
