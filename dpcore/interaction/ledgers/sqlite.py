"""The chain in a file of SQLite, which many processes and threads of one machine may hold open at once.

The log is written ahead (WAL) and a charge waits for the disk (`synchronous=FULL`). A file is the ledger only where it was
made: its header, or the row of an adoption, holds the number of its inode, and its fence stands beside it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from dpcore.errors import LedgerRefused, LedgerUnavailable
from dpcore.interaction.ledgers.fence import Fence, held
from dpcore.interaction.ledgers.history import bad_row, not_the_head
from dpcore.interaction.ledgers.store import SCHEMA, Noted, Row
from dpcore.interaction.ledgers.troubles import told

ROWS: Final = """
    SELECT c.row, c.line, c.hash, h.row, h.hash FROM dpcore_chain c CROSS JOIN dpcore_head h WHERE c.row >= ? ORDER BY c.row
"""

KINDS: Final = (int, str, str, int, str)


@final
@dataclass(slots=True)
class Beside:
    """What the fence of this file says."""

    fence: Fence
    token: str
    row: tuple[int, str] | None

    def note(self, row: int, hash_: str) -> None:
        self.fence.note(self.token, row, hash_)


@final
@dataclass(slots=True)
class SQLite:
    """A file that is there already. `making.make` makes one."""

    path: str
    name: str
    timeout: float
    reading: bool = False
    """Only read it, wherever it stands."""
    _connection: sqlite3.Connection | None = field(default=None, init=False)
    _inode: int = field(default=0, init=False)
    _process: int = field(default=0, init=False)
    _durable: bool = field(default=True, init=False)

    @property
    def fence(self) -> str:
        return f"{self.path}-fence"

    def home(self) -> str:
        with told(self.name):
            return home(self.path)

    def rows(self, start: int) -> Iterator[Row]:
        found, head = (start - 1, ""), (start - 1, "")
        try:
            with told(self.name):
                for each in self._opened().execute(ROWS, (start,)):
                    if tuple(map(type, each)) != KINDS:
                        raise bad_row(self.name, found[0] + 1, "cannot be read")
                    row, line, hash_, *last = each
                    yield row, line, hash_
                    found, head = (row, hash_), (last[0], last[1])
        except LedgerRefused as error:
            if isinstance(error.__cause__, sqlite3.Error) and error.__cause__.sqlite_errorname != "SQLITE_NOTADB":
                raise bad_row(self.name, found[0] + 1, "cannot be read") from error
            raise
        if found != head:
            raise not_the_head(self.name, found, head)

    @contextmanager
    def writing(self, *, durable: bool) -> Iterator[None]:
        with told(self.name):
            connection = self._opened()
            if durable is not self._durable:
                connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
                self._durable = durable
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def append(self, row: Row) -> None:
        connection = self._opened()
        connection.execute("INSERT INTO dpcore_chain VALUES (?, ?, ?)", row)
        connection.execute("UPDATE dpcore_head SET row = ?, hash = ?", (row[0], row[2]))

    @contextmanager
    def fenced(self, token: str, *, new: bool = False) -> Iterator[Noted]:
        with told(self.name), held(self.fence, self.timeout, new=new) as fence:
            yield Beside(fence, token, None if new else fence.noted(token))

    def close(self) -> None:
        if self._connection is not None and self._process == os.getpid():  # else it is of another process
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        """The connection, if the file is still the one that it was made to."""
        if self._connection is None:
            self._connect()
        elif self._process != os.getpid():
            raise LedgerRefused(f"{self.name} is held open by the process that this one was split from; open it again")
        elif not self.reading and _inode(self.path, self.name) != self._inode:
            raise LedgerRefused(f"{self.name} was replaced by another file while it was open")
        assert self._connection is not None
        return self._connection

    def _connect(self) -> None:
        inode = 0 if self.reading else _inode(self.path, self.name)
        self._connection = connect(self.path, self.timeout, reading=self.reading)
        self._inode, self._process, self._durable = inode, os.getpid(), True
        try:
            self._examine(self._connection)
        except BaseException:
            self.close()
            raise

    def _examine(self, connection: sqlite3.Connection) -> None:
        """Refuse a file with other tables: a trigger could take rows away again."""
        found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        if SCHEMA[0][0] not in [name for name, _ in found]:
            raise LedgerRefused(f"{self.name} is no ledger of dpcore")
        if tuple(found) != SCHEMA:
            raise LedgerRefused(f"{self.name} was edited, or was written by a later dpcore: it has other tables")


def connect(path: str, timeout: float, *, reading: bool = False) -> sqlite3.Connection:
    """A connection to a file that is there. Its user has a lock of their own, so any thread may use it."""
    uri = f"{Path(path).as_uri()}?mode={'ro' if reading else 'rw'}"
    connection = sqlite3.connect(uri, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True)
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # where the disk lies about fsync otherwise
        mode = "wal" if reading else connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise LedgerUnavailable(f"{path}: this file system does not let SQLite write ahead")
    except BaseException:
        connection.close()
        raise
    return connection


def home(path: str) -> str:
    return f"inode {os.stat(path).st_ino}"


def _inode(path: str, name: str) -> int:
    found = os.stat(path)
    if found.st_nlink != 1:
        raise LedgerRefused(
            f"{name} has {found.st_nlink} names (hard links), under each of which SQLite would lock another log"
        )
    return found.st_ino
