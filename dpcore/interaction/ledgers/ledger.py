"""An account whose charges are lines of a ledger: kept for good before they are said to be kept.

Of each charge, in this order:

1. all others are kept from writing;
2. the rows that others wrote since are read, checked and added up, so that nothing but the chain says what is left;
3. if the budget does not allow the charge, that is all, and nothing was changed;
4. the line is appended and put on the disk;
5. it is noted beside the chain; then `charge` returns.

Killed before the end of 4, a process has charged nothing or has charged what it answers nothing for. So what was spent is
never less than what was answered, and since the budget is asked for under the lock of 1, it is never overspent.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import final

from dpcore.errors import InvalidParameter, LedgerRefused, printed
from dpcore.interaction.accounts import ANSWERED, FAILED, Charge, Entry, Figures, Place, Refused, fits, rises
from dpcore.interaction.ledgers.history import History, bad_row
from dpcore.interaction.ledgers.lines import adopted, charged, digest, settled
from dpcore.interaction.ledgers.store import Row, Store


def now() -> datetime:
    """What the clock says, right or wrong: it is written down, and decides nothing."""
    return datetime.now(UTC)


@final
@dataclass(eq=False, weakref_slot=True, slots=True)
class Ledger:
    """What was read of the chain, and the store that it is in."""

    store: Store
    history: History
    asker: str
    lock: threading.Lock = field(default_factory=threading.Lock)

    def charge(self, charge: Charge) -> int:
        charge = _checked(charge, self.history.terms.figures, self.asker)
        with self.lock, self.store.fenced(self.history.token) as noted:
            with self.store.writing(durable=True):
                self._catch_up()
                if noted.row not in (None, self.history.kept):
                    still_there(self.store, noted.row)
                row = self._next(charge)
                self.store.append(row)
            self.history.follow(*row)
            noted.note(row[0], row[2])
            return self.history.charges

    def settle(self, number: int, outcome: str) -> None:
        """In the chain like a charge, so that no outcome is edited unseen; but it may be lost when the power fails."""
        if outcome not in (ANSWERED, FAILED):
            raise InvalidParameter(
                f"Expected {ANSWERED} or {FAILED} but got outcome={printed(outcome)}", produced=outcome
            )
        with self.lock:
            with self.store.writing(durable=False):
                self._catch_up()
                if not 1 <= number <= self.history.charges:
                    raise InvalidParameter(f"Expected the number of a charge but got {number}", produced=number)
                row = following(self.history, settled(self.history.hash, number, outcome, now()))
                self.store.append(row)
            self.history.follow(*row)

    def spent(self, place: Place = ()) -> Figures:
        with self.lock:
            self._catch_up()
            return self.history.spent(place)

    def entries(self) -> Sequence[Entry]:
        """Read from the first row on, which is checked once more."""
        with self.lock:
            return read(self.store)[1]

    def close(self) -> None:
        """Let go of the file or the server, until the next charge."""
        with self.lock:
            self.store.close()

    def _next(self, charge: Charge) -> Row:
        """The row of the charge, if it may be."""
        history = self.history
        spent = rises(charge, history.total)[()]
        if not fits(spent, history.terms.budget):
            raise Refused(history.spent())
        return following(history, charged(history.hash, history.charges + 1, charge, spent, now()))

    def _catch_up(self) -> None:
        """Take in what others wrote. What this process knows of must still be there."""
        history = self.history
        rows = iter(self.store.rows(history.row))
        last = next(rows, None)
        if last is not None and (last[0], last[2]) == (history.row, history.hash):
            for row in rows:
                history.follow(*row)
            return
        # A server that failed may have lost the outcomes after its last charge. A charge is never lost.
        still_there(self.store, history.kept)
        self.history = read(self.store)[0]


def following(history: History, line: str) -> Row:
    return history.row + 1, line, digest(line)


def read(store: Store) -> tuple[History, Sequence[Entry]]:
    """All rows, checked, and the charges in them with what became of each."""
    rows = iter(store.rows(0))
    first = next(rows, None)
    if first is None:
        raise bad_row(store.name, 0, "is missing")
    history = History.begun(store.name, *first)
    entries: list[Entry] = []
    for row in rows:
        found = history.follow(*row)
        if isinstance(found, Entry):
            entries.append(found)
        elif found is not None:
            number, outcome = found
            entries[number - 1] = replace(entries[number - 1], outcome=outcome)
    return history, entries


def still_there(store: Store, last: tuple[int, str] | None) -> None:
    """Refuse a chain that does not hold a row which it held before."""
    if last is None:
        return
    found = next(iter(store.rows(last[0])), None)
    if found is None:
        raise LedgerRefused(f"{store.name} does not hold row {last[0]}, which was charged: an older copy was put back")
    if (found[0], found[2]) != last:
        raise bad_row(store.name, last[0], "is not the one that was charged")


def read_in_place(store: Store) -> History:
    """Read a ledger that is to be charged, and refuse it if it is a copy."""
    history = read(store)[0]
    if store.home() != history.home:
        raise LedgerRefused(
            f"{store.name} is a copy: the ledger stands at {history.home}, and this is {store.home()}",
            bridge=f"dpcore ledger adopt {store.name}, if no other copy is charged any more",
        )
    with store.fenced(history.token) as noted:
        still_there(store, noted.row)
    return history


def adopt(store: Store) -> int:
    """Make this copy the ledger, on somebody's word that no other is charged any more. The row that says so."""
    history = read(store)[0]
    with store.fenced(history.token, new=True) as noted:
        with store.writing(durable=True):
            still_there(store, (history.row, history.hash))
            row = following(history, adopted(history.hash, store.home(), now()))
            store.append(row)
        noted.note(row[0], row[2])
    return row[0]


def _checked(charge: Charge, figures: int, asker: str) -> Charge:
    """A charge that adds up: a cost below nothing would give back what was spent."""
    if len(charge.cost) != figures or any(each < 0 for each in charge.cost):
        raise InvalidParameter(f"Expected a cost of {figures} figures from 0 on but got {charge.cost}")
    if len(charge.place) % 2:
        raise InvalidParameter("Expected a place of pairs of texts, a partition and a part", produced=charge.place)
    charge = charge if charge.asker else replace(charge, asker=asker)
    texts = (charge.asker, *charge.place, *([] if charge.certificate is None else [charge.certificate]))
    if not all(type(each) is str for each in texts):  # a line that cannot be read again would end the ledger
        raise InvalidParameter("Expected texts for asker, place and certificate", produced=charge)
    return charge
