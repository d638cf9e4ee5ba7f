"""The layouts that the tests of the samplers look at, and what a layout must satisfy."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TypeAlias

import numpy as np
from flint import arb, ctx

from dpcore.noise.bits import BitSource
from dpcore.noise.fixed_point import Int64s
from dpcore.noise.strips import Strips, strips

Case: TypeAlias = tuple[str, Fraction]

LAPLACE: list[Case] = [
    ("laplace", Fraction(s))
    for s in ["1/1000", "1/3", "1", "7/3", "10", "40", "1000", "1000000/7", f"{2**45 + 1}", f"{10**15}", f"{10**17}"]
]
GAUSSIAN: list[Case] = [
    ("gaussian", Fraction(s))
    for s in ["1/1000", "1/4", "1", "100", "5000", "1000000", f"{10**12}/7", f"{10**30}", f"{10**34}/3"]
]
CASES = LAPLACE + GAUSSIAN


def parameters(case: Case) -> tuple[Fraction, Fraction, int]:
    """What `samples` gives to `strips`."""
    kind, x = case
    if kind == "laplace":
        return 1 / x, Fraction(0), int(2 * x)
    return Fraction(0), 1 / (2 * x), isqrt(int(x))


def layout(case: Case) -> Strips:
    return strips(*parameters(case))


def pairs(made: Strips, each: int, seed: int = 0) -> tuple[Int64s, Int64s]:
    """Every strip with the first and the last of its integers and some between."""
    rng = np.random.default_rng(seed)
    strip = np.arange(-made.J, made.J)
    inside = [np.zeros_like(strip), np.full_like(strip, (1 << made.b) - 1)]
    inside += [rng.integers(0, 1 << made.b, len(strip)) for _ in range(each)]
    s = np.tile(strip, len(inside))
    return s, (s << made.b) + np.concatenate(inside)


def thresholds(made: Strips, s: Int64s, x: Int64s, bits: int) -> list[int]:
    """floor(2^bits a(x)), exactly."""
    found = []
    with ctx.workprec(bits + 128):
        for strip, value in zip(s.tolist(), x.tolist(), strict=True):
            whole = (made.acceptance(strip, value) * arb(2) ** bits).floor().unique_fmpz()
            assert whole is not None
            found.append(int(whole))
    return found


class GivenBytes(BitSource):
    """Gives the bytes and the words it was given, and says so when there are no more."""

    def __init__(self, *parts: bytes, words: list[int] | None = None, otherwise: int | None = None) -> None:
        self._parts = list(parts)
        self._words = list(words or [])
        self._otherwise = otherwise

    def fill(self, out: memoryview) -> None:
        part = self._parts.pop(0)
        assert len(part) == len(out)
        out[:] = part

    def bits(self, k: int) -> int:
        assert k == 64
        if not self._words and self._otherwise is not None:
            return self._otherwise
        return self._words.pop(0)
