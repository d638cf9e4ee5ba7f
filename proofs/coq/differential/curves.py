"""Certificates whose loss is a curve: others, carried further from measure to measure, with claims that are worked out."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random
from types import ModuleType
from typing import Any, Final, cast

from proofs.coq.differential.mutations import Json

Node = dict[str, Json]
Value = Callable[[Fraction, Fraction], tuple[Fraction, ...]]

FIGURES: Final[Mapping[str, tuple[str, ...]]] = {
    "pure": ("epsilon",),
    "approx": ("epsilon", "delta"),
    "zcdp": ("rho",),
    "total_variation": ("delta",),
}
RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "pure": ("renyi", "profile", "profile", "tradeoff", "tradeoff", "zcdp", "optimal"),
    "approx": ("profile", "profile", "tradeoff", "total_variation", "optimal"),
    "zcdp": ("renyi",),
    "total_variation": ("profile", "tradeoff", "approx"),
    "renyi": ("approx", "compose"),
    "profile": ("tradeoff", "tradeoff", "approx", "total_variation", "compose", "group"),
    "tradeoff": ("profile", "profile", "compose"),
}
"""To what a loss in each measure is carried."""


def node(rule: str, premises: Sequence[Json], parameters: Node | None = None, witness: Node | None = None) -> Node:
    return {"rule": rule, "parameters": parameters or {}, "premises": [*premises], "witness": witness or {}}


def fractions(dice: Random, many: int, most: int) -> list[str]:
    """Some in rising order, from 0 to 1 or to `most`, short and long ones."""
    whole = 2 ** dice.choice((3, 7, 20, 53)) if dice.random() < 0.5 else dice.choice((10, 100, 997))
    some = {Fraction(dice.randint(1, whole * most), whole) for _ in range(many)}
    return [str(x) for x in sorted(some)]


def step(dice: Random, measure: str, inner: Json, followed: Sequence[str]) -> tuple[str, Json] | None:
    """The derivation one rule further, and its measure."""
    to = dice.choice(RULES[measure])
    many = dice.choice((1, 2, 3, 9, 40))
    rule, parameters, witness = f"{measure}_to_{to}", {}, {}
    premises = [inner]
    if to in ("compose", "group"):
        rule, to = f"{to}_{measure}", measure
    elif to == "optimal":
        rule, to, premises = f"optimal_composition_{measure}", "profile", [inner] * dice.choice((1, 2, 7))
    elif rule in ("renyi_to_approx", "zcdp_to_approx"):
        parameters = {"delta": str(Fraction(1, 10 ** dice.randint(2, 9)))}
        witness = {"alpha": str(1 + Fraction(dice.randint(1, 400), 10))}
    elif rule == "profile_to_approx":
        parameters = {"at_most": None if dice.random() < 0.5 else str(Fraction(dice.randint(1, 99), 100))}
        witness = {"epsilon": str(Fraction(dice.randint(0, 400), 100))}
    elif rule == "profile_to_tradeoff":
        witness = {"epsilons": ["0", *fractions(dice, many, 3)]}
    elif rule == "tradeoff_to_profile":
        witness = {"alphas": [x for x in fractions(dice, many, 1) if x != "1"] or ["1/2"]}
    if rule not in followed:
        return None
    return to, node(rule, premises, cast(Node, parameters), cast(Node, witness))


def readable(x: Fraction, up: bool) -> Fraction:
    """The number itself if it is short, or one a little to the safe side, as dpcore writes it."""
    if max(abs(x.numerator), x.denominator) < 10**40:
        return x
    unit = Fraction(2) ** (x.numerator.bit_length() - x.denominator.bit_length() - 62)
    return (ceil(x / unit) + 1) * unit if up else max(Fraction(0), (floor(x / unit) - 1) * unit)


def claimed(dice: Random, checker: ModuleType, certificate: Node) -> Node | None:
    """The certificate with a claim of what the checker itself works out; None where it says no."""
    python = cast(Any, checker)
    python.SPENT[0] = 0
    python.NOTES.clear()
    try:
        space = python.record(certificate["space"], "domain metric")
        arrow = python.judged(certificate["derivation"], python.Space(space.domain, (space.metric,)))
        d = Fraction(cast("list[dict[str, str]]", certificate["claims"])[0]["d_in"])
        far = d * d if space.metric == python.L2 else d
        measure = arrow.measure
        if measure in FIGURES:
            found = [str(readable(x, True)) for x in arrow.value(far, Fraction(0))]
            loss: Json = dict(zip(FIGURES[measure], found, strict=True))
            worth = any(Fraction(x) for x in found)
        else:
            points = points_of(dice, measure)
            best = measure == "tradeoff"
            loss = {"points": [[str(x), str(readable(arrow.value(far, x)[0], not best))] for x in points]}
            worth = True
    except python.Rejected:
        return None
    if not worth:
        return None
    return {**certificate, "claims": [{"d_in": str(d), "measure": measure, "loss": loss}]}


def points_of(dice: Random, measure: str) -> list[Fraction]:
    many = dice.choice((1, 2, 5))
    if measure == "renyi":
        return [1 + Fraction(dice.randint(1, 300), 10) for _ in range(many)]
    if measure == "profile":
        return [Fraction(dice.choice((0, 1, dice.randint(0, 300))), 100) for _ in range(many)]
    return [Fraction(dice.choice((0, 100, dice.randint(0, 100))), 100) for _ in range(many)]


def curved(dice: Random, checker: ModuleType, certificate: Json, followed: Sequence[str]) -> Json | None:
    """The same pipeline, its loss carried to another measure by a few rules."""
    found = cast(Node, copy.deepcopy(certificate))
    measure = cast("list[dict[str, str]]", found["claims"])[0]["measure"]
    for _ in range(dice.randint(1, 4)):
        further = step(dice, measure, found["derivation"], followed)
        if further is not None:
            measure, found["derivation"] = further
    return claimed(dice, checker, found)
