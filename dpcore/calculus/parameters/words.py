"""What a certificate holds, in words, where nothing better is known of it than that it is data."""

from __future__ import annotations

import json

from dpcore.calculus.parameters.data import Json
from dpcore.calculus.parameters.formulas import is_number, is_open, read_number
from dpcore.calculus.parameters.quoting import plain_or_quoted, sentence
from dpcore.errors import DPError

MANY = 24
"""How many values of a list are written out."""


def plain(x: Json) -> str:
    """A number or a text as it is, a list as it is written, anything else as JSON."""
    if x is None:
        return "none"
    if isinstance(x, list):
        return listed([plain(each) for each in x])
    if isinstance(x, str):
        return x if is_number(x) else plain_or_quoted(x)
    if not is_open(x):
        return sentence(json.dumps(x, sort_keys=True))
    try:
        return str(read_number(x))
    except (DPError, ValueError, ArithmeticError):
        return json.dumps(x, sort_keys=True)


def listed(words: list[str]) -> str:
    """The words, separated by commas; of many, the first and how many there are."""
    if len(words) <= MANY:
        return ", ".join(words)
    return f"{', '.join(words[: MANY - 2])}, ... ({len(words)} in all)"
