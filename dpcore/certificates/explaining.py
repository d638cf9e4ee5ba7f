"""A certificate as a tree to be read: each rule with its formula, and its value at the distance that reaches it.

Derived from the tree by the same rules that gave the bound; nothing of it is stored in the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from typing import cast

import dpcore
from dpcore.bounds import Bound
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.encoding import Json
from dpcore.certificates.language import LANGUAGE
from dpcore.derivation import RULES, Derivation, Raw
from dpcore.maps import Number, is_number, numeral, variable

AT_ONE = ("group_", "parallel_", "general_composition_")


def explained(certificate: Certificate) -> list[str]:
    """The lines of the tree."""
    for module in set(dpcore._MODULES.values()):
        import_module(module)  # where the rules are stated
    data = certificate.data
    space = cast("dict[str, dict[str, Json]]", data["space"])
    claim = cast("list[dict[str, Json]]", data["claims"])[0]
    d = Fraction(cast(str, claim["d_in"]))
    l2 = space["metric"]["kind"] == "L2Distance"
    lines = [f"between data {d} apart, where 1 apart is: {data['neighbours']}"]
    lines += _lines(cast("dict[str, Json]", data["derivation"]), numeral(d * d if l2 else d), "")
    loss = cast("dict[str, Json]", claim["loss"])
    return [*lines, f"claimed in {claim['measure']}: " + ", ".join(f"{name} {value}" for name, value in loss.items())]


def _lines(node: Mapping[str, Json], d: Number, indent: str) -> Iterator[str]:
    rule, premises = cast(str, node["rule"]), cast("list[dict[str, Json]]", node["premises"])
    made = _derivation(node)
    formula = RULES[rule].statement.split("\n")[0] if premises else str(made.formula()(variable("d")))
    value = made.numbers()(d)
    yield f"{indent}{rule}: {formula}    at {_shown(d)}: {_shown(value)}"
    reached = numeral(1) if rule.startswith(AT_ONE) else d
    for i, premise in enumerate(premises):
        yield from _lines(premise, reached, indent + "  ")
        if rule == "chain" or (rule.startswith("general_composition_") and i % 2 == 0):
            reached = cast(Number, _derivation(premise).numbers()(reached)) if i < len(premises) - 1 else reached
        elif rule.startswith("general_composition_"):
            reached = numeral(1)


def _derivation(node: Mapping[str, Json]) -> Derivation:
    """What the maps of the rules need of a derivation."""
    rule = RULES[cast(str, node["rule"])]
    written = {(w.partition("=")[2] or w): w.partition("=")[0] for w in LANGUAGE[rule.name].split()}
    given = {**cast("dict[str, Json]", node["parameters"]), **cast("dict[str, Json]", node["witness"])}
    parameters = {name: _number(given.get(written.get(name, name))) for name in rule.map_names}
    premises = cast("list[dict[str, Json]]", node["premises"])
    return Derivation(rule, parameters, tuple(_derivation(premise) for premise in premises))


def _number(x: Json) -> object:
    if isinstance(x, list):
        return tuple(_number(v) for v in x)
    return Fraction(x) if isinstance(x, str) else x


def _shown(x: Raw) -> str:
    if isinstance(x, tuple):
        return f"({', '.join(map(_shown, x))})"
    return str(Bound(x)) if is_number(x) else "a curve"
