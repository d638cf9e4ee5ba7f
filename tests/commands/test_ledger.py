"""`dpcore ledger`: what is in an account, whether it holds together, and lines that anybody can check."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from dpcore.commands.cli import main
from dpcore.interaction.accounts import ANSWERED, Charge
from tests.interaction.ledgers.ledgers import a, edit, opened
from tests.source.syntax import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ledger = opened("study.ledger", asker="Ada")
    ledger.charge(a("1/10", "how many?"))
    ledger.settle(1, ANSWERED)
    ledger.charge(Charge((Fraction(1, 5),), "sum\nsound: yes", ("by region", "north"), '{"x": 1}'))
    ledger.close()
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    capsys.readouterr()
    status = main(["ledger", *arguments])
    said = capsys.readouterr()
    return status, (said.out + said.err).splitlines()


def test_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = asked(capsys, "show", "study.ledger")
    assert status == 0
    assert lines[0] == 'study.ledger: "PureDP", 3/10 of 1 is spent, 7/10 is left'
    assert [each[:4] + each[25:] for each in lines[1:]] == [
        '   1  1/10  answered  "how many?"  asked by "Ada"',
        '   2  1/5  charged  "sum\\u000asound\\u003a yes"  at "by region", "north"  asked by "Ada"',
    ]


def test_an_export_is_checked_with_sha256_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = asked(capsys, "export", "study.ledger")
    assert status == 0
    assert len(lines) == 4
    hashes = [hashlib.sha256(each.encode()).hexdigest() for each in lines]
    assert [json.loads(each)["before"] for each in lines[1:]] == hashes[:-1]
    assert asked(capsys, "verify", "study.ledger") == (
        0,
        [
            "sound: study.ledger: 2 charges, 3/10 of 1 is spent, 7/10 is left",
            f"the hash of its last row, 3, is {hashes[-1]}",
        ],
    )
    assert json.loads(lines[3])["certificate"] == '{"x": 1}'


def test_an_export_is_checked_as_the_document_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, lines = asked(capsys, "export", "study.ledger")
    [check] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/ledger.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    Path("export.jsonl").write_text("\n".join(lines) + "\n")
    exec(check)
    last = capsys.readouterr().out.strip()
    assert asked(capsys, "verify", "study.ledger")[1][1].endswith(last)
    Path("export.jsonl").write_text("\n".join(lines).replace("how", "so") + "\n")
    with pytest.raises(AssertionError):
        exec(check)


@pytest.mark.parametrize("what", ["show", "verify", "export"])
def test_a_damaged_one_is_refused(folder: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    edit(folder / "study.ledger", "UPDATE dpcore_chain SET line = replace(line, 'how', 'so') WHERE row = 1")
    why = "refused: study.ledger was damaged or edited: row 1 is not what its hash says"
    assert asked(capsys, what, "study.ledger") == (1, [why])


@pytest.mark.parametrize("what", ["show", "verify", "export", "adopt"])
def test_what_is_not_there(folder: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, what, "absent") == (2, ["dpcore: absent: No such file or directory"])
    assert not (folder / "absent").exists()


def test_reading_leaves_nothing_behind(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = sorted(os.listdir())
    for what in ("show", "verify", "export"):
        asked(capsys, what, "study.ledger")
    assert sorted(os.listdir()) == there


def test_a_copy_says_so_and_is_adopted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy("study.ledger", "copy.ledger")
    assert "it is a copy, and would not be charged" in asked(capsys, "verify", "copy.ledger")[1][2]
    assert asked(capsys, "adopt", "copy.ledger")[0] == 0
    assert len(asked(capsys, "verify", "copy.ledger")[1]) == 2
    assert opened("copy.ledger").charge(a("7/10")) == 3


def test_a_ledger_is_read_while_it_is_charged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = opened("study.ledger")
    ledger.charge(a("1/10"))
    assert asked(capsys, "verify", "study.ledger")[1][0].startswith("sound: study.ledger: 3 charges, 2/5 of 1")
    ledger.charge(a("1/10"))


def test_a_ledger_without_a_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened("open.ledger", budget=None, figures=2).close()
    assert asked(capsys, "show", "open.ledger")[1] == ['open.ledger: "PureDP", (0, 0) is spent, without a limit']


@pytest.mark.parametrize("command", [("report",), ("verify",), ("explain",)])
def test_a_ledger_is_no_certificate_and_what_to_ask_is_said(
    folder: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main([*command, "study.ledger"]) == 2
    said = capsys.readouterr()
    assert (
        "study.ledger: is a ledger, and no certificate: see dpcore ledger show, verify or export" in said.out + said.err
    )


def test_long_figures_are_shown_short(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = opened("study.ledger")
    ledger.charge(a(Fraction(10**20 + 1, 3 * 10**20), "a third and a little"))
    ledger.close()
    _, lines = asked(capsys, "show", "study.ledger")
    assert "at most 0.633334 of 1 is spent, at least 0.366666 is left" in lines[0]
    assert "at most 0.333334  charged" in lines[3]


def test_export_and_certify_write_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, printed = asked(capsys, "export", "study.ledger")
    assert asked(capsys, "export", "study.ledger", "-o", "rows.jsonl") == (0, ["written: rows.jsonl"])
    assert (folder / "rows.jsonl").read_text().splitlines() == printed
    status, [said] = asked(capsys, "export", "study.ledger", "-o", "rows.jsonl")
    assert (status, "rows.jsonl" in said) == (2, True)
    assert asked(capsys, "export", "study.ledger", "-o", "rows.jsonl", "--force")[0] == 0
    before = (folder / "study.ledger").read_bytes()
    for force in ([], ["--force"]):
        status, [said] = asked(capsys, "certify", "study.ledger", "-o", "study.ledger", *force)
        assert (status, "written over the ledger" in said) == (2, True)
    assert (folder / "study.ledger").read_bytes() == before
    status, [said] = asked(capsys, "show", "study.ledger", "-o", "shown.txt")
    assert (status, (folder / "shown.txt").exists()) == (2, False)
