"""Children that ask a curator with a ledger are killed; after each, it is begun again and compared with what was answered.

    python killed.py FOLDER steps EVERY        at every so many-th step of a life: begin, ask twice
    python killed.py FOLDER errors EVERY       the step fails instead: the disk is full, or cannot be written
    python killed.py FOLDER chance TRIALS      at a step or at a moment by chance, two children at once
    python killed.py FOLDER syncs TIMES        nobody is killed: how often each charge, and each outcome, waits for the disk

FOLDER may be the address of a server. A step is a call that changes a file or speaks to a server, counted by `step.c`, which
LD_PRELOAD brings in. What was found is printed as JSON.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import random
import signal
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TypeVar

import dpcore as dp
from dpcore.errors import BudgetExceeded, DPError
from dpcore.interaction.accounts import ANSWERED, Charge
from dpcore.interaction.curators import Curator
from dpcore.interaction.ledgers.opening import open_ledger

T = TypeVar("T")

ROWS = dp.rows(dp.integers(0, 120))
ONE = [30]
COST = Fraction(1, 40)
BUDGET = Fraction(1)
PER_LEDGER = 50
"""Trials on one ledger, which is full after 40 charges."""

LONG = 80
"""Steps of a life in which some may fail unseen."""

STEP = ctypes.CDLL(None)


@dataclass
class Found:
    """What the trials came to. The last four must be nothing."""

    trials: int = 0
    killed: int = 0
    said: int = 0
    refused: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    """What was said of failures, and how often."""
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    overspent: list[str] = field(default_factory=list)
    unopened: list[str] = field(default_factory=list)


def new(folder: str, name: str) -> str:
    """Where there is no ledger yet: a path in a folder, or a schema of a server."""
    if not folder.startswith("postgresql:"):
        return f"{folder}/{name}.ledger"
    from tests.interaction.ledgers.server import schema

    return schema(folder, name)


Asked = Curator[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP]


def opened(path: str) -> Asked:
    return dp.curator(ROWS, ONE, budget=dp.pure(BUDGET), ledger=path)


def question(name: str) -> dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP, int]:
    """One that prints like no other."""
    return ROWS >> dp.filter(dp.row() >= -zlib.crc32(name.encode())) >> dp.count() >> dp.laplace(1 / COST)


def life(path: str, name: str, questions: int, say: Callable[[str], None]) -> None:
    """Begin, ask so often, and say so each time that an answer came."""
    curator = tried(lambda: opened(path), say) or opened(path)
    for i in range(questions):
        asked = question(f"{name}.{i}")
        if tried(lambda asked=asked: curator.ask(asked), say) is not None:  # type: ignore[misc]
            say(f"answered {asked!r}\n")


def tried(work: Callable[[], T], say: Callable[[str], None]) -> T | None:
    """What it gives; what is no refusal of dpcore is wrong."""
    try:
        return work()
    except BudgetExceeded:
        say("refused\n")
    except DPError as error:
        say(f"failed {type(error).__name__}: {error.headline.partition(': ')[2]}\n")
    except Exception as error:
        say(f"wrong {error!r}\n")
    return None


def child(path: str, name: str, charges: int, doom: Callable[[], None]) -> tuple[int, int]:
    """A process that lives and is doomed: its number, and the end of the pipe in which it says what it charged."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        doom()
        life(path, name, charges, lambda text: _say(writing, text))
    except Exception as error:
        _say(writing, f"wrong {error!r}\n")
    finally:
        os._exit(0)


def _say(pipe: int, text: str) -> None:
    os.writev(pipe, [text.encode()])  # which is no step


def ended(children: Iterable[tuple[int, int]], found: Found) -> list[str]:
    """What they said, once all have ended."""
    said: list[str] = []
    for process, pipe in children:
        with open(pipe) as lines:
            said += lines.read().splitlines()
        status = os.waitpid(process, 0)[1]
        found.trials += 1
        found.killed += os.WIFSIGNALED(status)
    found.refused += said.count("refused")
    for each in said:
        kind, _, what = each.partition(" ")
        if kind == "failed":
            found.failures[what] = found.failures.get(what, 0) + 1
    found.wrong += [each for each in said if each.startswith("wrong")]
    return [each.removeprefix("answered ") for each in said if each.startswith("answered ")]


