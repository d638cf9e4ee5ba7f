"""Every `type: ignore` of `refused.py` is warranted: without it, two type checkers report exactly these lines."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
IGNORE = re.compile(r"  # type: ignore\[[a-z, -]+\]")
REFUSED = (HERE / "refused.py").read_text().splitlines()
LINES = {number for number, line in enumerate(REFUSED, 1) if IGNORE.search(line)}


@pytest.fixture
def stripped(tmp_path: Path) -> Path:
    """The refusals without their comments, so that checkers speak up."""
    path = tmp_path / "stripped.py"
    path.write_text("\n".join(IGNORE.sub("", line) for line in REFUSED) + "\n")
    return path


def test_there_are_many_and_each_chains_on_one_line() -> None:
    assert len(LINES) >= 60
    assert not [line for line in REFUSED if "# type: ignore" in line and not IGNORE.search(line)]
    # A statement on one line is reported on that line by either checker, wherever in it the mismatch lies.
    assert all(REFUSED[number - 1].startswith("    ") for number in LINES)


def test_mypy_reports_exactly_these_lines(stripped: Path, tmp_path: Path) -> None:
    known, cache = ROOT / ".mypy_cache", tmp_path / "cache"
    if known.is_dir():  # what `make types` learned of dpcore is not worked out again
        shutil.copytree(known, cache)
    arguments = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache)]
    report, trouble, _ = api.run([*arguments, "--hide-error-context", str(stripped), str(HERE / "accepted.py")])
    assert trouble == ""
    errors = re.findall(r"^(.+?):(\d+): error:", report, re.MULTILINE)
    assert {name for name, _ in errors} == {str(stripped)}, report
    assert {int(line) for _, line in errors} == LINES, report


@pytest.mark.long
def test_basedpyright_reports_exactly_these_lines(stripped: Path, tmp_path: Path) -> None:
    """`make static` finds the same sooner: it refuses a comment that nothing needs, and an error that has none."""
    config = tmp_path / "pyrightconfig.json"
    config.write_text(
        json.dumps({"include": ["stripped.py"], "typeCheckingMode": "standard", "extraPaths": [str(ROOT)]})
    )
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(config)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    report = json.loads(found.stdout)["generalDiagnostics"]
    errors = [entry for entry in report if entry["severity"] == "error"]
    assert {entry["range"]["start"]["line"] + 1 for entry in errors} == LINES, errors
