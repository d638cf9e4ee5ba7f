"""What `make quick` tries is what changed, and the laws on it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.laws.arrows import arrow
from tests.laws.catalogue import EXAMPLES
from tools.quick import ROOT, arguments, changed, files_for, modules


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for command in (["init", "-q"], ["config", "user.name", "a"], ["config", "user.email", "a@b.example"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
        subprocess.run(["git", "add", name], cwd=tmp_path, check=True)
        subprocess.run(["git", "commit", "-q", "-m", name], cwd=tmp_path, check=True)
    return tmp_path


def test_of_a_clean_tree_what_the_last_commit_changed(repository: Path) -> None:
    assert changed(repository) == ["second.py"]


def test_what_is_new_or_written_since(repository: Path) -> None:
    (repository / "first.py").write_text("x", encoding="utf-8")
    (repository / "third.py").write_text("", encoding="utf-8")
    assert changed(repository) == ["first.py", "third.py"]


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("dpcore/noise/strips.py", "tests/noise/test_strips.py"),
        ("dpcore/maps/bounds.py", "tests/maps/test_bounds.py"),
        ("tests/noise/test_bits.py", "tests/noise/test_bits.py"),
        ("docs/design.md", "tests/documents"),
    ],
)
def test_the_tests_of_a_file(path: str, file: str) -> None:
    assert file in files_for(path, ROOT)


def test_what_has_none() -> None:
    assert (
        files_for("tests/noise/tools.py", ROOT)
        == files_for("Makefile", ROOT)
        == files_for("dpcore/py.typed", ROOT)
        == set()
    )


def test_the_modules() -> None:
    assert modules(["dpcore/noise/strips.py", "dpcore/maps/__init__.py", "README.md"]) == [
        "dpcore.noise.strips",
        "dpcore.maps",
    ]
    assert arguments(["dpcore/noise/strips.py"], ROOT)[-2:] == ["tests/laws", "--laws-of=dpcore.noise.strips"]


def test_laws_are_chosen_by_the_rules_in_their_examples() -> None:
    collect = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--collect-only", "tests/laws"]
    collect.append("--laws-of=dpcore.measurements.published_rows")
    listed = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    chosen = set(re.findall(r"::test_\w+\[(.*)\]$", listed, flags=re.MULTILINE))
    published = {"name_and_shame", "random_row"}
    assert chosen
    assert chosen <= {each.name for each in EXAMPLES if arrow(each.build()).derivation.rules() & published}
