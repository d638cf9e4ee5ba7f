"""For each rule: a certificate that is accepted, and some like it that nobody may accept.

One claims a billionth too little (of a trade-off curve: too much). In each of the others a side condition that is the
rule's own is off: see `side_conditions`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import cast, final

from proofs.coq.differential.json_trees import Json, Node, nodes, rules
from proofs.coq.differential.side_conditions.condition import TINY, Condition
from proofs.coq.differential.side_conditions.table import conditions


@final
@dataclass(frozen=True, slots=True)
class NearMisses:
    """A certificate; the same that claims too little; and those with a side condition broken."""

    accepted: Json
    small: Json
    broken: tuple[Json, ...]


def too_good(certificate: Json) -> Json | None:
    """The same with a claim that is better by a billionth than what holds; None where nothing is lost."""
    found = copy.deepcopy(cast(Node, certificate))
    claim = cast("list[Node]", found["claims"])[0]
    change = Fraction(1, 10**9) if claim["measure"] == "tradeoff" else -Fraction(1, 10**9)
    loss = cast("dict[str, Json]", claim["loss"])
    places: list[tuple[list[Json] | dict[str, Json], int | str]] = [(loss, name) for name in loss if name != "points"]
    places += [(point, 1) for point in cast("list[list[Json]]", loss.get("points", []))]
    for holder, key in places:
        figures = cast("dict[int | str, str]", holder)
        if Fraction(figures[key]) > TINY:
            figures[key] = str(Fraction(figures[key]) * (1 + change))
            return found
    return None


def broken(certificates: Sequence[Json], rule: str, condition: Condition) -> Json | None:
    """The first of the certificates of which a node can be so changed, changed."""
    for certificate in certificates:
        for i, node in enumerate(nodes(certificate)):
            if node["rule"] == (condition.rule or rule):
                found = copy.deepcopy(cast(Node, certificate))
                changed = condition.change(next(islice(nodes(found), i, None)), found)
                if changed and found != certificate:  # as a distance of 0, which a billionth less leaves as it is
                    return found
    return None


def chosen(certificates: Sequence[Json], followed: Sequence[str]) -> dict[str, NearMisses]:
    """For each rule of which all are found; the shortest certificates first."""
    shortest = sorted(certificates, key=lambda each: len(json.dumps(each)))
    table, found = conditions(), dict[str, NearMisses]()
    for rule in followed:
        pairs = ((each, too_good(each)) for each in shortest if rule in rules(each))
        accepted, small = next(((each, less) for each, less in pairs if less is not None), (None, None))
        off = [broken(shortest, rule, condition) for condition in table.get(rule, [])]
        if accepted is not None and small is not None and off and None not in off:
            found[rule] = NearMisses(accepted, small, tuple(off))
    return found
