"""Killed at any step, or failing at one, a ledger holds each charge that was said to be kept, and is never overspent."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interaction.ledgers.server import Server
from tests.source.syntax import ROOT

HERE = Path(__file__).parent
COMPILER = shutil.which("gcc") or shutil.which("cc")

needs_a_compiler = pytest.mark.skipif(
    COMPILER is None or sys.platform != "linux", reason="needs Linux and gcc, for step.c"
)


@pytest.fixture(scope="session")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What counts the calls that change a file."""
    library = tmp_path_factory.mktemp("steps") / "step.so"
    assert COMPILER is not None
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", library, HERE / "step.c", "-ldl"], check=True)
    return library


def run(library: Path, folder: Path | str, kind: str, number: int) -> Any:
    """What `killed.py` found."""
    more = {"LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(HERE / "killed.py"), str(folder), kind, str(number)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **more})
    return json.loads(done.stdout)


def trials(library: Path, folder: Path | str, kind: str, number: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = run(library, folder, kind, number)
    for each in found:
        assert [each[name] for name in ("wrong", "missing", "overspent", "unopened")] == [[], [], [], []]
    return found


@needs_a_compiler
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
def test_killed_at_every_step(steps: Path, tmp_path: Path, every: int) -> None:
    [found] = trials(steps, tmp_path, "steps", every)
    killed = found["killed"]
    assert isinstance(killed, int)
    assert killed * every > 100, "of a ledger that is begun, and of one that is there"


@needs_a_compiler
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
def test_failing_at_every_step(steps: Path, tmp_path: Path, every: int) -> None:
    for found in trials(steps, tmp_path, "errors", every):
        failures = found["failures"]
        assert isinstance(failures, dict)
        assert failures
        assert [each for each in failures if not each.startswith("LedgerUnavailable: ")] == []


@needs_a_compiler
@pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_killed_by_chance(steps: Path, tmp_path: Path, number: int) -> None:
    [found] = trials(steps, tmp_path, "chance", number)
    killed, said = found["killed"], found["said"]
    assert isinstance(killed, int)
    assert isinstance(said, int)
    assert killed > 0  # how many, the machine decides
    assert said > 0


@needs_a_compiler
@pytest.mark.parametrize(
    ("kind", "number"), [("steps", 9), ("chance", 60), pytest.param("steps", 1, marks=pytest.mark.long)]
)
def test_killed_while_it_speaks_to_a_server(steps: Path, server: Server, kind: str, number: int) -> None:
    [found] = trials(steps, server.database(), kind, number)
    killed = found["killed"]
    assert isinstance(killed, int)
    assert killed > 5


@needs_a_compiler
def test_a_charge_waits_for_the_disk_and_an_outcome_does_not(steps: Path, tmp_path: Path) -> None:
    charges, outcomes = run(steps, tmp_path, "syncs", 5)
    assert min(charges) >= 1
    assert outcomes == [0] * 5
