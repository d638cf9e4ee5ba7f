"""Witnesses: what a rule asks for and nobody can derive is found here and handed to the checker, who only looks at it.

An order alpha, an epsilon. The derivation is evaluated once while its searching rules note what they were asked; then it
is made again with the witnesses in place, and it is that derivation which is certified.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias, cast, final

from dpcore.certificates.encoding import Json, number
from dpcore.certificates.rounding import readable
from dpcore.conversions import curve_in, number_in
from dpcore.derivation import Derivation, Parameters, Raw, Reading
from dpcore.maps import PRECISION, Number, at_precision, exact, log, numeral, upward
from dpcore.search import best_order, least_epsilon

Witness: TypeAlias = "dict[str, Json]"
Evaluate: TypeAlias = Callable[[Derivation], object]

ORDERS = ("zcdp_to_approx_tight", "renyi_to_approx")
SEARCHING = (*ORDERS, "profile_to_approx")


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A derivation with its witnesses in place, by the identity of its nodes."""

    derivation: Derivation
    witness: dict[int, Witness] = field(default_factory=dict)


def witnessed(derivation: Derivation, evaluate: Evaluate) -> Found:
    """The derivation with all witnesses found at what its rules are asked when it is evaluated."""
    if not derivation.rules() & set(SEARCHING):
        return Found(derivation)
    noted: dict[int, list[Raw]] = {}
    evaluate(_noting(derivation, noted))
    found: dict[int, Witness] = {}
    return Found(_placed(derivation, noted, found, {}), found)


# ---- what is asked -----------------------------------------------------------------------------------------------------


def _noting(derivation: Derivation, noted: dict[int, list[Raw]]) -> Derivation:
    """The same derivation, whose searching rules note what they are given."""
    premises = tuple(_noting(premise, noted) for premise in derivation.premises)
    rule, parameters = derivation.rule, derivation.parameters
    if rule.name not in SEARCHING:
        return Derivation(rule, parameters, premises)
    asked = noted.setdefault(id(derivation), [])

    def convert(d: Number, loss: Reading, **given: object) -> Raw:
        asked.append(loss(d))
        return rule.map(d, loss, **given)

    # A name of its own, so that no other node shares the reading of this one.
    return Derivation(replace(rule, name=f"{rule.name} {id(derivation)}", map=convert), parameters, premises)


# ---- what is answered --------------------------------------------------------------------------------------------------


def _placed(
    derivation: Derivation, noted: dict[int, list[Raw]], found: dict[int, Witness], done: dict[int, Derivation]
) -> Derivation:
    """The derivation with its witnesses, each part once, however often it occurs."""
    if id(derivation) in done:
        return done[id(derivation)]
    premises = tuple(_placed(premise, noted, found, done) for premise in derivation.premises)
    rule, parameters = derivation.rule, dict(derivation.parameters)
    asked = noted.get(id(derivation), [])
    witness: Witness = {}
    if rule.name in ORDERS:
        alpha = _order(rule.name, parameters, asked)
        parameters["alpha"], witness = alpha, {"alpha": number(alpha)}
    elif rule.name == "profile_to_approx":
        epsilon = _epsilon(parameters, asked)
        witness, at_most = {"epsilon": number(epsilon)}, parameters["delta"]

        def pair(d: Number, loss: Reading) -> Raw:
            return numeral(epsilon), curve_in(loss(d))(numeral(epsilon)) if at_most is None else numeral(at_most)

        rule = replace(rule, name=f"{rule.name} {epsilon} {at_most}", map=pair, map_names=())
    made = done[id(derivation)] = Derivation(rule, parameters, premises)
    if witness:
        found[id(made)] = witness
    return made


def _order(rule: str, parameters: Parameters, asked: list[Raw]) -> Fraction:
    """The order given, or about the best one at the largest of the losses."""
    if parameters["alpha"] is not None:
        return Fraction(cast(Fraction, parameters["alpha"]))
    delta = numeral(parameters["delta"])

    def divergence(loss: Raw, alpha: Number) -> Number:
        return number_in(loss) * alpha if rule == "zcdp_to_approx_tight" else curve_in(loss)(alpha)

    loss = max(asked, key=lambda raw: upward(divergence(raw, numeral(2))))

    def epsilon(a: float) -> float:
        alpha = numeral(exact(a))
        slack = log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1)
        return upward(divergence(loss, alpha) + slack)

    return 1 + readable(at_precision(PRECISION, lambda: best_order(epsilon)) - 1)


def _epsilon(parameters: Parameters, asked: list[Raw]) -> Fraction:
    if parameters["epsilon"] is not None:
        return Fraction(cast(Fraction, parameters["epsilon"]))
    return max(least_epsilon(curve_in(curve), numeral(parameters["delta"])) for curve in asked)
