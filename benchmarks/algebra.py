"""Building pipelines and reading their bounds, side by side with opendp in one run.

    python benchmarks/algebra.py

Each line is the time of the same work in both libraries, the least of several runs, and their ratio, which does not
depend on the machine. The figure asked for stands beside it. `loss` evaluates the privacy map anew each time: nothing
remembers an answer between calls.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import dpcore as dp


@dataclass(frozen=True)
class Line:
    """One comparison: seconds in dpcore and in opendp, and how many times faster dpcore should be, if that is asked."""

    what: str
    ours: float
    theirs: float
    asked: float | None

    def __str__(self) -> str:
        ratio = self.theirs / self.ours
        verdict = "" if self.asked is None else f"{self.asked:>6.0f}x  {'met' if ratio >= self.asked else 'MISSED'}"
        times = f"{_time(self.ours):>10} {_time(self.theirs):>10}"
        return f"{self.what:<44} {times} {ratio:>8.1f}x {verdict}".rstrip()


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


def least(work: Callable[[], object], runs: int) -> float:
    """The least time of several runs: what the work costs when nothing else disturbs it."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def in_fresh_pythons(ours: str, theirs: str, runs: int = 15) -> tuple[float, float]:
    """The median time of each in a Python of its own, its start not counted: in turn, with all bytecode written before."""
    times = [[_fresh(code) for code in (ours, theirs)] for _ in range(runs + 1)][1:]
    mine, other = zip(*times, strict=True)
    return statistics.median(mine), statistics.median(other)


def _fresh(code: str) -> float:
    timed = f"import time; t = time.perf_counter()\n{code}\nprint(time.perf_counter() - t)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True, env=environment)
    return float(run.stdout.split()[-1])


OUR_PIPELINE = "m = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)"
WITHOUT_EXTRAS = "import sys; sys.modules.update(dict.fromkeys(('polars', 'sklearn', 'randomgen', 'mbi')))"
"""opendp imports whatever of its extras it finds, for seconds. It is timed as `pip install opendp` leaves it."""

THEIR_PIPELINE = (
    'dp.enable_features("contrib")\n'
    "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()\n"
    "m = space >> dp.t.then_clamp((0, 120)) >> dp.t.then_sum() >> dp.m.then_laplace(120.0)"
)


def imports() -> list[Line]:
    ours, theirs = "import dpcore as dp", f"{WITHOUT_EXTRAS}\nimport opendp.prelude as dp"
    alone = in_fresh_pythons(ours, theirs)
    # Most of what an import defers is paid for here.
    used = in_fresh_pythons(f"{ours}\n{OUR_PIPELINE}\nm.loss(1)", f"{theirs}\n{THEIR_PIPELINE}\nm.map(1)")
    return [Line("import", *alone, 5), Line("import, build a first pipeline, its loss", *used, 1)]


def single() -> list[Line]:
    import opendp.prelude as odp

    odp.enable_features("contrib")

    def ours() -> dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP, int]:
        return dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)

    def theirs() -> odp.Measurement:
        space = odp.vector_domain(odp.atom_domain(T=int)), odp.symmetric_distance()
        return space >> odp.t.then_clamp((0, 120)) >> odp.t.then_sum() >> odp.m.then_laplace(120.0)

    measurement, other = ours(), theirs()
    return [
        Line("build rows >> clamp >> sum >> laplace", least(ours, 2000), least(theirs, 500), 10),
        Line("its loss", least(lambda: measurement.loss(1), 5000), least(lambda: other.map(1), 1000), 20),
    ]


def thousand(name: str, scales: list[int], asked: float) -> list[Line]:
    import opendp.prelude as odp

    def ours() -> dp.types.Measurement[
        dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP, tuple[int, ...]
    ]:
        total = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum()
        return dp.compose([total >> dp.laplace(scale=scale) for scale in scales])

    def theirs() -> odp.Measurement:
        space = odp.vector_domain(odp.atom_domain(T=int)), odp.symmetric_distance()
        total = space >> odp.t.then_clamp((0, 120)) >> odp.t.then_sum()
        return odp.c.make_composition([total >> odp.m.then_laplace(float(scale)) for scale in scales])

    measurement, other = ours(), theirs()
    return [
        Line(
            f"compose 1000, {name}: build and first loss",
            least(lambda: ours().loss(1), 9),
            least(lambda: theirs().map(1), 5),
            asked,
        ),
        Line(
            f"compose 1000, {name}: loss alone",
            least(lambda: measurement.loss(1), 200),
            least(lambda: other.map(1), 200),
            asked,
        ),
    ]


SOLVED = (
    "import dpcore as dp\n"
    "m = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=dp.symbol('scale'))\n"
    "import time; t = time.perf_counter()\n"
    "dp.compose_advanced([m] * 1000, '1e-6').solve(dp.approx(1, '1e-6'), d_in=1)"
)


def solved() -> list[Line]:
    """The first in its process, sympy being there with the symbol. Nobody else has it: beside it stands what is asked."""
    runs = [_fresh(SOLVED) for _ in range(16)][1:]
    return [Line("solve advanced composition of 1000; asked", statistics.median(runs), 0.1, 1)]


def main() -> None:
    print(f"{'':<44} {'dpcore':>10} {'opendp':>10} {'ratio':>9} {'asked':>7}")
    for lines in (
        imports(),
        single(),
        thousand("equal scales", [120] * 1000, 5),
        thousand("distinct scales", list(range(1, 1001)), 1),
        solved(),
    ):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
