"""From one measure to another: `measurement.to(ApproxDP, delta="1e-6")`. The release is the same, its loss is recounted.

Each conversion is a rule with its argument beside it. Where a rule holds for every witness (an order alpha, an epsilon)
and none is given, a search proposes one at the loss at hand, and the rule is evaluated rigorously there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, final

from dpcore.derivation import Curve, Raw, Reading, Rule, Run, rule
from dpcore.errors import InvalidParameter, NoConversion
from dpcore.maps import (
    ZERO,
    Exact,
    Number,
    ball_between,
    exact,
    exp,
    expm1,
    is_formula,
    is_symbolic,
    is_zero,
    log,
    maximum,
    minimum,
    named_function,
    normal_cdf,
    normal_quantile,
    numeral,
    one_like,
    sqrt,
    upward,
    variable,
)
from dpcore.measures import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    Measure,
    Profile,
    PureDP,
    RenyiDP,
    TotalVariation,
    Tradeoff,
)
from dpcore.search import best_order, best_point, greatest, least_epsilon


def _same(data: object, release: Run) -> object:
    return release(data)


def _number(raw: Raw) -> Number:
    return cast(Number, raw)


def _pair(raw: Raw) -> tuple[Number, Number]:
    return cast("tuple[Number, Number]", raw)


def _curve(raw: Raw) -> Curve:
    return cast(Curve, raw)


# ---- from PureDP -------------------------------------------------------------------------------------------------


@rule(run=_same)
def pure_to_approx(d: Number, loss: Reading) -> Raw:
    """`P(E) <= e^eps Q(E) + 0`."""
    return _number(loss(d)), ZERO


@rule(run=_same)
def pure_to_zcdp(d: Number, loss: Reading) -> Raw:
    """`rho = eps^2/2` (Bun and Steinke 2016, Proposition 3.3)."""
    epsilon = _number(loss(d))
    return epsilon * epsilon / 2


@rule(run=_same)
def pure_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = min(eps, alpha eps^2/2)`: Renyi divergence grows with its order, up to the max-divergence eps."""
    epsilon = _number(loss(d))
    return lambda alpha: minimum(epsilon, alpha * epsilon * epsilon / 2)


@rule(run=_same)
def pure_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta = (e^eps - 1)/(e^eps + 1)`, which randomized response reaches."""
    epsilon = _number(loss(d))
    return _advantage(epsilon, ZERO)


@rule(run=_same)
def pure_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = max(0, (e^eps - e^x)/(1 + e^eps))`: randomized response is the worst case (Kairouz, Oh, Viswanath)."""
    epsilon = _number(loss(d))
    return lambda x: _worst_case(x, epsilon, ZERO)


@rule(run=_same)
def pure_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - e^eps alpha, e^-eps (1 - alpha))`."""
    epsilon = _number(loss(d))
    return lambda alpha: _lines(alpha, epsilon, ZERO)


@rule(run=_same)
def pure_to_gaussian(d: Number, loss: Reading) -> Raw:
    """`mu = 2 Phi^-1(e^eps/(1 + e^eps))`.

    The trade-off curve of eps is two straight lines that meet at `alpha = beta = 1/(1 + e^eps)`. The Gaussian curve of
    this mu is convex, has the same ends and passes through that point, so it lies below both lines.
    """
    epsilon = _number(loss(d))
    if is_zero(epsilon):
        return epsilon
    half = normal_quantile(1 / (1 + exp(-epsilon)))
    return 4 * half * half


# ---- from ApproxDP and TotalVariation ------------------------------------------------------------------------------


def _worst_case(x: Number, epsilon: Number, delta: Number) -> Number:
    """delta at x of: with probability delta tell all, else randomized response at epsilon."""
    return delta + (1 - delta) * maximum(ZERO, (exp(epsilon) - exp(x)) / (1 + exp(epsilon)))


def _advantage(epsilon: Number, delta: Number) -> Number:
    """The same at x = 0."""
    return delta + (1 - delta) * expm1(epsilon) / (exp(epsilon) + 1)


