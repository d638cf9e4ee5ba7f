"""Between the privacy profile and the trade-off curve, and from them to numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from dpcore.calculus import Asked, Curve, Followed, Parameters, Raw, Reading, Witness, curve_in
from dpcore.calculus.parameters import AT_LEAST_0, FIGURES, UNIT, Parameter
from dpcore.conversions.shared import (
    MANY,
    Epsilons,
    highest_lines,
    lines_of,
    recounting,
    spread_out,
    thinned,
    two_lines,
)
from dpcore.maps import (
    ZERO,
    Number,
    ball_between,
    exact,
    exp,
    is_symbolic,
    maximum,
    named_function,
    numeral,
    one_like,
    upward,
    variable,
)
from dpcore.maps.envelope import highest
from dpcore.maps.search import (
    FEW_EPSILONS,
    MANY_EPSILONS,
    SPLITS,
    best_epsilon,
    greatest,
    least_epsilon,
    looking,
    roughly,
)


def _enough(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The epsilon that was given, or the least one that is enough for all."""
    epsilon, at_most = parameters["epsilon"], parameters["delta"]
    if epsilon is None:
        curves = [curve_in(each.loss) for each in asked if each.loss is not None]
        epsilon = max(least_epsilon(curve, numeral(at_most)) for curve in curves)

    def pair(d: Number, loss: Reading) -> Raw:
        # The curve is read even if its value is not needed: the checker reads it, and what is promised below must be noted.
        delta = curve_in(loss(d))(numeral(epsilon))
        return numeral(epsilon), delta if at_most is None else numeral(at_most)

    return epsilon, pair


@recounting(
    writes=(Parameter("at_most", UNIT, held="delta", nullable=True),),
    witness=Witness(Parameter("epsilon", AT_LEAST_0), _enough),
)
def profile_to_approx(d: Number, loss: Reading, *, delta: Number | None, epsilon: Number | None) -> Raw:
    """`(eps, delta(eps))` at the witness eps, or the pair of about the least eps whose delta is at most the given one."""
    curve = curve_in(loss(d))
    if epsilon is not None:
        return epsilon, curve(epsilon)
    assert delta is not None
    if is_symbolic(d):
        return named_function("inf_epsilon", curve(variable("epsilon")), delta), delta
    return numeral(least_epsilon(curve, delta)), delta


@recounting()
def profile_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta(0)`."""
    return curve_in(loss(d))(0 * one_like(d))


def _best_lines(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The eps whose lines are highest at the points asked for."""
    points = [(best_lines(curve_in(each.loss)), each.points) for each in asked if each.loss is not None]
    epsilons = thinned(best_line(alpha) for best_line, alphas in points for alpha in spread_out(alphas))
    return epsilons, lambda d, loss: highest_lines(curve_in(loss(d)), epsilons)


@recounting(witness=Witness(Epsilons, _best_lines))
def profile_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = sup over eps of max(1 - delta(eps) - e^eps alpha, e^-eps (1 - delta(eps) - alpha))`.

    Every eps gives lines below the true curve, so the best one found is a sound (low) value.
    """
    profile = curve_in(loss(d))
    best_line = best_lines(profile)

    def tradeoff(alpha: Number) -> Number:
        if is_symbolic(alpha):
            epsilon = variable("epsilon")
            return named_function("sup_epsilon", two_lines(alpha, epsilon, profile(epsilon)))
        found = best_line(alpha)
        return two_lines(alpha, numeral(found), profile(numeral(found)))

    return tradeoff


def _cuts(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """Where to cut [0, 1], so that between two cuts the largest `1 - beta(b) - e^eps a` is close to the truth."""
    points = [(curve_in(each.loss), x) for each in asked if each.loss is not None for x in each.points]
    splits = min(SPLITS, max(1, MANY // len(points)))
    cuts = [a for curve, x in points for a in worst_test(curve, x, splits)[2]]
    alphas = thinned(a for a in cuts if 0 < a < 1) or (Fraction(1, 2),)
    return alphas, lambda d, loss: _largest_between(curve_in(loss(d)), alphas)


def _largest_between(tradeoff: Curve, alphas: Sequence[Fraction]) -> Curve:
    """The largest bound over the intervals that the cuts leave."""
    pairs = [(numeral(a), 1 - tradeoff(numeral(b))) for a, b in zip([0, *alphas], [*alphas, 1], strict=True)]
    return lambda x: maximum(ZERO, *(power - exp(x) * a for a, power in pairs))


@recounting(witness=Witness(Parameter("alphas", FIGURES), _cuts))
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


def best_lines(profile: Curve) -> Callable[[Number], Fraction]:
    """About the eps whose lines are highest at a point: one of many, or near the best of a few; these are asked for once."""

    @cache
    def best_of(epsilons: Sequence[float]) -> Callable[[Number], int]:
        with roughly():
            return highest(line for x in map(_typed, epsilons) for line in lines_of(x, profile(x)))

    def best_line(alpha: Number) -> Fraction:
        epsilons = MANY_EPSILONS if looking() else FEW_EPSILONS
        near = epsilons[best_of(epsilons)(alpha) // 2]
        if looking():
            return Fraction(near)
        return best_epsilon(lambda x: -upward(-two_lines(alpha, _typed(x), profile(_typed(x)))), near)

    return best_line


def _typed(x: float) -> Number:
    return numeral(exact(x))


def worst_test(tradeoff: Curve, epsilon: Number, splits: int = SPLITS) -> tuple[Fraction, Fraction, list[Fraction]]:
    """Bounds of `sup over alpha of 1 - beta(alpha) - e^eps alpha`, and where the intervals begin that give the upper one."""
    factor = exp(epsilon)
    power = cache(lambda a: 1 - tradeoff(numeral(a)))
    return greatest(power, lambda a: factor * numeral(a), splits)
