"""From ZCDP and RenyiDP, through Renyi divergences of some order."""

from __future__ import annotations

from dpcore.conversions.shared import curve_in, number_in, same
from dpcore.derivation import Curve, Raw, Reading, rule
from dpcore.maps import (
    ZERO,
    Number,
    exact,
    exp,
    is_symbolic,
    is_zero,
    log,
    maximum,
    named_function,
    numeral,
    sqrt,
    upward,
    variable,
)
from dpcore.search import best_order, profile_order, zcdp_order


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
    if is_zero(divergence(numeral(2))):
        return zero, zero
    best = best_order(lambda a: upward(_epsilon_of_order(numeral(exact(a)), divergence(numeral(exact(a))), delta)))
    at = numeral(best)
    return maximum(zero, _epsilon_of_order(at, divergence(at), delta)), delta


@rule(run=same)
def zcdp_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = rho alpha`, by definition."""
    rho = number_in(loss(d))
    return lambda alpha: rho * alpha


@rule(run=same)
def zcdp_to_approx(d: Number, loss: Reading, *, delta: Number) -> Raw:
    """`eps = rho + 2 sqrt(rho ln(1/delta))` (Bun and Steinke 2016, Proposition 1.3). Simple, not tight."""
    rho = number_in(loss(d))
    return rho + 2 * sqrt(rho * log(1 / delta)), delta


@rule(run=same)
def zcdp_to_approx_tight(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`delta = exp((alpha-1)(alpha rho - eps) + alpha ln(1 - 1/alpha))/(alpha-1)`, solved for eps, for any alpha > 1."""
    rho = number_in(loss(d))
    if alpha is None and not is_symbolic(d) and not is_zero(rho):
        alpha = numeral(zcdp_order(upward(rho), upward(delta)))
    return _through_orders(d, lambda order: rho * order, delta, alpha)


@rule(run=same)
def zcdp_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = inf over alpha > 1 of exp((alpha-1)(alpha rho - x) + alpha ln(1 - 1/alpha))/(alpha-1)`, each alpha sound.

    Canonne, Kamath, Steinke 2020, Corollary 13: `zcdp_to_approx_tight` solved for delta.
    """
    rho = number_in(loss(d))

    def profile(x: Number) -> Number:
        if is_symbolic(d) or is_symbolic(x):
            order = variable("alpha")
            return named_function("inf_alpha", of_order(rho, x, order))
        return of_order(rho, x, numeral(profile_order(upward(rho), upward(x)))) if not is_zero(rho) else ZERO

    return profile


def of_order(rho: Number, x: Number, alpha: Number) -> Number:
    """The delta at x of one order."""
    return exp((alpha - 1) * (alpha * rho - x) + alpha * log((alpha - 1) / alpha)) / (alpha - 1)


@rule(run=same)
def renyi_to_approx(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`eps = eps(alpha) + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha-1)`, for any alpha > 1."""
    return _through_orders(d, curve_in(loss(d)), delta, alpha)
