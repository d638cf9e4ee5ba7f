"""The rules that certificates speak of, by their names, and their parameters in words, as the kind of each has them.

What no rule here knows (a certificate may be newer than this, or written by an attacker) is shown as the JSON that it is.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Final

from dpcore.calculus import RULES, Rule
from dpcore.calculus.parameters import Json
from dpcore.calculus.parameters.words import plain
from dpcore.certificates.document import Inference

PLACES: Final = ("calculus", "combinators", "conversions", "core", "interaction", "measurements", "transformations")
"""The packages of dpcore that state rules."""


@cache
def load_rules() -> None:
    """Import whatever states rules, so that each is known by its name."""
    for name in PLACES:
        place = import_module(f"dpcore.{name}")
        for module in pkgutil.iter_modules(getattr(place, "__path__", ()), f"{place.__name__}."):
            import_module(module.name)


def rule_named(name: str) -> Rule | None:
    """The rule, if there is one of that name and certificates speak of it."""
    if name not in RULES:
        load_rules()
    rule = RULES.get(name)
    return None if rule is None or rule.writes is None else rule


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
