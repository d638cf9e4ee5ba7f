"""Charts of any figures: lines, points, bars. For pages that show what a mechanism does.

    lines({"Laplace": [(10, 0.4), (100, 0.04)]}, across="people", up="error", logarithmic="xy").save("errors.svg")

Nothing drawn is a bound: figures are rounded to where they lie in the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from dpcore.errors import InvalidParameter
from dpcore.pictures.axis import axis_of
from dpcore.pictures.svg import Lines, Picture, Point, chart

Logarithmic: TypeAlias = Literal["", "x", "y", "xy"]


class Figure(Protocol):
    """What lies somewhere: a float, an int, a Fraction, a Bound."""

    def __float__(self) -> float: ...


Figures: TypeAlias = Mapping[str, Sequence[tuple[Figure, Figure]]]


def lines(named: Figures, *, title: str = "", across: str, up: str, logarithmic: Logarithmic = "") -> Picture:
    """Each name's points joined by a line, in the order in which they stand."""
    return _drawn(named, {}, title, across, up, logarithmic)


def dots(
    named: Figures,
    *,
    joined: Figures | None = None,
    title: str = "",
    across: str,
    up: str,
    logarithmic: Logarithmic = "",
) -> Picture:
    """Each name's points as dots of one colour; those of `joined` as lines among them."""
    return _drawn(joined or {}, named, title, across, up, logarithmic)


def bars(named: Mapping[str, Mapping[str, Figure]], *, title: str = "", up: str) -> Picture:
    """A group of bars for each key, one bar of each name, `bars({"true": {"N": 3}, "released": {"N": 4}}, up="people")`."""
    keys = list(dict.fromkeys(key for heights in named.values() for key in heights))
    if not keys:
        raise InvalidParameter("Expected bars to draw but got none", produced=named)
    heights = {name: [float(given.get(key, 0.0)) for key in keys] for name, given in named.items()}
    y = axis_of([0.0, *(height for given in heights.values() for height in given)])
    return chart({}, title, "", up, y=y, bars=heights, keys=keys)


def _drawn(joined: Figures, apart: Figures, title: str, across: str, up: str, logarithmic: Logarithmic) -> Picture:
    by_line, by_dot = _floats(joined), _floats(apart)
    points = [point for each in (by_line, by_dot) for drawn in each.values() for point in drawn]
    if not points:
        raise InvalidParameter("Expected points to draw but got none", produced=joined or apart)
    x = axis_of((point[0] for point in points), logarithmic="x" in logarithmic)
    y = axis_of(_from_nothing(points, logarithmic), logarithmic="y" in logarithmic)
    return chart(by_line, title, across, up, x=x, y=y, dots=by_dot)


def _from_nothing(points: Sequence[Point], logarithmic: Logarithmic) -> list[float]:
    """Heights, with 0 among them where that is near: a line that seems to fall to nothing should do so."""
    heights = [point[1] for point in points]
    near = "y" not in logarithmic and 0 < min(heights) < max(heights) / 2
    return [*heights, 0.0] if near else heights


def _floats(named: Figures) -> Lines:
    as_float: Callable[[Figure], float] = float
    return {name: [(as_float(x), as_float(y)) for x, y in points] for name, points in named.items()}
