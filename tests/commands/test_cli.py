"""The command line: what it prints, with which status it ends, and that whatever goes wrong is one line on stderr."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.commands import kernel
from dpcore.commands.cli import main

AGES = dp.rows(dp.integers())
COMMANDS = ("verify", "explain", "report", "diff")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of certificates and of files that are none, and the working directory."""
    total = AGES >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)
    certify(total).save(tmp_path / "total.json")
    certify(total).save(tmp_path / "again.json")
    certify(AGES >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=60)).save(tmp_path / "half.json")
    certify(AGES >> dp.count() >> dp.laplace(scale=dp.symbol("b"))).save(tmp_path / "open.json")
    written = certify(total).written
    (tmp_path / "false.json").write_text(written.replace('"epsilon": "1"', '"epsilon": "1/2"'))
    (tmp_path / "edited.json").write_text(written + " ")
    (tmp_path / "compact.json").write_text(json.dumps(json.loads(written)))
    (tmp_path / "twice.json").write_text(written.replace('"d_in": "1"', '"d_in": "9", "d_in": "1"'))
    (tmp_path / "bare.json").write_text(written.replace('"d_in": "1"', '"d_in": 1.0'))
    (tmp_path / "cut.json").write_text(written[:400])
    (tmp_path / "junk").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dpcore.commands.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **more})


def _fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on stderr of a command that cannot do what it is asked."""
    capsys.readouterr()
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("dpcore: ")
    assert said.err.count("\n") == 1
    assert said.err.removesuffix("\n").isprintable()
    return said.err


# ---- what goes wrong ---------------------------------------------------------------------------------------------------

NO_CERTIFICATES = ["absent", "folder", "junk", "empty", "cut.json"]
REFORMATTED = ["edited.json", "compact.json"]


@pytest.mark.parametrize("path", NO_CERTIFICATES)
def test_what_is_no_certificate(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["explain", path], ["report", path], ["diff", path, "total.json"], ["diff", "total.json", path]):
        assert path in _fails(capsys, *arguments)
    assert not list(folder.glob("*.html"))
    assert main(["verify", path]) == 2


@pytest.mark.parametrize("path", REFORMATTED)
def test_how_it_is_formatted_means_nothing(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "total.json"]) == 0
    explained = capsys.readouterr().out
    assert main(["explain", path]) == 0
    assert capsys.readouterr().out == explained
    assert main(["report", path, "-o", "out.html"]) == main(["report", "total.json"]) == 0
    digest, of_total = (hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (path, "total.json"))
    page = (folder / "out.html").read_text(encoding="utf-8")
    assert digest in page, "the digest is not that of the file's bytes"
    assert page.replace(digest, of_total) == (folder / "total.html").read_text(encoding="utf-8")
    assert main(["diff", path, "total.json"]) == 0
    assert main(["verify", path]) == 0


@pytest.mark.parametrize(("path", "why"), [("twice.json", "key once"), ("bare.json", "bare number")])
def test_what_could_be_read_in_two_ways(folder: Path, path: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in _fails(capsys, "explain", path)
    assert main(["verify", path]) == 1


def test_any_other_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `--help` says."""
    for content in ("{}", "[]", "3"):
        (folder / "other.json").write_text(content)
        assert main(["verify", "other.json"]) == 1
        assert "not a certificate: other.json" in _fails(capsys, "explain", "other.json")


def test_it_says_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _fails(capsys, "explain", "absent") == "dpcore: absent: no such file or directory\n"
    assert _fails(capsys, "explain", "folder") == "dpcore: folder: is a directory\n"
    assert _fails(capsys, "explain", "junk").startswith("dpcore: not a certificate: junk: ")


@pytest.mark.parametrize("more", [[], ["--kernel"]])
def test_verify_of_a_file_that_is_not_there(folder: Path, more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No checker is started for it, and so none says that it is no certificate."""
    for path, said in (("absent", "absent: no such file or directory"), ("folder", "folder: is a directory"),
                       ("\0", '"\\u0000": no file can have this name')):  # fmt: skip
        assert main(["verify", path, *more]) == 2
        assert capsys.readouterr().out == f"{said}\n"
    assert main(["verify", "absent", "total.json"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["absent: no such file or directory", 'verified: "total.json"']


@pytest.mark.parametrize("path", [".", "/", "..", ""])
def test_a_report_about_no_file(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ("is a directory" if path else "no such file") in _fails(capsys, "report", path)
    assert not list(folder.glob("*.html"))


@pytest.mark.parametrize("change", [
    ('"derivation": {', '"derivation": 3, "x": {'), ('"claims": [', '"claims": 5, "x": ['),
    ('"rule": "chain"', '"rule": "no"'),
    ('"premises": []', '"premises": [[]]'), ('"space": {', '"space": [], "x": {'), ('"d_in": "1"', '"d_in": "x"'),
])  # fmt: skip
def test_what_is_only_written_like_one(
    folder: Path, change: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is in the file: a status, and at most one line on stderr."""
    changed = json.loads((folder / "total.json").read_text().replace(*change))
    (folder / "odd.json").write_text(json.dumps(changed, sort_keys=True, indent=1) + "\n")
    Certificate.load(folder / "odd.json")
    for arguments in (["explain", "odd.json"], ["report", "odd.json"], ["diff", "odd.json", "total.json"]):
        assert main(arguments) in (0, 1, 2)
        assert capsys.readouterr().err.count("\n") <= 1
    assert main(["verify", "odd.json"]) == 1


def test_where_nothing_can_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _fails(capsys, "report", "total.json", "-o", "no/such/place.html").endswith("there is no folder no/such\n")
    assert _fails(capsys, "report", "total.json", "-o", "folder").endswith("is a directory\n")
    before = (folder / "total.json").read_bytes()
    assert "over the certificate" in _fails(capsys, "report", "total.json", "-o", "total.json")
    assert (folder / "total.json").read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="to root every file can be read")
