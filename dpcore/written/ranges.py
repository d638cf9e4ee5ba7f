"""Whole numbers one after another, written as the first and the last. The rules of partitions write their keys so."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Final, final

from dpcore.calculus.parameters import WHOLE, Json, Kind, Malformed, Schema, entries, text
from dpcore.calculus.parameters.formulas import is_number
from dpcore.calculus.parameters.kind import a
from dpcore.calculus.parameters.words import plain

LONGEST: Final = 1 << 16
"""So many numbers at most: the checkers write them out."""


def is_range(keys: Sequence[Hashable]) -> bool:
    """Whether these are two whole numbers or more, one after another, and no more than are written so."""
    if not 2 <= len(keys) <= LONGEST or type(keys[0]) is not int:
        return False
    return all(type(key) is int for key in keys) and tuple(keys) == tuple(range(keys[0], keys[0] + len(keys)))


@final
class Range(Kind[tuple[int, ...]]):
    """The first and the last."""

    def encode(self, value: object) -> Json:
        numbers = a(tuple, value)
        return [WHOLE.encode(numbers[0]), WHOLE.encode(numbers[-1])]

    def decode(self, written: Json) -> tuple[int, ...]:
        first, last = self.ends(written)
        if not 0 < last - first < LONGEST:
            raise Malformed(f"Expected the first and the last of 2 to {LONGEST} whole numbers", produced=written)
        return tuple(range(first, last + 1))

    def ends(self, written: Json) -> tuple[int, int]:
        """The first and the last, as they are written."""
        ends = [Fraction(text(each)) for each in entries(written) if is_number(text(each))]
        if len(ends) != 2 or any(end.denominator != 1 for end in ends):
            raise Malformed("Expected two whole numbers, the first and the last", produced=written)
        first, last = ends
        return int(first), int(last)

    def words(self, written: Json) -> str:
        if isinstance(written, list) and len(written) == 2:
            return f"{plain(written[0])} to {plain(written[1])}"
        return plain(written)

    def definition(self) -> Schema:
        return {
            "description": "whole numbers one after another: the first and the last",
            "type": "array",
            "items": WHOLE.schema(),
            "minItems": 2,
            "maxItems": 2,
        }


RANGE: Final = Range("range")
