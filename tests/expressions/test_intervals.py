"""Interval arithmetic holds every result, over all small intervals, and is no wider than it must be."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from dpcore.expressions import intervals
from dpcore.expressions.intervals import Interval, Rational, nearest

HALF = Fraction(1, 2)
WHOLE = [Interval(a, b, 1, whole=True) for a in range(-3, 4) for b in range(a, 4)]
HALVES = [Interval(a * HALF, b * HALF, HALF) for a in range(-3, 4) for b in range(a, 4)]
OPEN = [
    Interval(),
    Interval(low=0),
    Interval(high=0),
    Interval(low=-1),
    Interval(high=1, step=1, whole=True),
    Interval(low=HALF),
    Interval(-1, 1),
    Interval(0, 1),
    Interval(-HALF, 0),
]
SAMPLE: list[Rational] = [*(n * HALF for n in range(-8, 9)), Fraction(1, 1000), Fraction(-1, 1000), 10**6, -(10**6)]


def members(x: Interval) -> list[Rational]:
    if x.step is None:
        return [v for v in SAMPLE if x.low <= v <= x.high]
    return [v for v in SAMPLE if x.low <= v <= x.high and (Fraction(v) / x.step).denominator == 1]


def holds(found: Interval | None, value: Rational) -> bool:
    if found is None:
        return False
    tight = found.tight()
    step = 1 if tight.whole else tight.step
    on_grid = step is None or (Fraction(value) / step).denominator == 1
    return found.low <= value <= found.high and tight.low <= value <= tight.high and on_grid


Two = Callable[[Interval, Interval], Interval | None]
BINARY: dict[str, tuple[Two, Callable[[Rational, Rational], Rational]]] = {
    "add": (intervals.add, lambda x, y: x + y),
    "subtract": (intervals.subtract, lambda x, y: x - y),
    "multiply": (intervals.multiply, lambda x, y: x * y),
    "divide": (intervals.divide, lambda x, y: Fraction(x) / y),
    "floor_divide": (intervals.floor_divide, lambda x, y: x // y),
    "modulo": (intervals.modulo, lambda x, y: x % y),
    "lesser": (intervals.lesser, min),
    "greater": (intervals.greater, max),
}
BY_DIVISION = ("divide", "floor_divide", "modulo")


@pytest.mark.parametrize("name", BINARY)
def test_results_are_held(name: str) -> None:
    rule, compute = BINARY[name]
    for x, y in product([*WHOLE, *HALVES[::3], *OPEN], repeat=2):
        found = rule(x, y)
        divisors = [v for v in members(y) if v != 0] if name in BY_DIVISION else members(y)
        for a, b in product(members(x), divisors):
            assert holds(found, compute(a, b)), (x, y, a, b)


@pytest.mark.parametrize("name", BINARY)
def test_bounds_of_whole_numbers_are_met(name: str) -> None:
    rule, compute = BINARY[name]
    for x, y in product(WHOLE, repeat=2):
        results = [compute(a, b) for a in members(x) for b in members(y) if b != 0 or name not in BY_DIVISION]
        found = rule(x, y)
        if not results:
            assert found is None
        elif name != "modulo":
            assert found is not None
            assert (found.low, found.high) == (min(results), max(results))


def test_clip_and_round() -> None:
    bounds: list[Rational] = [-2, 0, 1, Fraction(-1, 3), HALF]
    for x in [*WHOLE, *HALVES, *OPEN]:
        for low, high in product(bounds, repeat=2):
            if low <= high:
                assert all(holds(intervals.clip(x, low, high), min(max(v, low), high)) for v in members(x))
        for step in (1, 2, HALF, Fraction(1, 3)):
            assert all(holds(intervals.round_to(x, step), nearest(v, step)) for v in members(x))
        assert all(holds(intervals.magnitude(x), intervals.absolute(v)) for v in members(x))
        assert all(holds(intervals.negate(x), -v) for v in members(x))
        for y in WHOLE[::4]:
            assert all(holds(intervals.hull(x, y), v) for v in (*members(x), *members(y)))
