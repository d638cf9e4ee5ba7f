"""Every text and every line of the report stands out from what it stands on, in light and in dark."""

from __future__ import annotations

import re
from typing import Final

import pytest

from dpcore.report.style import COLOURS, STYLE

BACKS: Final = ("paper", "sheet", "shade")
TEXTS: Final[tuple[tuple[str, str], ...]] = (
    *((front, back) for front in ("ink", "quiet", "accent") for back in BACKS),
    *((name, f"{name}-back") for name in ("good", "warn", "bad")),
    *(("ink", f"{name}-back") for name in ("good", "warn", "bad")),
    ("quiet", "under"),
    ("ink", "under"),
)
"""Texts, and what they stand on: at least 4.5 : 1."""

MARKS: Final = (("curve", "sheet"), ("curve", "under"), ("axis", "sheet"), ("axis", "under"))
"""Lines of the picture, and what they stand on: at least 3 : 1 for the curve and 2.5 : 1 for the axes."""


def _contrast(front: str, back: str) -> float:
    """The contrast of two colours as WCAG 2 has it, from 1 to 21."""
    light, dark = sorted((_luminance(front), _luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
def test_contrast(shade: int) -> None:
    colours = {name: shades[shade] for name, shades in COLOURS.items()}
    for front, back in TEXTS:
        assert _contrast(colours[front], colours[back]) >= 4.5, (front, back)
    for front, back in MARKS:
        assert _contrast(colours[front], colours[back]) >= (3 if front == "curve" else 2.5), (front, back)
    assert all(_contrast(colours["ink"], colours[back]) >= 7 for back in BACKS)


def test_contrast_as_the_standard_has_it() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_every_colour_is_one_of_the_palette() -> None:
    light, dark, sheet = STYLE.split("}", 1)[0], *STYLE.partition("{:root{")[2].split("}}", 1)
    for shade, written in enumerate((light, dark)):
        assert all(f"--{name}:{shades[shade]};" in written for name, shades in COLOURS.items())
    assert set(re.findall(r"#\w+", sheet)) == {"#fff"}, "on paper, and nowhere else, another"
    assert all(f"var(--{name})" in STYLE for name in COLOURS)
