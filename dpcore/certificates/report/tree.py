"""The fourth section: the derivation as a tree.

Equal neighbours are one node. Of many premises that are made alike and differ in figures only, the first is drawn and the
others are rows of a table, folded away: a tree of ten thousand leaves is a page that opens at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dpcore.certificates.reading import Node
from dpcore.certificates.report.alike import Alike, families
from dpcore.certificates.report.formulas import math
from dpcore.certificates.report.markup import Inner, Markup, folded, join, prose, table, tag
from dpcore.certificates.report.values import value

FEW = 8
"""Premises that are drawn one by one."""

SMALL = 40
"""A tree of fewer nodes stands open."""


def tree(root: Node) -> Markup:
    """The tree, from what is claimed down to what it rests on."""
    return join(
        tag("p", "Each line is a rule, with the distance ", tag("em", "d"), " that reaches it and what it gives there: a "
            "transformation a distance, a measurement a loss. L2 distances and Gaussian \N{GREEK SMALL LETTER MU} are "
            "carried as their squares. Values are exact, or rounded up."),
        tag("ol", *_drawn(root, 1, opened=_size(root, SMALL) < SMALL, depth=0), cls="tree"),
    )  # fmt: skip


def _size(node: Node, enough: int) -> int:
    """How many nodes there are, counted no further than is asked."""
    found = 1
    for premise in node.premises:
        if found >= enough:
            break
        found += _size(premise, enough - found)
    return found


def _drawn(node: Node, times: int, *, opened: bool, depth: int) -> Iterator[Markup]:
    inner = _premises(node, opened=opened, depth=depth + 1)
    below: Inner = ""
    if node.premises and (opened or depth < 2):
        below = inner
    elif node.premises:
        count = len(node.premises)
        below = folded("its premise" if count == 1 else f"its {count} premises", inner, cls="fold")
    yield tag("li", _line(node, times), below)


def _premises(node: Node, *, opened: bool, depth: int) -> Markup:
    runs = [(premise, len([*equal])) for premise, equal in groupby(node.premises)]
    if len(runs) <= FEW:
        return tag("ol", *(each for premise, n in runs for each in _drawn(premise, n, opened=opened, depth=depth)))
    found = families(runs)
    drawn = [_family(family, opened=opened, depth=depth) for family in found[:FEW]]
    if len(found) > FEW:
        rest = tag("ol", *(_family(family, opened=False, depth=depth) for family in found[FEW:]))
        drawn.append(tag("li", folded(f"{len(found) - FEW} more, made differently", rest, cls="many")))
    return tag("ol", *drawn)


def _family(family: Alike, *, opened: bool, depth: int) -> Markup:
    first, others = family.members[0], family.members[1:]
    drawn = join(*_drawn(first.node, first.times, opened=opened, depth=depth))
    if not others:
        return drawn
    count = sum(member.times for member in others)
    rows: list[tuple[Inner, ...]] = [
        (member.places, *member.figures, value(member.node.value)) for member in family.members
    ]
    listing = table(("premise", *family.columns, "gives"), rows, "All of them, by what differs")
    return join(drawn, tag("li", folded(f"{count} more, made alike", listing, cls="many")))


def _states(node: Node) -> Markup:
    if node.rule == "chain":
        return join("One after the other, each at the distance that the one before it gives.")
    return prose(node.statement.split("\n\n")[0])


def _line(node: Node, times: int) -> Markup:
    shown = math(node)
    given = [
        tag("div", tag("dt", name.replace("_", " ")), tag("dd", tag("code", said)))
        for name, said in node.parameters
        if said != "none"
    ]
    again = tag("span", f"\N{MULTIPLICATION SIGN} {times}", cls="times") if times > 1 else ""
    at = join("at ", tag("em", "d"), " = ", value(node.distance), " gives ", tag("strong", value(node.value)))
    return tag(
        "div",
        tag(
            "div",
            tag("span", tag("a", node.rule, cls="rule", href=f"#rule-{node.rule}"), " ", again),
            tag("span", at, cls="value"),
            cls="top",
        ),
        shown if shown is not None else tag("p", _states(node), cls="states"),
        tag("dl", *given, cls="given") if given else "",
        cls="node",
    )
