"""From ZCDP, RenyiDP and ApproxZCDP, through Renyi divergences of some order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from dpcore.calculus import Asked, Curve, Followed, Parameters, Raw, Reading, Witness, curve_in, number_in, pair_in
from dpcore.calculus.parameters import ABOVE_1, FIGURES, Parameter, readable
from dpcore.conversions.shared import Delta, Slack, recounting, thinned
from dpcore.maps import (
    ONE,
    PRECISION,
    ZERO,
    Number,
    at_precision,
    exact,
    exp,
    is_symbolic,
    is_zero,
    log,
    maximum,
    minimum,
    named_function,
    numeral,
    sqrt,
    upward,
    variable,
)
from dpcore.maps.search import best_order, profile_order, zcdp_order
from dpcore.measures.orders import Orders, best_asked

ORDERS: Final = 32
"""How many orders a witness has: each is tried at every point, and near ones give nearly the same."""

BEYOND: Final = 4000
"""No order of a witness has `alpha^2 rho` above this: of larger ones the checkers cannot follow the exp at small epsilons.

With the order where it is this, the delta of an epsilon for which a larger one would be best is at most about e^-4000."""


def _epsilon_of_order(alpha: Number, divergence: Number, delta: Number) -> Number:
    """`eps(alpha) + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha-1)` (Balle et al. 2020; CKS 2020, Prop. 12)."""
    return divergence + log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1)


def _through_orders(d: Number, divergence: Curve, delta: Number, alpha: Number | None) -> Raw:
    """`(eps, delta)` from Renyi divergences, at the witness alpha or at the best one found. Every alpha > 1 is sound."""
    zero = ZERO
    if alpha is not None:
        return maximum(zero, _epsilon_of_order(alpha, divergence(alpha), delta)), delta
    if is_symbolic(d):
        order = variable("alpha")
        return named_function("inf_alpha", _epsilon_of_order(order, divergence(order), delta)), delta
    kept = best_asked(divergence)
    if is_zero(divergence(numeral(min(kept, default=Fraction(2))))):
        return zero, zero

    def epsilon(a: float | Fraction) -> float:
        order = numeral(exact(a))
        return upward(_epsilon_of_order(order, divergence(order), delta))

    at = numeral(_least(epsilon, kept))
    return maximum(zero, _epsilon_of_order(at, divergence(at), delta)), delta


@recounting()
def zcdp_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = rho alpha`, by definition."""
    rho = number_in(loss(d))
    return lambda alpha: rho * alpha


@recounting()
def zcdp_to_approximate_zcdp(d: Number, loss: Reading) -> Raw:
    """`(rho, 0)`, by definition."""
    return number_in(loss(d)), ZERO


@recounting(writes=(Delta,))
def zcdp_to_approx(d: Number, loss: Reading, *, delta: Number) -> Raw:
    """`eps = rho + 2 sqrt(rho ln(1/delta))` (Bun and Steinke 2016, Proposition 1.3). Simple, not tight."""
    rho = number_in(loss(d))
    return rho + 2 * sqrt(rho * log(1 / delta)), delta


def _best_of(divergence: Callable[[Raw, Number], Number], name: str = "delta") -> Witness:
    """The order alpha that was given, or about the best one at the largest of the losses."""

    def find(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
        delta, alpha = numeral(parameters[name]), parameters["alpha"]
        if alpha is None:
            alpha = _best_order(divergence, delta, [each.loss for each in asked if each.loss is not None])
        given = {name: delta, "alpha": numeral(alpha)}
        return alpha, lambda d, *losses: map(d, *losses, **given)

    return Witness(Parameter("alpha", ABOVE_1), find)


def _best_order(divergence: Callable[[Raw, Number], Number], delta: Number, losses: Sequence[Raw]) -> Fraction:
    kept = [best_asked(raw) for raw in losses if callable(raw)]
    at = numeral(min([orders[0] for orders in kept if orders], default=Fraction(2)))
    loss = max(losses, key=lambda raw: upward(divergence(raw, at)))

    def epsilon(a: float | Fraction) -> float:
        alpha = numeral(exact(a))
        slack = log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1)
        return upward(divergence(loss, alpha) + slack)

    orders = best_asked(loss) if callable(loss) else ()
    return 1 + readable(at_precision(PRECISION, lambda: _least(epsilon, orders)) - 1)


