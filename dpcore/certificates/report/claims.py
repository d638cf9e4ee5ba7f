"""The claims of a certificate: what is lost, between data how far apart, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast, final

from dpcore.certificates.report.figures import Figure, above, below
from dpcore.certificates.report.markup import greek
from dpcore.parameters import Json

TITLES: Final[Mapping[str, str]] = {
    "pure": "Pure differential privacy",
    "approx": "Approximate differential privacy",
    "zcdp": "Zero-concentrated differential privacy",
    "renyi": "R\N{LATIN SMALL LETTER E WITH ACUTE}nyi differential privacy",
    "gaussian": "Gaussian differential privacy",
    "total_variation": "Privacy in total variation",
    "profile": "A privacy profile",
    "tradeoff": "A trade-off curve",
}

MEANINGS: Final[Mapping[str, str]] = {
    "pure": "Nothing that can be released is more than `e^epsilon` times as likely from one of the two data sets as "
    "from the other.",
    "approx": "Whatever the release may show, `P(shown from the one) <= e^epsilon P(shown from the other) + delta`.",
    "zcdp": "The Renyi divergence of every order `alpha > 1` between the two releases is at most `rho alpha`.",
    "renyi": "At each order alpha that is named, the Renyi divergence between the two releases is at most the figure.",
    "gaussian": "Telling the two apart is no easier than telling one draw of `N(0, 1)` from one of `N(mu, 1)`.",
    "total_variation": "Nothing that the release may show differs in its probability by more than `delta` between the two. "
    "Of what happens more rarely than that, this says nothing: it may reveal everything.",
    "profile": "At each epsilon that is named, `P(shown from the one) <= e^epsilon P(shown from the other) + delta`.",
    "tradeoff": "A test whose false-positive rate is alpha, as named, has at least the false-negative rate beside it.",
}

_POINTS: Final[Mapping[str, tuple[str, str]]] = {
    "renyi": ("epsilon", "alpha"), "profile": ("delta", "epsilon"), "tradeoff": ("beta", "alpha")
}  # fmt: skip


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
    def sign(self) -> str:
        return "\N{GREATER-THAN OR EQUAL TO}" if self.at_least else "\N{LESS-THAN OR EQUAL TO}"

    @property
    def symbol(self) -> str:
        at = "" if self.at is None else f"({greek(self.at[0])} = {self.at[1]})"
        return greek(self.name) + at

    def __str__(self) -> str:
        return f"{self.symbol} {self.sign} {self.figure}"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """Between data `d_in` apart the loss is at most this, in that measure."""

    d_in: Fraction
    measure: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        return TITLES.get(self.measure, self.measure)

    @property
    def points(self) -> list[tuple[Fraction, Fraction]]:
        """Of a curve, the points that are claimed."""
        return [(part.at[1], part.value) for part in self.parts if part.at is not None]

    def value(self, name: str) -> Fraction:
        """The figure of that name."""
        return next(part.value for part in self.parts if part.name == name)


def claims(data: Mapping[str, Json]) -> tuple[Claim, ...]:
    """The claims of a certificate that was verified."""
    return tuple(_claim(each) for each in cast("list[dict[str, Json]]", data["claims"]))


def _claim(given: Mapping[str, Json]) -> Claim:
    measure, loss = cast(str, given["measure"]), cast("dict[str, Json]", given["loss"])
    if measure in _POINTS:
        name, over = _POINTS[measure]
        points = cast("list[list[str]]", loss["points"])
        parts = [Part(name, (over, Fraction(x)), Fraction(y), measure == "tradeoff") for x, y in points]
    else:
        order = [name for name in ("epsilon", "delta", "rho", "mu") if name in loss]
        parts = [Part(name, None, Fraction(cast(str, loss[name])), at_least=False) for name in order]
    return Claim(Fraction(cast(str, given["d_in"])), measure, tuple(parts))
