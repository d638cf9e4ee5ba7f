"""Every pair of data sets of a small universe, tried: the true worst case beside what is claimed.

`UNSOUND` is proved by the pair that is named: the enclosure of what it does lies above the claim. `sound` holds for this
universe, not for larger data; where outcomes of a release were left out, it says of how much probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from dpcore.assurance.arrows import AnyMeasurement, AnyTransformation, as_measurement, is_transformation, known_arrow
from dpcore.assurance.line import Line, figure_shown
from dpcore.assurance.universe import Members, members, some_atoms
from dpcore.assurance.worst_cases import worst_losses, worst_moves
from dpcore.core.checks import number_of
from dpcore.core.origins import Arrow
from dpcore.domains import Parts, Rows
from dpcore.errors import InvalidParameter, NotCertifiable, is_a


@final
@dataclass(frozen=True, slots=True)
class Exhaustion:
    """What trying every pair of a universe has shown. `str` prints it as a table."""

    arrow: str
    lines: tuple[Line, ...]
    """The worst pair at each distance, the least distance first."""
    members: int
    atoms: tuple[object, ...]
    rows: int | None
    """So many rows at most; None where data are not rows."""
    left_out: Fraction = field(default=Fraction(0))
    """Of no release is the probability of outcomes that were not looked at above this."""

    @property
    def sound(self) -> bool:
        """Whether no pair of this universe breaks the claim."""
        return all(line.verdict != "UNSOUND" for line in self.lines)

    @property
    def tight(self) -> bool:
        """Whether the claim is reached at some distance above 0."""
        return self.sound and any(line.verdict == "sound and tight" for line in self._beyond_zero())

    @property
    def worst(self) -> Line:
        """The line that uses its claim most; of equals, the one at the least distance."""
        return max(self._beyond_zero() or self.lines, key=lambda line: line.use)

    @property
    def verdict(self) -> str:
        """`sound and tight`, `sound, looser by x` at the distance where it is nearest, or `UNSOUND`."""
        broken = next((line for line in self.lines if line.verdict == "UNSOUND"), None)
        if broken is not None:
            return "UNSOUND"
        return "sound and tight" if self.tight else str(self.worst)

    def evidence(self) -> str:
        """The line that a certificate takes over; refused where it speaks against the claim."""
        if not self.sound:
            raise NotCertifiable("the evidence is against the claim", produced=self.verdict)
        rows = "" if self.rows is None else f" of at most {self.rows} rows"
        return f"exhaust: {self.verdict}, {self.members} data sets{rows}: {self.arrow}"

    def _beyond_zero(self) -> list[Line]:
        return [line for line in self.lines if line.steps > 0]

    def __str__(self) -> str:
        head = ("d_in", "figure", "true worst", "claimed", "verdict")
        rows = [(str(x.d_in), x.figure, figure_shown(x.true), figure_shown(x.claimed), str(x)) for x in self.lines]
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(5)]
        table = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
        ]
        said = [f"{self.arrow}", f"  {self.verdict}: {self.members} data sets {self._universe()}"]
        if self.left_out:
            said.append(f"  outcomes of a probability of at most {float(self.left_out):.1e} were left out")
        said += ["  " + row for row in table]
        for line in self.lines:
            if line.verdict == "UNSOUND":
                said += [f"  at d_in = {line.d_in}:", f"    x = {line.x!r}", f"    y = {line.y!r}"]
        return "\n".join(said)

    def _universe(self) -> str:
        atoms = ", ".join(map(repr, self.atoms))
        return f"of {atoms}" if self.rows is None else f"of at most {self.rows} rows, each one of {atoms}"


def exhaust(arrow: Arrow, universe: Sequence[object] | None = None, rows: int = 3) -> Exhaustion:
    """Try every pair of data sets: `exhaust(total, universe=[0, 1, 7], rows=3)`.

    `universe` holds values of a row (of a number, or of the coordinates of a vector); without one, a few are taken from
    the domain and from the constants of the arrow. `rows` is the most rows of a data set.
    """
    rows = number_of(rows, "rows", 0)
    if universe is not None and (isinstance(universe, str) or not is_a(universe, Sequence)):
        raise InvalidParameter(f"Expected a list of values for universe but got a {type(universe).__name__}")
    if universe is not None and not universe:
        raise InvalidParameter("Expected at least one value in universe")
    known = known_arrow(arrow)
    atoms = some_atoms(known.input, known.derivation) if universe is None else tuple(universe)
    tried = members(known.input, atoms, rows)
    for x in tried:
        known.input.domain.check(x, "data made of this universe")
    lines, left_out = _lines(known, tried)
    if not lines:
        raise InvalidParameter("no two data sets of this universe are a finite distance apart", produced=atoms)
    most = rows if isinstance(known.input.domain, (Rows, Parts)) else None
    return Exhaustion(repr(arrow), lines, len(tried), atoms, most, left_out)


def _lines(arrow: AnyTransformation | AnyMeasurement, tried: Members) -> tuple[tuple[Line, ...], Fraction]:
    if is_transformation(arrow):
        return worst_moves(arrow, tried), Fraction(0)
    return worst_losses(as_measurement(arrow), tried)
