"""What an audit has shown: a lower bound that holds with a stated confidence, beside the claim."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, final

from dpcore.assurance.events import Event
from dpcore.maps.bounds import Bound


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """A statistical lower bound beside the claim."""

    mechanism: str
    figure: Literal["epsilon", "delta"]
    """What is bounded: epsilon at a delta, or delta at epsilon 0."""
    at: Fraction
    """The delta, or the epsilon."""
    bound: Bound
    """With the stated confidence, the true figure is at least this."""
    claimed: Bound | None
    confidence: Fraction
    n: int
    """Releases on each of the two data sets."""
    event: Event

    @property
    def exceeded(self) -> bool:
        """Whether the lower bound lies above the claim, which is then wrong."""
        return self.claimed is not None and self.bound.lower > self.claimed.upper

    def __str__(self) -> str:
        at = "delta" if self.figure == "epsilon" else "epsilon"
        verdict = " EXCEEDED" if self.exceeded else ""
        claimed = "nothing" if self.claimed is None else f"{float(self.claimed):.6g}"
        event = self.event
        side = ("x", "y") if event.likelier_on_x else ("y", "x")
        return "\n".join(
            [
                self.mechanism,
                f"  {self.figure} >= {self.bound.downward + 0.0:.6g} at {at} = {float(self.at):.6g}, "
                f"with confidence {float(self.confidence):.15g}",
                f"  claimed: {claimed}{verdict}",
                f"  event: {event.statistic} >= {event.threshold + 0.0:.6g}, "
                f"{event.hits} times on {side[0]} and {event.other_hits} times on {side[1]}, of {event.of} each",
            ]
        )
