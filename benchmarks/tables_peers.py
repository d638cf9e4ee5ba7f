"""Other libraries, each in a process of its own, with an end: of time and of rows. What one does ends no run but its own.

What it answered before its end counts. One that is not there, is not asked of so many rows, fails or runs out of time is
named with the reason.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LAST_LINES = 200
"""Characters of what a process that failed said last."""


@dataclass(frozen=True)
class Peer:
    name: str
    script: str
    """Beside this file; it is given a Parquet file, and prints a name and milliseconds for each question."""

    python: str
    """The environment variable that names a Python which has it; without it, this one is tried."""

    rows: int
    seconds: int
    """For all questions about one file."""


PEERS = (
    Peer("opendp", "tables_opendp.py", "OPENDP", 10**7, 300),
    Peer("Tumult", "tables_tumult.py", "TUMULT", 10**7, 600),
)


def asked(peer: Peer, path: Path, rows: int) -> tuple[dict[str, float], str | None]:
    """Milliseconds by question; and what kept it from answering all, if anything did."""
    if rows > peer.rows:
        return {}, f"not asked of more than {peer.rows:,} rows"
    python = os.environ.get(peer.python, sys.executable)
    command = [python, str(Path(__file__).with_name(peer.script)), str(path)]
    environment = {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python}
    with tempfile.TemporaryFile("w+") as told, tempfile.TemporaryFile("w+") as complaints:
        process = subprocess.Popen(command, env=environment, stdout=told, stderr=complaints, start_new_session=True)
        with suppress(OSError):  # where memory runs out, Linux ends this process, and not the one that asked
            Path(f"/proc/{process.pid}/oom_score_adj").write_text("1000")
        try:
            ended = process.wait(peer.seconds)
            complaints.seek(0)
            reason = None if ended == 0 else _why(complaints.read(), ended)
        except subprocess.TimeoutExpired:
            reason = f"ended after {peer.seconds} seconds"
        finally:
            _end(process)
        told.seek(0)
        lines = [line.rstrip("\n").split("\t") for line in told if line.endswith("\n") and line.count("\t") == 1]
    return {name: float(milliseconds) for name, milliseconds in lines}, reason


def _why(complaints: str, ended: int) -> str:
    if "ModuleNotFoundError" in complaints:
        return "not installed"
    said = complaints.strip().splitlines()
    return f"ended with {ended}: {said[-1][:LAST_LINES] if said else 'without a word'}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
