"""A certificate's derivation, read: each rule with what it was given, the distance that reaches it and its value there.

Derived from the tree by the same rules that gave the bound; nothing of it is stored in the certificate. Equal parts at
equal distances are one object, so a tree of ten thousand equal leaves is a small one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import cast, final

from dpcore.certificates import decoding, wording
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.encoding import Json
from dpcore.certificates.language import LANGUAGE
from dpcore.certificates.promises import reader
from dpcore.derivation import RULES, Derivation, Raw
from dpcore.errors import DPError
from dpcore.maps import PRECISION, Number, at_precision, ends, formula, is_formula, numeral, variable

AT_ONE = ("group_", "parallel_", "general_composition_")
"""Families of rules whose premises are taken at distance 1."""

UNREADABLE = (DPError, ArithmeticError, AttributeError, KeyError, TypeError, ValueError)
"""What a rule can raise that is handed what it does not expect."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A rule of the derivation, applied."""

    rule: str
    parameters: tuple[tuple[str, str], ...]
    """What it was given, and its witnesses: names, and values in words."""

    distance: Number | None
    """The distance that reaches it, as it is carried; None where it is not known."""

    value: Raw | None
    """What its map gives there; None where that could not be worked out."""

    premises: tuple[Node, ...]
    derivation: Derivation | None = field(repr=False)

    @property
    def statement(self) -> str:
        """What the rule states, as dpcore does."""
        return RULES[self.rule].statement if self.rule in RULES else ""

    def formula(self) -> str:
        """Its map with the numbers in place; of a rule with premises, what it states."""
        if self.premises or self.derivation is None:
            return self.statement.split("\n")[0]
        try:
            return str(self.derivation.formula()(variable("d")))
        except UNREADABLE:
            return self.statement.split("\n")[0]


def read(certificate: Certificate) -> Node:
    """The derivation at the distance of the first claim."""
    decoding.load_rules()
    data = certificate.data
    return _Reader().read(cast("dict[str, Json]", data["derivation"]), reached(data))


def reached(data: Mapping[str, Json]) -> Number | None:
    """The distance of the first claim, as it is carried."""
    try:
        d = Fraction(cast("dict[str, str]", cast("list[Json]", data["claims"])[0])["d_in"])
        return decoding.metric(cast("dict[str, Json]", data["space"])["metric"]).carry(numeral(d))
    except UNREADABLE:
        return None


class _Reader:
    """Reads nodes, each different one once."""

    def __init__(self) -> None:
        self.derivations: dict[str, Derivation | None] = {}
        self.nodes: dict[tuple[str, object], Node] = {}

    def read(self, node: Mapping[str, Json], d: Number | None) -> Node:
        written = json.dumps(node, sort_keys=True)
        key = (written, _known(d))
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = self._read(node, written, d)
        return found

    def _read(self, node: Mapping[str, Json], written: str, d: Number | None) -> Node:
        rule, derivation = cast(str, node["rule"]), self._derivation(node, written)
        given = {**cast("dict[str, Json]", node["parameters"]), **cast("dict[str, Json]", node["witness"])}
        premises = self._premises(rule, cast("list[dict[str, Json]]", node["premises"]), d)
        return Node(rule, tuple(wording.parameters(given)), d, _value(derivation, d), premises, derivation)

    def _premises(self, rule: str, premises: list[dict[str, Json]], d: Number | None) -> tuple[Node, ...]:
        """Each premise at the distance that reaches it."""
        start = numeral(1) if rule.startswith(AT_ONE) else d
        found, at = [], start
        for i, premise in enumerate(premises):
            made = self.read(premise, at)
            found.append(made)
            follows = rule == "chain" or (rule.startswith("general_composition_") and i % 2 == 0)
            at = (cast("Number | None", made.value) if _is_distance(made.value) else None) if follows else start
        return tuple(found)

    def _derivation(self, node: Mapping[str, Json], written: str | None = None) -> Derivation | None:
        """What the maps of the rules need of a derivation; None where that is not known here."""
        key = json.dumps(node, sort_keys=True) if written is None else written
        if key not in self.derivations:
            try:
                self.derivations[key] = self._made(node, key)
            except UNREADABLE:
                self.derivations[key] = None
        return self.derivations[key]

    def _made(self, node: Mapping[str, Json], key: str) -> Derivation | None:
        premises = [self._derivation(premise) for premise in cast("list[dict[str, Json]]", node["premises"])]
        if None in premises:
            return None
        alone = _as_promised(node, key) or decoding.derivation({**node, "premises": []})
        return replace(alone, premises=tuple(cast("list[Derivation]", premises)))


def _as_promised(node: Mapping[str, Json], key: str) -> Derivation | None:
    """A map that is claimed, as the table that stands in the certificate."""
    witness, parameters = cast("dict[str, Json]", node["witness"]), cast("dict[str, Json]", node["parameters"])
    if "promised" not in witness:
        return None
    table = [tuple(map(Fraction, row)) for row in cast("list[list[str]]", witness["promised"])]
    measure = decoding.measure(parameters["measure"]) if "measure" in parameters else None
    rule = RULES[cast(str, node["rule"])]
    return Derivation(replace(rule, name=f"{rule.name} {key}", map=reader(table, measure), map_names=()))


def names_written(rule: str) -> dict[str, str]:
    """For each parameter of a rule, as dpcore names it, the name that certificates have for it."""
    return {(word.partition("=")[2] or word): word.partition("=")[0] for word in LANGUAGE.get(rule, "").split()}


def _known(d: Number | None) -> object:
    """All that is known of a distance."""
    return d if d is None or is_formula(d) else ends(d)


def _is_distance(value: Raw | None) -> bool:
    return value is not None and not isinstance(value, tuple) and not callable(value)


def _value(derivation: Derivation | None, d: Number | None) -> Raw | None:
    if derivation is None or d is None:
        return None
    try:
        if derivation.symbols() or is_formula(d):
            return derivation.formula()(cast(Number, formula(d)))
        return at_precision(PRECISION, lambda: derivation.numbers()(d))
    except UNREADABLE:
        return None
