"""What the Python checker and `dpcheck` say of some bytes, and whether the two can both be right."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import IO, Final, cast, final

from tests.certificates.tools import Checker

DPCHECK: Final = Path(__file__).parents[2] / "proofs" / "coq" / "extract" / "dpcheck"
SECONDS: Final = 20
"""Of the processor, for one certificate."""

LIMITS: Final = ("more work", "nested more", "longer than", "a number too", "exp of", "more noise")
"""What the Python checker says where it gives up, rather than find something wrong."""

VERIFIED, REJECTED, NO_CERTIFICATE, NOT_PROVED, NOT_DECIDED = range(5)


def by_python(checker: Checker, data: bytes) -> int:
    """Its status. Whatever else it raises is a fault of the checker, and is let through."""
    try:
        checker.verify(data)
    except checker.Rejected as rejected:
        return NOT_DECIDED if str(rejected).startswith(LIMITS) else REJECTED
    except (ValueError, OSError):
        return NO_CERTIFICATE
    return VERIFIED


@final
class Dpcheck:
    """One process of dpcheck, which is given one file after another."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "fuzzed.json"
        command = [str(DPCHECK), "--seconds", str(SECONDS), "--named"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def status(self, data: bytes) -> int:
        self.file.write_bytes(data)
        asked, told = cast("IO[bytes]", self.process.stdin), cast("IO[bytes]", self.process.stdout)
        asked.write(b"%s\n" % bytes(self.file))
        asked.flush()
        for line in told:  # what it says first begins with a word; its status is a line of one digit
            if len(line) == 2 and line[:1].isdigit():
                return int(line)
        raise AssertionError(f"dpcheck ended with status {self.process.wait()}")

    def close(self) -> None:
        self.process.communicate()


class Disagreement(AssertionError):
    """Two checkers that have both decided, each for something else."""


def agree(ours: int, theirs: int) -> bool:
    """Whether both can be right: what is not decided, or follows from no theorem, says nothing."""
    return ours == theirs or {ours, theirs} & {NOT_DECIDED, NOT_PROVED} != set()
