"""The least milliseconds of several runs: of the time that goes by, or with CLOCK=processor of what all processors spend.
And how much memory this process takes.

The clock of the processors is for machines on which others work too: what is waited for is not counted, and what two cores
do at once is counted twice. What a process spends that was started by this one, as the machine of Spark is, counts as well.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final


def least(works: Mapping[str, Callable[[], object]], runs: int, seconds: float = float("inf")) -> dict[str, float]:
    """The runs of these alternate. After so many seconds none begins but the second."""
    clock: Callable[[], float] = time.perf_counter
    if os.environ.get("CLOCK") == "processor":
        clock = partial(processor_time, started_by(Path("/proc/self")))
    times = dict.fromkeys(works, float("inf"))
    begun = time.perf_counter()
    for run in range(runs):
        if run > 1 and time.perf_counter() - begun > seconds:
            break
        for name, work in works.items():
            start = clock()
            work()
            times[name] = min(times[name], 1000 * (clock() - start))
    return times


def processor_time(started: Sequence[Path]) -> float:
    """Seconds that this process and those that it started have spent, as Linux tells."""
    return time.process_time() + sum(map(_spent, started))


def _spent(process: Path) -> float:
    """By a process and those that it started and saw end; of one that is gone, what it had spent when it was last asked."""
    with suppress(OSError):
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        LAST[process] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return LAST.get(process, 0.0)


LAST: Final[dict[Path, float]] = {}


def started_by(process: Path) -> list[Path]:
    """The processes that it started, and those that they did."""
    texts: list[str] = []
    with suppress(OSError):  # it may end meanwhile
        for thread in (process / "task").iterdir():
            with suppress(OSError):
                texts.append((thread / "children").read_text())
    own = [Path("/proc") / child for text in texts for child in text.split()]
    return [*own, *(each for child in own for each in started_by(child))]


def megabytes(field: str) -> int:
    """Of this process, as Linux tells: VmRSS now, VmHWM at its height.

    Not `getrusage`, which begins with the memory of the process that started this one.
    """
    found = re.search(rf"{field}:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) >> 10


def machine() -> str:
    """The processor, its cores and the memory, as Linux tells them."""
    told = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in told if line.startswith("model name")), "unknown processor"
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {memory} GB"
