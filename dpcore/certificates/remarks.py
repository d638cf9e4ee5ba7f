"""What a certificate says beside the numbers: assumptions nobody proved, and what a reader must not miss.

The checker works out both for itself and refuses a certificate that says anything else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, cast

from dpcore.certificates import decoding
from dpcore.certificates.encoding import Json
from dpcore.metrics import ChangeOneDistance, SymmetricDistance

_ATTENTION: Final[Mapping[str, str]] = {
    "bound_contributions_first_by_person": "which rows of a person are kept is the analyst's choice, and may bias",
    "claimed_measurement": "what it costs is the word of its author; no rule says so",
    "claimed_transformation": "how stable it is, is the word of its author; no rule says so",
    "count_change_one": "the number of rows is public, and no noise protects it",
    "name_and_shame": "some rows are published as they are",
    "random_row": "a row is published as it is",
}
_NO_LOSS: Final = "the loss is 0: what is released does not depend on what is protected"

_OPERATIONS: Final = """null truth text number date field row lt le gt ge equals differs isin between and or xor not
starts_with contains is_null lower upper strip"""
_FOLLOWED: Final = frozenset(_OPERATIONS.split())
_CASED: Final = ("lower", "upper", "strip")
_FOLLOWED_IN: Final = frozenset(("add", "subtract", "negate", "multiply", "clip", "round", "entry"))


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
    makes = ", whose values stay in the domain declared" if rule in ("row_map", "flat_map_symmetric") else ""
    for f in _functions(parameters):
        yield f"{rule}: {_named(f)}{makes}"
    if "map" in parameters:
        said = _table(cast("dict[str, Json]", node["witness"])["promised"])
        function, map = cast("dict[str, str]", parameters["function"]), cast("dict[str, str]", parameters["map"])
        if "target" in parameters:
            apart = decoding.metric(parameters["target"]).words()
            of = f"how far apart ({apart}) its values are, all in the domain declared,"
        else:
            of = f"the loss in {parameters['measure']}"
        yield (
            f"{rule}: {_named(function)} by {_named(map)}: between data d apart (1 apart is: {_step(parameters)}) {of} is"
            f" 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as squares): {said}"
        )
    if "joint" in parameters:
        joint = _table(parameters["joint"])
        yield (
            f"between data 1 apart ({_step(parameters)})"
            f" what the parts are given differs by at most one of (L2 as squares): {joint}"
        )
    if "losses" in parameters:
        losses, squares = _table(parameters["losses"]), " (mu as squares)" if rule == "adaptive_gaussian" else ""
        yield (
            f"no stage sees the order of rows, and between data 1 apart ({_step(parameters)})"
            f" the stages cost at most, however they choose{squares}: {losses}"
        )
    if rule == "granularity_to_symmetric":
        yield f"data d apart in the user's metric differ by at most {parameters['rows']} d rows, for every d"
    queries = cast("list[Json]", parameters.get("queries", []))
    if queries and Fraction(cast(str, parameters["column"])) < len(queries):
        metric = ChangeOneDistance() if rule.endswith("change_one") else SymmetricDistance()
        step = metric.words().partition(";")[0]
        yield f"{step} moves the answers to its linear queries by at most {parameters['column']} in all"
    for e, declared in [*((query, None) for query in queries), *_selected(parameters)]:
        if not _followed(cast("dict[str, Json]", e)) or _beyond_ascii(cast("dict[str, Json]", e), declared):
            yield "its values stay in the domain declared for them: " + json.dumps(e, sort_keys=True)


def _selected(parameters: Mapping[str, Json]) -> Iterator[tuple[Json, Json]]:
    """The expressions of new rows, each with the domain declared for it."""
    to = cast("dict[str, dict[str, Json]]", parameters.get("to", {}))
    if "expression" in to:
        yield to["expression"], parameters["domain"]
    fields = cast("dict[str, dict[str, Json]]", parameters.get("domain", {})).get("fields", {})
    for name, e in to.get("record", {}).items():
        yield e, fields[name]


def _beyond_ascii(e: Mapping[str, Json], declared: Json) -> bool:
    """Whether letters or blanks are changed that are not in everybody's table of them: then the checker does not follow."""
    domain = cast("dict[str, Json]", declared or {})
    domain = cast("dict[str, Json]", domain["each"]) if domain.get("kind") == "optional" else domain
    values = cast("list[dict[str, Json]]", domain.get("values", []))
    return e["op"] in _CASED and not all(cast(str, x["value"]).isascii() for x in values if x["op"] == "text")


def _step(parameters: Mapping[str, Json]) -> str:
    return decoding.metric(parameters["source"]).words()


def _table(rows: Json) -> str:
    """Row by row; formulas in symbols, of which the checker has none, as they are written."""
    return "; ".join(
        " ".join(x if isinstance(x, str) else json.dumps(x, sort_keys=True) for x in row)
        for row in cast("list[list[Json]]", rows)
    )


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
