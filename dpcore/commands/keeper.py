"""Runs a command and ends with it all that it has started: `python -I -S keeper.py COMMAND ...`. It needs Python alone.

On Linux an orphan becomes a child of the nearest process above it that asked for orphans, whatever session it has made
for itself. The keeper asks, so what its command starts stays below it, and is found there. What may outlive it: what
another service was asked to start, what runs as another user, and what is left by a command that ends its keeper, as any
process of the same user may. Where there is no /proc, only the process group is found, by whoever ends the keeper.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

SET_CHILD_SUBREAPER: Final = 36

ROUNDS: Final = 1000
"""How often what starts others meanwhile is looked for."""


def adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _living() -> dict[int, list[int]]:
    """The processes that have not ended, by their parents."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent, *_ = stat.read_bytes().rpartition(b")")[2].split()
            if state not in (b"Z", b"X"):
                children.setdefault(int(parent), []).append(int(stat.parent.name))
    return children


def descendants(process: int) -> list[int]:
    """All below a process that have not ended; parents first, that they start no more."""
    children, found = _living(), [process]
    for each in found:  # which grows meanwhile
        found += children.get(each, [])
    return found[1:]


def end_descendants(process: int) -> None:
    """Kill all below a process, and those that they start meanwhile."""
    for _ in range(ROUNDS):
        below = descendants(process)
        if not below:
            return
        for each in below:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)


def main(command: list[str]) -> None:
    adopt_orphans()
    status = subprocess.Popen(command, close_fds=False).wait()
    end_descendants(os.getpid())
    if status < 0:  # it was killed, so this is as well
        with suppress(OSError):  # of SIGKILL nothing can be set
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
