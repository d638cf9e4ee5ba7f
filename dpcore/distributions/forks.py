"""Running a release on every sequence of random choices.

The code that is run is the library's own. Where it draws a whole number below m, the run forks into m branches of
probability 1/m. Where it draws noise, it forks into one branch for each value, whose probability is enclosed by
`dpcore.noise` (the samplers themselves have tests of their own). Branches of a probability of at most `RARE` are left out.

Guarantee. Every mass is a rational, or a ball around the true probability of the branches that led to the outcome, which
is at most the probability of the outcome; and the masses and what is left out add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias, final

from dpcore.distributions.distribution import BITS, Distribution, left_out_of, settled
from dpcore.errors import Interruption, NoDistribution
from dpcore.maps import ONE, Number, numeral, precision
from dpcore.noise.bits import BitSource

RARE: Final = 1e-13
MOST_RUNS: Final = 200_000
HOPELESS: Final = 10 * MOST_RUNS
"""With so many ways in sight, none is taken."""
MOST_BRANCHES: Final = 1 << 16
TWICE: Final = 32
"""So many outcomes are drawn twice, to see whether the same choices lead to the same outcome."""

Branches: TypeAlias = tuple[tuple[Number, float], ...]
"""The probability of each branch, enclosed and to about 15 digits."""


_Way: TypeAlias = tuple[tuple[int, ...], Number, float, int]
"""Choices, how likely they are, and how many ways there would be if every choice had as many branches as these had."""


class Fork(Interruption):
    """A choice that the script does not cover."""

    def __init__(self, branches: Branches) -> None:
        self.branches = branches


@final
class Script(BitSource):
    """Makes the choices of a script, and raises `Fork` where it ends."""

    def __init__(self) -> None:
        self._script: Sequence[int] = ()
        self._made = 0

    def follow(self, script: Sequence[int]) -> None:
        self._script, self._made = script, 0

    def choose(self, branches: Branches) -> int:
        if self._made == len(self._script):
            raise Fork(branches)
        self._made += 1
        return self._script[self._made - 1]

    def bits(self, k: int) -> int:
        return self.below(1 << k)

    def below(self, m: int) -> int:
        if m < 1:
            raise ValueError(f"Expected a positive bound but got m={m}")
        if m > MOST_BRANCHES:
            raise NoDistribution(f"one of {m} numbers is drawn, which is too many to try", expected=MOST_BRANCHES)
        return self.choose(_equal(m))

    def fill(self, out: memoryview) -> None:
        raise NoDistribution("noise for many coordinates at once has too many outcomes to try")


@cache
def _equal(m: int) -> Branches:
    return ((numeral(1) / m, 1 / m),) * m


def distribution_of(prepare: Callable[[BitSource], Callable[[], object]]) -> Distribution:
    """The probability of every outcome of `prepare(bits)()`, where all randomness comes from those bits."""
    from dpcore.distributions.listed_noise import listed_noise  # every sampler: not for whoever only asks for a loss

    script = Script()
    run = prepare(script)
    found = _Found()
    with listed_noise():
        pending: list[_Way] = [((), ONE, 1.0, 1)]
        while pending:
            choices, mass, about, ways = pending.pop()
            script.follow(choices)
            try:
                outcome = run()
            except Fork as fork:
                likely = [(i, p, p_about) for i, (p, p_about) in enumerate(fork.branches) if about * p_about > RARE]
                found.complete = found.complete and len(likely) == len(fork.branches)
                ways *= len(likely)
                if found.runs + len(pending) > MOST_RUNS or ways > HOPELESS:
                    raise NoDistribution(f"there are more than {MOST_RUNS} ways this release can go") from None
                with precision(BITS):  # and not while the release runs, which may hold functions of the user
                    pending += [((*choices, i), mass * p, about * p_about, ways) for i, p, p_about in likely]
                continue
            key = settled(outcome)
            if found.runs < TWICE:
                script.follow(choices)
                _expect_again(key, run)
            with precision(BITS):
                found.add(key, outcome, mass, about)
        with precision(BITS):
            left_out = Fraction(0) if found.complete else left_out_of(found.masses.values())
    return Distribution(found.masses, found.floats, found.outcomes, left_out)


def _expect_again(key: Hashable, run: Callable[[], object]) -> None:
    """Refuse a release that has more randomness than the script knows of."""
    try:
        if settled(run()) == key:
            return
    except Fork:
        pass
    raise NoDistribution(
        "the same choices gave two outcomes: a function of the user draws coins of its own",
        bridge="dp.assurance.audit(...), which runs the release many times",
    )


@final
class _Found:
    """What the runs so far have led to."""

    def __init__(self) -> None:
        self.masses: dict[Hashable, Number] = {}
        self.floats: dict[Hashable, float] = {}
        self.outcomes: dict[Hashable, object] = {}
        self.complete = True
        self.runs = 0

    def add(self, key: Hashable, outcome: object, mass: Number, about: float) -> None:
        self.runs += 1
        if key in self.masses:
            self.masses[key] = self.masses[key] + mass
            self.floats[key] += about
        else:
            self.masses[key], self.floats[key], self.outcomes[key] = mass, about, outcome


def drawn(values: Sequence[int], branches: Branches, bits: BitSource) -> int:
    """A value of a listed distribution, as the script says."""
    assert isinstance(bits, Script)
    return values[bits.choose(branches)]
