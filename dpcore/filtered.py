"""What is left of d rows that were replaced: at most d leave, and at most d enter. That is more than being 2d apart.

A filter under ChangeOneDistance leads to SymmetricDistance, where only the distance is known. Where steps follow that make
of each row one or none, and then one that has a rule for such rows, the chain is made of that rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, cast

from dpcore.derivation import Derivation, Rule, chain
from dpcore.origins import Arrow, SomeSpace

STARTS: Final = frozenset({"filter_change_one", "drop_nulls_change_one", "change_one_to_symmetric"})
KEEPS: Final = frozenset({"filter_symmetric", "drop_nulls_symmetric", "row_map", "clip_norm_rows"})


class Moving(Arrow, Protocol):
    """A transformation."""

    @property
    def output(self) -> SomeSpace: ...


FILTERED: Final[dict[str, Callable[[Moving], Rule | None]]] = {}
"""By the rule for rows that come and go, the one for what is left of rows that were replaced."""


def links_of(arrows: Sequence[Arrow]) -> tuple[Derivation, ...]:
    """The rules of arrows one after another, each the best that is known there."""
    found: list[Derivation] = []
    left = False
    for arrow in arrows:
        links = arrow.derivation.premises if arrow.derivation.rule is chain else (arrow.derivation,)
        better = FILTERED.get(links[0].rule.name) if left and len(links) == 1 else None
        rule = better(cast(Moving, arrow)) if better is not None else None
        if rule is not None:
            links = (Derivation(rule, links[0].parameters),)
        found += links
        left = links[-1].rule.name in STARTS or (left and links[-1].rule.name in KEEPS)
    return tuple(found)
