"""What stands beside a ledger and tells a copy from it: a token, and the last charge that was said to be kept.

A file `study.ledger-fence` of one line of fixed length. It is locked for the whole of a charge, by another kind of lock than
SQLite's, and written over in place at the end of it. So each charge finds noted what was charged last, by whatever process,
and is refused if its own chain does not hold that: a chain that went another way is charged no further.
The line is not put on the disk each time. After a power failure it may lag, and then it asks for less than there is.
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, final

from dpcore.errors import LedgerRefused, LedgerUnavailable

_FORM: Final = re.compile(r"([0-9a-f]{32}) {1,12}(-1|\d+) ([0-9a-f]{64}|-{64})\n")
_SIZE: Final = 32 + 1 + 12 + 1 + 64 + 1
_PAUSE: Final = 0.0005


@final
@dataclass(frozen=True, slots=True)
class Fence:
    """The file, open and locked."""

    path: str
    opened: int

    def begin(self, token: str) -> None:
        """For a ledger that is not there yet."""
        self._write(token, -1, "-" * 64)
        os.fsync(self.opened)

    def note(self, token: str, row: int, hash_: str) -> None:
        self._write(token, row, hash_)

    def noted(self, token: str) -> tuple[int, str] | None:
        """The row and hash of the last charge, or nothing if there was none."""
        found = self._read()
        if found[1] != token:
            raise LedgerRefused(f"{self.path} is the fence of another ledger")
        return None if found[2] == "-1" else (int(found[2]), found[3])

    def remains(self) -> bool:
        """Whether there was a ledger, and something was charged."""
        return os.pread(self.opened, 1, 0) != b"" and self._read()[2] != "-1"

    def _read(self) -> re.Match[str]:
        found = _FORM.fullmatch(os.pread(self.opened, 2 * _SIZE, 0).decode("ascii", "replace"))
        if found is None:
            raise LedgerRefused(f"{self.path} was damaged or edited")
        return found

    def _write(self, token: str, row: int, hash_: str) -> None:
        os.pwrite(self.opened, f"{token} {row:>12} {hash_}\n".encode("ascii"), 0)


@contextmanager
def held(path: str, timeout: float, *, new: bool = False) -> Iterator[Fence]:
    """The fence at this path, made if it may be `new`, kept from all others."""
    try:
        opened = os.open(path, os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if new else 0), 0o666)
    except FileNotFoundError:
        if new:
            raise
        raise LedgerRefused(f"{path} is missing, so the ledger beside it is a copy, or was moved without it") from None
    try:
        until = time.monotonic() + timeout
        while not _locked(opened):
            if time.monotonic() > until:
                raise LedgerUnavailable(f"{path} was held by another process for more than {timeout:g} s")
            time.sleep(_PAUSE)
        yield Fence(path, opened)
    finally:
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_UN)  # also for a child that is about to run another program
        os.close(opened)


def _locked(opened: int) -> bool:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
