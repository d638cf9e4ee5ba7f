"""`verify --kernel`: what it says with Coq, and without."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.commands import kernel
from dpcore.commands.cli import main
from tests.certificates.tools import checker

CERTIFICATES = Path(__file__).parents[1] / "certificates"
ACCEPT = CERTIFICATES / "accept"
compiled = shutil.which("coqc") is not None and (kernel.COQ / "checker" / "Verdict.vo").is_file()


def with_coq(test: Callable[..., None]) -> Callable[..., None]:
    """Seconds each, and asked by `make proofs`, which compiles it."""
    here = pytest.mark.skipif(not compiled, reason="the Coq checker is not compiled here: make proofs")
    marked: Callable[..., None] = pytest.mark.long(here(test))
    return marked


def test_without_coq_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert kernel.verify_by_kernel(str(ACCEPT / "total.json")) == 3
    assert "apt-get install coq" in capsys.readouterr().out


def test_the_command_asks_the_kernel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["verify", "--kernel", str(ACCEPT / "total.json")]) == 3
    assert "apt-get install coq" in capsys.readouterr().out


@with_coq
def test_accepted_with_four_axioms(capsys: pytest.CaptureFixture[str]) -> None:
    assert kernel.verify_by_kernel(str(ACCEPT / "total.json")) == 0
    said = capsys.readouterr().out.splitlines()
    assert {line.removeprefix("axiom: ") for line in said if line.startswith("axiom: ")} == kernel.AXIOMS
    heads = [line.partition(":")[0] for line in said]
    assert heads == ["verified", "file", "checker", "claim", "trusted", "trusted", *["axiom"] * 4, "rules"]
    digest = hashlib.sha256((ACCEPT / "total.json").read_bytes()).hexdigest()
    assert said[1] == f"file: sha256 {digest}"


@with_coq
def test_on_whose_word_it_was_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the kernel and by dpcheck alike."""
    rows = dp.rows(dp.integers())
    doubled = dp.transformation(_doubled, rows, dp.value(dp.integers(), dp.AbsoluteDistance()), stability=_once)
    certificate = dp.certify(doubled >> dp.laplace(scale=1))
    (tmp_path / "x.json").write_bytes(certificate.text())
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 0
    said = capsys.readouterr().out.splitlines()
    done = subprocess.run(
        [kernel.COQ / "extract" / "dpcheck", tmp_path / "x.json"], capture_output=True, text=True, check=True
    )
    (wanted,) = [line for line in checker.verify(certificate.text())[0] if line.startswith("assumption: ")]
    assert wanted.startswith('assumption: claimed_transformation: the function "_doubled" (sha256 ')
    for lines in (said, done.stdout.splitlines()):
        assert [line for line in lines if line.startswith("assumption: ")] == [wanted]
        assert any(line.startswith("attention: ") and "word of its author" in line for line in lines)


def _doubled(rows: list[int]) -> int:
    return 2 * len(rows)


def _once(d: Any) -> Any:
    return d


@with_coq
@pytest.mark.parametrize(("changed", "says"), [("Verdict.v", "Verdict.v was changed"), ("Verdict.vo", "")])
def test_what_was_changed_since_it_was_compiled_is_not_relied_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, changed: str, says: str
) -> None:
    for folder in ("theory", "checker"):
        (tmp_path / folder).mkdir()
    for name in ("Verdict.v", "Verdict.vo"):
        (tmp_path / "checker" / name).write_bytes(b"")
        os.utime(tmp_path / "checker" / name, (1, 1))
    os.utime(tmp_path / "checker" / changed, (2, 2))
    monkeypatch.setattr(kernel, "COQ", tmp_path)
    status = kernel.verify_by_kernel(str(tmp_path / "no such file"))
    assert status == (3 if says else 2)
    assert says in capsys.readouterr().out


@with_coq
@pytest.mark.parametrize(("name", "status"), [("lowered_claim", 1), ("repeated_key", 1), ("bare_number", 1)])
def test_refused(name: str, status: int) -> None:
    assert kernel.verify_by_kernel(str(CERTIFICATES / "reject" / f"{name}.json")) == status


@with_coq
def test_what_is_no_json_is_no_certificate(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 2


def _with(tmp_path: Path, field: str, text: str) -> str:
    """The example with another text in one of its fields, written as JSON escapes it."""
    found = json.loads((ACCEPT / "total.json").read_bytes())
    found[field] = text
    (tmp_path / "x.json").write_text(json.dumps(found), encoding="utf-8")
    return str(tmp_path / "x.json")


@with_coq
@pytest.mark.parametrize("text", ["\0 what", "half of a pair: \ud800", 'a"b\r\n', "\nTheorem accepted"])
def test_any_text_is_written_as_it_is(tmp_path: Path, text: str) -> None:
    assert kernel.verify_by_kernel(_with(tmp_path, "dpcore", text)) == 0


@with_coq
def test_a_text_of_ours_in_what_is_refused(tmp_path: Path) -> None:
    assert kernel.verify_by_kernel(_with(tmp_path, "format", "\nTheorem accepted")) == 1


@with_coq
def test_names_that_differ_in_an_end_of_line_are_two(tmp_path: Path) -> None:
    """The rows of another field's persons are bounded, so one person's rows are not."""
    who, other = "p\rq", "p\nq"
    found = json.loads((ACCEPT / "persons.json").read_bytes())
    told = json.dumps(found)
    (person,) = {node["parameters"]["person"] for node in _nodes(found["derivation"]) if "person" in node["parameters"]}
    renamed = json.loads(
        told.replace(json.dumps(person), json.dumps(who)).replace(f"({person})", f"({who[0]}\\r{who[2]})")
    )
    each = renamed["space"]["domain"]["each"]["fields"]
    each[other] = each[who]
    for node in _nodes(renamed["derivation"]):
        if node["rule"] == "bound_contributions_person":
            node["parameters"]["person"] = other
    (tmp_path / "x.json").write_text(json.dumps(renamed), encoding="utf-8")
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 1


def _nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(each for premise in node["premises"] for each in _nodes(premise))]


