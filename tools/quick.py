"""The tests of what changed since the last commit, and the laws on it: `make quick` runs them, in seconds.

A test of `dpcore/X/name.py` stands in `tests/X`; its file or one of its functions is named after it. Of the laws those
examples are tried in which a rule of a changed module stands; where there is none, a few of all. It is a first answer:
`make test` is the whole.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LAWS: Final = "tests/laws"


def changed(root: Path = ROOT) -> list[str]:
    """What differs from the last commit; of a clean tree, what the last commit changed."""
    new = _git(root, "diff", "--name-only", "HEAD") + _git(root, "ls-files", "--others", "--exclude-standard")
    return new or _git(root, "diff", "--name-only", "HEAD~1")


def _git(root: Path, *arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def files_for(path: str, root: Path) -> set[str]:
    """The files of tests that speak of this file."""
    place = PurePosixPath(path)
    if place.suffix == ".md":
        return {"tests/documents"}
    if place.parts[0] == "tests":
        return {path} if place.name.startswith("test_") and (root / path).exists() else set()
    if place.parts[0] != "dpcore" or place.suffix != ".py":
        return set()
    folder = root / "tests" / (place.parts[1] if len(place.parts) > 2 else "core")
    named = re.compile(rf"(test_|def test_\w*?){re.escape(place.stem)}")
    files = (
        file for file in folder.rglob("test_*.py") if named.search(f"{file.name}\n{file.read_text(encoding='utf-8')}")
    )
    return {file.relative_to(root).as_posix() for file in files}


def modules(paths: Iterable[str]) -> list[str]:
    """The modules of dpcore among these files."""
    ours = (PurePosixPath(path) for path in paths if path.startswith("dpcore/") and path.endswith(".py"))
    return [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in ours]


def arguments(paths: list[str], root: Path = ROOT) -> list[str]:
    """Those of pytest."""
    files = set[str]().union(*(files_for(path, root) for path in paths))
    return [*sorted(file for file in files if not file.startswith(LAWS)), LAWS, f"--laws-of={','.join(modules(paths))}"]


if __name__ == "__main__":
    chosen = arguments(changed())
    print("pytest", *chosen, flush=True)
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", *chosen], cwd=ROOT).returncode)
