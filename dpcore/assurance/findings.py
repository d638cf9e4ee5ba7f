"""What is wrong with an arrow: the kind of fault, and the smallest data that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from dpcore.maps.bounds import Bound

Kind: TypeAlias = Literal[
    "unstable", "too lossy", "depends on the order of rows", "two calls disagree", "changes its input",
    "depends on the carrier",
    "output outside its domain", "fails", "map fails", "map is negative", "map is not 0 at 0", "map is not monotone",
]  # fmt: skip

WHAT: dict[Kind, str] = {
    "unstable": "the outputs are farther apart than the map allows",
    "too lossy": "the releases are easier to tell apart than the loss allows",
    "depends on the order of rows": "the same rows in another order give another output",
    "depends on the carrier": "the same rows, held in another way, give another output",
    "two calls disagree": "two calls on the same data give different outputs",
    "changes its input": "the data are changed by the call",
    "output outside its domain": "the output is no member of the output domain",
    "fails": "the function raises on members of its input domain",
    "map fails": "the map raises at a distance",
    "map is negative": "the map gives less than 0",
    "map is not 0 at 0": "the map gives more than 0 at distance 0",
    "map is not monotone": "the map gives less at a larger distance",
}


OF_ONE: tuple[Kind, ...] = (
    "changes its input", "two calls disagree", "depends on the carrier", "output outside its domain", "fails",
)  # fmt: skip
"""What one data set shows alone."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, with the smallest example of it that was found."""

    kind: Kind
    x: object = None
    y: object = None
    d_in: Bound | float | None = None
    d_out: Bound | float | None = None
    claimed: Bound | float | None = None
    note: str = ""
    has_data: bool = True
    within: str = ""
    """The transformation at fault, where it is a part of the arrow that was attacked; the data are its own."""

    def __str__(self) -> str:
        lines = [f"{self.kind}: {WHAT[self.kind]}{': ' if self.note else ''}{self.note}"]
        if self.within:
            lines.append(f"  in {self.within}")
        if self.has_data:
            lines.append(f"  x = {self.x!r}")
            if self.kind not in OF_ONE:
                lines.append(f"  y = {self.y!r}")
        said = (("d_in", self.d_in), ("true", self.d_out), ("claimed", self.claimed))
        lines += [f"  {name:<7} = {value}" for name, value in said if value is not None]
        return "\n".join(lines)
