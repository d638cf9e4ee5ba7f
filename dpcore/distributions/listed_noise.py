"""Noise whose values are listed with their probabilities, for a source of bits that follows a script.

While a distribution is computed, the samplers of `dpcore.noise` ask a `Script` which value to give. Every other source
of bits, in this thread or another, is served by the sampler itself, as always.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import TypeAlias

from dpcore.distributions.forks import MOST_BRANCHES, RARE, Branches, Script, drawn
from dpcore.errors import NoDistribution
from dpcore.maps import Number, as_ball, upward
from dpcore.noise import discrete_gaussian, discrete_laplace, selection
from dpcore.noise.bits import BitSource

BITS = 160
"""More than the products need, so that a product is as good as its precision."""

Table: TypeAlias = tuple[Sequence[int], Branches]
Rational: TypeAlias = int | Fraction

_lock = threading.RLock()


def _new_lock() -> None:
    """In a forked child, where a thread that does not exist there may hold the old one for ever.

    Samplers that such a thread had replaced stay so: they serve every source of bits but a script as they always do.
    """
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_new_lock)


@contextmanager
def listed_noise() -> Iterator[None]:
    """The samplers, for scripts, as lists of values."""
    with _lock, ExitStack() as stack:
        stack.enter_context(_asked(discrete_laplace, "two_sided", _laplace))
        stack.enter_context(_asked(discrete_gaussian, "bell", _gaussian))
        stack.enter_context(_asked(selection, "permute_and_flip", _flipped))
        stack.enter_context(_asked(selection, "exponential", _weighted))
        yield


@contextmanager
def _asked(module: ModuleType, name: str, table: Callable[..., Table]) -> Iterator[None]:
    """The sampler of a module, which looks up a table where the bits are a script."""
    sampler: Callable[..., int] = getattr(module, name)

    def listed(*parameters: object) -> int:
        *given, bits = parameters
        assert isinstance(bits, BitSource)
        if not isinstance(bits, Script):
            return sampler(*parameters)
        return drawn(*table(*(tuple(x) if isinstance(x, list) else x for x in given)), bits)

    setattr(module, name, listed)
    try:
        yield
    finally:
        setattr(module, name, sampler)


@cache
def _laplace(p: int, q: int) -> Table:
    return _around_zero(lambda z: as_ball(discrete_laplace.mass(Fraction(p, q), z, BITS)))


@cache
def _gaussian(p: int, q: int) -> Table:
    return _around_zero(lambda z: as_ball(discrete_gaussian.mass(Fraction(p, q), z, BITS)))


def _around_zero(mass: Callable[[int], Number]) -> Table:
    """A symmetric distribution on the whole numbers, falling from 0 on, as far as it is not rare."""
    if _branch(mass(MOST_BRANCHES // 2))[1] > RARE:
        raise NoDistribution("the noise is too wide: it has too many values to try")
    right = [_branch(mass(0))]
    while (found := _branch(mass(len(right))))[1] > RARE:
        right.append(found)
    rare = _branch(mass(len(right)))  # one value of next to no probability, so that something is seen to be left out
    branches = [rare, *right[:0:-1], *right, rare]
    return range(-len(right), len(right) + 1), tuple(branches)


@cache
def _flipped(scores: tuple[Rational, ...], scale: Rational) -> Table:
    return _of_indices([as_ball(p) for p in selection.permute_and_flip_probabilities(scores, scale, BITS)])


@cache
def _weighted(scores: tuple[Rational, ...], scale: Rational) -> Table:
    return _of_indices([as_ball(p) for p in selection.exponential_probabilities(scores, scale, BITS)])


def _of_indices(probabilities: Sequence[Number]) -> Table:
    return range(len(probabilities)), tuple(map(_branch, probabilities))


def _branch(p: Number) -> tuple[Number, float]:
    return p, upward(p)
