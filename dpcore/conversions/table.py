"""Which rule leads from one measure to another, and why some do not exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar, final

from dpcore.calculus import Derivation, Rule
from dpcore.conversions.between_curves import (
    profile_to_approx,
    profile_to_total_variation,
    profile_to_tradeoff,
    tradeoff_to_profile,
)
from dpcore.conversions.from_approx import (
    approx_to_approximate_zcdp,
    approx_to_profile,
    approx_to_total_variation,
    approx_to_tradeoff,
    total_variation_to_approx,
    total_variation_to_profile,
    total_variation_to_tradeoff,
)
from dpcore.conversions.from_gaussian import (
    gaussian_to_profile,
    gaussian_to_renyi,
    gaussian_to_tradeoff,
    gaussian_to_zcdp,
)
from dpcore.conversions.from_orders import (
    approximate_zcdp_to_approx,
    approximate_zcdp_to_profile,
    renyi_to_approx,
    zcdp_to_approx_tight,
    zcdp_to_approximate_zcdp,
    zcdp_to_profile,
    zcdp_to_renyi,
)
from dpcore.conversions.from_pure import (
    pure_to_approx,
    pure_to_approximate_zcdp,
    pure_to_gaussian,
    pure_to_profile,
    pure_to_renyi,
    pure_to_total_variation,
    pure_to_tradeoff,
    pure_to_zcdp,
)
from dpcore.errors import InvalidParameter, NoConversion, is_a
from dpcore.maps import (
    Exact,
    between_0_and_1,
    exact,
    is_formula,
)
from dpcore.maps.bounds import Bound
from dpcore.measures import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Measure,
    Profile,
    PureDP,
    RenyiDP,
    TotalVariation,
    Tradeoff,
)
from dpcore.measures.losses import NEAR_ONE, ApproxLoss

L = TypeVar("L")


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
    (PureDP, ApproxZCDP): Conversion(pure_to_approximate_zcdp),
    (PureDP, RenyiDP): Conversion(pure_to_renyi),
    (PureDP, TotalVariation): Conversion(pure_to_total_variation),
    (PureDP, Profile): Conversion(pure_to_profile),
    (PureDP, Tradeoff): Conversion(pure_to_tradeoff),
    (PureDP, GaussianDP): Conversion(pure_to_gaussian),
    (ApproxDP, ApproxZCDP): Conversion(approx_to_approximate_zcdp),
    (ApproxDP, Profile): Conversion(approx_to_profile),
    (ApproxDP, Tradeoff): Conversion(approx_to_tradeoff),
    (ApproxDP, TotalVariation): Conversion(approx_to_total_variation),
    (TotalVariation, ApproxDP): Conversion(total_variation_to_approx),
    (TotalVariation, Profile): Conversion(total_variation_to_profile),
    (TotalVariation, Tradeoff): Conversion(total_variation_to_tradeoff),
    (ZCDP, ApproxZCDP): Conversion(zcdp_to_approximate_zcdp),
    (ZCDP, RenyiDP): Conversion(zcdp_to_renyi),
    (ZCDP, Profile): Conversion(zcdp_to_profile),
    (ZCDP, ApproxDP): Conversion(zcdp_to_approx_tight, ("delta",), ("alpha",)),
    (ApproxZCDP, Profile): Conversion(approximate_zcdp_to_profile),
    (ApproxZCDP, ApproxDP): Conversion(approximate_zcdp_to_approx, ("slack",), ("alpha",)),
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


SEARCHED: Mapping[str, str] = {
    "profile_to_approx": "epsilon",
    "zcdp_to_approx_tight": "alpha",
    "renyi_to_approx": "alpha",
    "approximate_zcdp_to_approx": "alpha",
}
"""The witness on which the epsilon of a rule rests. Where none is given, a search proposes one."""


def as_found(loss: L, derivation: Derivation) -> L:
    """The loss, its epsilon marked as an upper bound where it is rational only because a search found a rational."""
    if not isinstance(loss, ApproxLoss) or not loss.epsilon.exact or not _searches(derivation):
        return loss  # nothing is below 0, so a 0 that was found is exact
    return replace(loss, epsilon=Bound(loss.epsilon.value, above=True))


def _searches(derivation: Derivation) -> bool:
    """Whether a witness had to be searched for anywhere in the derivation."""
    searched = [part for part in derivation.parts() if part.rule.name in SEARCHED]
    return any(part.parameters[SEARCHED[part.rule.name]] is None for part in searched)


_NONE_FINITE: dict[type[Measure], str] = {
    TotalVariation: "an event of probability delta may reveal everything, so no finite epsilon bounds the likelihood ratio",
    ApproxDP: "an event of probability delta may reveal everything, so no finite epsilon bounds the likelihood ratio",
    Profile: "where delta(epsilon) is above 0 for every epsilon, no finite epsilon bounds the likelihood ratio",
    Tradeoff: "a curve that starts below 1 belongs to events that one data set can produce and its neighbour cannot",
    ApproxZCDP: "an event of probability delta may reveal everything, so no finite epsilon bounds the likelihood ratio",
    ZCDP: "the likelihood ratio of Gaussian noise is not bounded",
    GaussianDP: "the likelihood ratio of Gaussian noise is not bounded",
    RenyiDP: "divergences of finite order do not bound the likelihood ratio",
}


def conversion(
    source: type[Measure], target: type[Measure], witness: Mapping[str, object]
) -> tuple[Rule, dict[str, object]]:
    """The rule that leads from one measure to another, with its parameters; a reason where there is none."""
    if not is_a(target, type) or not issubclass(target, Measure):
        raise InvalidParameter(
            f"Expected a measure such as ApproxDP but got a {type(target).__name__}", produced=target
        )
    found = CONVERSIONS.get((source, target))
    if found is None:
        raise NoConversion(
            _reason(source, target), produced=source(), expected=target(), bridge=_bridge(source, target)
        )
    allowed = (*found.needs, *found.takes)
    witness = {name: value for name, value in witness.items() if value is not None}
    for name in witness:
        if name not in allowed:
            raise _unasked(name, allowed, source, target)
    given = [name for name in found.needs if name in witness]
    if found.needs and len(given) != 1:
        raise InvalidParameter(
            f"to({target.__name__}) needs {' or '.join(found.needs)}, as a number", expected=found.needs
        )
    parameters: dict[str, object] = dict.fromkeys(allowed)
    for name, value in witness.items():
        parameters[name] = _witness(name, exact(value, name))
    return found.rule, parameters


def _unasked(name: str, allowed: tuple[str, ...], source: type[Measure], target: type[Measure]) -> InvalidParameter:
    """A witness that the conversion does not take. Where it takes none, nothing is left to choose."""
    call = f"to({target.__name__})"
    if allowed:
        return InvalidParameter(f"{call} takes {', '.join(allowed)}, but got {name!r}", produced=name)
    return InvalidParameter(
        f"{call} takes no parameter, but got {name!r}: a loss in {source.__name__} needs no {name} for it",
        produced=name,
        bridge=f".{call}",
    )


def _witness(name: str, value: Exact) -> Exact:
    if not is_formula(value):
        if name in ("delta", "slack"):
            between_0_and_1(value, name)
        if name in ("delta", "slack") and value >= NEAR_ONE:
            raise InvalidParameter(
                f"Expected a small probability for {name} but got {name}={value}, which promises almost nothing",
                produced=value,
                bridge=f"a small {name}, such as '1e-6'",
            )
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
