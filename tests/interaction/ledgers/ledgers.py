"""Ledgers for tests: of one measure, one budget and one space."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from dpcore.interaction.accounts import Charge, Figures
from dpcore.interaction.ledgers.ledger import Ledger
from dpcore.interaction.ledgers.opening import open_ledger

ONE: Figures = (Fraction(1),)


def opened(
    place: str | Path,
    *,
    measure: str = "PureDP",
    figures: int = 1,
    budget: Figures | None = ONE,
    space: str = "rows(integers())",
    asker: str = "",
    timeout: float = 30,
) -> Ledger:
    return open_ledger(
        place, measure=measure, figures=figures, budget=budget, space=space, asker=asker, timeout=timeout
    )


def a(cost: Fraction | int | str, question: str = "count", *place: str) -> Charge:
    return Charge((Fraction(cost),), question, place)


def edit(path: Path, *statements: str) -> None:
    """Change the file behind the back of dpcore."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for each in statements:
            connection.execute(each)
