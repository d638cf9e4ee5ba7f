"""What a question costs a curator, over the release that answers it. In one run, alternating, least of several; by
processor time, so that others who work on the machine change little.

    python benchmarks/interaction.py

The release is that of a count of one row, so that nothing but the question is measured; both are the public call. Asked:
below 50 us over the release in memory, and the same after 100,000 questions.

opendp's filter (`make_privacy_filter` of `make_fully_adaptive_composition`) is asked the same count, as often as ours, after
as many questions as are said; its questions take longer the more were asked. A session of Tumult Analytics is asked where
TUMULT names a Python that has it: `interaction_tumult.py` says what.
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from importlib import import_module
from typing import Any

import opendp.prelude as op

import dpcore as dp

interaction_tumult: Any = import_module("interaction_tumult")  # found beside this file, where it is run as a script

ROWS = dp.rows(dp.integers(0, 120))
COUNT = ROWS >> dp.count() >> dp.laplace(scale=10)
ONE = [30]
MANY = 100_000
AT_ONCE = 200
ROUNDS = 25
ASKED = 50


def least(*works: Callable[[], object]) -> list[float]:
    """The least time of each in microseconds, taken in turn."""
    found = [
        [timeit.timeit(work, timer=time.process_time, number=AT_ONCE) / AT_ONCE * 1e6 for work in works]
        for _ in range(ROUNDS)
    ]
    return [min(times) for times in zip(*found, strict=True)]


def line(what: str, taken: float, bare: float) -> None:
    over = taken - bare
    print(f"{what:<52} {taken:>8.1f} {over:>8.1f} {ASKED:>6}  {'met' if over <= ASKED else 'MISSED'}")


def _anew() -> dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP, int]:
    return ROWS >> dp.count() >> dp.laplace(scale=10)


def _beside_opendp() -> None:
    op.enable_features("contrib")
    space = op.vector_domain(op.atom_domain(bounds=(0, 120))), op.symmetric_distance()
    count = space >> op.t.then_count() >> op.m.then_laplace(10.0)
    meter = op.c.make_fully_adaptive_composition(*space, output_measure=op.max_divergence())
    theirs = op.c.make_privacy_filter(meter, d_in=1, d_out=1e9)(ONE)
    ours = dp.curator(ROWS, ONE, budget=dp.pure(10**9))
    asked = 0
    print(f"\n{'microseconds a question, after so many':<52} {'dpcore':>8} {'opendp':>8}")
    for many in (10, 1_000, 3_000):
        while asked < many:
            ours.ask(COUNT), theirs(count)
            asked += 1
        times = [
            [timeit.timeit(work, number=1) * 1e6 for work in (lambda: ours.ask(COUNT), lambda: theirs(count))]
            for _ in range(9)
        ]
        mine, other = (min(each) for each in zip(*times, strict=True))
        print(f"{many:<52,} {mine:>8.1f} {other:>8.1f}")
        asked += 9


def main() -> None:
    curator = dp.curator(ROWS, ONE, budget=dp.pure(10**9))
    adults = curator.after(ROWS >> dp.filter(dp.row() >= 18))
    part = curator.by(dp.row(), [30, 31])[30]
    worn = dp.curator(ROWS, ONE, budget=dp.pure(10**9))
    for _ in range(MANY):
        worn.ask(COUNT)
    both = least(lambda: _anew().release(ONE), lambda: curator.ask(_anew()))
    works = [
        lambda: COUNT.release(ONE),
        lambda: curator.ask(COUNT),
        lambda: worn.ask(COUNT),
        lambda: part.ask(COUNT),
        lambda: adults.ask(COUNT),
    ]
    bare, *taken = least(*works)
    print(f"{'microseconds':<52} {'a call':>8} {'over':>8} {'asked':>6}")
    print(f"{'the release alone':<52} {bare:>8.1f}")
    names = (
        "a question",
        f"a question after {MANY:,}",
        "a question about a part",
        "a question after a filter",
    )
    for name, each in zip(names, taken, strict=True):
        line(name, each, bare)
    line("a question built anew, over the release of one", both[1], both[0])
    _beside_opendp()
    for after, milliseconds in interaction_tumult.questions().items():
        print(f"a question to a session of Tumult, after {after}: {milliseconds:,.0f} milliseconds")


if __name__ == "__main__":
    main()
