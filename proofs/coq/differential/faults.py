"""Faults for a copy of the Python checker: each text, and what is put in its place."""

from __future__ import annotations

from typing import Final

FAULTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("a contribution bound is forgotten", '"person limit", kept, lambda d, its: its.limit * d',
     '"person limit", kept, once'),
    ("a filter keeps the number of rows", '"filter_change_one": (C, (ROWS,), "condition", unsized, twice)',
     '"filter_change_one": (C, (ROWS,), "condition", unsized, once)'),
    ("a row replaced moves a sum by its largest value",
     "d * (its.high - its.low)", "d * max(abs(its.low), abs(its.high))"),
    ("a move costs one part only", "2 if replaced else 1)", "1)"),
    ("the last of an odd number of losses is lost", "+ level[len(level) & ~1:]", ""),
    ("zero-concentrated losses are linear in the distance",
     "d * d / (2 * its.sigma_squared)", "d / (2 * its.sigma_squared)"),
    ("the grid of the noise is not looked at", "(of.step / step).denominator == 1, ", "of.step, "),
)  # fmt: skip