def test_a_file_that_may_not_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "total.json").chmod(0)
    assert _fails(capsys, "explain", "total.json") == "dpcore: total.json: permission denied\n"


def test_names_of_files_cannot_move_the_cursor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in _fails(capsys, "explain", "\x1b[2J")


# ---- what it does ------------------------------------------------------------------------------------------------------


def test_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "total.json", "-o", "out.html"]) == 0
    assert capsys.readouterr().out == "report: out.html\n"
    assert (folder / "out.html").read_text(encoding="utf-8").startswith("<!")
    assert main(["report", "total.json"]) == 0
    assert (folder / "total.html").read_bytes() == (folder / "out.html").read_bytes()
    assert main(["report", "false.json"]) == 1


def test_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "total.json", "again.json"]) == 0
    assert main(["diff", "total.json", "half.json"]) == 1
    assert "epsilon 1 -> 2 (2 times)" in capsys.readouterr().out
    assert main(["diff", "--json", "total.json", "half.json"]) == 1
    assert json.loads(capsys.readouterr().out)["claims"]["figures"][0]["ratio"] == "2"


def test_explain_of_what_is_open_has_the_formula_of_the_whole(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "open.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "in all: d_in/b"
    assert any("nothing is claimed: no numbers stand yet for b" in line for line in lines)
    assert main(["explain", "total.json"]) == 0
    assert "in all" not in capsys.readouterr().out


def test_explain_says_that_it_does_not_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("total.json", "false.json"):
        assert main(["explain", path]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == (
            "explained, not checked: whether it holds, dpcore verify says"
        )


@pytest.mark.parametrize("status", [0, 1, 3])
def test_what_the_kernel_says_as_json(
    folder: Path, status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def says(path: str) -> int:
        print(f"of {path}\nit says so")
        return status

    monkeypatch.setattr(kernel, "verify_by_kernel", says)
    assert main(["verify", "--kernel", "--json", "total.json", "again.json"]) == status
    assert json.loads(capsys.readouterr().out) == [
        {"file": file, "status": status, "lines": [f"of {file}", "it says so"]} for file in ("total.json", "again.json")
    ]
    assert main(["verify", "--kernel", "total.json"]) == status
    assert capsys.readouterr().out == "of total.json\nit says so\n"
    assert main(["verify", "--kernel", "--json", "absent"]) == 2
    assert json.loads(capsys.readouterr().out)[0]["lines"] == ["absent: no such file or directory"]


def test_check_says_what_to_install(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mine.py").write_text("import dpcore as dp\nm = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(1)\n")
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    said = _fails(capsys, "check", "mine.py")
    assert said.startswith("dpcore: hypothesis is not installed; use pip install 'dpcore[assurance]'")
    assert said.endswith("in a checkout pip install -e '.[assurance]'\n")


def test_verify_of_what_is_open(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "open.json"]) == 1
    assert "symbol" in capsys.readouterr().out


# ---- as a program ------------------------------------------------------------------------------------------------------


def test_help_names_every_command_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    said = capsys.readouterr().out
    assert end.value.code == 0
    assert all(f"    {command} " in said for command in COMMANDS)
    assert "exit status: 0 verified" in said
    assert all(f"\n  {command} " in said for command in (*COMMANDS, "check", "verify --kernel"))
    assert "3: Coq cannot say" in said
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert capsys.readouterr().out.count("\n") > 5


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"dpcore {dp.__version__}\n"


def test_no_command_is_no_traceback() -> None:
    done = _run()
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_a_terminal_without_the_alphabet(folder: Path) -> None:
    rows = dp.rows(dp.record(größe=dp.integers(0, 9)))
    certify(rows >> dp.filter(dp.field("größe") > 3) >> dp.count() >> dp.laplace(scale=1)).save(folder / "names.json")
    done = _run("explain", "names.json", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gr\\u00f6\\u00dfe" in done.stdout


def test_a_reader_who_has_seen_enough(folder: Path) -> None:
    program = f"{sys.executable} -m dpcore.commands.cli explain total.json | head -c 1"
    done = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("b", "")
