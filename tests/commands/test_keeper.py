"""What a module has started, in whatever session, ends with the attack on it, however that ends."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dpcore.commands import keeper
from dpcore.commands.attack import Misbehaved, Result, attacked

linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that leaves its group is not found")

DAEMON = """
import os, signal, sys
back, there = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(there, str(os.getpid()).encode())
        while True:
            signal.pause()
    os._exit(0)
process = os.read(back, 20).decode()
os.write(int(sys.argv[1]), b'{"said": "%s", "sound": true}\\n' % process.encode())
"""

PAUSED = "\nwhile True: signal.pause()\n"

Attack = Iterator[Result]


def _until_refused(found: Attack, why: str) -> None:
    with pytest.raises(Misbehaved, match=why):
        list(found)


def _out_of_time(found: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: math.inf)
    _until_refused(found, "it took longer than 60 seconds")


def _left(found: Attack) -> None:
    assert isinstance(found, Generator)
    found.close()


ENDINGS: dict[str, tuple[str, Callable[[Attack, pytest.MonkeyPatch], object]]] = {
    "out of time": (PAUSED, _out_of_time),
    "done": ("os.write(int(sys.argv[1]), b'{\"done\": true}\\n')" + PAUSED, lambda found, _: list(found)),
    "it ends": ("os._exit(3)", lambda found, _: _until_refused(found, "with exit status 3")),
    "it is killed": ("os.kill(os.getpid(), 9)", lambda found, _: _until_refused(found, "with exit status -9")),
    "nobody listens": (PAUSED, lambda found, _: _left(found)),
}


def _runs(process: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    return False


@linux
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_daemon_outlives_the_attack(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last, wait = ENDINGS[ending]
    (tmp_path / "mine.py").write_text(DAEMON + last)
    found = attacked(str(tmp_path / "mine.py"), rows=1, examples=1, seed=0, seconds=60)
    daemon = int(next(found).said)
    try:
        wait(found, monkeypatch)
        assert not _runs(daemon)
    finally:
        with suppress(ProcessLookupError):
            os.kill(daemon, signal.SIGKILL)


@linux
def test_nothing_beside_it_is_ended() -> None:
    with subprocess.Popen(["sleep", "600"]) as other:
        command = [sys.executable, "-I", "-S", keeper.__file__, "sh", "-c", "sleep 600 & exit 4"]
        try:
            assert subprocess.run(command, check=False).returncode == 4
            assert other.poll() is None
            assert other.pid in keeper.descendants(os.getpid())
        finally:
            other.kill()
