"""What SQLite and the file system say when something fails, as refusals of dpcore."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dpcore.errors import DPError, LedgerRefused, LedgerUnavailable

UNAVAILABLE: Final = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the file is read-only",
    "SQLITE_BUSY": "another process held it for longer than was waited",
    "SQLITE_LOCKED": "another process held it for longer than was waited",
    "SQLITE_PROTOCOL": "its lock was lost",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_PERM": "the file may not be opened",
    "SQLITE_IOERR": "the disk could not be read or written",
    "SQLITE_NOMEM": "memory ran out",
}


@contextmanager
def told(name: str) -> Iterator[None]:
    """Say in the words of dpcore what goes wrong inside."""
    try:
        yield
    except sqlite3.Error as error:
        raise _refusal(name, error) from error
    except OSError as error:
        if isinstance(error, DPError):
            raise
        raise LedgerUnavailable(f"{name}: {error.strerror or os.strerror(error.errno or 0)}") from error


def _refusal(name: str, error: sqlite3.Error) -> DPError:
    code = getattr(error, "sqlite_errorname", "") or ""
    for prefix, why in UNAVAILABLE.items():
        if code.startswith(prefix):
            return LedgerUnavailable(f"{name}: {why}; what was not said to be charged is not answered")
    return LedgerRefused(f"{name} is damaged, or is no ledger of dpcore: {error}")
