"""The checker: the one file that auditors have, and what it says when it is run by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

NAME: Final = "check_certificate.py"

VERDICTS: Final = {0: "verified", 1: "rejected", 2: "not a certificate", 4: "not decided"}
"""By exit status, how what the checker says begins."""


class Said(NamedTuple):
    """What the checker printed, and its exit status."""

    status: int
    lines: list[str]


def checker_file() -> Path:
    """Beside this file in a wheel, in `proofs` of a checkout."""
    here = Path(__file__).with_name(NAME)
    return here if here.is_file() else Path(__file__).parents[2] / "proofs" / NAME


def ask_checker(path: str, folder: str | None = None) -> Said:
    """Run the checker on a file, in a process that cannot import dpcore.

    A status is a verdict only where what was said begins with it: a checker that was stopped, or failed, decided nothing.
    """
    command = [sys.executable, "-I", "-S", str(checker_file().resolve()), path]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    lines = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    verdict = VERDICTS.get(done.returncode)
    if verdict is None or not lines or not lines[0].startswith(verdict):
        return Said(4, [f"not decided: the checker ended with status {done.returncode} and no verdict"])
    return Said(done.returncode, lines)
