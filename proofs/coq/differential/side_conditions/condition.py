"""A side condition, as the change that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, cast, final

from proofs.coq.differential.json_trees import Json, Node

Change: TypeAlias = Callable[[Node, Node], bool]
"""Of a node in a certificate, in place. Whether this node is one of which it can be made."""

BILLIONTH: Final = Fraction(1, 10**9)
TINY: Final = Fraction(1, 10**200)
"""What is next to nothing is claimed as 1e-300, which is less exact."""


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """What breaks it; of a node of the rule itself, or of another, in whose place the rule is then put."""

    change: Change
    rule: str = ""


def in_place_of(sibling: str, rule: str) -> Condition:
    """The rule where its sibling belongs, under a metric that is not its own."""

    def change(x: Node, certificate: Node) -> bool:
        x["rule"] = rule
        return True

    return Condition(change, sibling)


def parameters(x: Node) -> Node:
    return cast(Node, x["parameters"])


def figure(x: Node, name: str) -> Fraction:
    return Fraction(cast(str, parameters(x)[name]))


def premises(x: Node) -> list[Json]:
    return cast("list[Json]", x["premises"])
