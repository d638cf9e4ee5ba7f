"""Joint steps of several preprocessed data, and stages that are chosen as the answers come in."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest

import dpcore as dp
from dpcore.assurance.universe import multisets
from tests.laws import distributions
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution

AB = dp.categories("a", "b")
ROWS = dp.rows(AB)
Chosen = dp.types.Measurement[dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance, dp.PureDP, int]


def counting(key: str, scale: str = "1/2") -> Chosen:
    return ROWS >> dp.filter(dp.row() == key) >> dp.count() >> dp.laplace(scale=scale)


def true_epsilon(m: object, rows: int) -> float:
    """The largest log-ratio between neighbours of at most so many rows."""
    arrow = measurement(m)
    data = multisets(("a", "b"), tuple(range(rows + 1)))
    found = [distribution(arrow, x) for x in data]
    pairs = [(p, q) for x, p in zip(data, found, strict=True) for y, q in zip(data, found, strict=True)
             if ROWS.metric.carried(x, y) == 1]  # fmt: skip
    return max(distributions.max_log_ratio(p, q) for p, q in pairs)


def test_an_adversary_gets_what_was_fixed_and_no_more() -> None:
    """He asks again about whatever the first answer made suspicious, as precisely as his budget lets him."""

    def second(seen: tuple[int, ...]) -> Chosen:
        return counting("a" if seen[0] > 0 else "b")

    m = dp.adaptive(ROWS, [(dp.pure(2), lambda seen: counting("a")), (dp.pure(2), second)])
    assert m.loss(1).epsilon == 4
    true = true_epsilon(m, 2)
    assert 3.999 < true <= 4 + 1e-9


def test_three_stages_and_the_last_depends_on_both() -> None:
    def third(seen: tuple[int, ...]) -> Chosen:
        return counting("a" if seen[0] >= seen[1] else "b", "1/3")

    stages: list[tuple[dp.types.PureLoss, Callable[[tuple[int, ...]], Chosen]]] = [
        (dp.pure(3), lambda seen: counting("a", "1/3")),
        (dp.pure(3), lambda seen: counting("b", "1/3")),
        (dp.pure(3), third),
    ]
    m = dp.adaptive(ROWS, stages)
    assert m.loss(1).epsilon == 9
    # One row is in a or in b: the stage that asks about the other loses nothing.
    assert true_epsilon(m, 1) == pytest.approx(6, abs=1e-4)


@pytest.mark.parametrize("scale", ["1/3", "49/100"])
def test_a_stage_that_costs_more_is_refused_before_it_runs(scale: str) -> None:
    def greedy(seen: tuple[int, ...]) -> Chosen:
        return counting("a", scale)

    with pytest.raises(dp.errors.BudgetExceeded):
        dp.adaptive(ROWS, [(dp.pure(2), greedy)]).release(["a"])


def test_a_stage_on_another_space_is_refused() -> None:
    other = dp.rows(dp.categories("a", "b", "c")) >> dp.count() >> dp.laplace(scale=1)
    with pytest.raises(dp.errors.MeasureMismatch):
        dp.adaptive(ROWS, [(dp.pure(2), lambda seen: other)]).release(["a"])


def test_truth_and_one_are_not_the_same_space() -> None:
    """Python finds `(0, 1) == (False, True)`; a mechanism made for the one must not be run on the other."""
    local = dp.DiscreteDistance()
    numbers = dp.value(dp.categories(0, 1), local) >> dp.randomized_response("3/4")
    truths = dp.value(dp.categories(False, True), local) >> dp.randomized_response("3/4")
    assert numbers.input != truths.input
    with pytest.raises(dp.errors.DomainMismatch):
        operator.and_(numbers, truths)


def test_joint_steps() -> None:
    """Disjoint parts cost the dearer of the two, overlapping ones both; and no part costs more than it does alone."""
    parts = [
        dp.after(ROWS >> dp.filter(dp.row() == k), ROWS >> dp.count() >> dp.laplace(scale=s))
        for k, s in (("a", 1), ("b", "1/2"))
    ]
    assert dp.compose_jointly(parts, joint=[(1, 0), (0, 1)]).loss(1) == dp.pure(2)
    assert dp.compose_jointly(parts, joint=[(1, 1)]).loss(1) == dp.pure(3)
    assert dp.compose_jointly(parts, joint=[(9, 9)]).loss(1) == dp.pure(3)
    assert dp.compose_jointly(parts, joint=[(1, 0), (0, 1)]).loss(3) == dp.pure(6)
    assert true_epsilon(dp.compose_jointly(parts, joint=[(1, 0), (0, 1)]), 2) == pytest.approx(2, abs=1e-6)


def test_joint_distances_in_l2_are_lengths() -> None:
    """joint says lengths, though L2 distances are carried as squares."""
    half = dp.value(dp.vector(dp.integers(0), 2), dp.L2Distance()) >> dp.gaussian(sigma=1)
    part = dp.after(ROWS >> dp.histogram(norm=dp.L2Distance), half)
    assert dp.compose_jointly([part], joint=[("1/2",)]).loss(1) == dp.zcdp("1/8")
