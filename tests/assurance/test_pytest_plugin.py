"""Pytest starts as fast with dpcore installed as without it: the plugin loads nothing until its fixture is asked for.

A class of faults that can no longer happen: an import at the head of the plugin that every pytest of every user pays for.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("numpy", "flint", "sympy", "hypothesis", "cryptography")


def _loaded(folder: Path, test: str) -> set[str]:
    """What pytest has loaded at its end, in a folder of its own."""
    (folder / "conftest.py").write_text(
        "import pathlib, sys\ndef pytest_unconfigure():\n    pathlib.Path('loaded').write_text(' '.join(sys.modules))\n"
    )
    (folder / "test_mine.py").write_text(test)
    plugins = ("no:cacheprovider", "no:hypothesispytest")  # hypothesis has a plugin too, which loads itself
    command = [sys.executable, "-m", "pytest", "-q", *(word for name in plugins for word in ("-p", name))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    return set((folder / "loaded").read_text().split())


def _of_dpcore(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.partition(".")[0] in ("dpcore", *HEAVY)}


def test_a_pytest_that_asks_for_nothing_loads_nothing(tmp_path: Path) -> None:
    assert _of_dpcore(_loaded(tmp_path, "def test_nothing(): pass\n")) == {"dpcore", "dpcore.pytest_plugin"}


def test_the_fixture_loads_what_it_needs(tmp_path: Path) -> None:
    """What the test above does not see, it could see."""
    loaded = _of_dpcore(_loaded(tmp_path, "def test_asks(attack): assert attack\n"))
    assert {"dpcore.assurance.checking", "numpy", "flint"} <= loaded
