"""How certificates put what nobody proved of a rule applied: the sentences that the checker finds as well, word for word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from dpcore.calculus.parameters import Data, Json, entries, fields, text
from dpcore.written.metrics import METRIC


def described_step(metric: Json) -> str:
    """What 1 apart is."""
    return METRIC.decode(metric).words()


def table_in_words(rows: Json) -> str:
    """Row by row; formulas in symbols, of which the checker has none, as they are written."""
    return "; ".join(
        " ".join(x if isinstance(x, str) else json.dumps(x, sort_keys=True) for x in entries(row))
        for row in entries(rows)
    )


# ---- of which expressions the checker finds the values by itself ----

_OPERATIONS: Final = """null truth text number date field row lt le gt ge equals differs isin between and or xor not
starts_with contains is_null lower upper strip"""
_FOLLOWED: Final = frozenset(_OPERATIONS.split())
_CASED: Final = ("lower", "upper", "strip")
_FOLLOWED_IN: Final = frozenset(("add", "subtract", "negate", "multiply", "clip", "round", "entry"))


def stays_in_domain(expression: Json, declared: Json) -> Iterator[str]:
    """The assumption that it does, where the checker does not follow."""
    e = fields(expression, "op")
    if not _followed(e) or _beyond_ascii(e, declared):
        yield "its values stay in the domain declared for them: " + json.dumps(e, sort_keys=True)


def _followed(e: Data) -> bool:
    """Whether the checker works out the values of the expression."""
    op = text(e["op"])
    return op in _FOLLOWED or (op in _FOLLOWED_IN and all(_followed(fields(each, "op")) for each in entries(e["of"])))


def _beyond_ascii(e: Data, declared: Json) -> bool:
    """Whether letters or blanks are changed that are not in everybody's table of them: then the checker does not follow."""
    domain = {} if declared is None else fields(declared)
    domain = fields(domain["each"]) if domain.get("kind") == "optional" else domain
    values = [fields(x, "op", "value") for x in entries(domain.get("values", []))]
    return e["op"] in _CASED and not all(text(x["value"]).isascii() for x in values if x["op"] == "text")
