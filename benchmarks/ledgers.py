"""What a charge costs: in memory, in a ledger on this disk, and what the disk asks for a single write that it keeps.

    python benchmarks/ledgers.py [FOLDER]

The least of several, since others may work on the machine; the median beside it. Rows come in rounds, so that all meet the
same moments. At the end 100,000 charges, of which the last must cost what the first did, and the ledger opened again.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from dpcore.interaction.accounts import ANSWERED, Charge, InMemory
from dpcore.interaction.ledgers.opening import open_ledger

ROUNDS = 20
EACH = 50
MANY = 100_000
TENTH = MANY // 10
BUDGET = (Fraction(MANY),)
QUESTION = Charge((Fraction(1, 10),), "rows(integers()) >> count() >> laplace(scale=10)", (), '{"x": 1}' * 100)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def written_and_kept(folder: Path) -> Callable[[], object]:
    """One page written to a file and asked to be on the disk: what any charge must wait for."""
    opened = os.open(folder / "page", os.O_WRONLY | os.O_CREAT)

    def once() -> None:
        os.write(opened, b"x" * 4096)
        os.fsync(opened)

    return once


def line(name: str, times: list[float], asked: float | None = None) -> None:
    least = min(times) * 1e6
    said = "" if asked is None else f"below {asked:,.0f} us  {'met' if least < asked else 'MISSED'}"
    print(f"{name:<44} {least:>10,.1f} us {statistics.median(times) * 1e6:>10,.1f} us   {said}".rstrip())


def main(folder: Path) -> None:
    memory = InMemory(BUDGET, 1)
    ledger = open_ledger(folder / "a.ledger", measure="PureDP", figures=1, budget=BUDGET, space="rows")
    works: dict[str, tuple[Callable[[], object], float | None]] = {
        "a charge in memory": (lambda: memory.charge(QUESTION), 50),
        "a charge in a ledger, synchronous=FULL": (lambda: ledger.charge(QUESTION), 1000),
        "a page written and fsync, alone": (written_and_kept(folder), None),
        "an outcome in a ledger": (lambda: ledger.settle(1, ANSWERED), None),
        "what is spent, asked of a ledger": (ledger.spent, None),
    }
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (work, _asked) in works.items():
            found[name] += [timed(work) for _ in range(EACH)]
    print(f"{'':<44} {'least':>13} {'median':>13}   asked")
    for name, times in found.items():
        line(name, times, works[name][1])
    print(f"\n{MANY:,} charges")
    many = open_ledger(folder / "many.ledger", measure="PureDP", figures=1, budget=BUDGET, space="rows")
    times = [timed(lambda: many.charge(QUESTION)) for _ in range(MANY)]
    line(f"the first {TENTH:,}", times[:TENTH])
    line(f"the last {TENTH:,}", times[-TENTH:])
    many.close()
    size = (folder / "many.ledger").stat().st_size
    start = time.process_time()
    open_ledger(folder / "many.ledger", measure="PureDP", figures=1, budget=BUDGET, space="rows").close()
    print(f"opened again, all rows checked: {time.process_time() - start:.1f} s of a processor, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as temporary:
        main(Path(temporary))
