"""Solving a map for its one free symbol: the value at which the loss just fits a target.

The closed form is sympy's where sympy finds one. It is only a proposal: a value is returned after the map was evaluated
there, exactly, and found to meet the target. Where there is no closed form, or it is irrational, the answer is the value
on a grid next to the true one, on the safe side.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from dpcore.errors import FreeSymbols, InvalidParameter, NoFiniteLoss
from dpcore.losses import CurveLoss, Loss
from dpcore.maps import Exact, Numeric, around, exact, known, positive, solutions

if TYPE_CHECKING:
    from dpcore.formulas import Map

LIMIT = 1 << 64
"""Values are searched for between `1/LIMIT` and `LIMIT`."""

RELATIVE = 40
"""Where no grid step is given, the answer is within one part in `2^RELATIVE` of the true value."""


class Solvable(Protocol):
    """A measurement, as far as solving needs to know it."""

    @property
    def symbols(self) -> frozenset[str]: ...
    @property
    def map(self) -> Map: ...


def solve(
    measurement: Solvable, fits: Callable[[Exact], bool | None], target: Loss, d_in: Numeric, step: Numeric | None
) -> Exact:
    """The value of the one free symbol at which the loss at `d_in` just fits the target.

    `fits(value)` says whether it does there, by binding the value and evaluating the map; None where it cannot be bound.
    """
    if len(measurement.symbols) != 1:
        free = ", ".join(sorted(measurement.symbols)) or "none"
        raise FreeSymbols(f"Expected exactly one free symbol to solve for but the free ones are: {free}")
    if isinstance(target, CurveLoss):
        raise InvalidParameter("Expected a loss made of numbers to solve for but got a curve", produced=target)
    name = min(measurement.symbols)
    grid = _grid(step, fits)
    for candidate in _closed_forms(measurement, target, d_in, name):
        found = _beside(candidate, fits, grid)
        if found is not None:
            return found
    return _search(fits, grid, name)


def _grid(step: Numeric | None, fits: Callable[[Exact], bool | None]) -> Fraction | None:
    """The grid that was asked for; the whole numbers where nothing else can be bound."""
    if step is not None:
        return Fraction(known(positive(step, "step"), "step"))
    whole = [1 << e for e in range(0, 65, 8)]
    defined = [n for n in whole if fits(n) is not None]
    only_whole = bool(defined) and all(fits(n + Fraction(1, 2)) is None for n in defined)
    return Fraction(1) if only_whole else None


def _closed_forms(measurement: Solvable, target: Loss, d_in: Numeric, name: str) -> list[tuple[Fraction, Fraction]]:
    """Where sympy says that a part of the loss equals the target: narrow rational enclosures, most restrictive later."""
    found = measurement.map.sympy()
    sides = found if isinstance(found, tuple) else (found,)
    figures = [figure for _, figure in target.figures()]
    candidates: list[tuple[Fraction, Fraction]] = []
    for side, figure in zip(sides, figures, strict=True):
        level = figure.exact
        if level is not None:
            candidates += [around(s) for s in solutions(side, {"d_in": exact(d_in)}, level, name)]
    return [c for c in candidates if c[0] > 0]


def _beside(
    candidate: tuple[Fraction, Fraction], fits: Callable[[Exact], bool | None], grid: Fraction | None
) -> Fraction | None:
    """The candidate, or its neighbour on the safe side, if the target is met there and just beyond it is not."""
    low, high = candidate
    if grid is not None:
        low, high = Fraction(low // grid * grid), Fraction(-(-high // grid) * grid)
    elif low != high:
        bits = max(0, RELATIVE + 8 - (high.numerator.bit_length() - high.denominator.bit_length()))
        grid = Fraction(1, 1 << bits)
        low, high = Fraction(low // grid * grid), Fraction(-(-high // grid) * grid)
    nudge = grid or abs(high) / (1 << RELATIVE)
    at_low, at_high = fits(low), fits(high)
    if at_high and at_low and low != high:
        return None
    if at_high:
        return high if bool(fits(high + nudge)) != bool(fits(high - nudge)) else None
    return low if at_low else None


def _search(fits: Callable[[Exact], bool | None], grid: Fraction | None, name: str) -> Fraction:
    """Bisection between a value that fits and one that does not, for a loss that is monotone in the symbol."""
    scale = grid or Fraction(1)
    points = [scale * (Fraction(1, 1 << -e) if e < 0 else 1 << e) for e in range(0 if grid else -64, 65)]
    verdicts = [(p, fits(p)) for p in points]
    good = [p for p, fit in verdicts if fit]
    if not good:
        raise NoFiniteLoss(f"no value of {name} between {points[0]} and {points[-1]} meets the target")
    bad = [p for p, fit in verdicts if not fit]
    if not bad:
        raise InvalidParameter(f"every value of {name} tried meets the target: it does not limit {name}")
    if max(bad) < min(good):
        inside, outside = min(good), max(bad)
    elif max(good) < min(bad):
        inside, outside = max(good), min(bad)
    else:
        raise InvalidParameter(f"the loss is not monotone in {name}: solve for it by hand and check with bind")
    while abs(inside - outside) > (grid or inside / (1 << RELATIVE)):
        middle = (inside + outside) / 2
        if grid is not None:
            middle = Fraction(middle // grid * grid)
            middle = middle + grid if middle == min(inside, outside) else middle
        inside, outside = (middle, outside) if fits(middle) else (inside, middle)
    return inside
