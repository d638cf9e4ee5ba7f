"""Texts and numbers as HTML. No text can become an element: what is not `Markup` is escaped. A number is rounded to the
safe side and never looks exact where it is not. Every section of the report is written with these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact
from fractions import Fraction
from html import escape
from typing import TypeAlias, final
from unicodedata import lookup

from dpcore.calculus import Raw
from dpcore.maps import is_number
from dpcore.maps.bounds import Bound

# ---- texts -------------------------------------------------------------------------------------------------------------


@final
class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Inner: TypeAlias = "Markup | str"

EMPTY = frozenset(("meta", "line", "rect", "circle", "polyline", "polygon"))
"""Elements written without content."""

OWN = frozenset(
    "\n\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}\N{MULTIPLICATION SIGN}\N{CHECK MARK}\N{MINUS SIGN}"
    "\N{RIGHTWARDS ARROW FROM BAR}\N{LATIN SMALL LETTER E WITH ACUTE}\N{ALMOST EQUAL TO}"
    "\N{GREEK SMALL LETTER EPSILON}\N{GREEK SMALL LETTER DELTA}\N{GREEK SMALL LETTER RHO}\N{GREEK SMALL LETTER MU}"
    "\N{GREEK SMALL LETTER ALPHA}\N{GREEK SMALL LETTER BETA}\N{GREEK SMALL LETTER SIGMA}"
)
"""What the page itself writes beside ASCII. Any other character is somebody else's, and may look like another."""


def text(x: Inner) -> Markup:
    """The text with all that HTML could read as an element made harmless, and what would turn or hide other text shown."""
    return x if isinstance(x, Markup) else Markup(_escaped(x))


def _escaped(x: str) -> str:
    return escape("".join(c if " " <= c <= "~" or c in OWN else ascii(c)[1:-1] for c in x), quote=True)


def join(*inner: Inner) -> Markup:
    return Markup("".join(map(text, inner)))


def between(separator: str, pieces: Iterable[Inner]) -> Markup:
    """The pieces with the separator between them."""
    return Markup(text(separator).join(map(text, pieces)))


def tag(element: str, *inner: Inner, **attributes: str | None) -> Markup:
    """An element. `cls` is its class; a trailing `_` is dropped and others become `-`."""
    given = "".join(
        f' {"class" if key == "cls" else key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    start = f"<{element}{given}"
    return Markup(f"{start}/>") if element in EMPTY else Markup(f"{start}>{join(*inner)}</{element}>")


def definitions(rows: Iterable[tuple[Inner, Inner]], cls: str) -> Markup:
    """Words, and what each of them is."""
    return tag("dl", *(join(tag("dt", word), tag("dd", meaning)) for word, meaning in rows), cls=cls)


def table(head: tuple[Inner, ...], rows: list[tuple[Inner, ...]], caption: str, cls: str | None = None) -> Markup:
    """A table in a box of its own, which scrolls where it is too wide; each row is headed by its first cell."""
    top = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", top), tag("tbody", *body), cls=cls)
    return tag("div", whole, cls="wide", tabindex="0", role="region", aria_label=caption)


def folded(summary: Inner, inner: Inner, cls: str) -> Markup:
    """What is seen only when it is asked for."""
    return tag("details", tag("summary", summary), inner, cls=cls)


# ---- prose with formulas -----------------------------------------------------------------------------------------------


def prose(statement: str) -> Markup:
    """A statement in which `code` is marked by backticks."""
    pieces = re.split(r"`([^`]*)`", " ".join(statement.split()))
    return join(*(tag("code", _raised(_signs(piece))) if i % 2 else piece for i, piece in enumerate(pieces)))


def greek(name: str) -> str:
    return lookup(f"GREEK SMALL LETTER {name}")


def _raised(formula: str) -> Markup:
    """With exponents that are one word raised."""
    pieces = re.split(r"\^(-?\w+)", formula)
    return join(*(tag("sup", piece) if i % 2 else piece for i, piece in enumerate(pieces)))


def _signs(formula: str) -> str:
    """A formula in ASCII, in the signs that it stands for."""
    formula = formula.replace("<=", "\N{LESS-THAN OR EQUAL TO}").replace(">=", "\N{GREATER-THAN OR EQUAL TO}")
    return re.sub(_LETTERS, lambda word: greek("epsilon" if word[0] == "eps" else word[0]), formula)


_LETTERS = r"(?<![A-Za-z])(epsilon|eps|delta|rho|mu|alpha|beta|sigma)(?![A-Za-z])"

# ---- numbers -----------------------------------------------------------------------------------------------------------

DIGITS = 6

SHORT = 12
"""An exact value of no more characters is shown as it is."""


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """A number as it is shown: its decimal, and whether that is the number itself."""

    digits: str
    exponent: int
    """Of ten, by which the digits are to be multiplied; 0 where they stand alone."""

    exact: bool

    def __str__(self) -> str:
        return self.digits if self.exponent == 0 else f"{self.digits}e{self.exponent}"

    @property
    def html(self) -> Markup:
        if self.exponent == 0:
            return join(self.digits)
        power = tag("sup", str(self.exponent).replace("-", "\N{MINUS SIGN}"))
        factor = "" if self.digits == "1" else f"{self.digits} \N{MULTIPLICATION SIGN} "
        return tag("span", factor, "10", power, cls="number")


def above(x: Fraction, digits: int = DIGITS) -> Figure:
    """The least decimal of so many digits that is not below x."""
    return _figure(x, digits, ROUND_CEILING)


def below(x: Fraction, digits: int = DIGITS) -> Figure:
    """The greatest decimal of so many digits that is not above x."""
    return _figure(x, digits, ROUND_FLOOR)


def percent(x: Fraction) -> str:
    """A probability in percent, rounded up."""
    return f"{above(min(x, Fraction(1)) * 100, 3)}%"


def value(x: Raw | None) -> Markup:
    """A value of the derivation: `1/2` where that is short, else rounded up, `at most 1.19208`."""
    if x is None:
        return join("not known here")
    if isinstance(x, tuple):
        return join("(", value(x[0]), ", ", value(x[1]), ")")
    if not is_number(x):
        return join("a curve")
    bound = Bound(x)
    if bound.exact is not None and bound.printable is not None and len(str(bound.printable)) <= SHORT:
        return join(str(bound.printable))
    figure = above(bound.upper)
    return figure.html if bound.exact is not None and figure.exact else join("\N{LESS-THAN OR EQUAL TO} ", figure.html)


def _figure(x: Fraction, digits: int, rounding: str) -> Figure:
    context = Context(digits, rounding, MIN_EMIN, MAX_EMAX, traps=[])
    rounded = context.divide(Decimal(x.numerator), Decimal(x.denominator)).normalize(context)
    exact = not context.flags[Inexact]
    if not rounded:
        return Figure("0", 0, exact)
    magnitude = rounded.adjusted()
    if -4 <= magnitude <= digits + 2:
        return Figure(f"{rounded:f}", 0, exact)
    return Figure(f"{rounded.scaleb(-magnitude, context):f}", magnitude, exact)
