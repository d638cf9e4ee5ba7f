"""An HTML document as a test reads it: a tree that must be closed properly, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("meta", "link", "br", "hr", "img", "input"))


@dataclass
class Element:
    """An element, its attributes, and what it holds."""

    name: str
    attributes: dict[str, str]
    inner: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for each in self.inner:
            if isinstance(each, Element):
                yield from each.walk()

    def all(self, *names: str) -> list[Element]:
        return [each for each in self.walk() if each.name in names]

    def classed(self, name: str) -> list[Element]:
        return [each for each in self.walk() if name in each.attributes.get("class", "").split()]

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.inner)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in {tag}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inner.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"{self.open[-1].name} is closed by {tag}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inner.append(data)


def parsed(html: str) -> Element:
    """The document. Fails where elements are not closed in the order in which they were opened."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert len(parser.open) == 1, f"{parser.open[-1].name} is never closed"
    return parser.open[0]
