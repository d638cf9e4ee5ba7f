"""Formulas as MathML, to be shown by a browser. A door to sympy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import lookup
from xml.etree import ElementTree

from dpcore.errors import InvalidParameter
from dpcore.maps.kinds import sympy_module
from dpcore.maps.numbers import Number
from dpcore.maps.symbols import as_sympy

Element = ElementTree.Element

SHOWN: Final = frozenset(
    ["mrow", "mi", "mn", "mo", "mfrac", "msup", "msub", "msubsup", "msqrt", "mroot", "munder", "mtext"]
)
"""The elements that are written: all are part of MathML Core, which browsers show without help."""

_ENTITIES: Final = {"&InvisibleTimes;": "\N{DOT OPERATOR}", "&ExponentialE;": "e"}
_GREEK: Final = {
    name: lookup(f"GREEK SMALL LETTER {name}") for name in ("epsilon", "delta", "rho", "mu", "alpha", "beta", "sigma")
}
_EXTREMA: Final = ("inf", "sup")


def mathml(x: Number) -> str:
    """The content of a `math` element that shows the formula.

    sympy's printer does not escape the names of symbols. So no name but an identifier is let through, and what it printed
    is read as XML and written again, of known elements without attributes.
    """
    sp, shown = sympy_module(), as_sympy(x)
    named = [*shown.atoms(sp.Symbol), *(f.func for f in shown.atoms(sp.core.function.AppliedUndef))]
    for name in map(str, named):
        if not name.isidentifier():
            raise InvalidParameter(f"Expected names that can stand in a formula but got {name!r}", produced=name)
    printed = str(sp.mathml(shown, printer="presentation"))
    for entity, character in _ENTITIES.items():
        printed = printed.replace(entity, character)
    return "".join(
        ElementTree.tostring(each, encoding="unicode", short_empty_elements=False)
        for each in _plain(ElementTree.fromstring(f"<mrow>{printed}</mrow>"))
    )


def _plain(element: Element) -> Iterator[Element]:
    """The children of the element, each made of known elements only."""
    for child in element:
        inner = [*_plain(child)]
        if child.tag == "mfenced":  # of older printers; no browser shows it
            inner = _fenced(inner)
        if child.tag == "mi" and not inner:
            yield _name(child.text or "")
            continue
        made = Element(child.tag if child.tag in SHOWN else "mrow")
        made.text = "\N{MINUS SIGN}" if child.text == "-" else child.text
        made.extend(inner)
        yield inner[0] if made.tag == "mrow" and len(inner) == 1 else made


def _fenced(inner: list[Element]) -> list[Element]:
    listed = [each for item in inner for each in (_leaf("mo", ","), item)][1:]
    return [_leaf("mo", "("), *listed, _leaf("mo", ")")]


def _name(name: str) -> Element:
    """`epsilon_1` with its index below, `inf_alpha` with what it runs over."""
    head, _, index = name.partition("_")
    if index and (head in _EXTREMA or head in _GREEK):
        made = Element("munder" if head in _EXTREMA else "msub")
        made.extend([_leaf("mo" if head in _EXTREMA else "mi", _GREEK.get(head, head)), _name(index)])
        return made
    return _leaf("mi", _GREEK.get(name, name))


def _leaf(tag: str, text: str) -> Element:
    made = Element(tag)
    made.text = text
    return made
