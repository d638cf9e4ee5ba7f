"""`verify --kernel`: what it says with Coq, and without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dpcore.certificates import kernel
from dpcore.certificates.cli import main

HERE = Path(__file__).parent
compiled = shutil.which("coqc") is not None and (kernel.COQ / "checker" / "Verdict.vo").is_file()
with_coq = pytest.mark.skipif(not compiled, reason="the Coq checker is not compiled here: make proofs")


def test_without_coq_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert kernel.verify_by_kernel(str(HERE / "accept" / "total.json")) == 3
    assert "apt-get install coq" in capsys.readouterr().out


def test_the_command_asks_the_kernel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["verify", "--kernel", str(HERE / "accept" / "total.json")]) == 3
    assert "apt-get install coq" in capsys.readouterr().out


@with_coq
def test_accepted_with_four_axioms(capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel.verify_by_kernel(str(HERE / "accept" / "total.json")) == 0
    said = capsys.readouterr().out.splitlines()
    assert {line.removeprefix("axiom: ") for line in said[1:]} == kernel.AXIOMS


@with_coq
@pytest.mark.parametrize(("name", "status"), [("lowered_claim", 1), ("repeated_key", 1), ("bare_number", 1)])
def test_refused(name: str, status: int) -> None:
    assert kernel.verify_by_kernel(str(HERE / "reject" / f"{name}.json")) == status


@with_coq
def test_what_is_no_json_is_no_certificate(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 2
