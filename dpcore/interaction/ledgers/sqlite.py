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
    _log: int = field(default=0, init=False)
    _process: int = field(default=0, init=False)
    _durable: bool | None = field(default=True, init=False)

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
                self._durable = None  # not known, should the next line be interrupted
                connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
                self._durable = durable
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
                if self._lost():
                    raise LedgerUnavailable(f"{self.name}: its lock was lost; this charge is not to be answered")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def append(self, row: Row) -> None:
        connection = self._connection
        assert connection is not None  # while writing
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
        if self._connection is not None:
            if self._process != os.getpid():
                raise LedgerRefused(f"{self.name} is open in the process that this one was split from; open it again")
            if self.reading or self._connection.in_transaction or not self._lost():
                return self._connection
            self.close()
        return self._connect()

    def _lost(self) -> bool:
        """Whether another process took the log away, which it can when this one lost its locks.

        It does so by opening the file otherwise and closing it, says POSIX. What was charged is in the file by then.
        """
        if _inode(self.path, self.name) != self._inode:
            raise LedgerRefused(f"{self.name} was replaced by another file while it was open")
        return _log(self.path) != self._log

    def _connect(self) -> sqlite3.Connection:
        inode = os.stat(self.path).st_ino if self.reading else _inode(self.path, self.name)
        connection = connect(self.path, self.timeout, reading=self.reading)
        try:
            self._examine(connection)
        except BaseException:
            connection.close()
            raise
        self._inode, self._log, self._process, self._durable = inode, _log(self.path), os.getpid(), True
        self._connection = connection
        return connection

    def _examine(self, connection: sqlite3.Connection) -> None:
        """Refuse a file with other tables: a trigger could take rows away again."""
        found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        if SCHEMA[0][0] not in [name for name, _ in found]:
            raise LedgerRefused(f"{self.name} is no ledger of dpcore")
        if tuple(found) != SCHEMA:
            raise LedgerRefused(f"{self.name} was edited, or was written by a later dpcore: it has other tables")


def connect(path: str, timeout: float, *, reading: bool = False) -> sqlite3.Connection:
    """A connection to a file that is there. Its user has a lock of their own, so any thread may use it."""
    mode = "mode=rw"
    if reading and not (os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)):
        mode = "mode=ro" if _log(path) else "immutable=1"  # nobody writes where SQLite cannot share a lock
    uri = f"{Path(path).as_uri()}?{mode}"
    connection = sqlite3.connect(uri, timeout=timeout, isolation_level=None, check_same_thread=False, uri=True)
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # where the disk lies about fsync otherwise
        if reading:
            connection.execute("PRAGMA query_only=ON")
        elif connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
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


def _log(path: str) -> int:
    """The number of the log that stands beside the file, or 0."""
    try:
        return os.stat(f"{path}-wal").st_ino
    except FileNotFoundError:
        return 0