def _lines(alpha: Number, epsilon: Number, delta: Number) -> Number:
    """The trade-off curve of (epsilon, delta): both lines that it must lie above, and zero."""
    return maximum(ZERO, 1 - delta - exp(epsilon) * alpha, exp(-epsilon) * (1 - delta - alpha))


@rule(run=_same)
def approx_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = delta + (1 - delta) max(0, (e^eps - e^x)/(1 + e^eps))` (Kairouz, Oh, Viswanath 2015)."""
    epsilon, delta = _pair(loss(d))
    return lambda x: _worst_case(x, epsilon, delta)


@rule(run=_same)
def approx_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha))` (Wasserman and Zhou 2010)."""
    epsilon, delta = _pair(loss(d))
    return lambda alpha: _lines(alpha, epsilon, delta)


@rule(run=_same)
def approx_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta + (1 - delta)(e^eps - 1)/(e^eps + 1)`: the profile at 0."""
    epsilon, delta = _pair(loss(d))
    return _advantage(epsilon, delta)


@rule(run=_same)
def total_variation_to_approx(d: Number, loss: Reading) -> Raw:
    """`P(E) <= e^0 Q(E) + delta`."""
    return ZERO, _number(loss(d))


@rule(run=_same)
def total_variation_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) <= delta(0) = delta` for every x >= 0."""
    delta = _number(loss(d))
    return lambda x: delta


@rule(run=_same)
def total_variation_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - delta - alpha)`."""
    delta = _number(loss(d))
    return lambda alpha: maximum(ZERO, 1 - delta - alpha)


# ---- from ZCDP and RenyiDP -----------------------------------------------------------------------------------------


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


@rule(run=_same)
def zcdp_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = rho alpha`, by definition."""
    rho = _number(loss(d))
    return lambda alpha: rho * alpha


@rule(run=_same)
def zcdp_to_approx(d: Number, loss: Reading, *, delta: Number) -> Raw:
    """`eps = rho + 2 sqrt(rho ln(1/delta))` (Bun and Steinke 2016, Proposition 1.3). Simple, not tight."""
    rho = _number(loss(d))
    return rho + 2 * sqrt(rho * log(1 / delta)), delta


