"""Solving a map for its one free symbol: the value at which the loss just fits a target.

The closed form is sympy's where sympy finds one. It is only a proposal: a value is returned after the map was evaluated
there, exactly, and found to meet the target. Where there is no closed form, or it is irrational, the answer is the value
on a grid next to the true one, on the safe side. Where the loss and the target are not told apart, that is neither a yes
nor a no: neighbours are tried, and if the answer hangs on such a value, solving refuses and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from dpcore.calculus import Derivation
from dpcore.errors import DPError, FreeSymbols, InvalidParameter, MeasureMismatch, NoFiniteLoss, Undecided, is_a
from dpcore.maps import Exact, Numeric, around, exact, known, positive, show, solutions
from dpcore.measures import ZCDP, ApproxDP, ApproxZCDP, GaussianDP, PureDP, TotalVariation, measure_of
from dpcore.measures.losses import CurveLoss, Loss

if TYPE_CHECKING:
    from dpcore.core.readings import Map

LIMIT = 1 << 64
"""Values are searched for between `1/LIMIT` and `LIMIT`."""

RELATIVE = 40
"""Where no grid step is given, the answer is within one part in `2^RELATIVE` of the true value."""

NEAR = 30
"""There, a value that is better by one part in `2^NEAR` must be known not to fit."""

Fit: TypeAlias = bool | Undecided | None
"""Whether the target is met at a value; None where the value cannot be bound, and the refusal where it was not decided."""


TYPED: Final[Mapping[type[object], str]] = {
    PureDP: "pure(epsilon)",
    ApproxDP: "approx(epsilon, delta)",
    ZCDP: "zcdp(rho)",
    ApproxZCDP: "zcdp(rho, delta)",
    GaussianDP: "gaussian_dp(mu)",
    TotalVariation: "total_variation(delta)",
}
"""How the losses that can be solved for are typed."""


class Solvable(Protocol):
    """A measurement, as far as solving needs to know it."""

    @property
    def measure(self) -> object: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def symbols(self) -> frozenset[str]: ...
    @property
    def map(self) -> Map: ...
    def bind(self, **values: Numeric) -> Solvable: ...
    def loss(self, d_in: Numeric) -> Loss: ...


def solve(measurement: Solvable, target: Loss, d_in: Numeric, step: Numeric | None) -> Exact:
    """The value of the one free symbol at which the loss at `d_in` just fits the target."""
    if not is_a(target, Loss):
        raise InvalidParameter(
            f"Expected a loss for the target but got a {type(target).__name__}",
            produced=target,
            bridge=f".solve({TYPED.get(type(measurement.measure), 'a loss')}, d_in=1), with numbers in it",
        )
    if measure_of(target) != measurement.measure:
        raise MeasureMismatch(
            "the target is counted in another measure",
            left=measurement,
            produced=measurement.measure,
            expected=measure_of(target),
        )
    if len(measurement.symbols) != 1:
        free = ", ".join(sorted(measurement.symbols)) or "none"
        raise FreeSymbols(f"Expected exactly one free symbol to solve for but the free ones are: {free}")
    if isinstance(target, CurveLoss):
        raise InvalidParameter(
            "Expected a loss made of numbers to solve for but got a curve",
            produced=target,
            bridge=".to(ApproxDP, delta=...) first, and then .solve(approx(epsilon, delta), d_in=1);"
            " or solve before .to(...), in the measure of the noise",
        )
    name = min(measurement.symbols)
    fits = partial(_fits, measurement, name, target, d_in)
    grid = _grid(step, fits)
    for candidate in [] if _without_inverse(measurement, name) else _closed_forms(measurement, target, d_in, name):
        found = _beside(candidate, fits, grid)
        if found is not None and not _hangs_on(found, fits, grid):
            return found
    found = _search(fits, grid, name)
    unsure = _hangs_on(found, fits, grid)
    if unsure:
        raise _refused(name, unsure)
    return found


def _fits(measurement: Solvable, name: str, target: Loss, d_in: Numeric, value: Exact) -> Fit:
    """Whether the loss does at this value, by binding it and evaluating the map."""
    try:
        bound = measurement.bind(**{name: value})
    except InvalidParameter:
        return None
    try:
        return bound.loss(d_in) <= target
    except (InvalidParameter, NoFiniteLoss):
        return False
    except Undecided as undecided:
        return undecided


def _hangs_on(
    found: Fraction, fits: Callable[[Exact], Fit], grid: Fraction | None
) -> tuple[Fraction, Undecided] | None:
    """A neighbour that may be the better answer: it was not decided, and no neighbour is known not to fit."""
    nudge = grid or found / (1 << NEAR)
    beside = [(value, fits(value)) for value in (found - nudge, found + nudge)]
    unsure = [(value, fit) for value, fit in beside if isinstance(fit, Undecided)]
    return unsure[0] if unsure and not any(fit is False for _, fit in beside) else None


def _refused(name: str, unsure: tuple[Fraction, Undecided]) -> Undecided:
    value, why = unsure
    return Undecided(
        f"whether {name}={show(value)} meets the target was not decided: {why.headline}",
        bridge="a target that is larger by a little, such as one part in a million",
    )


def _grid(step: Numeric | None, fits: Callable[[Exact], Fit]) -> Fraction | None:
    """The grid that was asked for; the whole numbers where nothing else can be bound."""
    if step is not None:
        return Fraction(known(positive(step, "step"), "step"))
    whole = [1 << e for e in range(0, 65, 8)]
    only_whole = all(fits(n + Fraction(1, 2)) is None for n in whole) and any(fits(n) is not None for n in whole)
    return Fraction(1) if only_whole else None


def _without_inverse(measurement: Solvable, name: str) -> bool:
    """Whether a loss that depends on the symbol goes through a rule that has no inverse in closed form."""
    rules = [part for part in measurement.derivation.parts() if not part.rule.inverse]
    return any(name in premise.symbols for part in rules for premise in part.premises)


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
    candidate: tuple[Fraction, Fraction], fits: Callable[[Exact], Fit], grid: Fraction | None
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
    at_low, at_high = fits(low) is True, fits(high) is True
    if at_high and at_low and low != high:
        return None
    if at_high:
        return high if (fits(high + nudge) is True) != (fits(high - nudge) is True) else None
    return low if at_low else None


def _search(fits: Callable[[Exact], Fit], grid: Fraction | None, name: str) -> Fraction:
    """Bisection between a value that fits and one that does not, for a loss that is monotone in the symbol."""
    fit_at = _tried(fits, grid)
    good = [e for e, fit in fit_at.items() if fit is True]
    if len(good) == len(fit_at):
        raise InvalidParameter(f"every value of {name} tried meets the target: it does not limit {name}")
    if not good:
        raise _unmet(fit_at, grid, name)
    ends = [_bisected(_point(i, grid), _point(o, grid), fits, grid) for i, o in _brackets(fit_at, good, name)]
    # Where numbers end on both sides, as those of a probability do, the side is meant on which the target is reached.
    reached = [inside for inside, outside in ends if fits(outside) is not None]
    return reached[0] if reached else ends[0][0]


def _tried(fits: Callable[[Exact], Fit], grid: Fraction | None) -> dict[int, Fit]:
    """Whether powers of two fit: those that lie far apart, and all of them where these say all the same."""
    lowest = 0 if grid else -64
    fit_at: dict[int, Fit] = {}
    for exponents in (range(lowest, 65, COARSE), range(lowest, 65)):
        fit_at |= {e: fits(_point(e, grid)) for e in exponents if e not in fit_at}
        good = sum(fit is True for fit in fit_at.values())
        if 0 < good < len(fit_at):
            break
    return fit_at


def _unmet(fit_at: dict[int, Fit], grid: Fraction | None, name: str) -> DPError:
    """The refusal where nothing that was tried is known to fit."""
    unsure = [(_point(e, grid), fit) for e, fit in fit_at.items() if isinstance(fit, Undecided)]
    if unsure:
        return _refused(name, unsure[len(unsure) // 2])
    least, most = _point(min(fit_at), grid), _point(max(fit_at), grid)
    return NoFiniteLoss(f"no value of {name} between {least} and {most} meets the target")


COARSE = 8
"""Powers of two that lie so far apart are tried first, and all of them only where these do not say enough."""


def _point(exponent: int, grid: Fraction | None) -> Fraction:
    return (grid or Fraction(1)) * (Fraction(1, 1 << -exponent) if exponent < 0 else 1 << exponent)


def _brackets(fit_at: dict[int, Fit], good: list[int], name: str) -> list[tuple[int, int]]:
    """Where to look: from a point that fits to the next one that does not. Those that were not decided come last."""
    sides = [
        (min(good), max((e for e in fit_at if e < min(good)), default=None)),
        (max(good), min((e for e in fit_at if e > max(good)), default=None)),
    ]
    pairs = [(inside, outside) for inside, outside in sides if outside is not None]
    falls = any(min(good) < e < max(good) for e, fit in fit_at.items() if fit is False or fit is None)
    exceeds = [pair for pair in pairs if fit_at[pair[1]] is False]
    if falls or len(exceeds) == 2:
        raise InvalidParameter(f"the loss is not monotone in {name}: solve for it by hand and check with bind")
    return exceeds or pairs


def _bisected(
    inside: Fraction, outside: Fraction, fits: Callable[[Exact], Fit], grid: Fraction | None
) -> tuple[Fraction, Fraction]:
    """The two, brought together until nothing that matters lies between them."""
    while abs(inside - outside) > (grid or inside / (1 << RELATIVE)):
        middle = (inside + outside) / 2
        if grid is not None:
            middle = Fraction(middle // grid * grid)
            middle = middle + grid if middle == min(inside, outside) else middle
        inside, outside = (middle, outside) if fits(middle) is True else (inside, middle)
    return inside, outside
