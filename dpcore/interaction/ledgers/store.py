"""Where the lines of a ledger are kept. Stores differ in nothing but how."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

Row: TypeAlias = tuple[int, str, str]
"""Its number, its line, and the hash of the line."""

SCHEMA: tuple[tuple[str, str], ...] = (
    ("dpcore_chain", "CREATE TABLE dpcore_chain (row INTEGER PRIMARY KEY, line TEXT NOT NULL, hash TEXT NOT NULL)"),
    ("dpcore_head", "CREATE TABLE dpcore_head (row INTEGER NOT NULL, hash TEXT NOT NULL)"),
)
"""The tables. The head is the last row of the chain, so that the last row cannot go missing unseen."""


class Noted(Protocol):
    """The last charge that was said to be kept, where it can be noted beside the chain."""

    row: tuple[int, str] | None
    """Its row and hash, which the chain must hold."""

    def note(self, row: int, hash_: str) -> None:
        """Note a charge that is kept."""


class Store(Protocol):
    """A chain of lines that is only ever added to. Whoever calls it holds a lock of their own."""

    name: str

    def home(self) -> str:
        """Where the chain stands. A copy of it stands elsewhere."""

    def rows(self, start: int) -> Iterable[Row]:
        """The rows from this one on, of which the last is the head; none, if the head is before it."""

    def writing(self, *, durable: bool) -> AbstractContextManager[None]:
        """Keep all others from writing; at the end keep what was appended, on the disk if `durable`. Or nothing of it."""

    def append(self, row: Row) -> None:
        """Add a row, while writing."""

    def fenced(self, token: str, *, new: bool = False) -> AbstractContextManager[Noted]:
        """What was charged last as all know who charge, while none of them does. Of a `new` fence nothing is known."""

    def close(self) -> None:
        """Let go of the connection. The next call makes a new one."""
