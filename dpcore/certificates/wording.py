"""What certificates hold as data, in words: as the kind of each parameter has them.

What no rule here knows (a certificate may be newer than this, or written by an attacker) is shown as the JSON that it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.certificates.document import Inference
from dpcore.certificates.rules import rule_named
from dpcore.parameters import Json
from dpcore.parameters.words import plain


def parameters(node: Inference) -> Iterator[tuple[str, str]]:
    """What a rule is given, and its witness: names, and values in words."""
    for name, value in {**node.parameters, **node.witness}.items():
        yield name, words(node.rule, name, value)


def words(rule: str, name: str, value: Json) -> str:
    """The value of a parameter of that rule."""
    known = rule_named(rule)
    for each in () if known is None else known.writes or ():
        if each.name == name and value is not None:
            return each.kind.words(value)
    return plain(value)
