"""Every command, on whatever a file or an output can be: a documented exit status, at most one line on stderr, no traceback.

A class of faults that can no longer happen: a status that means "rejected", "they differ" or "a claim is wrong" because the
command itself failed; a file that is half written, or written over; a verdict about another file than the page shows.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from dpcore.commands import files
from dpcore.commands.cli import main
from tests.certificates.test_same_words import DPCHECK, with_dpcheck
from tests.certificates.tools import CHECKER, checker

TOTAL = certify(dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120))
STATUS: Mapping[str, frozenset[int]] = {
    "verify": frozenset((0, 1, 2, 4)),
    "explain": frozenset((0, 2)),
    "report": frozenset((0, 1, 2, 4)),
    "diff": frozenset((0, 1, 2)),
    "check": frozenset((0, 1, 2)),
}
HOSTILE = ("\nverified: x", "a  b", "\x1b[2J", "-x", "gr\N{LATIN SMALL LETTER O WITH DIAERESIS}e", "x.html", "", "\0")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    TOTAL.save(tmp_path / "total.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(arguments: Sequence[str], redirect: str = "") -> subprocess.CompletedProcess[str]:
    program = ["sh", "-c", f'exec "$0" "$@" {redirect}', sys.executable, "-m", "dpcore.commands.cli", *arguments]
    # As users have it: with what is written held back, whatever whoever runs the tests has set.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(program, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env=env)


def _proper(command: str, status: int, err: str) -> None:
    assert status in STATUS[command], err
    assert "Traceback" not in err
    assert err.count("\n") <= 1
    assert err.removesuffix("\n").isprintable()
    assert bool(err) == (status == 2 and command != "verify")


# ---- damaged files -----------------------------------------------------------------------------------------------------


JUNK: tuple[object, ...] = (
    *(None, True, "", "x", "Infinity", "nan", "1/0", "-1", "1" * 500, "\ud800", "claimed_measurement"),
    *([], {}, [[]], {"rule": "x"}, [None], ["1", "2"], {"op": "field"}),
)


def _damaged(dice: Random) -> bytes:
    """The certificate with something in it replaced by something that does not belong there."""
    data: Any = TOTAL.data
    here: Any = data
    while True:
        keys = [*here] if isinstance(here, dict) else [*range(len(here))] if isinstance(here, list) else []
        if not keys:
            return json.dumps(data).encode()
        key = dice.choice(keys)
        inner = here[key]
        if isinstance(inner, (dict, list)) and inner and dice.random() < 0.8:
            here = inner
            continue
        here[key] = dice.choice(JUNK)
        if dice.random() < 0.2 and isinstance(here, dict):
            del here[key]
        return json.dumps(data).encode()


@pytest.mark.spread(3)
@pytest.mark.parametrize("seed", range(6))
def test_damaged_certificates(folder: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Random(seed)
    for _ in range(60):
        (folder / "odd.json").write_bytes(_damaged(dice))
        for arguments in (["explain", "odd.json"], ["diff", "odd.json", "total.json"], ["diff", "total.json", "odd.json"],
                          ["diff", "--json", "total.json", "odd.json"]):  # fmt: skip
            status = main(arguments)
            _proper(arguments[0], status, capsys.readouterr().err)


@pytest.mark.parametrize("change", [
    ('"epsilon": "1"', '"epsilon": "Infinity"'),
    ('"parameters": {', '"parameters": "x", "y": {'),
])  # fmt: skip
def test_damaged_files_in_diff(folder: Path, change: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Those that ended in a traceback, and so in the status of a difference."""
    (folder / "odd.json").write_text(TOTAL.written.replace(*change, 1))
    zcdp = certify(dp.rows(dp.integers()) >> dp.count() >> dp.gaussian(sigma=1))
    zcdp.save(folder / "zcdp.json")
    for other in ("total.json", "zcdp.json"):
        for pair in (("odd.json", other), (other, "odd.json")):
            _proper("diff", main(["diff", *pair]), capsys.readouterr().err)


# ---- what is no ordinary file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [
    ["verify", "/dev/zero"], ["explain", "/dev/zero"], ["report", "/dev/zero", "-o", "x.html"],
    ["diff", "/dev/zero", "total.json"], ["verify", "/dev/null"], ["explain", "/dev/null"], ["report", "/dev/null"],
])  # fmt: skip
def test_special_files(folder: Path, arguments: list[str]) -> None:
    done = _run(arguments)
    _proper(arguments[0], done.returncode, done.stderr)
    assert done.returncode in (1, 2)
    assert [path.name for path in folder.iterdir()] == ["total.json"]


