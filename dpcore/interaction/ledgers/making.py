"""A new file for a ledger: whole or not at all, and made by one process only, however many ask for it at once.

The fence is there before the ledger is, with nothing noted; the ledger is made under another name and then moved. So a
process that is killed in between leaves either nothing that counts or all of it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from dpcore.errors import LedgerRefused, LedgerUnavailable
from dpcore.interaction.ledgers.fence import Fence, held
from dpcore.interaction.ledgers.lines import digest
from dpcore.interaction.ledgers.sqlite import SQLite, connect, home
from dpcore.interaction.ledgers.store import SCHEMA
from dpcore.interaction.ledgers.troubles import told


def opened(path: str, timeout: float, header: Callable[[str, str], str]) -> SQLite:
    """The ledger at this path, made if it is not there. `header` makes the first line of the token and the home."""
    store = SQLite(os.path.realpath(path), path, timeout)
    with told(path):
        folder = os.path.dirname(store.path)
        if os.path.isdir(store.path):
            raise LedgerRefused(f"{path} is a folder, and a ledger is a file")
        if not os.path.isdir(folder):
            raise LedgerUnavailable(f"{path} cannot be made, as there is no folder {folder}")
        if not os.path.exists(store.path):
            with held(store.fence, timeout, new=True) as fence:
                if not os.path.exists(store.path):
                    _make(store, fence, header)
    return store


def _make(store: SQLite, fence: Fence, header: Callable[[str, str], str]) -> None:
    _refuse_remains(store, fence)
    token = secrets.token_hex(16)
    fence.begin(token)
    folder = os.path.dirname(store.path)
    beside = os.path.join(folder, f".dpcore-{secrets.token_hex(8)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        _fill(beside, store.timeout, header(token, home(beside)))
        os.rename(beside, store.path)
        _sync(folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def _refuse_remains(store: SQLite, fence: Fence) -> None:
    """What was charged is not forgotten because a file is gone."""
    if fence.remains():
        raise LedgerRefused(
            f"{store.name} is gone, and its fence is there: put the ledger back, or begin anew without {store.name}-fence"
        )
    if Path(f"{store.path}-wal").exists():
        raise LedgerRefused(f"{store.name} is gone, and its log {store.name}-wal is there")


def _fill(path: str, timeout: float, line: str) -> None:
    with contextlib.closing(connect(path, timeout)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for _, table in SCHEMA:
            connection.execute(table)
        hash_ = digest(line)
        connection.execute("INSERT INTO dpcore_chain VALUES (0, ?, ?)", (line, hash_))
        connection.execute("INSERT INTO dpcore_head VALUES (0, ?)", (hash_,))
        connection.execute("COMMIT")
    if os.path.exists(f"{path}-wal"):  # the last to close a file takes its log in, unless the disk is full
        raise LedgerUnavailable(f"{path}: the log of a new ledger could not be taken in")


def _sync(folder: str) -> None:
    """Put the name of the new file on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
