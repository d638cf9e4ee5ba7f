"""How arrows chain, for `>>` in `core`: what is refused, the rules of what comes out, and the links that are kept of it.

What is left of d rows that were replaced: at most d leave, and at most d enter. That is more than being 2d apart. A filter
under ChangeOneDistance leads to SymmetricDistance, where only the distance is known. Where steps follow that make of each
row one or none, and then one that has a rule for such rows, the chain is made of that rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Final

from dpcore.calculus import Derivation, Rule, chain
from dpcore.core.origins import Arrow, Chain, Onward, Recorded, SomeSpace, onward
from dpcore.errors import DomainMismatch, InvalidParameter, MeasureMismatch, MetricMismatch, Mismatch
from dpcore.measures import Tradeoff


def applied(step: Callable[..., object], space: SomeSpace, left: object) -> Recorded:
    """The arrow that the step makes out of the space; what stands to the left of it is named in a refusal."""
    if isinstance(step, FunctionType) and step.__module__.startswith("dpcore."):
        name = step.__name__
        raise InvalidParameter(f"Expected a step but got its constructor {name}", produced=name, bridge=f"{name}(...)")
    try:
        arrow = step(space)
    except Mismatch as error:
        if error.left is None:
            error.left = left
        raise
    start = getattr(arrow, "input", None)
    if not isinstance(arrow, Recorded) or (start is not space and start != space):
        raise InvalidParameter(
            f"Expected a step to make an arrow out of the space it is given but got a {type(arrow).__name__}",
            left=left,
            right=step,
            produced=start,
            expected=space,
        )
    return arrow


def chained(left: Onward, right: Arrow) -> tuple[Derivation, Chain]:
    """What two arrows are together, after every check: how it is derived, and the links it is kept as."""
    if right.input is not left.output:  # else a step that was called with this very space
        _check_meeting(left, right)
    if _own_curve(right.derivation) and left.derivation.asks("key"):
        raise MeasureMismatch(
            "cannot chain: a trade-off curve of your own may not be convex, and says nothing of rows chosen by a key",
            left=left,
            right=right,
            bridge="the same loss in Profile, or bound_contributions(limit, keep=first_by(...))",
        )
    arrows = _links(left) + _links(right)
    return Derivation(chain, {}, links_of(arrows)), Chain(arrows)


def _check_meeting(left: Onward, right: Arrow) -> None:
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


def _own_curve(derivation: Derivation) -> bool:
    """Whether a curve that a user gave is a trade-off curve: only a convex one bounds what is averaged over keys."""
    given = isinstance(derivation.parameters.get("measure"), Tradeoff)
    return given or any(map(_own_curve, derivation.premises))


def _links(arrow: Arrow) -> tuple[Arrow, ...]:
    return arrow.origin.arrows if isinstance(arrow.origin, Chain) else (arrow,)


STARTS: Final = frozenset({"filter_change_one", "drop_nulls_change_one", "change_one_to_symmetric"})
KEEPS: Final = frozenset({"filter_symmetric", "drop_nulls_symmetric", "row_map", "clip_norm_rows"})

FILTERED: Final[dict[str, Callable[[Onward], Rule | None]]] = {}
"""By the rule for rows that come and go, the one for what is left of rows that were replaced."""


def links_of(arrows: Sequence[Arrow]) -> tuple[Derivation, ...]:
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
