"""What a process has one of, the precision of flint and the samplers: threads do not see each other's, nor do children."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flint import ctx

from dpcore.maps import precision, working_bits

ROOT = Path(__file__).parents[2]

FORK = """
import os, signal, sys, threading
import dpcore as dp
from dpcore.distributions import listed_noise
from dpcore.maps import precision

m = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale="1/4")
inside, leave = threading.Event(), threading.Event()

def hold():
    with listed_noise.listed_noise(), precision(80):
        inside.set()
        leave.wait()

thread = threading.Thread(target=hold)
thread.start()
inside.wait()
child = os.fork()
if child == 0:
    signal.alarm(30)  # a child that waits for a thread that it does not have ends so, and is seen
    known = m.distribution([1, 2]).probability(2)
    os._exit(0 if known > 0 else 1)
_, status = os.waitpid(child, 0)
leave.set()
thread.join()
print(status)
"""


def test_a_forked_child_computes_distributions() -> None:
    """In a process of its own: pytest has threads, which fork warns of."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert run.stdout.strip() == "0"


@pytest.fixture
def many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_do_not_see_the_precision_of_each_other(many_switches: None) -> None:
    before = working_bits()
    seen: set[tuple[int, int]] = set()

    together = threading.Barrier(4)

    def ask(bits: int) -> None:
        together.wait()
        for _ in range(1000):
            with precision(bits):
                for _ in range(50):
                    seen.add((bits, working_bits()))

    threads = [threading.Thread(target=ask, args=(bits,)) for bits in (64, 80, 200, 400)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {(bits, bits) for bits in (64, 80, 200, 400)}
    assert ctx.prec == before
