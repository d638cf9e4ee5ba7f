"""What an engine answers by one query is what the rows give one by one: every operation, whatever the data."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from dpcore.domains import Rows, booleans
from dpcore.engines import Table
from dpcore.engines.doors import by_rows
from dpcore.engines.queries.ahead import Ahead
from dpcore.engines.queries.asking import Engine, Query
from dpcore.engines.queries.membership import Check, Column, read
from dpcore.engines.queries.table import Asked, QueryTable
from dpcore.engines.queries.words import COUNTS, Word
from dpcore.expressions import Expr, Expression, Value, field
from tests.engines.queries.test_polars import COLUMNS, typed
from tests.expressions.samples import ROW

Record: TypeAlias = Mapping[str, object]
Held: TypeAlias = Callable[[Sequence[Record]], Engine[Any]]
"""Rows of the columns of `COLUMNS`, thirds as counts of thirds, as an engine has them."""


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


def counted(rows: Sequence[Record]) -> list[dict[str, object]]:
    """The rows as the engine is given them."""
    thirds = [row["third"] for row in rows]
    wholes = [third * 3 if isinstance(third, Fraction) else third for third in thirds]
    return [{**{name: row[name] for name in COLUMNS}, "third": n} for row, n in zip(rows, wholes, strict=True)]


def queried(held: Held, rows: Sequence[Record]) -> Table:
    """The rows as a table that asks the engine."""
    return asking(held(counted(rows)), rows)


def asking(engine: Engine[Any], rows: Sequence[Record]) -> Table:
    words: dict[str | None, Word[Any]] = {}
    checks: list[Check[Any]] = []
    for name, domain in ROW.fields:
        if name == "third":
            words[name] = Word(engine.column(name).expr, COUNTS, -6, 6, Fraction(1, 3))
        elif name in COLUMNS:
            words[name], more = read(engine.dialect, engine.column(name), domain)
            checks += more
    return QueryTable(ROW, Asked(Ahead(Query(engine, None, checks, lambda: by_rows(rows, Rows(ROW)))), words))


def agree(held: Held, rows: Sequence[Record], compute: Callable[[Table], object]) -> None:
    engine = Watched(held(counted(rows)))
    assert typed(compute(asking(engine, rows))) == typed(compute(by_rows(rows, Rows(ROW))))
    assert not engine.raised


def numbers_agree(held: Held, rows: Sequence[Record], condition: Expr[bool], expr: Expr[Value]) -> None:
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


def keys_agree(held: Held, rows: Sequence[Record], expr: Expression, condition: Expr[bool]) -> None:
    bins: list[Hashable] = [None, True, 0, 1, "N", *(expr.on_row(ROW.canonical(row)) for row in rows)]
    wanted = list(dict.fromkeys(bins))
    agree(held, rows, lambda t: t.filter(condition).tally(expr, bins))
    agree(held, rows, lambda t: sorted(t.filter(condition).tally_all(expr).items()))
    agree(held, rows, lambda t: [part.count() for part in t.filter(condition).grouped(expr, wanted).values()])
    agree(held, rows, lambda t: [part.filter(condition).count() for part in t.grouped(expr, wanted).values()])


def ranks_agree(held: Held, rows: Sequence[Record], name: str, candidates: Sequence[int | Fraction]) -> None:
    unique, of = list(dict.fromkeys(candidates)), field(name).domain(ROW)
    agree(held, rows, lambda t: t.select(field(name), of).ranks(unique))


EXAMPLES: list[Record] = [
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
