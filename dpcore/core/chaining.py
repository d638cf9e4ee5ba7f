"""What `>>` of arrows refuses, and the better rules that some chains have.

What is left of d rows that were replaced: at most d leave, and at most d enter. That is more than being 2d apart. A filter
under ChangeOneDistance leads to SymmetricDistance, where only the distance is known. Where steps follow that make of each
row one or none, and then one that has a rule for such rows, the chain is made of that rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from dpcore.calculus import Derivation, Rule, chain
from dpcore.core.origins import Arrow, Onward, onward
from dpcore.errors import DomainMismatch, MeasureMismatch, MetricMismatch
from dpcore.measures import Tradeoff


def check_meeting(left: Onward, right: Arrow) -> None:
    """Refuse where what the left arrow gives is not what the right one takes."""
    if left.output.metric != right.input.metric:
        raise MetricMismatch(
            "cannot chain: the metrics differ",
            left=left,
            right=right,
            produced=left.output.metric,
            expected=right.input.metric,
        )
    if not right.input.domain.includes(left.output.domain):
        raise DomainMismatch(
            "cannot chain: the left piece can produce what the right one does not accept",
            left=left,
            right=right,
            produced=left.output.domain,
            expected=right.input.domain,
        )


def check_curve(left: Onward, right: Arrow) -> None:
    """Refuse a trade-off curve of the user's own after rows that a key chooses."""
    if _own_curve(right.derivation):
        raise MeasureMismatch(
            "cannot chain: a trade-off curve of your own may not be convex, and says nothing of rows chosen by a key",
            left=left,
            right=right,
            bridge="the same loss in Profile, or bound_contributions(limit, keep=first_by(...))",
        )


def _own_curve(derivation: Derivation) -> bool:
    """Whether a curve that a user gave is a trade-off curve: only a convex one bounds what is averaged over keys."""
    given = isinstance(derivation.parameters.get("measure"), Tradeoff)
    return given or any(map(_own_curve, derivation.premises))


STARTS: Final = frozenset({"filter_change_one", "drop_nulls_change_one", "change_one_to_symmetric"})
"""By which rules rows that were replaced come to be what is left of them."""

KEEPS: Final = frozenset({"filter_symmetric", "drop_nulls_symmetric", "row_map", "clip_norm_rows"})

FILTERED: Final[dict[str, Callable[[Onward], Rule | None]]] = {}
"""By the rule for rows that come and go, the one for what is left of rows that were replaced."""


def for_what_is_left(arrows: Sequence[Arrow]) -> tuple[Derivation, ...]:
    """The rules of arrows one after another, each the best that is known there."""
    found: list[Derivation] = []
    left = False
    for arrow in arrows:
        links = arrow.derivation.premises if arrow.derivation.rule is chain else (arrow.derivation,)
        better = FILTERED.get(links[0].rule.name) if left and len(links) == 1 else None
        rule = better(onward(arrow)) if better is not None else None
        if rule is not None:
            links = (Derivation(rule, links[0].parameters),)
        found += links
        left = links[-1].rule.name in STARTS or (left and links[-1].rule.name in KEEPS)
    return tuple(found)
