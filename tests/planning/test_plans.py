"""Plans: every way is within the budget when it is composed as it says, and nothing much larger would be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import pytest

import dpcore as dp
from dpcore.combinators.advanced import epsilon_of_equals
from dpcore.maps import numeral
from dpcore.maps.bounds import Bound
from dpcore.planning import inverse_advanced

BUDGET = dp.approx(1, "1e-6")
COUNT = dp.value(dp.integers(), dp.AbsoluteDistance())


def _composed(way: dp.types.Way, k: int) -> dp.types.Measurement[Any, Any, dp.ApproxDP, Any]:
    """As the way itself says it."""
    questions = [COUNT >> way.noise] * k
    made = eval(way.how, {**vars(dp), "questions": questions, **{n: getattr(dp, n) for n in dir(dp)}})
    if not isinstance(made.measure, dp.ApproxDP):
        made = made.to(dp.ApproxDP)
    return cast("dp.types.Measurement[Any, Any, dp.ApproxDP, Any]", made)


@pytest.mark.parametrize(("k", "sensitivity"), [(1, 1), (2, 1), (7, 3), (25, 1)])
def test_each_way_is_within_the_budget_as_it_is_composed(k: int, sensitivity: int) -> None:
    for way in dp.plan(k, BUDGET, sensitivity=sensitivity).rows:
        assert _composed(way, k).loss(sensitivity) <= BUDGET, way.name


def test_nothing_is_wasted() -> None:
    """Of a hundred questions, each way spends all of epsilon to a part in a million."""
    for way in dp.plan(100, BUDGET).rows:
        assert _composed(way, 100).loss(1) <= BUDGET, way.name
        if way.name != "advanced, with deltas":  # of which the noise is a little less than its share
            assert not _composed(way, 100).loss(1) <= dp.approx("0.999999", "1e-6"), way.name


def test_the_best_has_the_least_error() -> None:
    plan = dp.plan(100, BUDGET)
    assert plan.best.name == "zCDP"
    assert plan.best.error == min(way.error for way in plan.rows) == 90
    assert [way.best for way in plan.rows] == [False, False, False, False, True]
    assert plan["basic"].error == (COUNT >> dp.laplace(100)).accuracy("0.95")
    assert dp.plan(3, dp.pure(1)).rows == (dp.plan(3, dp.pure(1)).best,)


def test_the_table() -> None:
    lines = repr(dp.plan(100, BUDGET)).splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "way", "basic", "advanced", "advanced, with deltas", "optimal", "zCDP *"
    ]  # fmt: skip
    assert "0.01869166" in lines[3]


def test_the_picture_names_every_way() -> None:
    picture = dp.plan(4, BUDGET).plot(epsilons=["1/4", "1/2", 1])
    assert picture.svg.count("<polyline") > 10
    for name in ("basic", "advanced", "optimal", "zCDP"):
        assert f">{name}<" in picture.svg


def test_advanced_composition_backwards_is_within_and_near() -> None:
    for k in (1, 30, 1000):
        for budget in (BUDGET, dp.approx("1/10", "1e-9"), dp.approx(5, "1/100")):
            pure = inverse_advanced(budget, k)
            m = COUNT >> dp.laplace(1 / pure.epsilon.lower)
            assert dp.compose_advanced([m] * k, slack=budget.delta.lower).loss(1) <= budget
            more = numeral(pure.epsilon.lower * Fraction(1000001, 1000000))
            assert Bound(epsilon_of_equals(more, k, numeral(budget.delta.lower))) > budget.epsilon
            pair = inverse_advanced(budget, k, dp.ApproxDP)
            assert pair.delta.exact == budget.delta.lower / (2 * k)
            assert pair.epsilon < pure.epsilon


@pytest.mark.parametrize("k", [0, -1, 1.5, 10**7, "x", dp.symbol("k")])
def test_questions_that_are_none(k: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        dp.plan(k, BUDGET)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.InvalidParameter):
        inverse_advanced(BUDGET, k)  # type: ignore[call-overload]


@pytest.mark.parametrize("budget", [dp.zcdp(1), dp.approx(0, "1e-6"), dp.pure(0), 1, None])
def test_budgets_that_cannot_be_planned_for(budget: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        dp.plan(3, budget)  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [dp.pure(1), dp.zcdp(1), dp.approx(1, 0), dp.approx(0, "1e-6")])
def test_budgets_that_advanced_composition_cannot_share(budget: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a budget"):
        inverse_advanced(budget, 3)  # type: ignore[call-overload]


def test_a_way_that_is_none() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="no way is named") as refusal:
        dp.plan(3, BUDGET)["best"]
    assert "zCDP" in str(refusal.value.expected)
    with pytest.raises(dp.errors.InvalidParameter, match="two epsilons"):
        dp.plan(3, BUDGET).plot(epsilons=[1])


@pytest.mark.parametrize("k", [3, 7, 33])
def test_what_is_printed_may_be_typed(k: int) -> None:
    """Scales are printed rounded up, what may be spent rounded down: whoever types them stays within the budget."""
    plan = dp.plan(k, BUDGET, confidence="0.999999999")
    head, _, *lines = repr(plan).splitlines()
    assert "errors of one answer at 99.999999 %" in head
    for way, line in zip(plan.rows, lines, strict=True):
        scale, error = (Fraction(cell) for cell in line.split()[-2:])
        assert scale >= way.scale
        assert error >= way.error
        figures = [
            cell.split()[-1] for cell in line[: line.index(way.noise.word)].split(",") if cell.split()[-1][0].isdigit()
        ]
        assert all(Fraction(x) <= bound.upper for x, (_, bound) in zip(figures, way.loss.figures(), strict=True))
