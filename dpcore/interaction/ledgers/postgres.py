"""The chain in a PostgreSQL server, for who has outgrown one machine: the same tables, in a schema of the server.

The one row of the head is locked for the whole of a charge, and the server answers for the rest: that a commit waits for its
disk is asked of it (`fsync`, `synchronous_commit`), and that a copy is known as one rests on the identifier of its cluster.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from dpcore.errors import LedgerRefused, LedgerUnavailable
from dpcore.interaction.ledgers.history import not_the_head
from dpcore.interaction.ledgers.lines import digest
from dpcore.interaction.ledgers.store import SCHEMA, Noted, Row

Connection: TypeAlias = "psycopg.Connection[tuple[object, ...]]"

ROWS: Final = """
    SELECT c.row, c.line, c.hash, h.row, h.hash FROM dpcore_chain c CROSS JOIN dpcore_head h WHERE c.row >= %s ORDER BY c.row
"""

HOME: Final = """
    SELECT format('PostgreSQL cluster %s, database %s, table %s', system_identifier,
        (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('dpcore_chain')::oid)
    FROM pg_control_system()
"""

THERE: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'dpcore_chain'"
"""Asked of the tables of the server: `to_regclass` may remember what was so before a lock was waited for."""

OTHERS: Final = """
    SELECT (SELECT count(*) FROM pg_trigger WHERE tgrelid IN (to_regclass('dpcore_chain'), to_regclass('dpcore_head')))
         + (SELECT count(*) FROM pg_rewrite WHERE ev_class IN (to_regclass('dpcore_chain'), to_regclass('dpcore_head')))
"""
"""Triggers and rules, which could take rows away again."""


@final
@dataclass(slots=True)
class NotNoted:
    """Nothing stands beside a server; it keeps its own chain."""

    row: tuple[int, str] | None = None

    def note(self, row: int, hash_: str) -> None:
        """It is in the chain."""


@final
@dataclass(slots=True)
class Postgres:
    """A schema that the tables are in already. `opened` makes them."""

    url: str
    name: str
    timeout: float
    _connection: Connection | None = field(default=None, init=False)
    _process: int = field(default=0, init=False)

    def home(self) -> str:
        with self._told():
            return _text(self.opened(), HOME)

    def rows(self, start: int) -> Iterator[Row]:
        found, head = (start - 1, ""), (start - 1, "")
        with self._told():
            for row, line, hash_, head_row, head_hash in self.opened().execute(ROWS, (start,)):
                assert isinstance(row, int)
                assert isinstance(head_row, int)
                yield row, str(line), str(hash_)
                found, head = (row, str(hash_)), (head_row, str(head_hash))
        if found != head:
            raise not_the_head(self.name, found, head)

    @contextmanager
    def writing(self, *, durable: bool) -> Iterator[None]:
        with self._told():
            connection = self.opened()
            connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            try:
                if not durable:
                    connection.execute("SET LOCAL synchronous_commit = off")
                elif _text(connection, "SHOW synchronous_commit") == "off":
                    connection.execute("SET LOCAL synchronous_commit = on")
                connection.execute("SELECT FROM dpcore_head FOR UPDATE")
                yield
                connection.execute("COMMIT")
            except BaseException:
                if not connection.broken:
                    connection.execute("ROLLBACK")
                raise

    def append(self, row: Row) -> None:
        connection = self.opened()
        connection.execute("INSERT INTO dpcore_chain VALUES (%s, %s, %s)", row)
        connection.execute("UPDATE dpcore_head SET row = %s, hash = %s", (row[0], row[2]))

    def fenced(self, token: str, *, new: bool = False) -> AbstractContextManager[Noted]:
        return nullcontext(NotNoted())

    def close(self) -> None:
        if self._connection is not None and self._process == os.getpid():  # else it is of another process
            self._connection.close()
            self._connection = None

    def opened(self) -> Connection:
        if self._connection is None:
            self._connection, self._process = self._connected(), os.getpid()
        elif self._process != os.getpid():
            raise LedgerRefused(f"{self.name} is open in the process that this one was split from; open it again")
        return self._connection

    def _connected(self) -> Connection:
        wait = max(1, round(self.timeout))
        connection = psycopg.connect(self.url, autocommit=True, connect_timeout=wait)
        try:
            connection.execute(f"SET lock_timeout = {max(1, round(self.timeout * 1000))}".encode())
            if _text(connection, "SHOW fsync") != "on":
                raise LedgerRefused(f"{self.name} does not wait for its disk (fsync = off), so it would lose charges")
            if _text(connection, OTHERS) != "0":
                raise LedgerRefused(f"{self.name} was edited: its tables have triggers or rules")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in the words of dpcore what goes wrong inside."""
        try:
            yield
        except errors.UndefinedTable:
            raise LedgerRefused(f"{self.name} is no ledger of dpcore") from None
        except errors.LockNotAvailable as error:
            raise LedgerUnavailable(f"{self.name}: another process held it for longer than was waited") from error
        except psycopg.Error as error:
            self.close()
            why = (str(error).splitlines() or ["the connection was lost"])[0]
            raise LedgerUnavailable(f"{self.name}: {why}; what was not said to be charged is not answered") from error

    def begin(self, header: Callable[[str, str], str]) -> None:
        """Make the tables if they are not there; of many who ask for it at once, one does."""
        with self._told():
            connection = self.opened()
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(hashtext('dpcore ledger'))")
                if _text(connection, THERE) != "0":
                    return
                for _, table in SCHEMA:
                    connection.execute(table.encode())
                line = header(secrets.token_hex(16), _text(connection, HOME))
                connection.execute("INSERT INTO dpcore_chain VALUES (0, %s, %s)", (line, digest(line)))
                connection.execute("INSERT INTO dpcore_head VALUES (0, %s)", (digest(line),))


def stored(url: str, timeout: float) -> Postgres:
    """A ledger that is there, named without a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        raise LedgerUnavailable("this is no address of a PostgreSQL server") from None  # it may hold a password
    return Postgres(url, f"postgresql://{parts.get('host') or ''}/{parts.get('dbname') or ''}", timeout)


def opened(url: str, timeout: float, header: Callable[[str, str], str]) -> Postgres:
    store = stored(url, timeout)
    try:
        store.begin(header)
    except BaseException:
        store.close()
        raise
    return store


def _text(connection: Connection, query: str) -> str:
    """The one value that it gives."""
    found = connection.execute(query.encode()).fetchone()
    return "" if found is None else str(found[0])
