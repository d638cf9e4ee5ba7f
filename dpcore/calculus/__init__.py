"""The calculus: rules, the derivations that apply them, and the parameters that a certificate writes of each.

Whoever states a rule takes `rule` from here, whoever folds over a derivation (maps, runs, certificates) the rest. It
knows neither data nor metrics: only numbers, and how premises are read.
"""

from dpcore.calculus.derivation import (
    RULES,
    Asked,
    Assumes,
    Curve,
    Derivation,
    Followed,
    Parameters,
    Premises,
    Raw,
    Reading,
    Rule,
    Witness,
    by_identity,
    chain,
    curve_in,
    keywords,
    number_in,
    pair_in,
    rule,
)
from dpcore.calculus.runs import Prepared, Release, Run, on_each, unchanged

__all__ = [
    "RULES",
    "Asked",
    "Assumes",
    "Curve",
    "Derivation",
    "Followed",
    "Parameters",
    "Premises",
    "Prepared",
    "Raw",
    "Reading",
    "Release",
    "Rule",
    "Run",
    "Witness",
    "by_identity",
    "chain",
    "curve_in",
    "keywords",
    "number_in",
    "on_each",
    "pair_in",
    "rule",
    "unchanged",
]
