"""For each rule that is followed: a certificate that is accepted, and two like it that nobody may accept.

One claims a billionth too little. In the other a side condition of the rule is off: the number beside it, its metric, its
premises.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

from proofs.coq.differential.mutations import Json, at, places, put

Node = dict[str, Json]
TINY: Final = Fraction(1, 10**200)
"""What is next to nothing is claimed as 1e-300, which is less exact."""

OFF: Final[Mapping[str, tuple[str, str]]] = {
    "laplace": ("step", "1000"),
    "gaussian": ("step", "1000"),
    "gaussian_vector": ("step", "1000"),
    "randomized_response": ("p", "1/100"),
    "permute_and_flip_linf": ("scale", "0"),
    "permute_and_flip_range": ("scale", "0"),
    "exponential_linf": ("scale", "0"),
    "exponential_range": ("scale", "0"),
    "sum_symmetric": ("low", "1000"),
    "sum_change_one": ("low", "1000"),
    "flat_map_symmetric": ("limit", "0"),
    "bound_contributions_person": ("person", "region"),
    "quantile_scores_symmetric": ("a", "1000"),
    "quantile_scores_change_one": ("a", "1000"),
    "clip_norm_rows": ("bound", "1000"),
    "l2_to_l1": ("size", "1000"),
    "linf_to_l1": ("size", "1000"),
    "linf_to_l2": ("size", "1000"),
    "zcdp_to_approx": ("delta", "1"),
    "zcdp_to_approx_tight": ("delta", "1"),
}
"""A parameter, and a value that breaks a side condition."""


def nodes(certificate: Json) -> Iterator[Node]:
    for place in places(certificate):
        found = at(place)
        if isinstance(found, dict) and "rule" in found:
            yield found


def rules(certificate: Json) -> set[str]:
    return {str(node["rule"]) for node in nodes(certificate)}


def less(certificate: Json) -> Json | None:
    """The same with a claim that is a billionth too small; None where nothing is lost."""
    found = copy.deepcopy(cast(Node, certificate))
    claim = cast("list[Node]", found["claims"])[0]
    loss = cast("dict[str, str]", claim["loss"])
    for name, value in loss.items():
        if Fraction(value) > TINY:
            loss[name] = str(Fraction(value) * (1 - Fraction(1, 10**9)))
            return found
    return None


def off(certificate: Json, rule: str) -> Json:
    """The same with a side condition of the rule broken."""
    found = copy.deepcopy(certificate)
    for place in places(found):
        node = at(place)
        if not isinstance(node, dict) or node.get("rule") != rule:
            continue
        parameters = cast(Node, node["parameters"])
        if rule in OFF:
            name, value = OFF[rule]
            parameters[name] = value
        elif "keys" in parameters or "bins" in parameters:  # one of them twice
            name = "keys" if "keys" in parameters else "bins"
            parameters[name] = [*cast("list[Json]", parameters[name]) * 2]
        elif rule == "chain":
            node["premises"] = cast("list[Json]", node["premises"])[:-1]
        elif node["premises"]:  # one premise more than the rule has, of another measure
            node["premises"] = [
                *cast("list[Json]", node["premises"]),
                {**node, "rule": "count_symmetric", "premises": []},
            ]
        else:  # under a metric of which the rule says nothing
            put(place, {"rule": "chain", "parameters": {}, "premises": [_unlike(rule), node], "witness": {}})
        return found
    raise AssertionError(f"no {rule} in the certificate")


def _unlike(rule: str) -> Node:
    """A transformation after which the rule cannot stand."""
    return {"rule": "count_symmetric", "parameters": {}, "premises": [], "witness": {}}


def chosen(certificates: Sequence[Json], followed: Sequence[str]) -> dict[str, list[Json]]:
    """For each rule that occurs: a certificate, and its near misses."""
    found: dict[str, list[Json]] = {}
    for certificate in certificates:
        for rule in rules(certificate) & set(followed) - set(found):
            small = less(certificate)
            if small is not None:
                found[rule] = [certificate, small, off(certificate, rule)]
    return found
