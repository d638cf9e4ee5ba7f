"""The checker on its own: copied to an empty folder, without site packages, on the oldest Python it is written for."""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from dpcore.commands.cli import main
from tests.certificates.tools import CHECKER

Data = dict[str, Any]
TOTAL = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)
LINES = 1204
"""Lines of code in the checker at most, not counting blank lines, comments and docstrings. The aim is 600 lines in all."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(CHECKER, tmp_path)
    certify(TOTAL).save(tmp_path / "total.cert.json")
    (tmp_path / "false.json").write_bytes(certify(TOTAL).text().replace(b'"epsilon": "1"', b'"epsilon": "1/2"'))
    (tmp_path / "half.json").write_bytes(certify(TOTAL).text()[:400])
    return tmp_path


def _run(folder: Path, *paths: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", "check_certificate.py", *paths]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={})


def test_it_works_alone(folder: Path) -> None:
    done = _run(folder, "total.cert.json")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    words = ["verified", "file", "checker", "claim", "trusted", "trusted", "rules"]
    assert [line.partition(":")[0] for line in lines] == words
    digests = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("total.cert.json", CHECKER.name)]
    assert lines[1] == f"file: sha256 {digests[0]}"
    assert lines[2] == f"checker: check_certificate.py {dp.__version__}, sha256 {digests[1]}"
    assert lines[3].startswith("claim: pure: epsilon <= 1, between data 1 apart")
    assert "laplace (proved)" in lines[-1]


@pytest.mark.parametrize(("path", "status", "says"), [
    ("false.json", 1, "rejected at /claims/0: loss: epsilon is not what was worked out, 1\nfile: sha256 "),
    ("half.json", 2, "not a certificate"),
    ("absent.json", 2, "not a certificate"),
    (".", 2, "not a certificate"),
    ("check_certificate.py", 2, "not a certificate"),
])  # fmt: skip
def test_its_exit_status(folder: Path, path: str, status: int, says: str) -> None:
    done = _run(folder, path)
    assert (done.returncode, done.stderr) == (status, "")
    assert says in done.stdout


def test_the_worst_of_several_files_counts(folder: Path) -> None:
    assert _run(folder, "total.cert.json", "false.json").returncode == 1
    assert _run(folder, "false.json", "half.json", "total.cert.json").returncode == 2
    assert _run(folder).returncode == 2


@pytest.mark.parametrize(
    "content", [b"", b"null", b"[]", b"1", b'"x"', b"{}", b"\xff\xfe", b"[" * 10**5, b"\xef\xbb\xbf{}"]
)
def test_what_is_no_certificate_is_not_verified(folder: Path, content: bytes) -> None:
    (folder / "other.json").write_bytes(content)
    done = _run(folder, "other.json")
    assert done.returncode in (1, 2)
    assert done.stderr == ""


def test_what_is_nested_as_deeply_as_allowed_is_followed(folder: Path) -> None:
    """No limit of Python's is met before the checker's own."""
    data: Data = certify(TOTAL).data
    deep: list[Data] = [copy.deepcopy(data) for _ in range(3)]
    each: object = deep[0]["space"]["domain"]["each"]
    for _ in range(190):
        each = {"kind": "optional", "each": each}
    deep[0]["space"]["domain"]["each"] = each
    for _ in range(90):
        deep[1]["derivation"] = {
            "rule": "compose_pure",
            "parameters": {},
            "premises": [deep[1]["derivation"]],
            "witness": {},
        }
    e: object = {"op": "truth", "value": True}
    for _ in range(90):
        e = {"op": "not", "of": [e]}
    filtered = {
        "rule": "filter_symmetric",
        "parameters": {"condition": {"expression": e}},
        "premises": [],
        "witness": {},
    }
    deep[2]["derivation"]["premises"].insert(0, filtered)
    for i, one in enumerate(deep):
        (folder / f"deep{i}.json").write_text(json.dumps(one))
    statuses = [_run(folder, f"deep{i}.json") for i in range(3)]
    assert [(done.returncode, done.stderr) for done in statuses] == [(1, ""), (0, ""), (0, "")]
    assert "nested" not in statuses[0].stdout


def test_it_is_written_for_python_3_8() -> None:
    ast.parse(CHECKER.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_it_can_be_read_in_one_sitting() -> None:
    source = CHECKER.read_text(encoding="utf-8")
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    bodies = [node.body for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    texts = [body[0] for body in bodies if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)]
    silent = {line for text in texts for line in range(text.lineno, (text.end_lineno or 0) + 1)}
    written = [line.strip() for i, line in enumerate(source.splitlines(), 1) if i not in silent]
    assert len([line for line in written if line and not line.startswith("#")]) <= LINES


# ---- from the command line of dpcore ----------------------------------------------------------------------------------


def test_verify(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder / "total.cert.json")]) == 0
    assert "claim: " in capsys.readouterr().out
    assert main(["verify", str(folder / "false.json"), str(folder / "total.cert.json")]) == 1
    assert main(["verify", str(folder / "half.json")]) == 2
    capsys.readouterr()
    assert main(["verify", "--json", str(folder / "total.cert.json"), str(folder / "false.json")]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [each["status"] for each in found] == [0, 1]
    assert found[1]["lines"][0].startswith("rejected at /claims/0")


def test_explain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(folder / "total.cert.json")]) == 0
    out = capsys.readouterr().out
    assert "  sum_symmetric: 120*d    at 1: 120" in out
    assert "  laplace: d/120    at 120: 1" in out
    assert main(["explain", str(folder / "half.json")]) == 2
