"""A search for data that break the claim of an arrow, made as small as possible.

Nothing found is no proof: it says that so many pairs of data sets were tried. The search is deterministic by its seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from dpcore.assurance.arrows import (
    AnyMeasurement,
    AnyTransformation,
    as_measurement,
    as_transformation,
    is_transformation,
    known_arrow,
)
from dpcore.assurance.extras import require
from dpcore.assurance.findings import Finding
from dpcore.assurance.shape import shape_faults
from dpcore.checks import number_of
from dpcore.errors import NoDistribution
from dpcore.origins import Arrow, Chained

if TYPE_CHECKING:
    from dpcore.assurance.suspicions import Search

EXAMPLES: Final = 500
SHARE_OF_RELEASES: Final = 10
"""A distribution takes longer than an image, so a measurement is tried on so many times fewer pairs."""


@final
@dataclass(frozen=True, slots=True)
class Falsification:
    """What the search has found. `str` prints it with the data."""

    arrow: str
    findings: tuple[Finding, ...]
    """The faults, each with its smallest example."""
    tried: int
    """How many pairs of data sets were looked at."""
    seed: int
    not_looked_at: str = ""
    """What could not be tried, and why."""

    @property
    def found(self) -> bool:
        """Whether the arrow is broken."""
        return bool(self.findings)

    def __str__(self) -> str:
        said = [self.arrow]
        if not self.findings:
            said.append(f"  nothing found in {self.tried} pairs of data sets (seed {self.seed})")
        said += ["  " + line for finding in self.findings for line in str(finding).splitlines()]
        if self.not_looked_at:
            said.append(f"  not looked at: {self.not_looked_at}")
        return "\n".join(said)


def falsify(arrow: Arrow, *, examples: int = EXAMPLES, seed: int = 0) -> Falsification:
    """Search for a counterexample to what an arrow claims: `print(falsify(total))`.

    Of a transformation: data x and y farther apart afterwards than the map allows; an output that depends on the order of
    rows, differs between two calls, or is no member of the output domain; data that are changed; a map that is negative,
    not 0 at 0, or not monotone. Of a measurement: its map; its transformations; and, where the distribution of its
    releases can be written out, a pair of small data sets between which it loses more than it claims.
    """
    number_of(examples, "examples", 1)
    number_of(seed, "seed", 0)
    known = known_arrow(arrow)
    require("hypothesis", "assurance")
    from dpcore.assurance.suspicions import Search

    findings = list(shape_faults(known))
    map_works = all(finding.kind not in ("map fails", "map is negative") for finding in findings)
    search = Search(examples, seed)
    left = ""
    if map_works and is_transformation(arrow):
        findings += search.of_moves(as_transformation(arrow))
    elif map_works:
        more, left = _in_measurement(as_measurement(arrow), search)
        findings += more
    return Falsification(repr(arrow), tuple(findings), search.tried, seed, left)


def _in_measurement(m: AnyMeasurement, search: Search) -> tuple[list[Finding], str]:
    for link in _transformations(m):
        if found := search.of_moves(link):
            return found, ""
    try:
        return search.of_releases(m, max(1, search.examples // SHARE_OF_RELEASES)), ""
    except NoDistribution as error:
        return [], f"releases, as {error.headline}"


def _transformations(m: AnyMeasurement) -> list[AnyTransformation]:
    """The transformations that lead to the noise."""
    arrows = m.origin.arrows if isinstance(m.origin, Chained) else ()
    return [as_transformation(arrow) for arrow in arrows if is_transformation(arrow)]
