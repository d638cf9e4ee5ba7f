"""Derivations read back. What comes back is what their maps need: a bound can be worked out, but nothing can be run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpcore.calculus import Derivation, Rule
from dpcore.calculus.parameters import fields
from dpcore.certificates.document import Inference
from dpcore.certificates.rules import rule_named
from dpcore.errors import InvalidParameter


def derivation(node: Inference) -> Derivation:
    """The derivation with its symbols. A map that is claimed is the table that stands in the certificate."""
    return alone(node, tuple([derivation(premise) for premise in node.premises]))


def alone(node: Inference, premises: tuple[Derivation, ...]) -> Derivation:
    """One rule on premises that were read before."""
    rule = rule_named(node.rule)
    if rule is None:
        raise InvalidParameter(f"there is no rule {node.rule!r} in certificates", produced=node.rule)
    parameters = decoded(rule, node, rule.map_names)
    witness = rule.witness
    if witness is None:
        return Derivation(rule, parameters, premises)
    name = witness.parameter.name
    if witness.read_back is not None and name in node.witness:
        map = witness.read_back(node.witness[name], parameters)
        # Readings are shared by the names of rules and their parameters, so this one has a name of its own.
        return Derivation(replace(rule, name=f"{rule.name} {node.written()}", map=map, map_names=()), {}, premises)
    if witness.parameter.key in rule.map_names:
        value = witness.parameter.decode(node.witness[name]) if name in node.witness else None
        parameters[witness.parameter.key] = value
    return Derivation(rule, parameters, premises)


def decoded(rule: Rule, node: Inference, names: Sequence[str]) -> dict[str, object]:
    """The parameters that dpcore knows by these names."""
    wanted = [each for each in rule.writes or () if each.key in names]
    written = fields(node.parameters, *(each.name for each in wanted))
    return {each.key: each.decode(written[each.name]) for each in wanted}
