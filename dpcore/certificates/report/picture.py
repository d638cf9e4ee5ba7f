"""The trade-off curve as SVG: false-positive rate to the right, the largest true-positive rate upwards."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from dpcore.certificates.report.figures import percent
from dpcore.certificates.report.markup import Markup, join, tag
from dpcore.certificates.report.power import Point, Power

LEFT, TOP, SIDE = 56, 12, 300
WIDTH, HEIGHT = LEFT + SIDE + 14, TOP + SIDE + 52
TICKS = tuple(Fraction(k, 4) for k in range(5))


def picture(power: Power, marks: tuple[Fraction, ...], identifier: str) -> Markup:
    """The picture, with its title and description as text."""
    title, description = f"{identifier}-title", f"{identifier}-description"
    corners = power.corners()
    told = "; ".join(f"at {percent(x)} it is at most {percent(power.at(x))}" for x in marks)
    return tag(
        "svg",
        tag("title", "Largest true-positive rate of any test, for each false-positive rate", id=title),
        tag("desc", f"A curve from the lower left to the upper right, above the diagonal of guessing: {told}.",
            id=description),
        tag("rect", x=str(LEFT), y=str(TOP), width=str(SIDE), height=str(SIDE), cls="back"),
        tag("polygon", points=f"{_path(corners)} {_at((Fraction(1), Fraction(0)))} {_at((Fraction(0), Fraction(0)))}",
            cls="under"),
        *_grid(),
        tag("line", **_ends((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))), cls="guess"),
        tag("polyline", points=_path(corners), cls="curve"),
        *(tag("circle", **_centre((x, power.at(x))), r="3.5", cls="mark") for x in marks),
        _labels(),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_labelledby=f"{title} {description}",
    )  # fmt: skip


def _grid() -> list[Markup]:
    zero, one = Fraction(0), Fraction(1)
    found = [tag("line", **_ends((t, zero), (t, one)), cls="grid") for t in TICKS[1:-1]]
    found += [tag("line", **_ends((zero, t), (one, t)), cls="grid") for t in TICKS[1:-1]]
    return [*found, tag("rect", x=str(LEFT), y=str(TOP), width=str(SIDE), height=str(SIDE), cls="frame")]


def _labels() -> Markup:
    bottom, middle = TOP + SIDE, LEFT + SIDE // 2
    across = [
        tag("text", f"{t * 100}%", x=_x(t), y=str(bottom + 18), text_anchor="end" if t == 1 else "middle")
        for t in TICKS
    ]
    up = [tag("text", f"{t * 100}%", x=str(LEFT - 7), y=str(float(_y(t)) + 4), text_anchor="end") for t in TICKS[1:]]
    turn = f"rotate(-90 13 {TOP + SIDE // 2})"
    return join(
        *across,
        *up,
        tag("text", "false-positive rate", x=str(middle), y=str(bottom + 42), text_anchor="middle"),
        tag("text", "true-positive rate, at most", x="13", y=str(TOP + SIDE // 2), text_anchor="middle", transform=turn),
        tag("text", "guessing", x=_x(Fraction(3, 4)), y=str(float(_y(Fraction(3, 4))) + 22), text_anchor="middle",
            transform=f"rotate(-45 {_x(Fraction(3, 4))} {float(_y(Fraction(3, 4))) + 18})"),
    )  # fmt: skip


def _x(x: Fraction) -> str:
    """Rounded to the left, so that a rising curve is never drawn too low."""
    return str(floor((LEFT + SIDE * x) * 100) / 100)


def _y(y: Fraction) -> str:
    """Rounded upwards on the page."""
    return str(floor((TOP + SIDE * (1 - min(y, Fraction(1)))) * 100) / 100)


def _at(point: Point) -> str:
    return f"{_x(point[0])},{_y(point[1])}"


def _path(points: list[Point]) -> str:
    return " ".join(map(_at, points))


def _ends(start: Point, end: Point) -> dict[str, str]:
    return {"x1": _x(start[0]), "y1": _y(start[1]), "x2": _x(end[0]), "y2": _y(end[1])}


def _centre(point: Point) -> dict[str, str]:
    return {"cx": _x(point[0]), "cy": _y(point[1])}