def _least(epsilon: Callable[[float | Fraction], float], kept: Orders) -> Fraction:
    """The order at which it is about least: of a curve that rises just above some orders, one of these."""
    return min(kept, key=epsilon) if kept else best_order(epsilon)


@recounting(writes=(Delta,), witness=_best_of(lambda loss, alpha: number_in(loss) * alpha))
def zcdp_to_approx_tight(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`delta = exp((alpha-1)(alpha rho - eps) + alpha ln(1 - 1/alpha))/(alpha-1)`, solved for eps, for any alpha > 1."""
    return _tight(d, number_in(loss(d)), delta, alpha)


def _tight(d: Number, rho: Number, delta: Number, alpha: Number | None) -> Raw:
    if alpha is None and not is_symbolic(d) and not is_zero(rho):
        alpha = numeral(zcdp_order(upward(rho), upward(delta)))
    return _through_orders(d, lambda order: rho * order, delta, alpha)


@recounting(writes=(Slack,), witness=_best_of(lambda loss, alpha: pair_in(loss)[0] * alpha, "slack"))
def approximate_zcdp_to_approx(d: Number, loss: Reading, *, slack: Number, alpha: Number | None) -> Raw:
    """`(eps, delta + s)`, eps being what `zcdp_to_approx_tight` gives of rho at a delta of s."""
    rho, delta = pair_in(loss(d))
    epsilon, more = pair_in(_tight(d, rho, slack, alpha))
    return epsilon, delta + more


def _best_orders(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """About the best order at each of the points asked for."""
    best = [
        1 + readable(min(profile_order(upward(rho), upward(x)) - 1, Fraction(math.sqrt(BEYOND / upward(rho)))), 15)
        for (rho, _), points in [(_with_delta(each.loss), each.points) for each in asked if each.loss is not None]
        for x in points
        if not is_zero(rho)
    ]
    orders = thinned(best, ORDERS) or (Fraction(2),)

    def profile(d: Number, loss: Reading) -> Raw:
        rho, delta = _with_delta(loss(d))
        if is_zero(rho):
            return lambda x: delta
        return lambda x: delta + minimum(ONE, *(of_order(rho, x, numeral(a)) for a in orders))

    return orders, profile


def _with_delta(loss: Raw) -> tuple[Number, Number]:
    """rho, and the delta of the approximate form."""
    return loss if isinstance(loss, tuple) else (number_in(loss), ZERO)


@recounting(witness=Witness(Parameter("orders", FIGURES), _best_orders))
def zcdp_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = inf over alpha > 1 of exp((alpha-1)(alpha rho - x) + alpha ln(1 - 1/alpha))/(alpha-1)`, each alpha sound.

    Canonne, Kamath, Steinke 2020, Corollary 13: `zcdp_to_approx_tight` solved for delta.
    """
    return _least_over_orders(d, number_in(loss(d)))


@recounting(witness=Witness(Parameter("orders", FIGURES), _best_orders))
def approximate_zcdp_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta +` what `zcdp_to_profile` gives of rho."""
    rho, delta = pair_in(loss(d))
    curve = _least_over_orders(d, rho)
    return lambda x: delta + curve(x)


def _least_over_orders(d: Number, rho: Number) -> Curve:
    def profile(x: Number) -> Number:
        if is_symbolic(d) or is_symbolic(x):
            order = variable("alpha")
            return named_function("inf_alpha", of_order(rho, x, order))
        return of_order(rho, x, numeral(profile_order(upward(rho), upward(x)))) if not is_zero(rho) else ZERO

    return profile


def of_order(rho: Number, x: Number, alpha: Number) -> Number:
    """The delta at x of one order."""
    return exp((alpha - 1) * (alpha * rho - x) + alpha * log((alpha - 1) / alpha)) / (alpha - 1)


@recounting(writes=(Delta,), witness=_best_of(lambda loss, alpha: curve_in(loss)(alpha)))
def renyi_to_approx(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`eps = eps(alpha) + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha-1)`, for any alpha > 1."""
    return _through_orders(d, curve_in(loss(d)), delta, alpha)
