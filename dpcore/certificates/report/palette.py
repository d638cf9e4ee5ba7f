"""The colours of the report, light and dark, and which of them stand on which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

LIGHT: Final[Mapping[str, str]] = {
    "paper": "#fdfcfa",
    "sheet": "#ffffff",
    "shade": "#f3f1ec",
    "line": "#dcd8cf",
    "ink": "#1f2326",
    "quiet": "#565d63",
    "accent": "#0f5c63",
    "good": "#1d6339",
    "good-back": "#e6f2ea",
    "warn": "#7a4a00",
    "warn-back": "#fdf1dc",
    "bad": "#9c1c1c",
    "bad-back": "#fbe9e7",
    "curve": "#0f6f78",
    "under": "#d9ecec",
    "axis": "#8a9096",
}
DARK: Final[Mapping[str, str]] = {
    "paper": "#14181b",
    "sheet": "#1b2024",
    "shade": "#23292e",
    "line": "#363e45",
    "ink": "#e9e6e0",
    "quiet": "#a9b1b8",
    "accent": "#7fd0cf",
    "good": "#8fd6a8",
    "good-back": "#173023",
    "warn": "#f0c274",
    "warn-back": "#352812",
    "bad": "#ff9d94",
    "bad-back": "#3d1a19",
    "curve": "#63c5c4",
    "under": "#1f3b3e",
    "axis": "#7f888f",
}

BACKS: Final = ("paper", "sheet", "shade")
TEXTS: Final[tuple[tuple[str, str], ...]] = (
    *((front, back) for front in ("ink", "quiet", "accent") for back in BACKS),
    *((name, f"{name}-back") for name in ("good", "warn", "bad")),
    *(("ink", f"{name}-back") for name in ("good", "warn", "bad")),
    ("quiet", "under"),
    ("ink", "under"),
)
"""Texts, and what they stand on: at least 4.5 : 1."""

MARKS: Final[tuple[tuple[str, str], ...]] = (
    ("curve", "sheet"),
    ("curve", "under"),
    ("axis", "sheet"),
    ("axis", "under"),
)
"""Lines of the picture, and what they stand on: at least 3 : 1 for the curve and 2.5 : 1 for the axes."""


def variables(colours: Mapping[str, str]) -> Iterator[str]:
    """The colours as CSS."""
    return (f"--{name}:{value};" for name, value in colours.items())


def contrast(front: str, back: str) -> float:
    """The contrast of two colours as WCAG 2 has it, from 1 to 21."""
    light, dark = sorted((_luminance(front), _luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
