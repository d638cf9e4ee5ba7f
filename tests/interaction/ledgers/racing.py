"""Many processes, or threads of them, charge one ledger at once: python racing.py FOLDER. What each was told, as JSON."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from fractions import Fraction

from dpcore.interaction.accounts import ANSWERED, Charge, Refused
from dpcore.interaction.ledgers.ledger import Ledger
from dpcore.interaction.ledgers.opening import open_ledger

TENTH = Fraction(1, 10)
PROCESSES = 16


def opened(path: str) -> Ledger:
    return open_ledger(path, measure="PureDP", figures=1, budget=(Fraction(1),), space="rows of integers")


def tried(ledger: Ledger, question: str) -> str:
    try:
        number = ledger.charge(Charge((TENTH,), question))
    except Refused as refusal:
        return f"refused, {refusal.spent[0]} is spent"
    ledger.settle(number, ANSWERED)
    return str(number)


def at_once(processes: int, work: Callable[[int], list[str]]) -> list[list[str]]:
    """What each process found. None begins before all are there."""
    ready, go = os.pipe(), os.pipe()
    ends = []
    for i in range(processes):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(go[1])
            os.write(ready[1], b".")
            os.read(go[0], 1)  # until the other end is closed
            os.write(writing, json.dumps(work(i)).encode())
            os._exit(0)
        os.close(writing)
        ends.append(reading)
    for _ in range(processes):
        os.read(ready[0], 1)
    os.close(go[1])
    found: list[list[str]] = []
    for each in ends:
        with open(each) as said:
            found.append(json.loads(said.read()))
        os.wait()
    return found


def last_tenth(path: str) -> list[list[str]]:
    """Of a ledger with one tenth left, which was open when the processes split."""
    ledger = opened(path)
    for i in range(9):
        ledger.charge(Charge((TENTH,), f"first {i}"))
    return at_once(PROCESSES, lambda i: [tried(ledger if i % 2 else opened(path), f"{i}")])


def beginning(path: str) -> list[list[str]]:
    """Of a ledger that none has begun."""
    return at_once(PROCESSES, lambda i: [tried(opened(path), f"{i}")])


def threads(path: str) -> list[list[str]]:
    """Four processes of four threads, each of which asks for two tenths, one after the other."""

    def work(i: int) -> list[str]:
        found: list[str] = []
        ledgers = [opened(path), opened(path)]
        started = [
            threading.Thread(target=lambda j=j: found.extend(tried(ledgers[j % 2], "") for _ in "12")) for j in range(4)
        ]
        for each in started:
            each.start()
        for each in started:
            each.join()
        return found

    return at_once(4, work)


if __name__ == "__main__":
    place = sys.argv[1]
    kinds = {"last": last_tenth, "begin": beginning, "threads": threads}
    print(json.dumps([kinds[sys.argv[2]](place), len(opened(place).entries())]))
