"""Integer noise, side by side with opendp, numpy and diffprivlib in one run.

    python benchmarks/noise.py

Everyone adds discrete Laplace or Gaussian noise of one scale to n whole numbers. opendp is given its vector measurement
(`make_laplace`, `make_gaussian` on i64) with a list or an array, whichever is faster; `noise` is dpcore's sampler and
its exact addition on an int64 array, `release` a whole dpcore measurement, from array to array, with its checks;
numpy adds floating-point noise, rounded, which is fast and not private at all; diffprivlib draws value by value.
Exactness is the same in dpcore and opendp. The runs are interleaved and the least time of each counts, so the ratios,
how many times faster dpcore is, depend little on the machine. Cold: the first call, with no table made; opendp's
measurement is then built, too. Memory: the peak that a call allocates, result included, over the size of the result.
"""

from __future__ import annotations

import importlib
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import opendp.prelude as op

import dpcore as dp
from dpcore.noise import samples
from dpcore.noise.bits import system_bits
from dpcore.noise.samples import add
from dpcore.noise.strips import strips

SCALES = [1, 10, 1000, 10**6]
SIZES = [1, 1000, 10**6]
KINDS = ["laplace", "gaussian"]
A_WHILE = 0.01
"""diffprivlib has no vectors: it is timed for so many seconds, and the time multiplied."""

Work = Callable[[], object]


@dataclass
class Timed:
    """The least time of a piece of work."""

    work: Work
    times: float = 1.0
    least: float = field(default=float("inf"))

    def run(self) -> None:
        start = time.perf_counter()
        self.work()
        self.least = min(self.least, (time.perf_counter() - start) * self.times)


def dpcore_noise(kind: str, scale: int, n: int) -> Work:
    values, bits = np.zeros(n, np.int64), system_bits()
    if kind == "laplace":
        return lambda: add(values, samples.laplace(scale, n, bits))
    return lambda: add(values, samples.gaussian(scale * scale, n, bits))


def dpcore_release(kind: str, scale: int, n: int) -> Work:
    values, of = np.zeros(n, np.int64), dp.vector(dp.integers(), n)
    if kind == "laplace":
        laplace = dp.value(of, dp.L1Distance) >> dp.laplace(scale=scale)
        return lambda: laplace.release(values)
    gaussian = dp.value(of, dp.L2Distance) >> dp.gaussian(sigma=scale)
    return lambda: gaussian.release(values)


def opendp(kind: str, scale: int, n: int, array: bool) -> Work:
    space = op.vector_domain(op.atom_domain(T="i64"))
    if kind == "laplace":
        measurement = op.m.make_laplace(space, op.l1_distance(T="i64"), scale=float(scale))
    else:
        measurement = op.m.make_gaussian(space, op.l2_distance(T="f64"), scale=float(scale))
    values = np.zeros(n, np.int64) if array else [0] * n
    return lambda: measurement(values)


def numpy(kind: str, scale: int, n: int) -> Work:
    values, rng = np.zeros(n, np.int64), np.random.default_rng()
    draw = rng.laplace if kind == "laplace" else rng.normal
    return lambda: values + np.rint(draw(0.0, scale, n)).astype(np.int64)


def diffprivlib(kind: str, scale: int, n: int) -> Timed | None:
    try:
        mechanisms = importlib.import_module("diffprivlib.mechanisms")
    except ImportError:
        return None
    if kind == "laplace":
        mechanism = mechanisms.Geometric(epsilon=1 / scale, sensitivity=1)
    else:
        mechanism = mechanisms.GaussianDiscrete(epsilon=1, delta=1e-6)
        mechanism._scale = scale  # it takes no sigma, and its search for one fails for large sensitivities
    one = Timed(lambda: mechanism.randomise(0))
    one.run()
    drawn = max(1, min(n, int(A_WHILE / one.least)))
    return Timed(lambda: [mechanism.randomise(0) for _ in range(drawn)], n / drawn)


def warm(kind: str, scale: int, n: int) -> dict[str, float | None]:
    """Seconds a call, by contender."""
    slow = {
        "opendp": Timed(opendp(kind, scale, n, array=False)),
        "opendp array": Timed(opendp(kind, scale, n, array=True)),
    }
    peer = diffprivlib(kind, scale, n)
    if peer is not None:
        slow["diffprivlib"] = peer
    fast = {
        "noise": Timed(dpcore_noise(kind, scale, n)),
        "release": Timed(dpcore_release(kind, scale, n)),
        "numpy": Timed(numpy(kind, scale, n)),
    }
    rounds = {1: 30, 1000: 10}.get(n, 1)
    for _ in range(rounds):
        for contender in slow.values():
            contender.run()
        for _ in range(15):
            for contender in fast.values():
                contender.run()
    found: dict[str, float | None] = {name: contender.least for name, contender in fast.items()}
    found["opendp"] = min(slow["opendp"].least, slow["opendp array"].least)
    found["diffprivlib"] = peer.least if peer is not None else None
    return found


