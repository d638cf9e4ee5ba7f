"""What certificates hold as data, in words: domains, constants, what is done to a row.

Whatever has no word here (a certificate may be newer than this, or written by an attacker) is shown as the JSON that it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from dpcore.certificates import decoding
from dpcore.certificates.encoding import Json
from dpcore.certificates.quoting import LONG, plain_or_quoted, quoted, sentence
from dpcore.errors import DPError
from dpcore.expressions import expression_from

MANY = 24
"""How many values of a list are written out."""


def parameters(written: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The parameters of a rule: names, and values in words."""
    for name, value in written.items():
        yield name, _ANY.get(name, plain)(value)


def plain(x: Json) -> str:
    """A number or a text as it is, a list as it is written, anything else as JSON."""
    if x is None:
        return "none"
    if decoding.is_open(x):
        return _formula(x)
    if isinstance(x, list):
        return listed([plain(each) for each in x])
    return (
        (x if is_number(x) else plain_or_quoted(x)) if isinstance(x, str) else sentence(json.dumps(x, sort_keys=True))
    )


def is_number(x: str) -> bool:
    return re.fullmatch(r"-?[0-9]+(/[0-9]+)?", x) is not None


def _formula(x: Json) -> str:
    try:
        return str(decoding.number(x))
    except (DPError, ValueError, ArithmeticError):
        return json.dumps(x, sort_keys=True)


def listed(words: list[str]) -> str:
    """The words, separated by commas; of many, the first and how many there are."""
    if len(words) <= MANY:
        return ", ".join(words)
    return f"{', '.join(words[: MANY - 2])}, ... ({len(words)} in all)"


def constant(x: Json) -> str:
    """A value that data can have."""
    if isinstance(x, dict) and x.keys() == {"op", "value"}:
        return plain(x["value"])
    return plain(x)


def constants(x: Json) -> str:
    return listed([constant(each) for each in x]) if isinstance(x, list) else plain(x)


def expression(x: Json) -> str:
    """A row expression, as dpcore prints it; names and texts in it are cut off where they are long, and have no colon."""
    try:
        return sentence(repr(expression_from(_shortened(x)))).replace(":", "\\u003a")
    except (DPError, RecursionError):
        return plain(x)


def _shortened(x: Json) -> Json:
    """With shorter names and texts."""
    if isinstance(x, list):
        return [_shortened(each) for each in x]
    if not isinstance(x, dict):
        return x
    of_others = {"field": "name", "text": "value"}.get(str(x.get("op")))
    return {key: _cut(value) if key == of_others else _shortened(value) for key, value in x.items()}


def _cut(x: Json) -> Json:
    return f"{x[:LONG]}... ({len(x)} characters)" if isinstance(x, str) and len(x) > LONG else x


def expressions(x: Json) -> str:
    return "; ".join(map(expression, x)) if isinstance(x, list) else plain(x)


def function(x: Json) -> str:
    """A function of the user's own, of which only its name and a digest of its code are known."""
    if isinstance(x, dict) and x.keys() == {"name", "digest"}:
        return f"{quoted(str(x['name']))} (sha256 {plain(x['digest'])})"
    return plain(x)


def functions(x: Json) -> str:
    return listed([function(each) for each in x]) if isinstance(x, list) else plain(x)


def spoken(x: Json) -> str:
    """What is done to a row: an expression, several by name, or a function of the user's own."""
    if isinstance(x, dict):
        if "expression" in x:
            return expression(x["expression"])
        if "function" in x:
            return function(x["function"])
        if isinstance(x.get("record"), dict):
            fields = cast("dict[str, Json]", x["record"])
            return "; ".join(f"{plain_or_quoted(name)} = {expression(e)}" for name, e in fields.items())
    return plain(x)


def domain(x: Json) -> str:
    """What data can be."""
    try:
        return _domain(cast("dict[str, Json]", x))
    except (KeyError, TypeError, AttributeError):
        return plain(x)


def _domain(d: dict[str, Json]) -> str:
    kind = cast(str, d["kind"])
    size = "" if d.get("size") is None else f"{plain(d['size'])} "
    each = "" if "each" not in d else domain(d["each"])
    norm = "" if d.get("norm") is None else f", of {d['norm']} norm at most {plain(d['bound'])}"
    match kind:
        case "integers":
            return f"whole numbers{_between(d['low'], d['high'])}"
        case "numbers":
            return f"{_step(d['step'])}{_between(d['low'], d['high'])}"
        case "booleans":
            return "true or false"
        case "text":
            return "text"
        case "date":
            return f"dates{_between(d['first'], d['last'])}"
        case "categories":
            return f"one of {constants(d['values'])}"
        case "optional":
            return f"{each}, or null"
        case "fields":
            return "; ".join(
                f"{plain_or_quoted(name)}: {domain(of)}" for name, of in cast("dict[str, Json]", d["fields"]).items()
            )
        case "vector":
            return f"vectors of {plain(d['size'])} entries, each {each}{norm}"
        case "rows":
            return f"{size}rows, each {each}"
        case "parts":
            return f"parts {constants(d['values'])}, each of rows that are {each}"
        case "graphs":
            return f"graphs of {plain(d['size'])} nodes"
    return plain(d)


def metric(x: Json) -> str:
    """The name of a metric, and what it is of."""
    if not isinstance(x, dict):
        return plain(x)
    more = [function(value) if name == "function" else metric(value) for name, value in x.items() if name != "kind"]
    return plain(x.get("kind")) + (f" ({', '.join(more)})" if more else "")


def _step(step: Json) -> str:
    return "numbers" if step is None else f"multiples of {plain(step)}"


def _between(low: Json, high: Json) -> str:
    if low is None or high is None:
        return f" up to {plain(high)}" if high is not None else f" from {plain(low)}" if low is not None else ""
    return f" from {plain(low)} to {plain(high)}"


_ANY: Final[Mapping[str, Callable[[Json], str]]] = {
    **dict.fromkeys(("to", "condition", "by", "order", "fill"), spoken),
    **dict.fromkeys(("keys", "bins", "answers"), constants),
    "function": function,
    "choices": functions,
    "queries": expressions,
    **dict.fromkeys(("domain", "output"), domain),
    "map": function,
    **dict.fromkeys(("source", "target"), metric),
}
