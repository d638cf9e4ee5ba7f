"""Between the privacy profile and the trade-off curve, and from them to numbers."""

from __future__ import annotations

from fractions import Fraction

from dpcore.conversions.shared import curve_in, same, two_lines
from dpcore.derivation import Curve, Raw, Reading, rule
from dpcore.maps import (
    Number,
    ball_between,
    exact,
    exp,
    is_symbolic,
    named_function,
    numeral,
    one_like,
    upward,
    variable,
)
from dpcore.search import best_point, greatest, least_epsilon


@rule(run=same)
def profile_to_approx(d: Number, loss: Reading, *, delta: Number | None, epsilon: Number | None) -> Raw:
    """`(eps, delta(eps))` at the witness eps, or the pair of about the least eps whose delta is at most the given one."""
    curve = curve_in(loss(d))
    if epsilon is not None:
        return epsilon, curve(epsilon)
    assert delta is not None
    if is_symbolic(d):
        return named_function("inf_epsilon", curve(variable("epsilon")), delta), delta
    return numeral(least_epsilon(curve, delta)), delta


@rule(run=same)
def profile_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta(0)`."""
    return curve_in(loss(d))(0 * one_like(d))


@rule(run=same)
def profile_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = sup over eps of max(1 - delta(eps) - e^eps alpha, e^-eps (1 - delta(eps) - alpha))`.

    Every eps gives lines below the true curve, so the best one found is a sound (low) value.
    """
    profile = curve_in(loss(d))

    def tradeoff(alpha: Number) -> Number:
        if is_symbolic(alpha):
            epsilon = variable("epsilon")
            return named_function("sup_epsilon", two_lines(alpha, epsilon, profile(epsilon)))
        found = best_line(profile, alpha)
        return two_lines(alpha, numeral(found), profile(numeral(found)))

    return tradeoff


@rule(run=same)
def tradeoff_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(eps) = sup over alpha of 1 - beta(alpha) - e^eps alpha`.

    On `[a, b]` no value exceeds `1 - beta(b) - e^eps a`, since true false-negative rates fall as alpha grows. The largest
    of these bounds, over ever finer intervals, is the upper end of what is returned.
    """
    tradeoff = curve_in(loss(d))

    def profile(epsilon: Number) -> Number:
        if is_symbolic(epsilon):
            alpha = variable("alpha")
            return named_function("sup_alpha", 1 - tradeoff(alpha) - exp(epsilon) * alpha)
        low, high, _ = worst_test(tradeoff, epsilon)
        return ball_between(low, high)

    return profile


# ---- the searches ------------------------------------------------------------------------------------------------------


def best_line(profile: Curve, alpha: Number) -> Fraction:
    """About the eps whose lines are highest at alpha."""
    return best_point(lambda x: -upward(-two_lines(alpha, numeral(exact(x)), profile(numeral(exact(x))))))


def worst_test(tradeoff: Curve, epsilon: Number, splits: int = 2000) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Bounds of `sup over alpha of 1 - beta(alpha) - e^eps alpha`, and where the intervals begin that give the upper one."""
    factor = exp(epsilon)
    return greatest(lambda a: 1 - tradeoff(numeral(a)), lambda a: factor * numeral(a), splits)
