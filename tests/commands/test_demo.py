"""The demonstration ends with a certificate that the checker has verified, and says where its report is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dpcore.commands.demo import main
from tests.certificates.tools import rejection


def test_the_demonstration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "of" / "its own"
    assert main(folder) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f'report: "{folder / "minutes.html"}"'
    assert (folder / "minutes.html").is_file()
    assert rejection((folder / "minutes.cert.json").read_bytes()) is None
    assert any(line.startswith("    verified: ") for line in lines)
    command = lines[-2].removeprefix("check it:").strip()
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
