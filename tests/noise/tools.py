"""What the tests of the samplers measure with.

`outcomes` runs a sampler on every sequence of random choices down to a given probability, and so gives its
distribution as balls, with no statistics. `p_value` is the statistic, for what is too large to enumerate. `mutant`
puts a fault into the source of a module: each measurement must be seen to catch it.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import ModuleType
from typing import TypeVar

from flint import arb, ctx, fmpq

from dpcore.noise.bits import BitSource

T = TypeVar("T", bound=Hashable)

PRECISION = 256


class Fork(Exception):
    """A choice that the script does not cover, with the probability of every branch."""

    def __init__(self, branches: list[arb]) -> None:
        self.branches = branches


class Restart(Exception):
    """The sampler rejected and begins anew, in the same state as at first."""


class ScriptedBits(BitSource):
    """Makes the choices of a script, and raises `Fork` where it ends."""

    def __init__(self, script: Sequence[int], restart_at_below: int | None) -> None:
        self._script = script
        self._made = 0
        self._belows = 0
        self._restart_at_below = restart_at_below

    def choose(self, branches: list[arb]) -> int:
        if self._made == len(self._script):
            raise Fork(branches)
        self._made += 1
        return self._script[self._made - 1]

    def bits(self, k: int) -> int:
        return self.choose([arb(fmpq(1, 2**k))] * 2**k)

    def below(self, m: int) -> int:
        self._belows += 1
        if self._belows == self._restart_at_below:
            raise Restart
        return self.choose([arb(fmpq(1, m))] * m)


def outcomes(
    draw: Callable[[BitSource], T], smallest: float, restart_at_below: int | None = None
) -> tuple[dict[T, arb], arb]:
    """The probability of every outcome over all choices, and what is left in branches less probable than `smallest`.

    A run that restarts counts for nothing, and the rest is scaled up: attempts are independent and alike.
    """
    found: dict[T, arb] = {}
    left = arb(0)
    restarted = arb(0)
    with ctx.workprec(PRECISION):
        pending: list[tuple[tuple[int, ...], arb]] = [((), arb(1))]
        while pending:
            script, probability = pending.pop()
            if probability < smallest:
                left += probability
                continue
            try:
                outcome = draw(ScriptedBits(script, restart_at_below))
            except Fork as fork:
                pending += [((*script, i), probability * b) for i, b in enumerate(fork.branches) if b != 0]
            except Restart:
                restarted += probability
            else:
                found[outcome] = found.get(outcome, arb(0)) + probability
        kept = 1 - restarted
        return {outcome: probability / kept for outcome, probability in found.items()}, left / kept


def agrees(found: Mapping[T, arb], left: arb, mass: Callable[[T], arb], outside: Iterable[T] = ()) -> bool:
    """Whether found <= mass <= found + left is possible for every outcome, and for some that were not found."""
    with ctx.workprec(PRECISION):
        for z in [*found, *outside]:
            true, low = mass(z), found.get(z, arb(0))
            if low > true or low + left < true:
                return False
    return True


def exact_coin(x: int | Fraction | tuple[int, int], bits: BitSource) -> bool:
    """Stands for `bernoulli_exp`, itself tested elsewhere: one branch of probability exp(-x), one of the rest."""
    assert isinstance(bits, ScriptedBits)
    numerator, denominator = x if isinstance(x, tuple) else (x.numerator, x.denominator)
    yes = (-arb(fmpq(numerator, denominator))).exp()
    return numerator == 0 or bits.choose([1 - yes, yes]) == 1


def p_value(draws: Iterable[T], probabilities: Mapping[T, arb]) -> float:
    """Pearson's chi-square test over the outcomes that expect at least 20 draws, where it is near its limit.

    All others are one more cell; where that one expects fewer, its Poisson tail is taken, and the smaller of the two.
    """
    counts = Counter(draws)
    n = sum(counts.values())
    statistic, cells, rest = 0.0, 0, 1.0
    seen = 0
    for outcome, probability in probabilities.items():
        expected = n * float(probability)
        if expected < 20:
            continue
        statistic += (counts[outcome] - expected) ** 2 / expected
        seen += counts[outcome]
        rest -= float(probability)
        cells += 1
    other = n - seen
    if n * rest >= 20:
        statistic += (other - n * rest) ** 2 / (n * rest)
        cells += 1
        other = 0
    rare = float(arb(n * max(rest, 0.0)).gamma_lower(other, regularized=1)) if other else 1.0
    common = float(arb(statistic / 2).gamma_upper(fmpq(cells - 1, 2), regularized=1)) if cells > 1 else 1.0
    return min(rare, common)


def mutant(module: ModuleType, old: str, new: str) -> ModuleType:
    """The module with a fault in it: its source with `old` replaced by `new`."""
    source = inspect.getsource(module)
    assert source.count(old) == 1, f"{old!r} must occur once in {module.__name__}"
    faulty = ModuleType(module.__name__ + "_mutant")
    sys.modules[faulty.__name__] = faulty  # where dataclasses look their module up
    exec(compile(source.replace(old, new), f"{module.__file__} (mutant)", "exec"), faulty.__dict__)
    return faulty
