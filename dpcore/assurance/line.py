"""One line of what trying every pair has shown: the worst pair at a distance, its true figure beside the claimed one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, final

from dpcore.maps.bounds import Bound

Verdict: TypeAlias = Literal["sound and tight", "sound, looser", "UNSOUND"]

WIDTH = Fraction(1, 1 << 60)
"""What enclosures may be apart by, relatively, of figures that are the same number."""

NEAR = Fraction(1, 10**4)
"""Where outcomes were left out, a loss this near to the claim, relatively, is tight: they may be worth so much."""


@final
@dataclass(frozen=True, slots=True)
class Line:
    """The worst pair at one distance."""

    d_in: Bound
    figure: str
    """What is compared: an output distance, or a figure of a loss."""
    true: Bound | float
    """What the worst pair does; infinite where no finite figure holds for it."""
    claimed: Bound
    x: object
    y: object
    exact: bool
    """Whether the true figure is the whole truth about the pair; otherwise it is surely not above it."""
    steps: int | Fraction
    """The distance as it is carried."""

    @property
    def verdict(self) -> Verdict:
        if isinstance(self.true, float) or self.true.lower > self.claimed.upper:
            return "UNSOUND"
        tolerance = (WIDTH if self.exact else NEAR) * self.claimed.upper
        return "sound and tight" if self.claimed.upper - self.true.upper <= tolerance else "sound, looser"

    @property
    def use(self) -> float:
        """True over claimed: 1 where the claim is reached, above 1 where it is wrong, and 0 where nothing is claimed."""
        if isinstance(self.true, float):
            return self.true
        if self.claimed.upper <= 0:
            return float("inf") if self.verdict == "UNSOUND" else 0.0
        return float(self.true.lower / self.claimed.upper)

    def __str__(self) -> str:
        if self.verdict != "sound, looser" or isinstance(self.true, float):
            return self.verdict
        return f"sound, looser by {float(self.claimed.upper - self.true.lower):.6g}"


def figure_shown(x: Bound | float) -> str:
    if isinstance(x, float):
        return "infinite"
    known = x.printable
    return str(known) if known is not None and known.denominator < 10**6 else f"{float(x):.8g}"
