"""Comparing formulas and working out their values: what the tests of the derivations ask of sympy."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, cast

import sympy

from dpcore.noise import discrete_gaussian
from proofs.derivations.formulas import Formula
from proofs.derivations.rules import DERIVATIONS
from proofs.derivations.steps import Derived

_sp: Any = sympy

SEQUENCE = (1.0, 0.75, 0.5, 0.625, 0.25, 0.5)
"""What stands for a sequence of unknown numbers."""


@cache
def derivation(rule: str) -> Derived:
    """The derivation, made once for all tests."""
    return DERIVATIONS[rule]()


def free(x: Formula) -> dict[str, Formula]:
    """The unknowns by their names."""
    labels = {base.label for base in cast(Any, x).atoms(_sp.IndexedBase)}
    found = [s for s in x.free_symbols if not isinstance(s, _sp.Indexed) and s not in labels]
    named = {str(s): s for s in found}
    assert len(named) == len(found), f"two unknowns of {x} have the same name"
    return named


def with_values(x: Formula, values: Mapping[str, object]) -> Formula:
    """The formula with something in the place of each unknown that is named."""
    return cast(Formula, cast(Any, x).subs({s: values[name] for name, s in free(x).items() if name in values}))


def same(x: Formula, y: Formula) -> bool:
    """Whether sympy shows that two formulas are the same function of their unknowns, which go by their names.

    Every unknown is taken to be positive. A maximum is compared branch by branch.
    """
    left, right = (_plain(z) for z in (x, y))
    if left.func in (_sp.Max, _sp.Min) and left.func == right.func:
        mine, others = list(left.args), list(right.args)
        return len(mine) == len(others) and all(any(_equal(a, b) for b in others) for a in mine)
    return _equal(left, right)


def _plain(x: Formula) -> Any:
    positive = {s: _sp.Symbol(name, positive=True) for name, s in free(x).items()}
    return cast(Any, x).xreplace(positive)


def _equal(x: Any, y: Any) -> bool:
    difference = _sp.expand_log((x - y).rewrite(_sp.exp).rewrite(_sp.erfinv))
    return bool(_sp.simplify(difference) == 0)


def perturbed(x: Formula) -> list[Formula]:
    """Other maps: more by one part in 10^12, more by 10^-12, and with each unknown doubled."""
    little = _sp.Rational(1, 10**12)
    doubled = [cast(Formula, cast(Any, x).subs(s, 2 * cast(Any, s))) for s in free(x).values()]
    return [x * (1 + little), x + little, x + 1, *doubled]


def value(x: Formula, values: Mapping[str, object], sequence: Sequence[float] = SEQUENCE) -> float:
    """The formula as a float. Finite sums and products are written out first; infinite ones and integrals are numeric.

    The numbers of every sequence are given; an unknown function is `1/(1 + x^2)`, tails of Gaussian noise are known.
    """
    settled = cast(Any, with_values(x, {name: _number(v) for name, v in values.items()}))
    settled = settled.replace(_finite, lambda found: found.doit())
    settled = settled.replace(lambda e: isinstance(e, _sp.Indexed), lambda e: _number(sequence[int(e.indices[0])]))
    settled = settled.replace(lambda e: isinstance(e, _sp.core.function.AppliedUndef), _known)
    return float(_sp.N(settled.rewrite(_sp.erfinv), 15))


def _number(x: object) -> Any:
    return _sp.Rational(x) if isinstance(x, (str, Fraction)) else _sp.sympify(x)


def _known(f: Any) -> Any:
    if str(f.func) == "P_Z_above":
        at, variance = f.args
        tail = discrete_gaussian.upper_tail(Fraction(str(variance)), math.floor(Fraction(str(at))) + 1)
        return _sp.Float(float(tail.mid()), 15)
    return 1 / (1 + f.args[0] ** 2)


def _finite(x: Any) -> bool:
    return isinstance(x, (_sp.Sum, _sp.Product)) and all(limit[2] != _sp.oo for limit in x.limits)


def rational(n: int, m: int) -> Formula:
    return cast(Formula, _sp.Rational(n, m))


def imports_of(text: str) -> set[str]:
    """The top-level modules that a source file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").split(".")[0])
    return names
