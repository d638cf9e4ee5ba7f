"""How a command speaks: what it found on standard output, what went wrong in one line on stderr, and never a traceback, be
the other end closed or full.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


class Unwritable(Exception):
    """Standard output takes no more, and why."""


def emit(text: str) -> None:
    """Say it on standard output, now: who cannot write it must hear of it while there is time."""
    if not text:
        return
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError, AttributeError) as error:
        raise Unwritable(getattr(error, "strerror", None) or "is closed") from None


def complain(message: str) -> None:
    """One line on stderr, if there is one."""
    if sys.stderr is None:
        return
    try:
        print(f"dpcore: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _drop(sys.stderr)


def silence() -> None:
    """What is left unwritten on standard output is dropped."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    """So that Python does not try again at its end, and end with a status of its own where it cannot."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
