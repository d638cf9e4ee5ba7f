"""The fifth section: which rules are proved, derived, or assumed, with what each states and where it is from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from dpcore.certificates.report.checking import Verdict
from dpcore.certificates.report.markup import Markup, join, prose, tag
from dpcore.derivation import RULES

DERIVED: Final[tuple[str, ...]] = (
    *("above_threshold_linf", "above_threshold_range", "exponential_linf", "exponential_range", "gaussian"),
    *("gaussian_profile", "gaussian_to_profile", "gaussian_to_renyi", "gaussian_to_tradeoff", "gaussian_to_zcdp"),
    *("gaussian_vector", "laplace"),
    *("permute_and_flip_linf", "permute_and_flip_range", "pure_to_profile", "pure_to_renyi", "pure_to_total_variation"),
    "pure_to_tradeoff",
    *("pure_to_zcdp", "randomized_response", "renyi_to_approx", "threshold_release", "zcdp_to_approx"),
    "zcdp_to_approx_tight",
)
"""Rules whose map is derived from the density of their noise, by sympy, under `proofs/derivations`."""

_LEGEND: Final = (
    ("proved", "has a theorem in Coq, which is named beside it; that it holds, make proofs says: this page ran no Coq."),
    ("derived", "assumed as well, but a computer algebra system works its formula out from the definitions, such as the "
     "density of the noise; the argument around that is ours."),
    ("assumed", "rests on the source that is named, or on the argument that dpcore gives; no machine has checked it."),
)  # fmt: skip


def rulebook(verdict: Verdict) -> Markup:
    """A table of the rules that the checker says it relied on."""
    found = sorted(_statuses(verdict))
    entries = [
        tag("li", tag("div", tag("span", rule, cls="rule", id=f"rule-{rule}"), tag("span", status, cls=f"status {status}")),
            tag("div", tag("p", _statement(rule)), tag("p", source, cls="quiet small")))
        for rule, status, source in found
    ]  # fmt: skip
    met = {status for _, status, _ in found}
    legend = [join(tag("dt", word), tag("dd", meaning)) for word, meaning in _LEGEND if word in met]
    return join(tag("dl", *legend, cls="small"), tag("ul", *entries, cls="rules"))


def _statuses(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    """Rule, status and source, from the lines of the checker."""
    for rule, standing in verdict.rules:
        if standing == "proved":
            yield rule, "proved", f"theorem {theorem(rule)}"
        else:
            yield rule, "derived" if rule in DERIVED else "assumed", standing.removeprefix("assumed: ")


@cache
def theorems() -> Mapping[str, str]:
    """In a checkout, the theorem of each rule; in a wheel RULES.toml is not there."""
    file = Path(__file__).parents[3] / "proofs" / "RULES.toml"
    if not file.is_file():
        return {}
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return {rule: entry["coq"] for rule, entry in found.items() if isinstance(entry, dict) and entry.get("coq")}


def theorem(rule: str) -> str:
    """By name, where it is known here."""
    name = theorems().get(rule)
    return f"{name} in proofs/coq/theory/{name.partition('.')[0]}.v" if name else f"of {rule} in proofs/RULES.md"


def _statement(rule: str) -> Markup:
    """The first paragraph of what dpcore states."""
    return prose(RULES[rule].statement.split("\n\n")[0]) if rule in RULES else Markup("")