@rule(run=_same)
def zcdp_to_approx_tight(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`delta = exp((alpha-1)(alpha rho - eps) + alpha ln(1 - 1/alpha))/(alpha-1)`, solved for eps, for any alpha > 1."""
    rho = _number(loss(d))
    return _through_orders(d, lambda order: rho * order, delta, alpha)


@rule(run=_same)
def renyi_to_approx(d: Number, loss: Reading, *, delta: Number, alpha: Number | None) -> Raw:
    """`eps = eps(alpha) + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha-1)`, for any alpha > 1."""
    return _through_orders(d, _curve(loss(d)), delta, alpha)


# ---- from GaussianDP -------------------------------------------------------------------------------------------------


@rule(run=_same)
def gaussian_to_zcdp(d: Number, loss: Reading) -> Raw:
    """`rho = mu^2/2`: the Renyi divergence of N(0,1) from N(mu,1) is `alpha mu^2/2` (Dong, Roth, Su 2022, Cor. B.6)."""
    return _number(loss(d)) / 2


@rule(run=_same)
def gaussian_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = alpha mu^2/2`."""
    squared = _number(loss(d))
    return lambda alpha: alpha * squared / 2


@rule(run=_same)
def gaussian_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = Phi(-x/mu + mu/2) - e^x Phi(-x/mu - mu/2)` (Balle and Wang 2018, Theorem 8)."""
    squared = _number(loss(d))

    def profile(x: Number) -> Number:
        if is_zero(squared):
            return ZERO
        mu = sqrt(squared)
        return maximum(ZERO, normal_cdf(mu / 2 - x / mu) - exp(x) * normal_cdf(-x / mu - mu / 2))

    return profile


@rule(run=_same)
def gaussian_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = Phi(Phi^-1(1 - alpha) - mu)` (Dong, Roth, Su 2022)."""
    squared = _number(loss(d))

    def tradeoff(alpha: Number) -> Number:
        if is_zero(alpha) or is_zero(1 - alpha):
            return 1 - alpha
        return normal_cdf(normal_quantile(1 - alpha) - sqrt(squared))

    return tradeoff


# ---- between Profile and Tradeoff ------------------------------------------------------------------------------------


@rule(run=_same)
def profile_to_approx(d: Number, loss: Reading, *, delta: Number | None, epsilon: Number | None) -> Raw:
    """`(eps, delta(eps))` at the witness eps, or the pair of about the least eps whose delta is at most the given one."""
    curve = _curve(loss(d))
    if epsilon is not None:
        return epsilon, curve(epsilon)
    assert delta is not None
    if is_symbolic(d):
        return named_function("inf_epsilon", curve(variable("epsilon")), delta), delta
    return numeral(least_epsilon(curve, delta)), delta


@rule(run=_same)
def profile_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta(0)`."""
    return _curve(loss(d))(0 * one_like(d))


@rule(run=_same)
def profile_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = sup over eps of max(1 - delta(eps) - e^eps alpha, e^-eps (1 - delta(eps) - alpha))`.

    Every eps gives lines below the true curve, so the best one found is a sound (low) value.
    """
    profile = _curve(loss(d))

    def tradeoff(alpha: Number) -> Number:
        if is_symbolic(alpha):
            epsilon = variable("epsilon")
            return named_function("sup_epsilon", _lines(alpha, epsilon, profile(epsilon)))
        found = best_point(lambda x: -upward(-_lines(alpha, numeral(exact(x)), profile(numeral(exact(x))))))
        return _lines(alpha, numeral(found), profile(numeral(found)))

    return tradeoff


@rule(run=_same)
def tradeoff_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(eps) = sup over alpha of 1 - beta(alpha) - e^eps alpha`.

    On `[a, b]` no value exceeds `1 - beta(b) - e^eps a`, since true false-negative rates fall as alpha grows. The largest
    of these bounds, over ever finer intervals, is the upper end of what is returned.
    """
    tradeoff = _curve(loss(d))

    def profile(epsilon: Number) -> Number:
        if is_symbolic(epsilon):
            alpha = variable("alpha")
            return named_function("sup_alpha", 1 - tradeoff(alpha) - exp(epsilon) * alpha)
        factor = exp(epsilon)
        return ball_between(*greatest(lambda a: 1 - tradeoff(numeral(a)), lambda a: factor * numeral(a)))

    return profile


# ---- which conversion ------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Conversion:
    """A rule and the witnesses that it takes. One of `needs` must be given."""

    rule: Rule
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


CONVERSIONS: dict[tuple[type[Measure], type[Measure]], Conversion] = {
    (PureDP, ApproxDP): Conversion(pure_to_approx),
    (PureDP, ZCDP): Conversion(pure_to_zcdp),
    (PureDP, RenyiDP): Conversion(pure_to_renyi),
    (PureDP, TotalVariation): Conversion(pure_to_total_variation),
    (PureDP, Profile): Conversion(pure_to_profile),
    (PureDP, Tradeoff): Conversion(pure_to_tradeoff),
    (PureDP, GaussianDP): Conversion(pure_to_gaussian),
    (ApproxDP, Profile): Conversion(approx_to_profile),
    (ApproxDP, Tradeoff): Conversion(approx_to_tradeoff),
    (ApproxDP, TotalVariation): Conversion(approx_to_total_variation),
    (TotalVariation, ApproxDP): Conversion(total_variation_to_approx),
    (TotalVariation, Profile): Conversion(total_variation_to_profile),
    (TotalVariation, Tradeoff): Conversion(total_variation_to_tradeoff),
    (ZCDP, RenyiDP): Conversion(zcdp_to_renyi),
    (ZCDP, ApproxDP): Conversion(zcdp_to_approx_tight, ("delta",), ("alpha",)),
    (RenyiDP, ApproxDP): Conversion(renyi_to_approx, ("delta",), ("alpha",)),
    (GaussianDP, ZCDP): Conversion(gaussian_to_zcdp),
    (GaussianDP, RenyiDP): Conversion(gaussian_to_renyi),
    (GaussianDP, Profile): Conversion(gaussian_to_profile),
    (GaussianDP, Tradeoff): Conversion(gaussian_to_tradeoff),
    (Profile, ApproxDP): Conversion(profile_to_approx, ("delta", "epsilon")),
    (Profile, TotalVariation): Conversion(profile_to_total_variation),
    (Profile, Tradeoff): Conversion(profile_to_tradeoff),
    (Tradeoff, Profile): Conversion(tradeoff_to_profile),
}

_NONE_FINITE: dict[type[Measure], str] = {
    TotalVariation: "an event of probability delta may reveal everything, so no finite epsilon bounds the likelihood ratio",
    ApproxDP: "an event of probability delta may reveal everything, so no finite epsilon bounds the likelihood ratio",
    Profile: "where delta(epsilon) is above 0 for every epsilon, no finite epsilon bounds the likelihood ratio",
    Tradeoff: "a curve that starts below 1 belongs to events that one data set can produce and its neighbour cannot",
    ZCDP: "the likelihood ratio of Gaussian noise is not bounded",
    GaussianDP: "the likelihood ratio of Gaussian noise is not bounded",
    RenyiDP: "divergences of finite order do not bound the likelihood ratio",
}


def conversion(
    source: type[Measure], target: type[Measure], witness: Mapping[str, object]
) -> tuple[Rule, dict[str, object]]:
    """The rule that leads from one measure to another, with its parameters; a reason where there is none."""
    if not issubclass(target, Measure):
        raise InvalidParameter(
            f"Expected a measure such as ApproxDP but got a {type(target).__name__}", produced=target
        )
    found = CONVERSIONS.get((source, target))
    if found is None:
        raise NoConversion(
            _reason(source, target), produced=source(), expected=target(), bridge=_bridge(source, target)
        )
    allowed = (*found.needs, *found.takes)
    for name in witness:
        if name not in allowed:
            listed = ", ".join(allowed) or "no parameter"
            raise InvalidParameter(f"to({target.__name__}) takes {listed}, but got {name!r}", produced=name)
    given = [name for name in found.needs if name in witness]
    if found.needs and len(given) != 1:
        raise InvalidParameter(
            f"to({target.__name__}) needs {' or '.join(found.needs)}, as a number", expected=found.needs
        )
    parameters: dict[str, object] = dict.fromkeys(allowed)
    for name, value in witness.items():
        parameters[name] = _witness(name, exact(value, name))
    return found.rule, parameters


def _witness(name: str, value: Exact) -> Exact:
    if not is_formula(value):
        if name == "delta" and not 0 < value < 1:
            raise InvalidParameter(f"Expected 0 < delta < 1 but got delta={value}", produced=value)
        if name == "alpha" and value <= 1:
            raise InvalidParameter(f"Expected an order alpha above 1 but got alpha={value}", produced=value)
        if name == "epsilon" and value < 0:
            raise InvalidParameter(f"Expected epsilon of at least 0 but got epsilon={value}", produced=value)
    return value


def _reason(source: type[Measure], target: type[Measure]) -> str:
    text = f"no rule leads from {source.__name__} to {target.__name__}"
    if source is target:
        return f"the loss is counted in {source.__name__} already"
    if target is PureDP:
        return f"{text}: {_NONE_FINITE[source]}"
    return text


def _bridge(source: type[Measure], target: type[Measure]) -> str | None:
    """Two conversions that together lead there, where there are such."""
    for (start, middle), first in CONVERSIONS.items():
        second = CONVERSIONS.get((middle, target))
        if start is source and source is not target and second is not None:
            return f".to({middle.__name__}{_needed(first)}).to({target.__name__}{_needed(second)})"
    return None


def _needed(found: Conversion) -> str:
    return f", {found.needs[0]}=..." if found.needs else ""
