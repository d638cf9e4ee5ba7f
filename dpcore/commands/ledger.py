"""What is asked of a ledger in a terminal: what is in it, whether its rows hold together, and the rows for somebody else."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dpcore.calculus.parameters.quoting import line, quoted
from dpcore.commands.files import expect_place, shown, write_file
from dpcore.commands.messages import Refused, read, said
from dpcore.errors import DPError, LedgerRefused

if TYPE_CHECKING:
    from dpcore.interaction.accounts import Entry, Figures
    from dpcore.interaction.ledgers.history import History
    from dpcore.interaction.ledgers.store import Store


def ledger(given: argparse.Namespace) -> tuple[int, str]:
    """Show a ledger, verify it, export its rows as lines of JSON, or certify all that was asked: while it is charged, or of
    a copy. Or adopt a copy, so that it is charged from now on. FILE is a file or a postgresql:// address."""
    from dpcore.interaction.ledgers.opening import stored

    _expect_output(given)
    try:
        store = stored(given.file, reading=given.what != "adopt")
        try:
            text = _WHAT[given.what](store)
        finally:
            store.close()
    except LedgerRefused as refusal:
        return 1, f"refused: {said(refusal)}"
    except DPError as error:
        raise Refused(said(error)) from None
    if given.output is None:
        return 0, text
    read(given.output, lambda: write_file(given.output, f"{text}\n".encode(), force=given.force))
    return 0, f"written: {shown(given.output)}"


def _expect_output(given: argparse.Namespace) -> None:
    """Refuse, before the ledger is read, a place where nothing can be written, or the ledger itself."""
    out: str | None = given.output
    if out is None:
        return
    if given.what not in ("export", "certify"):
        raise Refused(f"-o is of dpcore ledger export and certify: {given.what} prints what it says")
    if read(out, lambda: Path(out).exists() and Path(given.file).exists() and Path(out).samefile(given.file)):
        raise Refused(f"it would be written over the ledger: {shown(out)}")
    read(out, lambda: expect_place(out, force=given.force))


def _show(store: Store) -> str:
    from dpcore.interaction.ledgers.ledger import read as rows_of

    history, entries = rows_of(store)
    at = f" at orders {_written(history.terms.orders)}" if history.terms.orders else ""
    lines = [f"{shown(store.name)}: {quoted(history.terms.measure)}{at}, {_account(history)}"]
    return "\n".join([*lines, *map(_told, entries)])


def _told(entry: Entry) -> str:
    charge = entry.charge
    words = [f"{entry.number:>4}", f"{entry.time:%Y-%m-%d %H:%M:%S}", _written(charge.cost), entry.outcome]
    words += [quoted(str(charge.question), 400)]
    words += [f"at {', '.join(map(quoted, charge.place))}"] if charge.place else []
    words += [f"asked by {quoted(charge.asker)}"] if charge.asker else []
    return line("  ".join(words))


def _verify(store: Store) -> str:
    from dpcore.interaction.ledgers.ledger import read as rows_of

    history, entries = rows_of(store)
    lines = [f"sound: {shown(store.name)}: {len(entries)} charges, {_account(history)}"]
    lines += [f"the hash of its last row, {history.row}, is {history.hash}"]
    if store.home() != history.home:
        lines += [f"it is a copy, and would not be charged: the ledger stands at {line(history.home)}"]
    return "\n".join(lines)


def _export(store: Store) -> str:
    from dpcore.interaction.ledgers.ledger import read as rows_of

    history, _entries = rows_of(store)
    return "\n".join(text for row, text, _hash in store.rows(0) if row <= history.row)


def _certify(store: Store) -> str:
    from dpcore.interaction.ledgers.ledger import read as rows_of
    from dpcore.interaction.ledgers.whole import whole

    return whole(*rows_of(store)).written


def _adopt(store: Store) -> str:
    from dpcore.interaction.ledgers.ledger import adopt

    return f"row {adopt(store)} of {shown(store.name)} says that this copy is the ledger; charge no other"


def _account(history: History) -> str:
    budget, spent = history.terms.budget, history.spent()
    if budget is None:
        return f"{_written(spent)} is spent, without a limit"
    from dpcore.interaction.accounts import less

    return f"{_written(spent)} of {_written(budget)} is spent, {_written(less(budget, spent), down=True)} is left"


def _written(figures: Figures, *, down: bool = False) -> str:
    """What is charged or spent is rounded up where it is long, and what is left down. The rows have all digits."""
    from dpcore.interaction.costs import brief

    texts = [brief(each, down=down) for each in figures]
    return f"({', '.join(texts)})" if len(texts) > 1 else texts[0]


_WHAT: Final[dict[str, Callable[[Store], str]]] = {
    "show": _show,
    "verify": _verify,
    "export": _export,
    "certify": _certify,
    "adopt": _adopt,
}
