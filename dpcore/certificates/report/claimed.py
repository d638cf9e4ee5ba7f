"""The first section: what is claimed, in numbers."""

from __future__ import annotations

from dpcore.certificates.report.claims import MEANINGS, Claim, Part
from dpcore.certificates.report.markup import Markup, folded, join, prose, tag

LONG = 60
"""Exact values of more characters are folded away."""

POINTS = 6
"""Of a curve so many points are written large."""


def headline(claim: Claim) -> str:
    """The claim in one line of plain text."""
    shown = ", ".join(map(str, claim.parts[:2])) + (", ..." if len(claim.parts) > 2 else "")
    return f"{claim.title}: {shown}"


def heading(claim: Claim) -> Markup:
    """The same, as it is set."""
    figures = [tag("span", f"{part.symbol} {part.sign} ", part.figure.html, cls="number") for part in claim.parts[:2]]
    more = ", ..." if len(claim.parts) > 2 else ""
    return join(f"{claim.title}: ", *[piece for figure in figures for piece in (", ", figure)][1:], more)


def claimed(claims: tuple[Claim, ...], neighbours: str) -> Markup:
    """Each claim as a card."""
    return join(*(_card(claim, neighbours) for claim in claims))


def _card(claim: Claim, neighbours: str) -> Markup:
    large = [_large(part) for part in claim.parts[:POINTS]]
    more = len(claim.parts) - POINTS
    return tag(
        "div",
        tag("ul", *large, cls="figures points" if claim.points else "figures", aria_label="The claim"),
        tag("p", f"and {more} more points, below.", cls="quiet small") if more > 0 else "",
        tag("p", tag("strong", claim.title), f", between data {claim.d_in} apart, where 1 apart is: {neighbours}."),
        tag("p", prose(MEANINGS.get(claim.measure, ""))),
        _exactly(claim),
        cls="claim",
    )


def _large(part: Part) -> Markup:
    return tag("li", f"{part.symbol} {part.sign} ", part.figure.html)


def _exactly(claim: Claim) -> Markup:
    """The exact values: beside the decimals, which are rounded to the safe side."""
    if all(part.figure.exact and part.value.denominator == 1 for part in claim.parts):
        return tag("p", "These are the exact values.", cls="quiet small")
    values = [str(part.value) for part in claim.parts]
    rows = [
        join(tag("dt", part.symbol), tag("dd", tag("code", value)))
        for part, value in zip(claim.parts, values, strict=True)
    ]
    listing = tag("dl", *rows, cls="small")
    rounded = "Above, decimals are rounded to the side that promises less. Exactly as claimed:"
    if max(map(len, values)) > LONG or len(values) > POINTS:
        return join(tag("p", rounded, cls="quiet small"), folded("The exact values", listing, cls="fold"))
    return join(tag("p", rounded, cls="quiet small"), listing)
