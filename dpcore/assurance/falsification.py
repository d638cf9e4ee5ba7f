"""A search for data that break the claim of an arrow, made as small as possible.

Nothing found is no proof: it says that so many pairs of data sets were tried. The search is deterministic by its seed.

Up to four transformations inside a measurement are tried on all examples each, so a chain is attacked as thoroughly as its
links. Where a composition holds more, they share the examples of four, lest the time grow with their number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from dpcore.assurance.arrows import AnyMeasurement, is_measurement, is_transformation, known_arrow
from dpcore.assurance.findings import Finding
from dpcore.assurance.inside import inside
from dpcore.assurance.shape import shape_faults
from dpcore.core.checks import number_of
from dpcore.core.origins import Arrow
from dpcore.errors import InvalidParameter, NoDistribution, NotCertifiable
from dpcore.extras import require

if TYPE_CHECKING:
    from dpcore.assurance.suspicions import Search

EXAMPLES: Final = 500
SHARE_OF_RELEASES: Final = 10
"""A distribution takes longer than an image, so a measurement is tried on so many times fewer pairs."""
THOROUGHLY: Final = 4
"""So many transformations of a measurement are tried on all examples; where there are more, they share as many pairs."""
LEAST: Final = 25
"""On fewer pairs none of them is tried, unless fewer examples were asked for."""


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

    def evidence(self) -> str:
        """The line that a certificate takes over; refused where it speaks against the claim."""
        if self.found:
            raise NotCertifiable("the evidence is against the claim", produced=self.findings[0])
        not_looked_at = f"; not looked at: {self.not_looked_at}" if self.not_looked_at else ""
        return (
            f"falsify: nothing found in {self.tried} pairs of data sets, seed {self.seed}{not_looked_at}: {self.arrow}"
        )

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
    rows or on who holds them (a list or arrays, also beside a row that has arrays laid out otherwise), differs between two
    calls, or is no member of the output domain; data that are changed; a map that is negative, not 0 at 0, or not monotone.
    Of a measurement: its map; every transformation inside it, in compositions, parts and below conversions too, each by
    itself on the data that reach it; and, where the distribution of its releases can be written out, a pair of small data
    sets between which it loses more than it claims. What could not be reached is named.
    """
    examples, seed = number_of(examples, "examples", 1), number_of(seed, "seed", 0)
    known = known_arrow(arrow)
    require("hypothesis", "assurance")
    from dpcore.assurance.suspicions import Search

    search = Search(examples, seed)
    findings, left = list(shape_faults(known)), ""
    if _is_map(findings) and is_transformation(known):
        findings += search.of_moves(known, known.input, examples)
    elif _is_map(findings) and is_measurement(known):
        more, left = _in_measurement(known, search)
        findings += more
    return Falsification(repr(arrow), tuple(findings), search.tried, seed, left)


def _is_map(faults: list[Finding]) -> bool:
    """Whether the map can be asked at all distances."""
    return all(fault.kind not in ("map fails", "map is negative") for fault in faults)


def _in_measurement(m: AnyMeasurement, search: Search) -> tuple[list[Finding], str]:
    known = inside(m)
    left = [f"the transformations in {said}" for said in known.unforeseen]
    examples = _shared(search.examples, len(known.transformations))
    for f, space in known.transformations:
        found = list(shape_faults(f))
        if _is_map(found):
            try:
                found += search.of_moves(f, space, examples)
            except InvalidParameter as error:
                left.append(f"{f!r}, as {error.headline}")
        if found:
            return [replace(finding, within=repr(f)) for finding in found], "; ".join(left)
    try:
        return search.of_releases(m, max(1, search.examples // SHARE_OF_RELEASES)), "; ".join(left)
    except NoDistribution as error:
        return [], "; ".join([*left, f"releases, as {error.headline}"])


def _shared(examples: int, n: int) -> int:
    """How many examples each of n transformations is tried on."""
    return min(examples, max(LEAST, THOROUGHLY * examples // max(1, n)))
