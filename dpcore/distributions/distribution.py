"""The probability of every outcome of a release: a rational where it is one, else an enclosure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.bounds import Bound
from dpcore.errors import NoDistribution
from dpcore.maps import ONE, ZERO, Number, at_precision, ends, total

BITS = 128
"""Bits of the balls in which probabilities are enclosed."""


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution:
    """What a release can be, and how likely. Rare outcomes may be left out."""

    masses: Mapping[Hashable, Number]
    """By the outcome as `settled` writes it."""

    floats: Mapping[Hashable, float]
    """The same to about 15 digits, for whoever looks for the worst case before enclosing it."""

    outcomes: Mapping[Hashable, object]
    """The outcomes as they are released."""

    left_out: Fraction
    """A rational at or above the probability of all outcomes that were left out together."""

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.left_out

    def probability(self, outcome: object) -> Bound:
        """How likely this outcome is, of those that were not left out."""
        return Bound(self.masses.get(settled(outcome), ZERO))

    def items(self) -> Iterator[tuple[object, Bound]]:
        """Every outcome with its probability."""
        return ((self.outcomes[key], Bound(mass)) for key, mass in self.masses.items())

    def __len__(self) -> int:
        return len(self.masses)

    def __repr__(self) -> str:
        rest = "" if self.complete else f", others at most {float(self.left_out):.1e} together"
        return f"<Distribution of {len(self)} outcome{'' if len(self) == 1 else 's'}{rest}>"


def left_out_of(masses: Iterable[Number]) -> Fraction:
    """A rational at or above what these probabilities lack of 1."""
    return max(Fraction(0), ends(at_precision(BITS, lambda: ONE - total(list(masses))))[1])


def settled(x: object) -> Hashable:
    """An outcome as somebody sees it who tells True from 1."""
    if isinstance(x, (list, tuple)):
        return type(x).__name__, tuple(map(settled, x))
    if isinstance(x, dict):  # in the order in which it lists its keys, which can be seen
        return "dict", tuple((settled(k), settled(v)) for k, v in x.items())
    if isinstance(x, float):  # 0.0 and -0.0 differ, and what is no number equals itself
        return type(x).__name__, x.hex()
    if type(x).__module__ == "numpy" and hasattr(x, "tolist"):
        return type(x).__name__, settled(x.tolist())
    try:
        hash(x)
    except TypeError:
        raise NoDistribution(f"outcomes of type {type(x).__name__} cannot be told apart", produced=type(x)) from None
    return type(x).__name__, x
