"""A chart as SVG: lines, dots or bars over a square. It needs no package, and no text becomes an element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, final
from xml.etree import ElementTree

from dpcore.pictures.axis import UNIT, Axis

Point: TypeAlias = tuple[float, float]
Lines: TypeAlias = Mapping[str, Sequence[Point]]

LEFT, RIGHT, TOP, SIDE, ROW = 72, 24, 12, 300, 20
INK, QUIET, PAPER, GRID = "#1f2430", "#5b6270", "#ffffff", "#e3e6eb"
MIDDLE: Final = {"text-anchor": "middle"}
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


def chart(
    lines: Lines,
    title: str,
    across: str,
    up: str,
    *,
    guess: Sequence[Point] = (),
    x: Axis = UNIT,
    y: Axis = UNIT,
    dots: Lines | None = None,
    bars: Mapping[str, Sequence[float]] | None = None,
    keys: Sequence[str] = (),
) -> Picture:
    """Lines, dots and bars by name, and a dashed line for guessing. Bars stand in groups, one for each key."""
    named = [*lines, *(dots or {}), *(bars or {})]
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + 56 + ROW * len(named)
    svg = ElementTree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=str(width), height=str(height),
        role="img", style=FONT,
    )  # fmt: skip
    _add(svg, "title", title)
    _add(svg, "desc", f"{up} over {across or ', '.join(keys)}: {'; '.join(named)}.")
    _add(svg, "rect", width=str(width), height=str(height), fill=PAPER)
    _upright(svg, y, up)
    if keys:
        _groups(svg, bars or {}, keys, y)
    else:
        _level(svg, x, across)
    _line(svg, guess, QUIET, "5 4", "1.5")
    for number, points in enumerate(lines.values()):
        _line(svg, [(x.share(a), y.share(b)) for a, b in points], *STROKES[number % len(STROKES)], "2.5")
    for number, points in enumerate((dots or {}).values(), len(lines)):
        for a, b in points:
            _dot(svg, (x.share(a), y.share(b)), number)
    for number, name in enumerate(named):
        _in_legend(svg, number, name, of_lines=number < len(lines))
    return Picture(ElementTree.tostring(svg, encoding="unicode"))


def _in_legend(svg: ElementTree.Element, number: int, name: str, *, of_lines: bool) -> None:
    colour, dash = STROKES[number % len(STROKES)]
    y = TOP + SIDE + 60 + ROW * number
    if of_lines:
        _line(svg, [_place(LEFT, y - 4), _place(LEFT + 28, y - 4)], colour, dash, "2.5")
    else:
        _dot(svg, _place(LEFT + 14, y - 4), number)
    _add(svg, "text", name, x=str(LEFT + 36), y=str(y), fill=INK)


def _level(svg: ElementTree.Element, axis: Axis, across: str) -> None:
    bottom = TOP + SIDE
    for tick in axis.ticks:
        at = axis.share(tick)
        _line(svg, [(at, 0), (at, 1)], GRID, "", "1")
        _add(svg, "text", f"{tick:g}", x=f"{_pixels((at, 0))[0]:g}", y=str(bottom + 18), fill=QUIET, **MIDDLE)
    _add(svg, "text", across, x=str(LEFT + SIDE // 2), y=str(bottom + 38), fill=INK, **MIDDLE)


def _upright(svg: ElementTree.Element, axis: Axis, up: str) -> None:
    middle = TOP + SIDE // 2
    for tick in axis.ticks:
        at = axis.share(tick)
        _line(svg, [(0, at), (1, at)], GRID, "", "1")
        _add(
            svg,
            "text",
            f"{tick:g}",
            x=str(LEFT - 8),
            y=f"{_pixels((0, at))[1] + 4:g}",
            fill=QUIET,
            **{"text-anchor": "end"},
        )
    _add(svg, "text", up, x="14", y=str(middle), fill=INK, transform=f"rotate(-90 14 {middle})", **MIDDLE)


def _groups(svg: ElementTree.Element, bars: Mapping[str, Sequence[float]], keys: Sequence[str], y: Axis) -> None:
    """Each key's bars side by side, a quarter of its room left free."""
    room = 1 / len(keys)
    each = 0.75 * room / len(bars)
    for number, heights in enumerate(bars.values()):
        for place, height in enumerate(heights):
            left, nothing, there = (place + 0.125) * room + number * each, y.share(0.0), y.share(height)
            at, top = _pixels((left, max(nothing, there)))
            tall = abs(there - nothing) * SIDE
            size = {"width": f"{each * SIDE:.2f}", "height": f"{tall:.2f}"}
            _add(svg, "rect", x=f"{at:.2f}", y=f"{top:.2f}", fill=STROKES[number % len(STROKES)][0], **size)
    for place, key in enumerate(keys):
        _add(
            svg,
            "text",
            key,
            x=f"{_pixels(((place + 0.5) * room, 0))[0]:g}",
            y=str(TOP + SIDE + 18),
            fill=QUIET,
            **MIDDLE,
        )


def _line(svg: ElementTree.Element, points: Sequence[Point], colour: str, dash: str, width: str) -> None:
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in map(_pixels, points))
    style = {"stroke-width": width, "stroke-linejoin": "round", **({"stroke-dasharray": dash} if dash else {})}
    _add(svg, "polyline", points=path, fill="none", stroke=colour, **style)


def _dot(svg: ElementTree.Element, point: Point, number: int) -> None:
    x, y = _pixels(point)
    _add(svg, "circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r="3", fill=STROKES[number % len(STROKES)][0])


def _add(parent: ElementTree.Element, element: str, text: str | None = None, **attributes: str) -> None:
    ElementTree.SubElement(parent, element, attributes).text = text


def _pixels(point: Point) -> Point:
    x, y = point
    return LEFT + x * SIDE, TOP + (1 - y) * SIDE


def _place(x: float, y: float) -> Point:
    """What is drawn there."""
    return (x - LEFT) / SIDE, 1 - (y - TOP) / SIDE
