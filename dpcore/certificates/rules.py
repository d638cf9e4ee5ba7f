"""The rules that certificates speak of, by their names: every one that a module of dpcore states."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Final

from dpcore.derivation import RULES, Rule

PLACES: Final = ("combinators", "conversions", "derivation", "measurements", "post_processing", "transformations")
"""The modules and packages of dpcore that state rules."""


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
