"""Open a ledger, or begin one: a path is a file of SQLite, and `postgresql://...` a server."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable

from dpcore.calculus.parameters.quoting import line, quoted
from dpcore.errors import InvalidParameter, LedgerRefused
from dpcore.extras import require
from dpcore.interaction.accounts import Figures
from dpcore.interaction.ledgers.forks import watch
from dpcore.interaction.ledgers.history import History
from dpcore.interaction.ledgers.ledger import Ledger, now, read, read_in_place
from dpcore.interaction.ledgers.lines import Terms, digest, header, texts
from dpcore.interaction.ledgers.sqlite import SQLite
from dpcore.interaction.ledgers.store import Store
from dpcore.maps import argument
from dpcore.measures.orders import Orders

SERVERS = ("postgresql://", "postgres://")

WAIT = 30.0
"""Seconds that a lock is waited for."""


def open_ledger(
    path: str | os.PathLike[str],
    *,
    measure: str,
    figures: int,
    budget: Figures | None,
    space: str,
    asker: str = "",
    timeout: float = WAIT,
    orders: Orders = (),
) -> Ledger:
    """The ledger at this place, of which all rows are checked; begun if there is none.

    `space` is a text of the space, of which the digest is kept. A ledger of another measure, budget or space is refused.
    """
    if budget is not None and (len(budget) != figures or any(each < 0 for each in budget)):
        raise InvalidParameter(f"Expected a budget of {figures} figures from 0 on but got {budget}", produced=budget)
    terms = Terms(measure, figures, budget, digest(space), orders)

    def first(token: str, home: str) -> str:
        return header(terms, token, home, now())

    store = _opened(os.fspath(path), timeout, first)
    try:
        history = read_in_place(store)
        if history.terms.space != terms.space:
            raise LedgerRefused(f"{history.name} was begun for another space than {line(space)}; {_first(store)}")
        ledger = Ledger(store, _same(history, terms), asker)
    except BaseException:
        store.close()
        raise
    weakref.finalize(ledger, store.close)
    watch(ledger)
    return ledger


def _opened(place: str, timeout: float, first: Callable[[str, str], str]) -> Store:
    if place.startswith(SERVERS):
        require("psycopg", "postgres")
        from dpcore.interaction.ledgers import postgres

        return postgres.opened(place, timeout, first)
    from dpcore.interaction.ledgers import making  # which needs the locks of POSIX

    return making.opened(place, timeout, first)


def stored(place: str, *, reading: bool) -> Store:
    """A ledger that is only read, or adopted: wherever it stands, and whatever it is an account of."""
    if place.startswith(SERVERS):
        require("psycopg", "postgres")
        from dpcore.interaction.ledgers import postgres

        return postgres.stored(place, WAIT)
    return SQLite(os.path.realpath(place), place, WAIT, reading)


def _same(history: History, terms: Terms) -> History:
    """Refuse a ledger of anything else."""
    begun = history.terms
    if begun.measure == terms.measure and begun.orders != terms.orders:
        raise LedgerRefused(
            f"{history.name} was begun at the orders {_written(begun.orders)}, and not {_written(terms.orders)}: every"
            " charge is counted at all of them",
            bridge=f"the budget that it was begun with, {_budget(begun)}",
        )
    for what, was, asked in (
        ("measure", begun.measure, terms.measure),
        ("number of figures", begun.figures, terms.figures),
        ("budget", _written(begun.budget), _written(terms.budget)),
    ):
        if was != asked:
            raise LedgerRefused(f"{history.name} was begun for another {what}: {was}, and not {asked}")
    return history


def _first(store: Store) -> str:
    """What is known of the space of a ledger, which keeps its digest alone."""
    _, entries = read(store)
    return (
        f"its first question was {quoted(str(entries[0].charge.question), 200)}" if entries else "nothing was asked yet"
    )


def _budget(begun: Terms) -> str:
    """Of a ledger of Renyi curves, as it is typed."""
    if begun.budget is None:
        return f"orders=[{_written(begun.orders)}]"
    points = zip(begun.orders, begun.budget, strict=True)
    return f"renyi({{{', '.join(f'{argument(order)}: {argument(epsilon)}' for order, epsilon in points)}}})"


def _written(budget: Figures | None) -> str:
    return "none" if budget is None else ", ".join(texts(budget))
