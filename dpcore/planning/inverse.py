"""The inverse of advanced composition: what each of k equal parts may cost, for all of them to stay within (epsilon, delta).

Argument. With `E(e, s) = e sqrt(2 k ln(1/s)) + k e (e^e - 1)/(e^e + 1)`, k parts of (e, d) cost (E(e, s), k d + s) together
(Kairouz, Oh, Viswanath 2017, Theorem 3.5; the rules `advanced_composition_*`). Parts in PureDP have d = 0 and take the whole
delta for s; of parts in ApproxDP, `s = delta/2` and `d = delta/(2 k)`. The e that is returned was put into E, and the upper
end of that was at most epsilon. E rises with e, so halving finds about the largest.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import overload

from dpcore.combinators.advanced import epsilon_of_equals
from dpcore.errors import InvalidParameter, class_of, is_a, printed
from dpcore.maps import PRECISION, at_precision, ends, integer, is_formula, numeral
from dpcore.maps.search import last_digit
from dpcore.measures import ApproxDP, Measure, PureDP
from dpcore.measures.losses import MANY, ApproxLoss, PureLoss, approx, pure


@overload
def inverse_advanced(budget: ApproxLoss, k: int) -> PureLoss: ...
@overload
def inverse_advanced(budget: ApproxLoss, k: int, parts: PureDP | type[PureDP]) -> PureLoss: ...
@overload
def inverse_advanced(budget: ApproxLoss, k: int, parts: ApproxDP | type[ApproxDP]) -> ApproxLoss: ...
def inverse_advanced(budget: ApproxLoss, k: int, parts: Measure | type[Measure] = PureDP) -> PureLoss | ApproxLoss:
    """What each of k equal parts may cost by advanced composition: `inverse_advanced(approx(1, "1e-6"), 100)`.

    Below a few dozen parts an equal share of epsilon is more: there plain composition is better.
    """
    epsilon, delta, count = shared(budget, k)
    if class_of(parts, (PureDP, ApproxDP), "parts") is PureDP:
        return pure(_largest(epsilon, delta, count))
    return approx(_largest(epsilon, delta / 2, count), delta / (2 * count))


def shared(budget: ApproxLoss, k: int) -> tuple[Fraction, Fraction, int]:
    """The epsilon and the delta of a budget for k parts, and how many these are; refuses what leaves no delta to spend."""
    if not is_a(budget, ApproxLoss):
        raise InvalidParameter(
            f"Expected a budget of epsilon and delta but got a {type(budget).__name__}",
            produced=budget,
            bridge='approx(epsilon, delta), such as approx(1, "1e-6")',
        )
    count = integer(k, "k")
    if is_formula(count) or not 1 <= count <= MANY:
        raise InvalidParameter(f"Expected 1 to {MANY} parts but got k={printed(k)}", produced=k)
    epsilon, delta = budget.epsilon.lower, budget.delta.lower
    if not (epsilon > 0 and delta > 0):
        raise InvalidParameter(
            f"Expected a budget with an epsilon and a delta above 0 but got {budget}",
            produced=budget,
            bridge="budget(loss, k), by plain composition",
        )
    return epsilon, delta, count


def _largest(epsilon: Fraction, slack: Fraction, k: int) -> Fraction:
    """About the largest e with `E(e, slack) <= epsilon`."""

    def fits(e: Fraction) -> bool:
        cost = at_precision(PRECISION, lambda: epsilon_of_equals(numeral(e), k, numeral(slack)))
        return ends(cost)[1] <= epsilon

    return largest(fits, epsilon)


def largest(fits: Callable[[Fraction], bool], start: Fraction) -> Fraction:
    """About the largest number of a few digits that fits, of numbers that stop to fit somewhere: one that was seen to."""
    low = start
    while not fits(low):
        low /= 2
    while fits(2 * low):
        low *= 2
    digit = last_digit(low)
    below, above = floor(low / digit), floor(2 * low / digit) + 1
    if not fits(below * digit):
        return low  # what falls before it rises
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if fits(middle * digit) else (below, middle)
    return below * digit
