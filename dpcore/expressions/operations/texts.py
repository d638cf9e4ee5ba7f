"""Simple text: case, surrounding blanks, length, and plain substrings. No patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dpcore.domains import Booleans, Categories, Domain, Integers, Text
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import method
from dpcore.expressions.shapes import TEXT, Shape, distinct, expect


def lower(x: str) -> str:
    return x.lower()


def upper(x: str) -> str:
    return x.upper()


def strip(x: str) -> str:
    """Without blanks at either end."""
    return x.strip()


def length(x: str) -> int:
    """In code points."""
    return len(x)


def starts_with(x: str, start: str) -> bool:
    return x.startswith(start)


def contains(x: str, part: str) -> bool:
    return part in x


def _texts(domain: Domain) -> list[str] | None:
    """All the texts there are, where they are known."""
    expect(domain, TEXT)
    if isinstance(domain, Categories):
        return [value for value in domain.values if isinstance(value, str)]
    return None


def _mapped(compute: Callable[[str], str]) -> Callable[[Domain], Shape]:
    def shape(x: Domain) -> Shape:
        known = _texts(x)
        return Shape(Text() if known is None else Categories(distinct(tuple(map(compute, known)))))

    return shape


def _length_shape(x: Domain) -> Shape:
    known = _texts(x)
    return Shape(Integers(0) if known is None else Integers(min(map(len, known)), max(map(len, known))))


def _tested(x: Domain, part: Domain) -> Shape:
    expect(x, TEXT)
    expect(part, TEXT)
    return Shape(Booleans())


def _a_text(part: object) -> str | None:
    return None if isinstance(part, str) else f"Expected a text but got {part!r}"


TABLE: Final = (
    Operation("lower", 1, lower, _mapped(lower), method("lower")),
    Operation("upper", 1, upper, _mapped(upper), method("upper")),
    Operation("strip", 1, strip, _mapped(strip), method("strip")),
    Operation("length", 1, length, _length_shape, method("length")),
    Operation("starts_with", 2, starts_with, _tested, method("starts_with"), constants=1, demand=_a_text),
    Operation("contains", 2, contains, _tested, method("contains"), constants=1, demand=_a_text),
)
