"""Nothing is without laws: every rule and every constructor has an example in the catalogue."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

import dpcore as dp
from dpcore.calculus import RULES
from tests.laws.arrows import arrow
from tests.laws.catalogue import EXAMPLES, LARGE, MEASUREMENTS, SYMBOLIC, TRANSFORMATIONS

SPACES = {"rows", "value"}
DOMAINS = {"booleans", "categories", "date", "graphs", "integers", "numbers", "optional", "record", "text", "vector"}
EXPRESSIONS = {"day", "expression_from", "field", "literal", "maximum", "minimum", "ratio", "row", "when"}
LOSSES = {"approx", "budget", "gaussian_dp", "pure", "total_variation", "zcdp"}
OTHERS = {
    "compare",
    "curator",
    "odometer",
    "errors",
    "types",
    "assurance",
    "certify",
    "first_by",
    "granularity",
    "marginals",
    "symbol",
}
ASKED = {"attacks", "beliefs", "inverse_advanced", "plan", "posterior"}
PRINT_WHAT_THEY_MAKE = {"depends_on"}
MAKE_NO_ARROW = SPACES | DOMAINS | EXPRESSIONS | LOSSES | OTHERS | ASKED | PRINT_WHAT_THEY_MAKE
"""What is public and makes neither a step nor an arrow that names it. A new name belongs here, or into the catalogue."""

RETIRED = {"bound_contributions_person"}
"""Rules that nothing makes any more. They stay for the certificates that name them."""


def test_every_rule_has_an_example() -> None:
    for module in pkgutil.walk_packages(dp.__path__, "dpcore."):
        if not module.name.endswith(("__main__", ".demo")):
            import_module(module.name)
    shown = frozenset[str]().union(*(arrow(example.build()).derivation.rules() for example in (*EXAMPLES, *LARGE)))
    assert set(RULES) - shown == RETIRED


def test_every_constructor_is_exercised() -> None:
    printed = "\n".join(repr(example.build()) for example in (*EXAMPLES, *LARGE))
    called = set(re.findall(r"\b(\w+)\(", printed))
    constructors = {name for name in dir(dp) if name[0].islower()} - MAKE_NO_ARROW
    assert constructors - called == set()


def test_names_are_unique() -> None:
    names = [example.name for example in (*EXAMPLES, *LARGE)] + [example.name + " with symbols" for example in SYMBOLIC]
    assert len(set(names)) == len(names)


def test_examples_are_what_they_stand_under() -> None:
    assert all(isinstance(example.build(), dp.types.Transformation) for example in TRANSFORMATIONS)
    assert all(isinstance(example.build(), dp.types.Measurement) for example in MEASUREMENTS)