def compared(path: str, said: set[str], what: str, found: Found) -> None:
    """The account after a death, beside all that was ever answered."""
    try:
        curator = opened(path)
        entries = curator.log
        spent = curator.spent.epsilon.exact
    except Exception as error:
        found.unopened.append(f"{what}: {error!r}")
        return
    kept = {str(each.charge.question) for each in entries}
    found.missing += [f"{what}: {each}" for each in sorted(said - kept)]
    if spent is None or spent > BUDGET or spent != COST * len(entries):
        found.overspent.append(f"{what}: {spent}")


def every_step(folder: str, every: int, error: int = 0) -> Found:
    """A new ledger, and one that is there, at every so many-th step until a life comes to no more of them."""
    found = Found()
    for begun in (False, True):
        step, ended_by_itself = 1 - every, False
        while not ended_by_itself:
            step += every
            name = f"{begun}{step}_{error}"
            path = new(folder, name)
            said: set[str] = set()
            if begun:
                said |= {*ended([child(path, "first", 2, lambda: None)], Found())}
            before = found.killed, sum(found.failures.values())
            doomed = child(path, "doomed", 2, lambda step=step: STEP.at_step(step, error))  # type: ignore[misc]
            said |= {*ended([doomed], found)}
            compared(path, said, name, found)
            said |= {*ended([child(path, "after", 1, lambda: None)], found)}
            compared(path, said, f"{name}, charged again", found)
            found.said += len(said)
            ended_by_itself = step > LONG or (before == (found.killed, sum(found.failures.values())) and error == 0)
    return found


def by_chance(folder: str, trials: int) -> Found:
    found, chance = Found(), random.Random(15)
    ledgers = 0
    while found.trials < trials:
        ledgers += 1
        path, said = new(folder, f"study{ledgers}"), set[str]()
        for turn in range(PER_LEDGER // 2):
            dooms = [_doom(chance) for _ in range(2)]
            pair = [child(path, f"{turn}{'ab'[i]}", 4, doom) for i, doom in enumerate(dooms)]
            said |= {*ended(pair, found)}
            compared(path, said, f"ledger {ledgers}, turn {turn}", found)
        found.said += len(said)
    return found


def _doom(chance: random.Random) -> Callable[[], None]:
    """Death at a step, or at a moment, which nothing can put off either."""
    if chance.random() < 0.5:
        step = chance.randint(1, 60)
        return lambda: STEP.at_step(step, 0)
    moment = chance.uniform(0.0002, 0.03)
    return lambda: _at(moment)


def _at(moment: float) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, moment)


def waits(folder: str, times: int) -> list[list[int]]:
    """How often the disk was waited for, in each of so many charges and outcomes."""
    ledger = open_ledger(new(folder, "study"), measure="PureDP", figures=1, budget=(BUDGET,), space="rows of integers")
    works = (lambda: ledger.charge(Charge((COST,), "count")), lambda: ledger.settle(1, ANSWERED))
    found: list[list[int]] = [[], []]
    for i in range(2 * times):
        before = STEP.syncs()
        works[i % 2]()
        found[i % 2].append(STEP.syncs() - before)
    return found


if __name__ == "__main__":
    place = sys.argv[1]
    dp.certify(question("loaded before anybody is killed"))
    number = int(sys.argv[3])
    if sys.argv[2] == "syncs":
        print(json.dumps(waits(place, number)))
        sys.exit()
    results = {
        "steps": lambda: [every_step(place, number)],
        "errors": lambda: [every_step(place, number, error) for error in (errno.ENOSPC, errno.EIO)],
        "chance": lambda: [by_chance(place, number)],
    }
    print(json.dumps([asdict(each) for each in results[sys.argv[2]]()]))
