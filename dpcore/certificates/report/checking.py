"""What the checker says of a certificate: the checker itself is run, in a process that cannot import dpcore.

A report speaks of a guarantee only where the checker has verified it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import final

from dpcore.certificates.checker_file import checker_file


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """The lines that the checker printed, and whether they say that the certificate holds."""

    verified: bool
    lines: tuple[str, ...]
    status: int
    """The exit status of the checker."""

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """Each rule relied on, and how it stands: `proved`, or `assumed: ...`."""
        said = next(self.said("rules"), "")
        return tuple((rule, standing) for rule, standing in re.findall(r"(\w+) \(([^()]*)\)", said))

    def said(self, word: str) -> Iterator[str]:
        """What stands after `word: ` in the lines that begin so."""
        start = f"{word}: "
        return (line[len(start) :] for line in self.lines if line.startswith(start))


def verdict(data: bytes) -> Verdict:
    """Run the checker on a file of these bytes. Verified is what it says to be verified, with status 0, and nothing else."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "certificate.json").write_bytes(data)
        command = [sys.executable, "-I", "-S", str(checker_file().resolve()), "certificate.json"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    lines = tuple(done.stdout.decode("utf-8", "replace").splitlines())
    verified = done.returncode == 0 and lines[:1] == ('verified: "certificate.json"',)
    status = 0 if verified else max(1, done.returncode)
    return Verdict(verified, lines or ("rejected: the checker did not say why",), status)
