"""The folder has one door to sympy, nothing of dpcore, and a README that speaks of every rule that it derives."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import proofs.derivations.rules
from proofs.derivations.rules import DERIVED
from tests.proofs.derivations.algebra import imports_of

FOLDER = Path(proofs.derivations.rules.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_sympy_has_one_door_and_dpcore_has_none(path: Path) -> None:
    allowed = {"proofs", *sys.stdlib_module_names} | ({"sympy"} if path.name == "formulas.py" else set())
    assert imports_of(path.read_text(encoding="utf-8")) <= allowed


def test_the_table_of_the_readme_has_every_rule_once() -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8").partition("| rule |")[2]
    lines = table.splitlines()
    firsts = [line.split("|")[1] for line in lines if line.startswith("| `")]
    listed = [name.strip(" `") for first in firsts for name in first.split(",")]
    assert sorted(listed) == sorted(DERIVED)


def test_the_steps_are_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["proofs.derivations", "laplace"])
    runpy.run_module("proofs.derivations", run_name="__main__")
    assert capsys.readouterr().out.startswith("laplace\n[given] the sum of the weights")
    monkeypatch.setattr(sys, "argv", ["proofs.derivations", "laplacian"])
    with pytest.raises(SystemExit, match="laplacian is not derived"):
        runpy.run_module("proofs.derivations", run_name="__main__")
