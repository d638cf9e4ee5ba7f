"""The steps of every derivation hang together, and what sympy is said to have shown holds in numbers as well."""

from __future__ import annotations

import math
from functools import cache
from random import Random

import pytest

from proofs.derivations.formulas import Formula, NotDerived, at_least_zero, exp, expanded, positive, simplified
from proofs.derivations.rules import DERIVED
from proofs.derivations.steps import Derived, Line, Step
from tests.proofs.derivations.algebra import derivation, free, rational, value

KINDS = {"given", "sympy", "ours"}


@pytest.mark.spread(3)
@pytest.mark.parametrize("rule", DERIVED)
def test_a_step_goes_on_from_where_the_one_before_it_ended(rule: str) -> None:
    derived = derivation(rule)
    assert derived.rule == rule
    for i, step in enumerate(derived.steps):
        assert step.words
        assert step.by in KINDS
        assert step.before == (step.after if step.begins else derived.steps[i - 1].after)


@pytest.mark.parametrize("rule", DERIVED)
def test_the_steps_end_with_the_map(rule: str) -> None:
    derived = derivation(rule)
    figures = derived.map if isinstance(derived.map, tuple) else (derived.map,)
    ends = [s.after for s, following in zip(derived.steps, [*derived.steps[1:], None], strict=True) if _ends(following)]
    assert tuple(ends[-len(figures) :]) == figures


def _ends(following: Step | None) -> bool:
    return following is None or following.begins


@pytest.mark.parametrize("rule", DERIVED)
def test_every_derivation_has_steps_of_sympy_and_says_what_is_ours(rule: str) -> None:
    kinds = {step.by for step in derivation(rule).steps}
    assert "sympy" in kinds
    assert "ours" in kinds


@pytest.mark.spread(3)
@pytest.mark.parametrize("rule", DERIVED)
def test_a_step_of_sympy_holds_at_random_points(rule: str) -> None:
    assert wrong_steps(derivation(rule)) == []


def wrong_steps(derived: Derived) -> list[Step]:
    """Steps that sympy is said to have made and that do not hold in numbers."""
    return [s for s in derived.steps if s.by == "sympy" and not s.begins and not _holds(s, derived.rule)]


@cache
def _holds(step: Step, rule: str) -> bool:
    for seed in range(2):
        point = sample(step, rule, Random(seed))
        before, after = value(step.before, point), value(step.after, point)
        close = math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-9)
        if not (close or (step.relation == "<=" and before < after)):
            return False
    return True


def sample(step: Step, rule: str, random: Random) -> dict[str, Formula]:
    """Values of the unknowns. Those that stand for something else are worked out from what they stand for."""
    names = {**free(step.before), **free(step.after)}
    found: dict[str, Formula] = {}
    for name, unknown in sorted(names.items()):
        whole = getattr(unknown, "is_integer", False)
        found[name] = rational(random.randint(2, 4), 1) if whole else rational(random.randint(1, 30), 16)
    if "p" in found:  # 1/k <= p < 1
        found["p"] = rational(random.randint(10, 15), 16)
    if "r" in found:
        found["r"] = exp(-1 / (found["scale"] if "scale" in found else rational(3, 4)))
    if {"g", "k", "p"} <= set(found):
        found["g"] = (found["p"] * found["k"] - 1) / (found["k"] * (1 - found["p"]))
    if "T" in found and "eps" in found:
        epsilon = found["epsilon"] = rational(0 if rule == "pure_to_total_variation" else 1, 3)
        found["eps"] = epsilon + rational(random.randint(1, 9), 8)
        found["X"], found["T"] = exp(epsilon) - 1, exp(found["eps"] - epsilon) - 1
    return found


# ---- what must be refused -----------------------------------------------------------------------------------------------

X, Y = positive("x"), at_least_zero("y")


def test_a_bound_that_sympy_does_not_show_is_refused() -> None:
    with pytest.raises(NotDerived, match="does not show"):
        Line("x + y", X + Y).at_most("not so", X)


def test_a_step_in_which_sympy_does_nothing_is_refused() -> None:
    with pytest.raises(NotDerived, match="changes nothing"):
        Line("x", X).sympy("nothing", simplified)


def test_a_wrong_step_of_sympy_is_found() -> None:
    line = Line("the square", (X + Y) ** 2).sympy("written out", expanded)
    right = Derived("square", tuple(line.steps), line.end)
    assert wrong_steps(right) == []
    line.sympy("as is known", lambda _: X**2 + Y**2)
    assert wrong_steps(Derived("square", tuple(line.steps), line.end)) == line.steps[-1:]
