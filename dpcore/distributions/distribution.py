"""The probability of every outcome of a release: a rational where it is one, else an enclosure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.errors import InvalidParameter, NoDistribution
from dpcore.maps import ONE, ZERO, Number, Numeric, at_precision, confidence_of, ends, exact, known, total
from dpcore.maps.bounds import Bound

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

    def within(self, confidence: Numeric, value: object) -> Fraction:
        """The least a found with `P(|outcome - value| <= a) >= confidence`; of vectors, of all entries at once.

        Outcomes that were left out count as far away, and probabilities are taken at the lower ends of their enclosures.
        """
        sure = confidence_of(confidence)
        near = Fraction(0)
        for away, mass in sorted(
            ((_apart(outcome, value), ends(self.masses[key])[0]) for key, outcome in self.outcomes.items()),
            key=lambda pair: pair[0],
        ):
            near += mass
            if near >= sure:
                return away
        raise NoDistribution(f"rare outcomes were left out: those that are known have no probability of {sure}")

    def __len__(self) -> int:
        return len(self.masses)

    def __repr__(self) -> str:
        rest = "" if self.complete else f", others at most {float(self.left_out):.1e} together"
        return f"<Distribution of {len(self)} outcome{'' if len(self) == 1 else 's'}{rest}>"


def _apart(x: object, y: object) -> Fraction:
    """How far apart two numbers are; of several, those that are furthest apart."""
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)) and len(x) == len(y):
        return max(map(_apart, x, y), default=Fraction(0))
    if isinstance(x, Mapping) and isinstance(y, Mapping) and x.keys() == y.keys():
        return max((_apart(x[key], y[key]) for key in x), default=Fraction(0))
    if isinstance(x, bool) or isinstance(y, bool) or not isinstance(x, (int, Fraction)):
        raise InvalidParameter(
            f"Expected outcomes that are numbers, like the value, but got a {type(x).__name__} and a {type(y).__name__}"
        )
    return Fraction(abs(Fraction(x) - Fraction(known(exact(y, "value"), "value"))))


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