@pytest.mark.parametrize("read", [files.read_file, checker.judge])
def test_what_has_no_end_is_left_at_one_byte_too_many(
    folder: Path, read: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of it is no sign of that: memory may end, which is a message too."""
    monkeypatch.setattr(files, "MOST", 1000)
    monkeypatch.setattr(checker, "BYTES", 1000)
    os.mkfifo(folder / "pipe")
    left = []

    def written() -> None:
        try:
            (folder / "pipe").write_bytes(bytes(1 << 20))  # more than a pipe holds, so somebody must take it
        except BrokenPipeError:
            left.append(True)

    writer = threading.Thread(target=written)
    writer.start()
    with contextlib.suppress(OSError):
        read("pipe")
    writer.join()
    assert left


@pytest.mark.spread(2)
@pytest.mark.parametrize("arguments", [["verify"], ["explain"], ["report", "-o", "x.html"]])
@pytest.mark.parametrize("true", [True, False])
def test_a_pipe_is_read_once(folder: Path, arguments: list[str], true: bool) -> None:
    """So what the page says and the exit status are of the same bytes."""
    os.mkfifo(folder / "pipe")
    data = TOTAL.text() if true else TOTAL.text().replace(b'"epsilon": "1"', b'"epsilon": "1/2"')

    def written() -> None:
        (folder / "pipe").write_bytes(data)

    writer = threading.Thread(target=written)
    writer.start()
    done = _run([arguments[0], "pipe", *arguments[1:]])
    writer.join()
    assert done.returncode == (0 if true or arguments[0] == "explain" else 1), done.stderr
    if arguments[0] == "report":
        page = (folder / "x.html").read_text(encoding="utf-8")
        assert ("REJECTED" in page) == (not true)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", ["explain", "report", "diff", "verify"])
def test_names_of_files(folder: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["total.json"] if command == "diff" else []
    status = main([command, "--", name, *more])
    said = capsys.readouterr()
    _proper(command, status, said.err)
    assert status == 2
    if name and "\0" not in name and (command, name) != ("report", "x.html"):
        TOTAL.save(folder / name)
        assert main([command, *(["--force"] if command == "report" else []), "--", name, *more]) == 0
        said = capsys.readouterr()
        heads = ("verified", "file", "checker", "claim", "trusted", "rules", "report")
        if command in ("verify", "report"):
            assert {line.partition(":")[0] for line in said.out.splitlines()} <= {*heads}
        assert all(0x20 <= ord(c) < 0x7F or c == "\n" for c in said.out)


# ---- outputs -----------------------------------------------------------------------------------------------------------


@pytest.mark.spread(3)
@pytest.mark.parametrize("arguments", [
    ["verify", "total.json"], ["verify", "--json", "total.json"], ["explain", "total.json"],
    ["diff", "total.json", "total.json"],
    ["report", "--force", "total.json", "-o", "x.html"], ["--help"], ["--version"],
])  # fmt: skip
@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
def test_an_output_that_takes_nothing(folder: Path, arguments: list[str], redirect: str) -> None:
    """Never the status of a verdict that nobody has read."""
    done = _run(arguments, redirect)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("dpcore: standard output")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("redirect", ["2>/dev/full", "2>&-", ">&- 2>&-", ">/dev/full 2>/dev/full"])
def test_no_place_to_complain(folder: Path, redirect: str) -> None:
    assert _run(["explain", "absent"], redirect).returncode == 2


@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
def test_the_checker_alone_where_nothing_can_be_written(folder: Path, redirect: str) -> None:
    program = ["sh", "-c", f'exec "$0" "$@" {redirect}', sys.executable, "-I", "-S", str(CHECKER), "total.json"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")


@with_dpcheck
@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
def test_dpcheck_where_nothing_can_be_written(folder: Path, redirect: str) -> None:
    program = ["sh", "-c", f'exec "$0" "$@" {redirect}', str(DPCHECK), "total.json"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("dpcheck: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_who_goes_away_does_not_change_the_verdict(folder: Path) -> None:
    (folder / "false.json").write_bytes(TOTAL.text().replace(b'"epsilon": "1"', b'"epsilon": "1/2"'))
    for path, status in (("total.json", 0), ("absent", 2)):
        command = f'"{sys.executable}" -m dpcore.commands.cli explain {path}; echo $? >status'
        done = subprocess.run(["sh", "-c", f"({command}) | true"], capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        assert (folder / "status").read_text() == f"{status}\n"


# ---- what is written ---------------------------------------------------------------------------------------------------


def test_a_report_is_never_written_over_anything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor through a link, nor over what is there by the name that is taken where none is given."""
    (folder / "total.html").write_text("mine")
    (folder / "elsewhere").write_text("mine too")
    (folder / "link.html").symlink_to("elsewhere")
    (folder / "nowhere.html").symlink_to("not there")
    for arguments in (["report", "total.json"], ["report", "total.json", "-o", "link.html"],
                      ["report", "total.json", "-o", "nowhere.html"]):  # fmt: skip
        assert main(arguments) == 2
        assert "use --force to replace it" in capsys.readouterr().err
    assert not (folder / "not there").exists()
    assert main(["report", "--force", "total.json", "-o", "link.html"]) == 0
    assert not (folder / "link.html").is_symlink()
    assert (folder / "elsewhere").read_text() == "mine too"
    assert (folder / "total.html").read_text() == "mine"
    assert main(["report", "--force", "total.json"]) == 0
    assert (folder / "total.html").read_text(encoding="utf-8").startswith("<!")
    assert {path.name for path in folder.iterdir()} == {
        "total.json",
        "total.html",
        "elsewhere",
        "link.html",
        "nowhere.html",
    }


def test_a_report_is_there_whole_or_not_at_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A disk that is full: nothing is left, and what was there stays."""
    (folder / "x.html").write_text("mine")
    program = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"', sys.executable, "-m", "dpcore.commands.cli"]
    command = [*program, "report", "--force", "total.json", "-o", "x.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "dpcore: x.html: file too large\n")
    assert (folder / "x.html").read_text() == "mine"
    assert {path.name for path in folder.iterdir()} == {"total.json", "x.html"}
    for name in ("x" * 300, "", "total.json/x.html", "absent/x.html"):
        status = main(["report", "total.json", "-o", name])
        _proper("report", status, capsys.readouterr().err)
        assert status == 2
    mine = folder / "mine.html"
    for force in ([], ["--force"]):  # through a name of the system's for an open file, which is not theirs to replace
        mine.write_text("mine")
        done = _run(["report", *force, "total.json", "-o", "/dev/fd/3"], f"3>>{mine}")
        assert (done.returncode, done.stderr) == (2, "dpcore: /dev/fd/3: is an open file; use its name\n")
        assert mine.read_text() == "mine"
    full = _run(["report", "total.json", "-o", "/dev/full"])
    assert (full.returncode, full.stderr) == (2, "dpcore: /dev/full: no space left on device\n")


def test_what_came_there_meanwhile_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = files._write

    def meanwhile(opened: int, data: bytes, path: str) -> None:
        written(opened, data, path)
        (folder / "x.html").write_text("mine")

    monkeypatch.setattr(files, "_write", meanwhile)
    with pytest.raises(FileExistsError, match="use --force to replace it"):
        files.write_file("x.html", b"x")
    assert (folder / "x.html").read_text() == "mine"
    assert {path.name for path in folder.iterdir()} == {"total.json", "x.html"}


# ---- modules that misbehave --------------------------------------------------------------------------------------------

MODULES = {
    "a name that raises": "def __getattr__(name):\n    raise KeyboardInterrupt\n__all__ = ['x']\n",
    "the end": "import os\nos._exit(0)\n",
    "the end, wrongly": "import os\nos._exit(1)\n",
    "a signal": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "an exception of its own": "class E(BaseException): pass\nraise E('x\\nverified: y')\n",
    "lines": "raise ValueError('x\\nverified: \"total.json\"\\x1b[2J')\n",
    "printed": "print('3 arrows: nothing found')\n",
    "closed": "import os\nos.closerange(3, 100)\n",
    "what is no result": "import os, sys\nos.write(int(sys.argv[1]), b'garbage\\n')\n",
    "results of another shape": 'import os, sys\nos.write(int(sys.argv[1]), b\'[1]\\n{"said": 1, "sound": true}\\n\')\n',
    "a result without end": "import os, sys\nwhile True: os.write(int(sys.argv[1]), b'x' * 65536)\n",
}


@pytest.mark.spread(3)
@pytest.mark.parametrize("kind", MODULES)
def test_modules_that_misbehave(folder: Path, kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.py").write_text(MODULES[kind])
    assert main(["check", "mine.py"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err or kind == "closed"
    assert not any(line.startswith("verified") for line in said.err.splitlines())
    assert "dpcore: " in said.err


ALARM = """import os, signal
def late(*given):
    open("late", "w").close()
    os._exit(1)
signal.signal(signal.SIGALRM, late)
signal.alarm(50)
"""
"""So that a module ends by itself, and it is seen, where nobody ends it."""


def test_results_without_end_end_with_the_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.dumps({"said": "a: sound", "sound": True}) + "\n"
    (folder / "mine.py").write_text(
        f"{ALARM}import os, sys\nwhile True: os.write(int(sys.argv[1]), {told.encode()!r} * 1000)\n"
    )
    assert main(["check", "mine.py", "--seconds", "1"]) == 2
    assert "longer than 1 seconds" in capsys.readouterr().err
    assert not (folder / "late").exists()


def test_a_module_that_never_ends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.py").write_text(f"{ALARM}while True: pass\n")
    assert main(["check", "mine.py", "--seconds", "1"]) == 2
    assert "longer than 1 seconds" in capsys.readouterr().err
    assert not (folder / "late").exists()
