"""A chart as SVG: lines over a square from 0 to 1, each with a name. It needs no package, and no text becomes an element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, final
from xml.etree import ElementTree

Point: TypeAlias = tuple[float, float]
Lines: TypeAlias = Mapping[str, Sequence[Point]]

LEFT, TOP, SIDE, ROW = 56, 12, 300, 20
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
INK, QUIET, PAPER, GRID = "#1f2430", "#5b6270", "#ffffff", "#e3e6eb"
FONT: Final = "font-family:system-ui,sans-serif;font-size:12.5px"

STROKES: Final = (
    ("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 3"), ("#cc79a7", "9 3 2 3"), ("#e69f00", "4 2"), ("#56b4e9", "1 2"),
)  # fmt: skip
"""Colours that differ for every eye (Okabe and Ito 2008), and dashes for whoever prints without colours."""


@final
@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG picture, which notebooks show."""

    svg: str

    def save(self, path: str | Path) -> None:
        """Into a file; one that is there is written over."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture: SVG of {len(self.svg)} characters>"


def chart(lines: Lines, title: str, across: str, up: str, guess: Sequence[Point]) -> Picture:
    """The lines, and a dashed one for guessing."""
    width, height = LEFT + SIDE + 14, TOP + SIDE + 56 + ROW * len(lines)
    svg = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=str(width), height=str(height),
        role="img", style=FONT,
    )  # fmt: skip
    _add(svg, "title", title)
    _add(svg, "desc", f"{up} over {across}: {'; '.join(lines)}.")
    _add(svg, "rect", width=str(width), height=str(height), fill=PAPER)
    _axes(svg, across, up)
    _line(svg, guess, QUIET, "5 4", "1.5")
    for number, (name, points) in enumerate(lines.items()):
        colour, dash = STROKES[number % len(STROKES)]
        _line(svg, points, colour, dash, "2.5")
        y = TOP + SIDE + 60 + ROW * number
        _line(svg, [_place(LEFT, y - 4), _place(LEFT + 28, y - 4)], colour, dash, "2.5")
        _add(svg, "text", name, x=str(LEFT + 36), y=str(y), fill=INK)
    return Picture(ElementTree.tostring(svg, encoding="unicode"))


def _axes(svg: ElementTree.Element, across: str, up: str) -> None:
    bottom, middle = TOP + SIDE, TOP + SIDE // 2
    for t in TICKS:
        _line(svg, [(t, 0), (t, 1)], GRID, "", "1")
        _line(svg, [(0, t), (1, t)], GRID, "", "1")
        x, y = _pixels((t, t))
        _add(svg, "text", f"{t:g}", x=f"{x:g}", y=str(bottom + 18), fill=QUIET, **{"text-anchor": "middle"})
        _add(svg, "text", f"{t:g}", x=str(LEFT - 8), y=f"{y + 4:g}", fill=QUIET, **{"text-anchor": "end"})
    _add(svg, "text", across, x=str(LEFT + SIDE // 2), y=str(bottom + 38), fill=INK, **{"text-anchor": "middle"})
    turned = {"text-anchor": "middle", "transform": f"rotate(-90 14 {middle})"}
    _add(svg, "text", up, x="14", y=str(middle), fill=INK, **turned)


def _line(svg: ElementTree.Element, points: Sequence[Point], colour: str, dash: str, width: str) -> None:
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in map(_pixels, points))
    style = {"stroke-width": width, "stroke-linejoin": "round", **({"stroke-dasharray": dash} if dash else {})}
    _add(svg, "polyline", points=path, fill="none", stroke=colour, **style)


def _add(parent: ElementTree.Element, element: str, text: str | None = None, **attributes: str) -> None:
    ElementTree.SubElement(parent, element, attributes).text = text


def _pixels(point: Point) -> Point:
    x, y = point
    return LEFT + x * SIDE, TOP + (1 - y) * SIDE


def _place(x: float, y: float) -> Point:
    """What is drawn there."""
    return (x - LEFT) / SIDE, 1 - (y - TOP) / SIDE
