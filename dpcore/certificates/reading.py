"""A certificate's derivation, read: each rule with what it was given, the distance that reaches it and its value there.

Derived from the tree by the same rules that gave the bound; nothing of it is stored in the certificate. Equal parts at
equal distances are one object, so a tree of ten thousand equal leaves is a small one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import final

from dpcore.calculus import RULES, Derivation, Premises, Raw
from dpcore.certificates import decoding, rules
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import Document, Inference
from dpcore.certificates.rules import load_rules, rule_named
from dpcore.errors import DPError
from dpcore.maps import PRECISION, Number, at_precision, ends, formula, is_formula, numeral, variable
from dpcore.written import METRIC

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
            raw = self.derivation.formula()(variable("d"))
        except UNREADABLE:
            raw = None
        # A curve has no formula until it is known where it is read.
        return str(raw) if is_formula(raw) or isinstance(raw, tuple) else self.statement.split("\n")[0]


def read(certificate: Certificate) -> Node:
    """The derivation at the distance of the first claim."""
    document = certificate.document
    load_rules()
    return _Reader().read(document.derivation, reached(document))


def reached(document: Document) -> Number | None:
    """The distance of the first claim, as it is carried."""
    try:
        return METRIC.decode(document.space.metric).carry(numeral(document.claims[0].d_in))
    except UNREADABLE:
        return None


class _Reader:
    """Reads inferences, each different one once."""

    def __init__(self) -> None:
        self.derivations: dict[str, Derivation | None] = {}
        self.nodes: dict[tuple[str, object], Node] = {}

    def read(self, node: Inference, d: Number | None) -> Node:
        written = _text(node)
        key = (written, _known(d))
        if key not in self.nodes:
            derivation = self._derivation(node, written)
            parameters = tuple(rules.parameters(node))
            premises = self._premises(node, d)
            self.nodes[key] = Node(node.rule, parameters, d, _value(derivation, d), premises, derivation)
        return self.nodes[key]

    def _premises(self, node: Inference, d: Number | None) -> tuple[Node, ...]:
        """Each premise at the distance that reaches it."""
        rule = rule_named(node.rule)
        asked = Premises.AT_D if rule is None else rule.premises
        start, read = asked.start(d, numeral(1)), list[Node]()
        for i, premise in enumerate(node.premises):
            read.append(self.read(premise, _distance(read[-1].value) if asked.follows(i) else start))
        return tuple(read)

    def _derivation(self, node: Inference, written: str) -> Derivation | None:
        """What the maps of the rules need of a derivation; None where that is not known here."""
        if written not in self.derivations:
            premises = [self._derivation(premise, _text(premise)) for premise in node.premises]
            known = [premise for premise in premises if premise is not None]
            try:
                made = decoding.alone(node, tuple(known)) if len(known) == len(premises) else None
            except UNREADABLE:
                made = None
            self.derivations[written] = made
        return self.derivations[written]


def _text(node: Inference) -> str:
    return json.dumps(node.written(), sort_keys=True)


def names_written(rule: str) -> dict[str, str]:
    """For each parameter of a rule, as dpcore names it, the name that certificates have for it."""
    known = rule_named(rule)
    return {} if known is None else {each.key: each.name for each in known.writes or ()}


def _known(d: Number | None) -> object:
    """All that is known of a distance."""
    return d if d is None or is_formula(d) else ends(d)


def _distance(value: Raw | None) -> Number | None:
    return None if isinstance(value, tuple) or callable(value) else value


def _value(derivation: Derivation | None, d: Number | None) -> Raw | None:
    if derivation is None or d is None:
        return None
    try:
        if derivation.symbols or is_formula(d):
            return derivation.formula()(formula(d))
        return at_precision(PRECISION, lambda: derivation.numbers()(d))
    except UNREADABLE:
        return None
