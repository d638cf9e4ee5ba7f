"""What a certificate says beside the numbers: assumptions nobody proved, and what a reader must not miss.

The checker works out both for itself and refuses a certificate that says anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, cast

from dpcore.certificates.encoding import Json

_ATTENTION: Final[Mapping[str, str]] = {
    "count_change_one": "the number of rows is public, and no noise protects it",
    "name_and_shame": "some rows are published as they are",
    "random_row": "a row is published as it is",
}
_NO_LOSS: Final = "the loss is 0: what is released does not depend on what is protected"

_OPERATIONS: Final = """null truth text number date field row lt le gt ge equals differs isin between and or xor not
starts_with contains is_null"""
_FOLLOWED: Final = frozenset(_OPERATIONS.split())
_FOLLOWED_IN: Final = frozenset(("add", "subtract", "negate", "multiply", "clip", "round"))


def attention(rules: Iterable[str], *, lossless: bool) -> list[Json]:
    """What stands in the first lines of a certificate."""
    found: list[Json] = [f"{rule}: {_ATTENTION[rule]}" for rule in sorted(rules) if rule in _ATTENTION]
    return [*found, _NO_LOSS] if lossless else found


def assumptions(nodes: Iterable[Mapping[str, Json]]) -> list[Json]:
    """By name, what nobody proved of the rules applied."""
    found: list[Json] = []
    found.extend(sorted({each for node in nodes for each in _of(node)}))
    return found


def _of(node: Mapping[str, Json]) -> Iterator[str]:
    rule, parameters = cast(str, node["rule"]), cast("dict[str, Json]", node["parameters"])
    for f in _functions(parameters):
        yield f"{rule}: {_named(f)}"
    if "map" in parameters:
        table = cast("list[list[str]]", cast("dict[str, Json]", node["witness"])["promised"])
        said = "; ".join(" ".join(row) for row in table)
        map = cast("dict[str, str]", parameters["map"])
        yield f"{rule}: {_named(map)} promises (distance, figures; L2 and mu as squares): {said}"
    if rule.startswith("general_composition"):
        yield "one step moves what the parts are given by at most one of the joint vectors"
    if rule == "granularity_to_symmetric":
        yield f"one step of the user's metric changes at most {parameters['rows']} rows"
    queries = cast("list[Json]", parameters.get("queries", []))
    if queries and Fraction(cast(str, parameters["column"])) < len(queries):
        yield f"no row moves the answers to its linear queries by more than {parameters['column']} in all"
    to = cast("dict[str, dict[str, Json]]", parameters.get("to", {}))
    expressions = [*queries, *to.get("record", {}).values(), *([to["expression"]] if "expression" in to else [])]
    if not all(_followed(cast("dict[str, Json]", e)) for e in expressions):
        yield "the values of a row expression stay in the domain declared for them"


def _named(function: Mapping[str, str]) -> str:
    return f"{function['name']} ({function['digest'][:16]})"


def _functions(parameters: dict[str, Json]) -> list[dict[str, str]]:
    spoken = [cast("dict[str, Json]", parameters.get(name, {})) for name in ("condition", "by", "to")]
    found = [parameters.get("function"), *(each.get("function") for each in spoken)]
    return cast("list[dict[str, str]]", [f for f in found if f] + cast("list[Json]", parameters.get("choices", [])))


def _followed(e: dict[str, Json]) -> bool:
    """Whether the checker works out the values of the expression."""
    if e["op"] in _FOLLOWED:
        return True
    return e["op"] in _FOLLOWED_IN and all(_followed(each) for each in cast("list[dict[str, Json]]", e["of"]))