def cold(kind: str, scale: int, n: int) -> tuple[float, float]:
    """Seconds of a first call: dpcore without its table, opendp with its construction."""

    def ours() -> None:
        strips.cache_clear()
        dpcore_noise(kind, scale, n)()

    mine, theirs = Timed(ours), Timed(lambda: opendp(kind, scale, n, array=False)())
    for _ in range(10 if n < 10**5 else 1):
        theirs.run()
    for _ in range(10):
        mine.run()
    return mine.least, theirs.least


def memory(kind: str, scale: int, n: int) -> float:
    """The peak of a call that makes its table, over the size of its result."""
    bits = system_bits()
    strips.cache_clear()
    tracemalloc.start()
    if kind == "laplace":
        samples.laplace(scale, n, bits)
    else:
        samples.gaussian(Fraction(scale) ** 2, n, bits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (8 * n)


@dataclass
class Figure:
    """What is asked for, and the worst that was found."""

    what: str
    asked: str
    limit: float
    at_least: bool
    found: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        worst = min(self.found) if self.at_least else max(self.found)
        met = worst >= self.limit if self.at_least else worst <= self.limit
        unit = "x faster" if self.at_least else "x"
        return f"{'met   ' if met else 'MISSED'} {self.what:<58} {worst:>9.2f}{unit:<9} asked {self.asked}"


def figures() -> dict[str, Figure]:
    return {
        "laplace 1000000": Figure("Laplace against opendp, n = 10^6", "300", 300, True),
        "gaussian 1000000": Figure("Gaussian against opendp, n = 10^6", "600", 600, True),
        "1000": Figure("both against opendp, n = 1000", "50", 50, True),
        "1": Figure("both against opendp, n = 1", "5", 5, True),
        "numpy": Figure("both against numpy's insecure noise, n = 10^6", "no slower: 1", 1, True),
        "release": Figure("public release of an array over its noise, n = 10^6", "at most 2", 2, False),
        "memory": Figure("memory over the output, n = 10^6", "at most 3", 3, False),
    }


def main() -> None:
    op.enable_features("contrib")
    asked = figures()
    print("ns a value, warm; then how many times faster `noise` is; then the first call, and its ratio to opendp's")
    print(f"{'':<9}{'scale':>8}{'n':>9} | {'noise':>9}{'release':>9}{'opendp':>9}{'numpy':>8}{'diffpriv':>9} | "
          f"{'opendp':>7}{'numpy':>7}{'diffpriv':>9} | {'cold':>9}{'opendp':>8}")  # fmt: skip
    for kind in KINDS:
        for n in SIZES:
            for scale in SCALES:
                found = warm(kind, scale, n)
                first, theirs_first = cold(kind, scale, n)
                ours, theirs, insecure, peer = found["noise"], found["opendp"], found["numpy"], found["diffprivlib"]
                assert ours is not None
                assert theirs is not None
                assert insecure is not None
                names = ("noise", "release", "opendp", "numpy", "diffprivlib")
                columns = [_number(found[name], n) for name in names]
                ratios = [theirs / ours, insecure / ours, peer / ours if peer is not None else float("nan")]
                print(f"{kind:<9}{scale:>8}{n:>9} | {columns[0]:>9}{columns[1]:>9}{columns[2]:>9}{columns[3]:>8}"
                      f"{columns[4]:>9} | {ratios[0]:>7.0f}{ratios[1]:>7.2f}{ratios[2]:>9.3g} | "
                      f"{first * 1e9 / n:>9.1f}{theirs_first / first:>8.1f}", flush=True)  # fmt: skip
                asked[f"{kind} {n}" if n == 10**6 else str(n)].found.append(theirs / ours)
                if n == 10**6:
                    asked["numpy"].found.append(insecure / ours)
                    release = found["release"]
                    assert release is not None
                    asked["release"].found.append(release / ours)
                    asked["memory"].found.append(memory(kind, scale, n))
    print()
    print(f"the worst over all scales; numpy {np.__version__}, Python {sys.version.split()[0]}")
    for line in asked.values():
        print(line)


def _number(seconds: float | None, n: int) -> str:
    if seconds is None:
        return "-"
    each = seconds * 1e9 / n
    return f"{each:.1f}" if each < 1e6 else f"{each:.1e}"


if __name__ == "__main__":
    main()
