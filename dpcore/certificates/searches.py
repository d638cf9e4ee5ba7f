"""Witnesses that are searched for: each function gives one, and the map that follows it as the checker does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, cast

from dpcore.certificates.encoding import Json, number
from dpcore.certificates.rounding import readable, upper
from dpcore.conversions import best_line, curve_in, normal_curve, number_in, of_order, two_lines, worst_test
from dpcore.derivation import Curve, Derivation, Raw, Reading
from dpcore.maps import (
    ONE,
    PRECISION,
    ZERO,
    Number,
    at_precision,
    ends,
    exact,
    exp,
    is_zero,
    log,
    maximum,
    minimum,
    normal_quantile,
    numeral,
    sqrt,
    upward,
)
from dpcore.search import best_order, least_epsilon, profile_order

MANY: Final = 4096
"""How many points of a curve a witness has at most; the checker takes no more."""

ORDERS: Final = 32
"""How many orders: each is tried at every point, and near ones give nearly the same."""


class Asked(NamedTuple):
    """A distance, the loss of the premise there (if there is one), and the points asked for of the curve that came out."""

    d: Number
    loss: Raw | None
    points: Sequence[Number]


Found = tuple[dict[str, Json], Callable[..., Raw]]


def order(derivation: Derivation, asked: list[Asked]) -> Found:
    """The order alpha that was given, or about the best one at the largest of the losses."""
    rule, parameters = derivation.rule, derivation.parameters
    alpha = _best_order(rule.name, numeral(parameters["delta"]), asked) if parameters["alpha"] is None else None
    alpha = Fraction(cast(Fraction, parameters["alpha"])) if alpha is None else alpha
    given = {"delta": numeral(parameters["delta"]), "alpha": numeral(alpha)}
    return {"alpha": number(alpha)}, lambda d, *losses: rule.map(d, *losses, **given)


def _best_order(rule: str, delta: Number, asked: list[Asked]) -> Fraction:
    def divergence(loss: Raw, alpha: Number) -> Number:
        return number_in(loss) * alpha if rule == "zcdp_to_approx_tight" else curve_in(loss)(alpha)

    loss = max((cast(Raw, each.loss) for each in asked), key=lambda raw: upward(divergence(raw, numeral(2))))

    def epsilon(a: float) -> float:
        alpha = numeral(exact(a))
        slack = log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1)
        return upward(divergence(loss, alpha) + slack)

    return 1 + readable(at_precision(PRECISION, lambda: best_order(epsilon)) - 1)


def epsilon(derivation: Derivation, asked: list[Asked]) -> Found:
    """The epsilon that was given, or the least one that is enough for all."""
    wanted, at_most = derivation.parameters["epsilon"], derivation.parameters["delta"]
    found = (
        max(least_epsilon(curve_in(cast(Raw, each.loss)), numeral(at_most)) for each in asked)
        if wanted is None
        else Fraction(cast(Fraction, wanted))
    )

    def pair(d: Number, loss: Reading) -> Raw:
        # The curve is read even if its value is not needed: the checker reads it, and what is promised below must be noted.
        delta = curve_in(loss(d))(numeral(found))
        return numeral(found), delta if at_most is None else numeral(at_most)

    return {"epsilon": number(found)}, pair


def orders(derivation: Derivation, asked: list[Asked]) -> Found:
    """About the best order at each of the points asked for."""
    found = {
        1 + readable(profile_order(upward(number_in(cast(Raw, each.loss))), upward(x)) - 1, 15)
        for each in asked
        for x in each.points
        if not is_zero(number_in(cast(Raw, each.loss)))
    }
    some = thinned(found, ORDERS) or [Fraction(2)]

    def profile(d: Number, loss: Reading) -> Raw:
        rho = number_in(loss(d))
        return lambda x: ZERO if is_zero(rho) else minimum(ONE, *(of_order(rho, x, numeral(a)) for a in some))

    return {"orders": [number(a) for a in some]}, profile


def mu(derivation: Derivation, asked: list[Asked]) -> Found:
    """The mu of the Gaussian curve that lies below both lines of the largest epsilon."""
    squares = [number_in(derivation.rule.map(each.d, _always(each.loss))) for each in asked]
    # Above the root by enough that a checker with fewer bits sees it.
    found = max(upper(sqrt(square) * (1 + numeral(Fraction(1, 10**18)))) for square in squares)

    def squared(d: Number, loss: Reading) -> Raw:
        return ZERO if is_zero(number_in(loss(d))) else numeral(found * found)

    return {"mu": number(found or Fraction(1))}, squared


def _always(loss: Raw | None) -> Reading:
    return lambda d: cast(Raw, loss)


def epsilons(derivation: Derivation, asked: list[Asked]) -> Found:
    """The eps whose lines are highest at the points asked for: `beta(alpha) >= the highest of the lines of some eps`."""
    gaussian = derivation.rule.name == "gaussian_to_tradeoff"
    found: set[Fraction] = set()
    for each in asked:
        for alpha in each.points:
            if gaussian:
                found.add(_touching(number_in(cast(Raw, each.loss)), alpha))
            else:
                profile = curve_in(cast(Raw, each.loss))
                found.add(best_line(profile, alpha))
    some = thinned(found)

    def tradeoff(d: Number, loss: Reading) -> Raw:
        raw = loss(d)
        profile = normal_curve(number_in(raw)) if gaussian else curve_in(raw)
        return highest(profile, some)

    return {"epsilons": [number(x) for x in some]}, tradeoff


def highest(profile: Curve, epsilons: Sequence[Fraction]) -> Curve:
    """The highest of the lines of some eps."""
    pairs = [(numeral(x), profile(numeral(x))) for x in epsilons]
    return lambda alpha: maximum(*(two_lines(alpha, x, delta) for x, delta in pairs))


def _touching(square: Number, alpha: Number) -> Fraction:
    """`|mu z - mu^2/2|` with `Phi(z) = 1 - alpha`: there the lines touch the Gaussian curve."""
    if is_zero(alpha) or is_zero(square):
        return Fraction(0) if is_zero(square) else least_epsilon(normal_curve(square), numeral(Fraction(1, 10**20)))
    if is_zero(1 - alpha):
        return Fraction(0)
    low, high = ends(sqrt(square) * normal_quantile(1 - alpha) - square / 2)
    middle = abs(low + high) / 2
    return readable(middle, 20) if middle else middle


def alphas(derivation: Derivation, asked: list[Asked]) -> Found:
    """Where to cut [0, 1], so that between two cuts the largest `1 - beta(b) - e^eps a` is close to the truth."""
    points = [(curve_in(cast(Raw, each.loss)), x) for each in asked for x in each.points]
    cuts = [a for curve, x in points for a in worst_test(curve, x, min(2000, max(1, MANY // len(points))))[2]]
    some = thinned(a for a in cuts if 0 < a < 1) or [Fraction(1, 2)]

    def profile(d: Number, loss: Reading) -> Raw:
        return covered(curve_in(loss(d)), some)

    return {"alphas": [number(a) for a in some]}, profile


def covered(tradeoff: Curve, alphas: Sequence[Fraction]) -> Curve:
    """The largest bound over the intervals that the cuts leave."""
    pairs = [(numeral(a), 1 - tradeoff(numeral(b))) for a, b in zip([0, *alphas], [*alphas, 1], strict=True)]
    return lambda x: maximum(ZERO, *(power - exp(x) * a for a, power in pairs))


def thinned(found: Iterable[Fraction], most: int = MANY) -> list[Fraction]:
    """In rising order, and no more than a witness may have."""
    ordered = sorted(set(found))
    if len(ordered) <= most:
        return ordered
    return [ordered[i * len(ordered) // most] for i in range(most)]
