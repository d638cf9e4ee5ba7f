"""What is claimed: what is lost, between data how far apart, in numbers and in words. The first section of the report, and
the figures that the other sections work from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from dpcore.calculus.parameters import Data, entries, fields, text
from dpcore.measures import MEASURES
from dpcore.report.markup import Figure, Markup, above, below, between, definitions, folded, greek, join, prose, tag

LONG = 60
"""Exact values of more characters are folded away."""

POINTS = 6
"""Of a curve so many points are written large."""

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "pure": (
        "Pure differential privacy",
        "Nothing that can be released is more than `e^epsilon` times as likely from one of the two data sets as from the "
        "other.",
    ),
    "approx": (
        "Approximate differential privacy",
        "Whatever the release may show, `P(shown from the one) <= e^epsilon P(shown from the other) + delta`.",
    ),
    "zcdp": (
        "Zero-concentrated differential privacy",
        "The Renyi divergence of every order `alpha > 1` between the two releases is at most `rho alpha`.",
    ),
    "approximate_zcdp": (
        "Approximate zero-concentrated differential privacy",
        "All but `delta` of the one release is below a measure whose Renyi divergence of order alpha from the other is at "
        "most `rho alpha`, for every `alpha > 1`.",
    ),
    "renyi": (
        "R\N{LATIN SMALL LETTER E WITH ACUTE}nyi differential privacy",
        "At each order alpha that is named, the Renyi divergence between the two releases is at most the figure.",
    ),
    "gaussian": (
        "Gaussian differential privacy",
        "Telling the two apart is no easier than telling one draw of `N(0, 1)` from one of `N(mu, 1)`.",
    ),
    "total_variation": (
        "Privacy in total variation",
        "Nothing that the release may show differs in its probability by more than `delta` between the two. Of what "
        "happens more rarely than that, this says nothing: it may reveal everything.",
    ),
    "profile": (
        "A privacy profile",
        "At each epsilon that is named, `P(shown from the one) <= e^epsilon P(shown from the other) + delta`.",
    ),
    "tradeoff": (
        "A trade-off curve",
        "A test whose false-positive rate is alpha, as named, has at least the false-negative rate beside it.",
    ),
}
"""Of each measure its name, and what a claim in it means."""

_MEASURES: Final = {measure.name: measure for measure in MEASURES}


@final
@dataclass(frozen=True, slots=True)
class Part:
    """One figure of a loss: `epsilon <= 1`, or that at a point of a curve."""

    name: str
    at: tuple[str, Fraction] | None
    value: Fraction
    at_least: bool

    @property
    def figure(self) -> Figure:
        """Rounded to the safe side."""
        return (below if self.at_least else above)(self.value)

    @property
    def symbol(self) -> str:
        at = "" if self.at is None else f"({greek(self.at[0])} = {self.at[1]})"
        return greek(self.name) + at

    @property
    def start(self) -> str:
        """All but the figure."""
        sign = "\N{GREATER-THAN OR EQUAL TO}" if self.at_least else "\N{LESS-THAN OR EQUAL TO}"
        return f"{self.symbol} {sign} "

    @property
    def html(self) -> Markup:
        return join(self.start, self.figure.html)

    def __str__(self) -> str:
        return f"{self.start}{self.figure}"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """Between data `d_in` apart the loss is at most this, in that measure."""

    d_in: Fraction
    measure: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        return WORDS[self.measure][0]

    @property
    def meaning(self) -> str:
        return WORDS[self.measure][1]

    @property
    def points(self) -> list[tuple[Fraction, Fraction]]:
        """Of a curve, the points that are claimed."""
        return [(part.at[1], part.value) for part in self.parts if part.at is not None]

    def value(self, name: str) -> Fraction:
        """The figure of that name."""
        return next(part.value for part in self.parts if part.name == name)


def claims(data: Data) -> tuple[Claim, ...]:
    """The claims of a certificate that was verified."""
    return tuple(_claim(fields(each)) for each in entries(data["claims"]))


def _claim(written: Data) -> Claim:
    measure, loss = _MEASURES[text(written["measure"])], fields(written["loss"])
    if measure.variable is not None:
        (name,), over, least = measure.figures, measure.variable, measure.name == "tradeoff"
        points = [map(text, entries(point)) for point in entries(loss["points"])]
        parts = [Part(name, (over, Fraction(x)), Fraction(y), at_least=least) for x, y in points]
    else:
        parts = [Part(name, None, Fraction(text(loss[name])), at_least=False) for name in measure.figures]
    return Claim(Fraction(text(written["d_in"])), measure.name, tuple(parts))


def headline(claim: Claim) -> str:
    """The claim in one line of plain text."""
    return f"{claim.title}: {', '.join(map(str, claim.parts[:2]))}{_and_more(claim)}"


def heading(claim: Claim) -> Markup:
    """The same, as it is set."""
    figures = [tag("span", part.html, cls="number") for part in claim.parts[:2]]
    return join(f"{claim.title}: ", between(", ", figures), _and_more(claim))


def _and_more(claim: Claim) -> str:
    return ", ..." if len(claim.parts) > 2 else ""


def claimed(claims: tuple[Claim, ...], neighbours: str) -> Markup:
    """Each claim as a card."""
    return join(*(_card(claim, neighbours) for claim in claims))


def _card(claim: Claim, neighbours: str) -> Markup:
    large = [tag("li", part.html) for part in claim.parts[:POINTS]]
    more = len(claim.parts) - POINTS
    return tag(
        "div",
        tag("ul", *large, cls="figures points" if claim.points else "figures", aria_label="The claim"),
        tag("p", f"and {more} more points, below.", cls="quiet small") if more > 0 else "",
        tag("p", tag("strong", claim.title), f", between data {claim.d_in} apart, where 1 apart is: {neighbours}."),
        tag("p", prose(claim.meaning)),
        _exactly(claim),
        cls="claim",
    )


def _exactly(claim: Claim) -> Markup:
    """The exact values: beside the decimals, which are rounded to the safe side."""
    if all(part.figure.exact and part.value.denominator == 1 for part in claim.parts):
        return tag("p", "These are the exact values.", cls="quiet small")
    values = [str(part.value) for part in claim.parts]
    rows = [(part.symbol, tag("code", exact)) for part, exact in zip(claim.parts, values, strict=True)]
    listing = definitions(rows, "small")
    if max(map(len, values)) > LONG or len(values) > POINTS:
        listing = folded("The exact values", listing, "fold")
    rounded = "Above, decimals are rounded to the side that promises less. Exactly as claimed:"
    return join(tag("p", rounded, cls="quiet small"), listing)
