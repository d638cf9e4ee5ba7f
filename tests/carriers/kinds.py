"""Kinds of values that rows hold, each value in all the ways in which it can be written.

A value is known by its name here, which says what it is to a reader: so what is right is known without the library.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import TypeAlias, final

import numpy as np

import dpcore as dp
from dpcore.domains import Array, Domain

Writings: TypeAlias = Sequence[Callable[[], object]]
"""One value, made anew in each of the ways in which it can be written."""


@final
@dataclass(frozen=True)
class Kind:
    """Values of one domain by name; `huge` are those that change the layout of a column."""

    domain: Domain
    values: Mapping[str, Writings]
    huge: Mapping[str, Writings] = field(default_factory=dict)
    can_be_bins: bool = True
    """Whether its values can be named as bins."""


def _number(text: str) -> Writings:
    exact = Fraction(text)
    found: list[Callable[[], object]] = [lambda: float(text), lambda: exact, lambda: Decimal(text)]
    found += [lambda: np.float64(text), lambda: np.array([float(text)])[0]]
    if Fraction(str(np.float32(text))) == exact:
        found.append(lambda: np.float32(text))
    return found


def _whole(n: int) -> Writings:
    found: list[Callable[[], object]] = [lambda: n]
    if abs(n) < 1 << 50:
        found += [lambda: float(n), lambda: np.float64(n)]
    if abs(n) < 1 << 63:
        found += [lambda: np.int64(n), lambda: np.array([n])[0]]
    return found + ([lambda: np.uint8(n)] if 0 <= n < 256 else [])


def _text(text: str) -> Writings:
    return [lambda: text, lambda: np.str_(text), lambda: np.array([text])[0]]


def _day(text: str) -> Writings:
    moment = datetime.datetime.fromisoformat(text)
    return [moment.date, lambda: np.datetime64(text), lambda: moment, lambda: np.datetime64(text, "us")]


def _pair(x: int, y: int) -> Writings:
    return [lambda: [x, y], lambda: (x, y), lambda: np.array([x, y]), lambda: [np.int64(x), y]]


TRUTH: Mapping[str, Writings] = {"True": [lambda: True, lambda: np.True_], "False": [lambda: False, lambda: np.False_]}
PRICES = {text: _number(text) for text in ("9.99", "0.1", "0.5", "-2.25", "3", "0")}
BIG_NUMBERS = {text: _number(text) for text in ("1e13", "1e22", "-1e15")}
WHOLE = {str(n): _whole(n) for n in (0, 1, 3, -2)}
BIG_WHOLE = {str(n): _whole(n) for n in (2**62, 2**63 - 1, 2**70, -(10**30))}
TEXTS = {repr(text): _text(text) for text in ("a", "ab", "", "é", "1")}
DAYS = {text: _day(text) for text in ("2020-01-01", "1969-12-31", "2024-02-29")}
PAIRS = {str(pair): _pair(*pair) for pair in ((0, 1), (1, 0), (5, 5))}

KINDS: dict[str, Kind] = {
    "whole": Kind(dp.integers(), WHOLE, BIG_WHOLE),
    "small": Kind(dp.integers(-2, 9), WHOLE),
    "grid": Kind(dp.numbers(step="0.01"), PRICES, BIG_NUMBERS),
    "bounded": Kind(dp.numbers(-5, 10**13, "0.01"), PRICES, {"1e13": _number("1e13")}),
    "truth": Kind(dp.booleans(), TRUTH),
    "text": Kind(dp.text(), TEXTS),
    "day": Kind(dp.date(), DAYS),
    "vector": Kind(dp.vector(dp.integers(0, 5), 2), PAIRS),
    "category": Kind(dp.categories("a", "ab", "é"), {name: TEXTS[name] for name in ("'a'", "'ab'", "'é'")}),
    "mixed": Kind(
        dp.categories(1, "1", 2.5, datetime.date(2020, 1, 1), False),
        {
            "1": _whole(1),
            "'1'": _text("1"),
            "2.5": _number("2.5"),
            "2020-01-01": _day("2020-01-01"),
            "False": TRUTH["False"],
        },
    ),
    "one or true": Kind(dp.categories(1, True, 0), {"1": _whole(1), "True": TRUTH["True"], "0": _whole(0)}),
    "graph": Kind(
        dp.graphs(3),
        {"none": [lambda: [], lambda: frozenset()], "0-1": [lambda: [(0, 1)], lambda: frozenset({frozenset({1, 0})})]},
        can_be_bins=False,
    ),
}
KINDS |= {
    f"optional {name}": Kind(
        dp.optional(kind.domain),
        {**kind.values, "None": [lambda: None, lambda: math.nan]},
        kind.huge,
        kind.can_be_bins,
    )
    for name, kind in KINDS.items()
}


def written(kind: Kind, name: str, dice: Random, *, plainly: bool = False) -> object:
    """A value, in one of the ways in which it can be written."""
    writings = kind.values.get(name) or kind.huge[name]
    return writings[0]() if plainly else dice.choice(list(writings))()


def as_bin(x: object) -> object:
    """A value as somebody names it who wants rows of it counted: sequences are tuples there, what is missing is None."""
    if isinstance(x, float) and x != x:
        return None
    return tuple(x.tolist()) if isinstance(x, np.ndarray) else tuple(x) if isinstance(x, list) else x


# ---- carriers --------------------------------------------------------------------------------------------------------


def objects(values: Sequence[object]) -> Array:
    found = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        found[i] = value
    return found


def typed(kind: Kind, names: Sequence[str], dice: Random) -> Array:
    """As numpy holds them where it has a type for all: with a mask where values are missing, over any value."""
    missing = [name == "None" for name in names]
    filler = next((name for name in names if name != "None"), None)
    if filler is None:
        return objects([None] * len(names))
    plain = [written(kind, filler if name == "None" else name, dice, plainly=True) for name in names]
    types = {type(value) for value in plain}
    array: Array | None = None
    if types == {datetime.date}:
        array = np.array(plain, dtype="datetime64[D]")
    elif types in ({bool}, {str}, {float}) or (types == {list} and kind.can_be_bins):
        array = np.array(plain)
    elif types == {int} and all(isinstance(v, int) and abs(v) < 1 << 63 for v in plain):
        array = np.array(plain, dtype=dice.choice(["int64", "object"]))
    if array is None or array.ndim > 2 or (array.ndim == 2 and any(missing)):
        return objects([None if gone else value for gone, value in zip(missing, plain, strict=True)])
    return np.ma.MaskedArray(array, missing) if any(missing) else array
