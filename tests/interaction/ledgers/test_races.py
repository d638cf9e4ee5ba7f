"""Who charges at the same time shares one budget."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interaction.ledgers.racing import PROCESSES
from tests.source.syntax import ROOT

REFUSED = "refused, 1 is spent"


def race(place: str, kind: str) -> tuple[list[str], int]:
    """What the processes were told, in order, and how many charges there are."""
    command = [sys.executable, str(Path(__file__).with_name("racing.py")), place, kind]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    told, charges = json.loads(done.stdout)
    return sorted(each for one in told for each in one), charges


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "study.ledger")


def test_of_sixteen_processes_one_gets_the_last_tenth(place: str) -> None:
    assert race(place, "last") == (["10", *[REFUSED] * (PROCESSES - 1)], 10)


def test_sixteen_processes_begin_one_ledger(place: str) -> None:
    ten = sorted(str(i + 1) for i in range(10))
    assert race(place, "begin") == ([*ten, *[REFUSED] * (PROCESSES - 10)], 10)


def test_threads_of_several_processes_share_the_budget(place: str) -> None:
    ten = sorted(str(i + 1) for i in range(10))
    assert race(place, "threads") == ([*ten, *[REFUSED] * (4 * 4 * 2 - 10)], 10)
