"""Pictures of losses: what is drawn is promised, in every form, and no text becomes an element."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import dpcore as dp
from dpcore.pictures import plot
from dpcore.pictures.curves import curve
from dpcore.pictures.svg import LEFT, SIDE, TOP

SVG = "{http://www.w3.org/2000/svg}"


class Recorded:
    """Axes that note what is drawn."""

    def __init__(self) -> None:
        self.drawn: list[tuple[object, ...]] = []
        self.named: list[object] = []

    def plot(self, *args: object, **kwargs: object) -> None:
        self.drawn.append(args)
        self.named.append(kwargs["label"])

    def set_xlabel(self, xlabel: str) -> None:
        self.named.append(xlabel)

    def set_ylabel(self, ylabel: str) -> None:
        self.named.append(ylabel)

    def legend(self) -> None: ...


def drawn(svg: str) -> list[list[tuple[float, float]]]:
    """The points of each line, as rates."""
    lines = [each.get("points", "").split() for each in ElementTree.fromstring(svg).iter(f"{SVG}polyline")]
    pairs = [[tuple(map(float, point.split(","))) for point in line] for line in lines]
    return [[((x - LEFT) / SIDE, 1 - (y - TOP) / SIDE) for x, y in line] for line in pairs]


def test_every_point_is_promised() -> None:
    loss = dp.gaussian_dp(1)
    line = max(drawn(plot(loss).svg), key=len)
    assert len(line) > 70
    for x, y in line:
        assert y <= float(loss.tradeoff().beta(min(1, max(0, x - 2e-5)))) + 2e-5  # rounded to hundredths of a pixel


def test_the_bend_of_a_pure_loss_is_drawn() -> None:
    """Both rates are 1/(1 + e) there."""
    bend = min(curve(dp.pure(1).tradeoff()), key=lambda point: point[0] + point[1])
    assert bend == pytest.approx((0.2689414, 0.2689414), abs=1e-5)


def test_several_in_one_with_the_names_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    picture = plot({"<b>&": dp.pure(1), "run": dp.zcdp("1/8")}, path)
    assert path.read_text(encoding="utf-8") == picture.svg == picture._repr_svg_()
    root = ElementTree.fromstring(picture.svg)
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"<b>&", "run", "false-positive rate"} <= set(texts)
    assert not list(root.iter(f"{SVG}b"))


def test_losses_are_named_as_they_print() -> None:
    root = ElementTree.fromstring(plot([dp.pure(1), dp.pure(1), dp.approx(1, "1e-6")]).svg)
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts[-3:] == ["pure(1)", "pure(1) ", "approx(1, '1/1000000')"]


def test_onto_axes_of_somebody_else() -> None:
    axes = Recorded()
    dp.pure(1).plot(axes=axes)
    assert len(axes.drawn) == 2
    assert axes.named[:2] == ["guessing", "pure(1)"]


@pytest.mark.parametrize("given", [[], {}, [1], {"a": "pure(1)"}])
def test_what_is_no_loss(given: object) -> None:
    with pytest.raises(dp.errors.DPError, match="Expected losses to draw"):
        plot(given)  # type: ignore[arg-type]
