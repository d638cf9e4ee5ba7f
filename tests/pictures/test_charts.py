"""Charts of figures: what lies where, and what cannot be drawn."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.pictures import Picture, bars, dots, lines
from dpcore.pictures.axis import axis_of
from dpcore.pictures.svg import LEFT, SIDE, STROKES, TOP

FIGURES = st.floats(-1e9, 1e9, allow_subnormal=False)


def elements(picture: Picture, kind: str) -> list[dict[str, str]]:
    return [
        element.attrib for element in ElementTree.fromstring(picture.svg).iter(f"{{http://www.w3.org/2000/svg}}{kind}")
    ]


@given(st.lists(FIGURES, min_size=1))
def test_an_axis_holds_its_numbers_and_ends_at_ticks(values: list[float]) -> None:
    axis = axis_of(values)
    assert all(-1e-9 <= axis.share(value) <= 1 + 1e-9 for value in values)
    assert 2 <= len(axis.ticks) <= 9
    assert [axis.share(axis.ticks[0]), axis.share(axis.ticks[-1])] == pytest.approx([0, 1])


@given(st.lists(st.floats(1e-12, 1e12), min_size=1))
def test_a_logarithmic_axis_goes_by_powers_of_ten(values: list[float]) -> None:
    axis = axis_of(values, logarithmic=True)
    assert all(-1e-9 <= axis.share(value) <= 1 + 1e-9 for value in values)
    assert all(tick == pytest.approx(10.0 ** round(math.log10(tick))) for tick in axis.ticks)


def test_lines_go_through_their_points() -> None:
    picture = lines({"falls": [(1, 100), (100, 1)]}, across="rows", up="error", logarithmic="xy")
    [drawn] = [line for line in elements(picture, "polyline") if line["stroke"] == STROKES[0][0]][:1]
    assert drawn["points"] == f"{LEFT:.2f},{TOP:.2f} {LEFT + SIDE:.2f},{TOP + SIDE:.2f}"


def test_dots_and_bars_stand_where_their_figures_are() -> None:
    picture = dots({"data": [(0, 0), (Fraction(1, 2), dp.types.Bound("1/2")), (1, 1)]}, across="x", up="y")
    places = [(float(dot["cx"]), float(dot["cy"])) for dot in elements(picture, "circle")][:3]
    assert places == [(LEFT, TOP + SIDE), (LEFT + SIDE / 2, TOP + SIDE / 2), (LEFT + SIDE, TOP)]
    picture = bars({"true": {"N": 10, "S": 5}, "released": {"N": 10, "S": -5}}, up="people")
    tall: dict[str, list[float]] = {bar["fill"]: [] for bar in elements(picture, "rect")[1:]}
    for bar in elements(picture, "rect")[1:]:
        tall[bar["fill"]].append(float(bar["height"]))
    assert tall == {STROKES[0][0]: [SIDE * 2 / 3, SIDE / 3], STROKES[1][0]: [SIDE * 2 / 3, SIDE / 3]}


def test_names_are_text_and_no_elements() -> None:
    picture = lines({"<script>": [(0, 0), (1, 1)]}, across="&", up='"')
    assert "<script>" not in picture.svg
    assert [element.get("id") for element in elements(picture, "script")] == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: lines({}, across="x", up="y"),
        lambda: lines({"none": []}, across="x", up="y"),
        lambda: lines({"far": [(0, float("inf"))]}, across="x", up="y"),
        lambda: lines({"zero": [(0, 1)]}, across="x", up="y", logarithmic="x"),
        lambda: dots({}, across="x", up="y"),
        lambda: bars({}, up="y"),
        lambda: bars({"none": {}}, up="y"),
    ],
)
def test_what_cannot_be_drawn(wrong: Any) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        wrong()
