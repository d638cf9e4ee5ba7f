"""What becomes of a certificate when something in it is changed, with new claims or without."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random
from types import ModuleType
from typing import Final, cast

from proofs.coq.differential import fields
from proofs.coq.differential.claims import worked_out
from proofs.coq.differential.json_trees import Json, Node, at, nodes, places, put, rules
from proofs.coq.differential.pipelines.measures import points
from proofs.coq.differential.side_conditions.table import conditions

AS_IT_IS: Final = 0.3
"""How often what stands beside the change is left as it was."""

LOSSES: Final = 0.5
"""How often it claims what it costs then; else only what is said beside is made anew."""

BROKEN: Final = 0.3
"""How often the change is one that breaks a side condition."""

TRIES: Final = 8

LONG: Final = 100_000
"""Bytes of a certificate that is not changed: thousands of pieces of a curve take long, and more of them show no more."""


class Mutations:
    """Changes of certificates. Each rule is as often the one looked at, however seldom it occurs."""

    def __init__(self, dice: Random, whole: Sequence[Json], lenient: ModuleType) -> None:
        """The lenient checker says what is claimed of those that are changed."""
        self.dice, self.lenient, self.conditions = dice, lenient, conditions()
        self.whole = [certificate for certificate in whole if len(json.dumps(certificate)) < LONG]
        self.by_rule: dict[str, list[Json]] = defaultdict(list)
        for certificate in self.whole:
            for rule in sorted(rules(certificate)):
                self.by_rule[rule].append(certificate)
        self.names = sorted(self.by_rule)

    def one(self) -> Json:
        """A certificate with one or two changes, most of them in a node of one rule or in what is claimed."""
        rule = self.dice.choice(self.names)
        if self.dice.random() < BROKEN:
            return self._claimed_anew(self._broken(rule), also_losses=True)
        return self.changed(self.dice.choice(self.by_rule[rule]), rule)

    def changed(self, certificate: Json, rule: str) -> Json:
        """This one with one or two changes, in a node of the rule where it has one."""
        found = copy.deepcopy(certificate)
        for _ in range(self.dice.choice((1, 1, 2))):
            of_rule = [node for node in nodes(found) if node["rule"] == rule]
            kind = self.dice.random()
            if kind < 0.5 and of_rule:
                self._node(self.dice.choice(of_rule))
            elif kind < 0.75:
                self._claim(found)
            else:
                self._anywhere(found)
        kind = self.dice.random()
        return found if kind < AS_IT_IS else self._claimed_anew(found, also_losses=kind < AS_IT_IS + LOSSES)

    def _broken(self, rule: str) -> Json:
        """A side condition of the rule is broken, in the first of some certificates where it can be."""
        condition = self.dice.choice(self.conditions[rule])
        of = condition.rule or rule
        found: Json = None
        for _ in range(TRIES):
            found = copy.deepcopy(self.dice.choice(self.by_rule.get(of) or self.by_rule[rule]))
            node = self.dice.choice([each for each in nodes(found) if each["rule"] in (of, rule)])
            if condition.change(node, cast(Node, found)):
                break
        return found

    # ---- where -----------------------------------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        """A parameter, a witness, the premises, or the rule itself."""
        held = [
            (cast(Node, node[part]), name)
            for part in ("parameters", "witness")
            if isinstance(node.get(part), dict)
            for name in cast(Node, node[part])
        ]
        kind = self.dice.random()
        if held and kind < 0.7:
            holder, name = self.dice.choice(held)
            self._field(holder, name)
        elif kind < 0.85:
            node["rule"] = self._sibling(str(node["rule"]))
        else:
            self._premises(node)

    def _field(self, holder: Node, name: str) -> None:
        """Another value; sometimes that of a field of this name elsewhere."""
        alike: list[Json] = []
        if self.dice.random() < 0.2:
            alike = [at(place) for place in places(self.dice.choice(self.whole)) if place[1] == name]
        value = copy.deepcopy(self.dice.choice(alike)) if alike else fields.changed(self.dice, name, holder[name])
        holder[name] = value

    def _sibling(self, rule: str) -> str:
        alike = [name for name in self.names if name.partition("_")[0] == rule.partition("_")[0] and name != rule]
        return self.dice.choice(alike if alike and self.dice.random() < 0.8 else [*self.names, "gaussian_to_zcdp", "x"])

    def _premises(self, node: Node) -> None:
        """One more or less, in another order, or the derivation of another certificate in the place of one."""
        premises = node.get("premises")
        if not isinstance(premises, list) or self.dice.random() < 0.6 or not premises:
            node["premises"] = fields.another(self.dice, premises)
            return
        other = list(nodes(self.dice.choice(self.whole)))
        premises[self.dice.randrange(len(premises))] = copy.deepcopy(cast(Json, self.dice.choice(other)))

    def _claim(self, found: Json) -> None:
        claims = found.get("claims") if isinstance(found, dict) else None
        if not isinstance(claims, list) or not claims or not isinstance(claims[0], dict):
            return
        claim = cast(Node, self.dice.choice(claims))
        loss, everywhere = claim.get("loss"), list(places(claim))
        if isinstance(loss, dict) and "points" in loss and self.dice.random() < 0.7:
            self._field(loss, "points")
            return
        place = self.dice.choice(everywhere or [(cast(Node, found), "claims")])
        put(place, fields.another(self.dice, at(place)))

    def _anywhere(self, found: Json) -> None:
        place = self.dice.choice(list(places(found)))
        holder, name = place
        if isinstance(holder, dict) and isinstance(name, str):
            self._field(holder, name)
        else:
            put(place, fields.another(self.dice, at(place)))

    # ---- what is claimed then ----------------------------------------------------------------------------------------

    def _claimed_anew(self, found: Json, *, also_losses: bool) -> Json:
        distances = _distances(found) if also_losses else []
        again = worked_out(self.lenient, found, distances, partial(points, self.dice))
        return found if again is None else again


def _distances(certificate: Json) -> list[Fraction]:
    claims = certificate.get("claims") if isinstance(certificate, dict) else None
    told = [claim.get("d_in") for claim in (claims if isinstance(claims, list) else []) if isinstance(claim, dict)]
    return [d for d in map(fields.number, told) if d is not None and d > 0]
