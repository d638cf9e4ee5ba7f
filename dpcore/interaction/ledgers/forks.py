"""No ledger is open while a process splits: what SQLite and a server know of a connection is true of one process only.

`os.fork` waits until no charge is under way, closes the connections, and lets both processes make new ones.
"""

from __future__ import annotations

import os
import threading
from typing import Final
from weakref import WeakSet

from dpcore.interaction.ledgers.ledger import Ledger

_OPEN: Final[WeakSet[Ledger]] = WeakSet()
_HELD: Final[list[Ledger]] = []
_ONE: Final = threading.Lock()
"""Only one thread at a time splits the process, or opens another ledger."""


def watch(ledger: Ledger) -> None:
    with _ONE:
        _OPEN.add(ledger)


def _close() -> None:
    _ONE.acquire()
    for ledger in list(_OPEN):
        ledger.lock.acquire()
        _HELD.append(ledger)
        ledger.store.close()


def _go_on() -> None:
    while _HELD:
        _HELD.pop().lock.release()
    _ONE.release()


os.register_at_fork(before=_close, after_in_parent=_go_on, after_in_child=_go_on)
