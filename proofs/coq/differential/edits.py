"""Certificates that dpcore does not write: rules that no method reaches, witnesses that no search finds, several claims.

A rule is put on top of a derivation; what it costs then is what the Python checker works out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from random import Random
from types import ModuleType
from typing import Final, cast

from proofs.coq.differential.claims import worked_out
from proofs.coq.differential.json_trees import Json, Node, node
from proofs.coq.differential.pipelines.measures import alpha, points
from proofs.coq.differential.pipelines.starts import small

Wrap = Callable[[Random, Json], Node]


def plain(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, inner)


def alone_or_twice(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, *[inner] * dice.randint(1, 3))


def with_delta(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, inner, delta=str(small(dice)))


def with_order(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, inner, delta=str(small(dice)), witness={"alpha": str(alpha(dice))})


def with_slack(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, *[inner] * dice.randint(1, 4), slack=str(small(dice)))


def at_epsilon(dice: Random, inner: Json) -> Node:
    epsilon = str(Fraction(dice.randint(0, 60), 20))
    return node("profile_to_approx", inner, at_most=None, witness={"epsilon": epsilon})


def fractions(dice: Random, most: int) -> list[str]:
    """Some in rising order, above 0 and below 1 or `most`; short ones and long ones, few and many."""
    whole = dice.choice((10, 997, 2**20, 2**53))
    many = dice.choice((1, 2, 3, 9, 40))
    return [*map(str, sorted({Fraction(dice.randint(1, most * whole - 1), whole) for _ in range(many)}))]


def by_lines(rule: str) -> Wrap:
    return lambda dice, inner: node(rule, inner, witness={"epsilons": ["0", *fractions(dice, 3)]})


def below_both_lines(dice: Random, inner: Json) -> Node:
    """A mu that may be large enough, or larger than need be."""
    return node("pure_to_gaussian", inner, witness={"mu": str(Fraction(dice.randint(1, 40), 10))})


def by_pieces(dice: Random, inner: Json) -> Node:
    """[0, 1] cut at some points."""
    return node("tradeoff_to_profile", inner, witness={"alphas": [*fractions(dice, 1)]})


def by_orders(rule: str) -> Wrap:
    """Some orders, good or bad."""

    def wrapped(dice: Random, inner: Json) -> Node:
        found = sorted({alpha(dice) for _ in range(dice.choice((1, 2, 5)))})
        return node(rule, inner, witness={"orders": [*map(str, found)]})

    return wrapped


def with_order_and_slack(dice: Random, inner: Json) -> Node:
    return node("approximate_zcdp_to_approx", inner, slack=str(small(dice)), witness={"alpha": str(alpha(dice))})


WRAPS: Final[Mapping[str, tuple[Wrap, ...]]] = {
    "pure": (
        *map(
            plain,
            (
                "pure_to_approx",
                "pure_to_approximate_zcdp",
                "pure_to_profile",
                "pure_to_tradeoff",
                "group_pure",
                "optimal_composition_pure",
            ),
        ),
        below_both_lines,
        with_slack("advanced_composition_pure"),
        with_slack("advanced_or_plain_pure"),
        alone_or_twice("unequal_composition_pure"),
        alone_or_twice("optimal_composition_pure"),
    ),
    "approx": (
        *map(
            plain,
            ("approx_to_profile", "approx_to_tradeoff", "approx_to_approximate_zcdp", "group_approx", "group_approx"),
        ),
        with_slack("advanced_composition_approx"),
        with_slack("advanced_or_plain_approx"),
        alone_or_twice("unequal_composition_approx"),
        alone_or_twice("compose_approx"),
        alone_or_twice("optimal_composition_approx"),
    ),
    "zcdp": (
        *[with_delta("zcdp_to_approx")] * 4,
        with_order("zcdp_to_approx_tight"),
        by_orders("zcdp_to_profile"),
        *map(plain, ("group_zcdp", "zcdp_to_approximate_zcdp")),
        alone_or_twice("compose_zcdp"),
    ),
    "approximate_zcdp": (
        *[with_order_and_slack] * 2,
        by_orders("approximate_zcdp_to_profile"),
        alone_or_twice("compose_approximate_zcdp"),
    ),
    "total_variation": (
        *map(plain, ("total_variation_to_profile", "total_variation_to_tradeoff", "group_total_variation")),
        alone_or_twice("compose_total_variation"),
    ),
    "gaussian": (
        *map(plain, ("gaussian_to_zcdp", "gaussian_to_renyi", "gaussian_to_profile", "group_gaussian")),
        by_lines("gaussian_to_tradeoff"),
        alone_or_twice("compose_gaussian"),
    ),
    "renyi": (with_order("renyi_to_approx"), alone_or_twice("compose_renyi")),
    "profile": (
        at_epsilon,
        *[by_lines("profile_to_tradeoff")] * 2,
        *map(plain, ("profile_to_total_variation", "group_profile", "compose_profile")),
    ),
    "tradeoff": (by_pieces, by_pieces, plain("compose_tradeoff")),
}


def distances(dice: Random, d: Fraction) -> list[Fraction]:
    """That distance, and perhaps others: one claim for each."""
    found = [d]
    if dice.random() < 0.3:
        found += [d + i for i in range(1, dice.randint(1, 3) + 1)]
    dice.shuffle(found)
    return found


def measure_of(certificate: Json) -> str:
    claims = cast("list[Node]", cast(Node, certificate)["claims"])
    return str(claims[0]["measure"])


def edited(dice: Random, checker: ModuleType, certificate: Json) -> Json | None:
    """The certificate with a rule more at its top, or two, or with more claims; None where the checker refuses it."""
    found = dict(cast(Node, certificate))
    claims = cast("list[Node]", found["claims"])
    d = Fraction(str(claims[0]["d_in"]))
    several = (
        distances(dice, d) if cast(Node, cast(Node, found["space"])["metric"])["kind"] != "DiscreteDistance" else [d]
    )
    measure = measure_of(certificate)
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
        found["derivation"] = dice.choice(WRAPS[measure])(dice, found["derivation"])
        measure = leads_to(str(cast(Node, found["derivation"])["rule"]), measure)
    made = worked_out(checker, found, several, partial(points, dice))
    return made if made is not None and verified(checker, made) else None


def leads_to(rule: str, measure: str) -> str:
    """In what the loss is counted after a rule on top of a measure."""
    if rule.startswith(("advanced_composition_", "advanced_or_plain_")):
        return "approx"
    if rule.startswith(("optimal_composition_", "unequal_composition_")):
        return "profile"
    return rule.partition("_to_")[2].removesuffix("_tight") or measure


def verified(checker: ModuleType, certificate: Json) -> bool:
    try:
        checker.verify(json.dumps(certificate).encode())
    except checker.Rejected:
        return False
    return True
