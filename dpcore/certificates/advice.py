"""What a certificate's claims are worth, beside being true: what whoever relies on them should not miss.

It follows from the claims and the space alone, so that no certificate says it: `attention` stands in the file and is what
the checkers derive; this is said wherever a certificate is read, of those made long ago too. It judges, and proves nothing.

    epsilon > 1         the odds of any two neighbouring data sets move by more than e (lecture notes; Dwork and Roth 2014)
    delta >= 1/n        a row picked at random may be published as it is: `random_row` is (0, 1/n)-private
    n epsilon < 1       whatever the n rows say: all of them replaced, odds move by less than e, and no answer tells much

n is only known where the number of rows is public.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from dpcore.certificates.document import Claim, Document, SpaceData

PER_DISTANCE: Final = ("ChangeOneDistance", "SymmetricDistance")
"""Metrics in which a distance counts rows."""


DIGITS: Final = 18
"""Of a number of rows; what is longer was written by an attacker."""


def advice(document: Document) -> tuple[str, ...]:
    """Of each claim at distance 1, or of less; of a curve nothing."""
    n = _size(document.space)
    return tuple(dict.fromkeys(line for claim in document.claims for line in _of(claim, n)))


def _size(space: SpaceData) -> int | None:
    """How many rows there are, where that is public and a distance counts them."""
    size = space.domain.get("size") if space.domain.get("kind") == "rows" else None
    known = (
        isinstance(size, str) and size.isdecimal() and len(size) <= DIGITS and space.metric.get("kind") in PER_DISTANCE
    )
    return int(str(size)) if known else None


def _of(claim: Claim, n: int | None) -> Iterator[str]:
    """Figures are per distance, so of a claim at distance d those of a group of d are compared with what d rows may cost."""
    epsilon, delta, d = claim.figures.get("epsilon"), claim.figures.get("delta"), claim.d_in
    if d <= 1 and epsilon is not None and epsilon > 1:
        yield f"epsilon is {_about(epsilon)}, above 1: between neighbouring data sets odds may move by more than e"
    if n and delta is not None and delta >= d / n and delta > 0:
        yield f"delta is {_about(delta)}, at or above 1/n for {n} rows: a row picked at random may be published as it is"
    if n and epsilon is not None and not delta and n * epsilon < d:
        yield (
            f"n epsilon is {_about(n * epsilon / d)} for {n} rows, below 1: were all of them replaced, odds would move by "
            "less than a factor of e, so that answers tell next to nothing"
        )


def _about(x: Fraction) -> str:
    """Also of a figure that no float holds: it may be an attacker's."""
    if x.denominator < 1000 and x < 10**DIGITS:
        return str(x)
    return f"about {float(x):.3g}" if x < 10**DIGITS else f"above 10^{DIGITS}"