@with_coq
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_another_encoding_is_no_certificate(tmp_path: Path, encoding: str) -> None:
    text = (ACCEPT / "total.json").read_text(encoding="utf-8")
    (tmp_path / "x.json").write_text(text, encoding=encoding)
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 2


@with_coq
@pytest.mark.parametrize(("chains", "status"), [(90, 0), (100, 1)])
def test_what_is_nested_too_deep_is_refused(tmp_path: Path, chains: int, status: int) -> None:
    found = json.loads((ACCEPT / "total.json").read_bytes())
    for _ in range(chains):
        found["derivation"] = {"rule": "chain", "parameters": {}, "premises": [found["derivation"]], "witness": {}}
    (tmp_path / "x.json").write_text(json.dumps(found), encoding="utf-8")
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == status


@with_coq
def test_it_says_where_it_stopped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No certificate keeps Coq at work without end, or is rejected because the time was up."""
    for name, little, says in (("SECONDS", 1, "1 seconds of the processor"), ("KIBIBYTES", 300 << 10, "of memory")):
        with monkeypatch.context() as limited:
            limited.setattr(kernel, name, little)
            limited.setattr(kernel, "SLOWER", 1e-3)
            assert kernel.verify_by_kernel(str(ACCEPT / "total.json")) == 4
        said = capsys.readouterr().out
        assert said.startswith("not decided: coqc took more than")
        assert says in said


@with_coq
def test_what_would_take_too_long_is_not_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is said before Coq is asked, with a way out: what dpcheck takes a second for takes coqchk minutes."""
    noise = dp.rows(dp.text()) >> dp.count() >> dp.gaussian(100, measure=dp.Profile)
    dp.certify(dp.group_privacy(noise.to(dp.Tradeoff)), 8, at=["1/10"]).save(tmp_path / "x.json")
    asked: list[str] = []
    run = kernel._run

    def noted(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        asked.append(Path(command[0]).name)
        return run(command)

    monkeypatch.setattr(kernel, "_run", noted)
    monkeypatch.setattr(kernel, "SECONDS", 20)
    assert kernel.verify_by_kernel(str(tmp_path / "x.json")) == 4
    said = capsys.readouterr().out
    assert said.startswith("not decided: not begun: coqchk may take 20 seconds")
    assert "did not decide in 0.2; dpcheck by itself may" in said
    assert asked == ["dpcheck"]


@with_coq
def test_that_coqc_accepts_it_is_said_where_coqchk_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = kernel._run

    def no_time_left(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        if command[0] == "coqchk":
            raise kernel.Stopped("coqchk took more than it may")
        return run(command)

    monkeypatch.setattr(kernel, "_run", no_time_left)
    assert kernel.verify_by_kernel(str(ACCEPT / "total.json")) == 4
    assert capsys.readouterr().out.startswith("not decided: coqc accepts it, but coqchk took more than it may: ")


@with_coq
def test_dpcheck_says_where_it_stopped(tmp_path: Path) -> None:
    """More fields than can be read in a twentieth of a second."""
    names = [f"f{i}" for i in range(100_000)]
    condition = {"expression": {"op": "and", "of": [{"op": "field", "name": name} for name in names]}}
    found = json.loads((ACCEPT / "total.json").read_bytes())
    each = {"kind": "fields", "fields": {name: {"kind": "booleans"} for name in names}}
    found["space"]["domain"] = {"kind": "rows", "each": each, "size": None}
    kept = {"rule": "filter_symmetric", "parameters": {"condition": condition}, "premises": [], "witness": {}}
    found["derivation"] = {"rule": "chain", "parameters": {}, "premises": [kept], "witness": {}}
    (tmp_path / "x.json").write_text(json.dumps(found), encoding="utf-8")
    command = [str(kernel.COQ / "extract" / "dpcheck"), "--seconds", "0.05"]
    done = subprocess.run([*command, str(tmp_path / "x.json")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.partition(":")[0]) == (4, "not decided")
    # The next file is judged as if there had been none before.
    names_of_files = f"{tmp_path / 'x.json'}\n{ACCEPT / 'total.json'}\n"
    done = subprocess.run([*command, "--named"], input=names_of_files, capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if len(line) == 1] == ["4", "0"]
