"""HTML, written so that no text can become an element: what is not `Markup` is escaped."""

from __future__ import annotations

import re
from html import escape
from typing import TypeAlias, final
from unicodedata import lookup


@final
class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Inner: TypeAlias = "Markup | str"

EMPTY = frozenset(("meta", "line", "rect", "circle", "polyline", "polygon"))
"""Elements written without content."""


def text(x: Inner) -> Markup:
    """The text with all that HTML could read as an element made harmless, and what would turn or hide other text shown."""
    return x if isinstance(x, Markup) else Markup(escape(_visible(x), quote=True))


OWN = frozenset(
    "\n\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}\N{MULTIPLICATION SIGN}\N{CHECK MARK}\N{MINUS SIGN}"
    "\N{RIGHTWARDS ARROW FROM BAR}\N{LATIN SMALL LETTER E WITH ACUTE}\N{ALMOST EQUAL TO}"
    "\N{GREEK SMALL LETTER EPSILON}\N{GREEK SMALL LETTER DELTA}\N{GREEK SMALL LETTER RHO}\N{GREEK SMALL LETTER MU}"
    "\N{GREEK SMALL LETTER ALPHA}\N{GREEK SMALL LETTER BETA}\N{GREEK SMALL LETTER SIGMA}"
)
"""What the page itself writes beside ASCII. Any other character is somebody else's, and may look like another."""


def _visible(x: str) -> str:
    return "".join(c if " " <= c <= "~" or c in OWN else ascii(c)[1:-1] for c in x)


def join(*inner: Inner) -> Markup:
    return Markup("".join(map(text, inner)))


def tag(element: str, *inner: Inner, **attributes: str | None) -> Markup:
    """An element. `cls` is its class; a trailing `_` is dropped and others become `-`."""
    given = "".join(
        f' {"class" if key == "cls" else key.rstrip("_").replace("_", "-")}="{escape(_visible(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return (
        Markup(f"<{element}{given}/>") if element in EMPTY else Markup(f"<{element}{given}>{join(*inner)}</{element}>")
    )


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
    for ascii_sign, name in (("<=", "LESS-THAN OR EQUAL TO"), (">=", "GREATER-THAN OR EQUAL TO")):
        formula = formula.replace(ascii_sign, lookup(name))
    return re.sub(_LETTERS, lambda word: greek("epsilon" if word[0] == "eps" else word[0]), formula)


_LETTERS = r"(?<![A-Za-z])(epsilon|eps|delta|rho|mu|alpha|beta|sigma)(?![A-Za-z])"


def table(head: tuple[Inner, ...], rows: list[tuple[Inner, ...]], caption: str, cls: str | None = None) -> Markup:
    """A table in a box of its own, which scrolls where it is too wide; each row is headed by its first cell."""
    top = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    made = tag("table", tag("caption", caption), tag("thead", top), tag("tbody", *body), cls=cls)
    return tag("div", made, cls="wide", tabindex="0", role="region", aria_label=caption)


def folded(summary: Inner, *inner: Inner, cls: str | None = None, opened: bool = False) -> Markup:
    """What is seen only when it is asked for."""
    start = "<details" + (f' class="{escape(cls)}"' if cls else "") + (" open" if opened else "")
    return Markup(f"{start}>{tag('summary', summary)}{join(*inner)}</details>")
