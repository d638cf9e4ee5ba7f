"""Side conditions of where a rule stands, and of its premises."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Final, cast

from proofs.coq.differential.json_trees import Json, Node, node
from proofs.coq.differential.side_conditions.condition import BILLIONTH, Change, figure, parameters, premises

# ---- where it stands -----------------------------------------------------------------------------------------------------


def again(x: Node, certificate: Node) -> bool:
    """A second time after itself, where the metric is no longer its own."""
    itself = copy.deepcopy(x)
    x.update(node("chain", itself, copy.deepcopy(itself)))
    return True


def of_any_number(x: Node, certificate: Node) -> bool:
    """Where rows are added and removed, and the number of reports shows it."""
    x.update(node("chain", node("change_one_to_symmetric"), copy.deepcopy(x)))
    return True


def after_the_end(x: Node, certificate: Node) -> bool:
    """Something after a measurement."""
    premises(x).append(copy.deepcopy(premises(x)[-1]))
    return certificate["derivation"] is x


def at_the_end_of_a_chain(x: Node, certificate: Node) -> bool:
    """A group where distances are not made of steps of 1."""
    inner = cast(Node, premises(x)[0])
    if inner["rule"] != "chain":
        return False
    *firsts, last = premises(inner)
    x.update(node("chain", *firsts, node(str(x["rule"]), last)))
    return str(cast(Node, last)["rule"]).startswith(("laplace", "gaussian"))


# ---- premises ------------------------------------------------------------------------------------------------------------

LEADS: Final = {
    "pure": "approx",
    "approx": "total_variation",
    "zcdp": "renyi",
    "gaussian": "zcdp",
    "total_variation": "approx",
    "profile": "total_variation",
}
WITH_A_WITNESS: Final[Mapping[str, Callable[[Json], Node]]] = {
    "approximate_zcdp": lambda p: node("approximate_zcdp_to_approx", p, slack="1/2", witness={"alpha": "2"}),
    "renyi": lambda p: node("renyi_to_approx", p, delta="1/2", witness={"alpha": "2"}),
    "tradeoff": lambda p: node("tradeoff_to_profile", p, witness={"alphas": ["1/2"]}),
}


def other_measure(measure: str) -> Change:
    """The last premise with its loss counted in another measure."""

    def change(x: Node, certificate: Node) -> bool:
        last = premises(x)[-1]
        there = WITH_A_WITNESS.get(measure)
        premises(x)[-1] = there(last) if there else node(f"{measure}_to_{LEADS[measure]}", last)
        return True

    return change


def one_more(x: Node, certificate: Node) -> bool:
    premises(x).append(copy.deepcopy(premises(x)[-1]))
    return True


def one_less(x: Node, certificate: Node) -> bool:
    premises(x).pop()
    return True


def no_measurement(x: Node, certificate: Node) -> bool:
    """The data themselves where a measurement belongs."""
    premises(x)[0] = node("chain")
    return True


def exchanged(x: Node, certificate: Node) -> bool:
    """A measurement before its transformation."""
    held = premises(x)
    held[0], held[1] = held[1], held[0]
    return True


def unlike(x: Node, certificate: Node) -> bool:
    """A part with a little more noise when a row is replaced than when one is added."""
    for each in _below(premises(x)[len(premises(x)) // 2]):
        for name in ("scale", "sigma_squared"):
            if name in parameters(each):
                parameters(each)[name] = str(figure(each, name) * (1 + BILLIONTH))
                return True
    return False


def _below(x: Json) -> list[Node]:
    one = cast(Node, x)
    return [one, *(each for premise in premises(one) for each in _below(premise))]
