"""The exact distribution of what a measurement releases, by running it on every sequence of random choices.

The code that is run is the library's own. Only the samplers are replaced: where `dpcore.noise` would draw, the run forks
into one branch for each value, with its probability from the enclosures of `dpcore.noise` (whose samplers have tests of
their own). Branches less likely than `RARE` are dropped, and `missing` says how much that was; every divergence below is a
lower bound on the true one whatever the dropped branches would have given. So a loss that lies below it is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias, TypeVar, final
from unittest import mock

from flint import arb

from dpcore.noise import discrete_gaussian, discrete_laplace, selection
from dpcore.noise.bits import BitSource

RARE = 1e-13
H = TypeVar("H", bound=Hashable)
Table: TypeAlias = tuple[tuple[int, ...], tuple[float, ...], float]
"""Values, their probabilities, and how much is missing."""


@final
@dataclass(frozen=True, slots=True)
class Distribution:
    """Probabilities of outcomes, and what was left out."""

    masses: Mapping[Hashable, float]
    missing: float


class Fork(Exception):
    """A choice that the script does not cover, with the probability of every branch."""

    def __init__(self, branches: Sequence[float], missing: float = 0.0) -> None:
        self.branches = branches
        self.missing = missing


class Script(BitSource):
    """Makes the choices of a script, and raises `Fork` where it ends."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self._made = 0

    def choose(self, branches: Sequence[float], missing: float = 0.0) -> int:
        if self._made == len(self._script):
            raise Fork(branches, missing)
        self._made += 1
        return self._script[self._made - 1]

    def bits(self, k: int) -> int:
        return self.choose([0.5**k] * 2**k)

    def below(self, m: int) -> int:
        return self.choose([1 / m] * m)


def _draw(table: Table, bits: BitSource) -> int:
    assert isinstance(bits, Script)
    values, probabilities, missing = table
    return values[bits.choose(probabilities, missing)]


@cache
def _laplace(scale: Fraction) -> Table:
    return _around_zero(lambda z: discrete_laplace.mass(scale, z, 64), lambda a: discrete_laplace.tail(scale, a, 64))


@cache
def _gaussian(sigma_squared: Fraction) -> Table:
    mass, tail = discrete_gaussian.mass, discrete_gaussian.tail
    return _around_zero(lambda z: mass(sigma_squared, z, 64), lambda a: tail(sigma_squared, a, 64))


def _around_zero(mass: Callable[[int], arb], tail: Callable[[int], arb]) -> Table:
    """A symmetric distribution on the whole numbers, as far as it is not rare."""
    end = 1
    while mass(end) > RARE:
        end += 1
    values = tuple(range(1 - end, end))
    return values, tuple(float(mass(z).mid()) for z in values), float(tail(end).upper())


@cache
def _flipped(scores: tuple[int | Fraction, ...], scale: Fraction) -> Table:
    return _of_indices(selection.permute_and_flip_probabilities(scores, scale, 64))


@cache
def _weighted(scores: tuple[int | Fraction, ...], scale: Fraction) -> Table:
    return _of_indices(selection.exponential_probabilities(scores, scale, 64))


def _of_indices(probabilities: Sequence[arb]) -> Table:
    return tuple(range(len(probabilities))), tuple(float(p.mid()) for p in probabilities), 0.0


@contextmanager
def scripted() -> Iterator[None]:
    """Where the library would draw noise, it follows a script."""
    with ExitStack() as stack:
        for module, name, replacement in (
            (discrete_laplace, "sample", lambda scale, bits: _draw(_laplace(Fraction(scale)), bits)),
            (discrete_gaussian, "sample", lambda squared, bits: _draw(_gaussian(Fraction(squared)), bits)),
            (selection, "permute_and_flip", lambda s, scale, bits: _draw(_flipped(tuple(s), Fraction(scale)), bits)),
            (selection, "exponential", lambda s, scale, bits: _draw(_weighted(tuple(s), Fraction(scale)), bits)),
        ):
            stack.enter_context(mock.patch.object(module, name, replacement))
        yield


def distribution(run: Callable[[BitSource], object]) -> Distribution:
    """The probability of every outcome of a run."""
    found: dict[Hashable, float] = {}
    missing = 0.0
    pending: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    with scripted():
        while pending:
            script, probability = pending.pop()
            try:
                outcome = settled(run(Script(script)))
            except Fork as fork:
                missing += probability * fork.missing
                for i, p in enumerate(fork.branches):
                    if probability * p > RARE:
                        pending.append(((*script, i), probability * p))
                    else:
                        missing += probability * p
            else:
                found[outcome] = found.get(outcome, 0.0) + probability
    return Distribution(found, missing)


def settled(x: object) -> Hashable:
    """An outcome as somebody sees it who tells True from 1."""
    if isinstance(x, (list, tuple)):
        return tuple(map(settled, x))
    if isinstance(x, dict):
        return frozenset((settled(k), settled(v)) for k, v in x.items())
    return type(x).__name__, x


# ---- divergences: lower bounds on the true ones --------------------------------------------------------------------------


def max_log_ratio(p: Distribution, q: Distribution) -> float:
    """The least epsilon without delta."""
    worst = 0.0
    for outcome, mass in p.masses.items():
        other = q.masses.get(outcome, 0.0) + q.missing
        if mass > 1e-9:
            worst = max(worst, math.log(mass / other) if other else math.inf)
    return worst


def hockey_stick(p: Distribution, q: Distribution, epsilon: float) -> float:
    """The least delta at epsilon: the sum of what p has above `e^epsilon q`."""
    factor = math.exp(epsilon)
    above = sum(max(0.0, mass - factor * q.masses.get(outcome, 0.0)) for outcome, mass in p.masses.items())
    return above - factor * q.missing


def renyi(p: Distribution, q: Distribution, order: float) -> float:
    """The Renyi divergence of an order above 1."""
    total = 0.0
    for outcome, mass in p.masses.items():
        other = q.masses.get(outcome, 0.0) + q.missing
        if not mass:
            continue
        if not other:
            return math.inf
        total += mass**order * other ** (1 - order)
    return math.log(total) / (order - 1) if total > 0 else 0.0


def false_negatives(p: Distribution, q: Distribution, rate: float) -> float:
    """The least chance to take q for p, of tests that take p for q with this rate at most (Neyman and Pearson).

    An upper bound: of what was left out the test assumes the worst.
    """
    if rate < p.missing:
        return 1.0
    outcomes = {*p.masses, *q.masses}
    masses = [(p.masses.get(o, 0.0), q.masses.get(o, 0.0)) for o in outcomes]
    left, caught = rate - p.missing, 0.0
    for mine, theirs in sorted(masses, key=lambda m: m[1] / m[0] if m[0] else math.inf, reverse=True):
        share = 1.0 if mine <= left else left / mine
        caught += share * theirs
        left -= share * mine
        if left <= 0:
            break
    return 1 - caught


def gaussian_profile(mu: float, epsilon: float) -> float:
    """`Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)`."""
    if mu == 0:
        return 0.0
    return _phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * _phi(-mu / 2 - epsilon / mu)


def _phi(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2
