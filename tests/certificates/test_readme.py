"""The commands that README shows print what it says they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from dpcore.commands.cli import main
from tests.certificates.tools import ROOT, checker

BLOCKS = re.findall(
    r"^```console\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)
COMMANDS = [part for block in BLOCKS for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clamped = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum()
    certify(clamped >> dp.laplace(scale=120)).save(tmp_path / "total.cert.json")
    certify(clamped >> dp.laplace(scale=60)).save(tmp_path / "louder.cert.json")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("shown", COMMANDS, ids=lambda shown: shown.split("\n")[0])
def test_a_command(shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, output = shown.partition("\n")
    program, *arguments = command.split()
    assert program == "dpcore"
    assert main(arguments) in (0, 1)
    assert re.sub("[0-9a-f]{64}", "...", capsys.readouterr().out) == output


def test_there_are_commands() -> None:
    assert {shown.split()[1] for shown in COMMANDS} == {"verify", "diff", "report"}


def test_it_says_how_many_rules_are_no_theorem() -> None:
    """And Coq's own page says which."""
    page = (ROOT / "proofs" / "coq" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)`", page.split("## Rules without a theorem")[1])) == set(checker.ASSUMED)
    assert [*checker.ASSUMED.values()] == ["the user's word"] * 3
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "but for three that stand for a user's own word;" in readme
