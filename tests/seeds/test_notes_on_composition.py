"""The lecture notes on composition, groups and secrecy, row by row. Their neighbours are data sets with one row replaced."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.noise.bits import SeededBits

replaced = dp.rows(dp.integers(0, 120), dp.ChangeOneDistance)
illness = dp.categories("heart", "lung", "none")
patients = dp.rows(illness)


def counted(epsilon: Fraction | str) -> Any:
    return patients >> dp.count() >> dp.laplace(1 / Fraction(epsilon))


@pytest.mark.seed("001-1a")
def test_what_who_sees_both_hospitals_learns() -> None:
    """Who is known to both loses 5/6, who is known to one of them 1/2 at most."""
    here, there = patients >> dp.filter(dp.row() != "lung"), patients >> dp.filter(dp.row() != "heart")
    parts = [dp.after(here, counted("1/2")), dp.after(there, counted("1/3"))]
    both = dp.compose_jointly(parts, joint=[(1, 1)])
    assert both.loss(1) == (counted("1/2") & counted("1/3")).loss(1) == dp.pure("5/6")
    assert dp.compose_jointly(parts, joint=[(1, 0), (0, 1)]).loss(1) == dp.pure("1/2")


@pytest.mark.seed("001-1b", "001-1.1")
@pytest.mark.parametrize("many", [0, 200])
def test_a_second_query_that_the_first_answer_chooses(many: int) -> None:
    """Where a hospital has a hundred patients the second query counts them together, else those with heart disease."""
    heart = patients >> dp.filter(dp.row() == "heart") >> dp.count() >> dp.laplace(3)
    asked: list[str] = []

    def second(seen: tuple[Any, ...]) -> Any:
        asked.append("all" if seen[0] >= 100 else "heart")
        return counted("1/3") if seen[0] >= 100 else heart

    both = dp.adaptive(patients, [(dp.pure("1/2"), lambda seen: counted("1/2")), (dp.pure("1/3"), second)])
    assert both.loss(1) == dp.pure("5/6")
    both.release(["heart"] * many, bits=SeededBits(1))
    assert asked == ["all" if many else "heart"]


@pytest.mark.seed("001-1.2")
def test_k_executions_of_a_kth() -> None:
    ten = dp.compose([counted("1/10")] * 10)
    assert ten.loss(1) == dp.pure(1)
    assert any(node["rule"] == "compose_pure" for node in _nodes(dp.certify(ten, d_in=1).data["derivation"]))


def _nodes(tree: Any) -> list[Any]:
    return [tree, *(node for part in tree.get("premises", ()) for node in _nodes(part))]


@pytest.mark.seed("001-1.2b")
def test_a_budget_is_divided_and_kept() -> None:
    assert dp.budget(dp.pure(1), [1, 2, 5]) == [dp.pure("1/8"), dp.pure("1/4"), dp.pure("5/8")]
    curator = dp.curator(patients, ["heart"], budget=dp.pure(1))
    curator.ask(counted("1/8"))
    curator.ask(counted("1/4"))
    assert curator.left == dp.pure("5/8")


@pytest.mark.seed("001-1.4")
@pytest.mark.parametrize("k", [1, 7, 50])
def test_the_noise_of_k_executions_grows_by_k(k: int) -> None:
    one = patients >> dp.count() >> dp.laplace(dp.symbol("b"))
    assert dp.compose([one] * k).solve(dp.pure(1), 1) == k * one.solve(dp.pure(1), 1)


@pytest.mark.seed("001-1.5")
def test_a_histogram_at_once_or_bin_by_bin() -> None:
    """d = 4, eps = 1/2. At once the sensitivity is 2, so 2/eps = 4; bin by bin 1, so d/eps = 8, in each of three ways."""
    bins = dp.rows(dp.integers(0, 3), dp.ChangeOneDistance)
    half, b = dp.pure("1/2"), dp.symbol("b")
    assert (bins >> dp.histogram() >> dp.laplace(b)).solve(half, 1) == 4
    by_bin = [bins >> dp.histogram(bins=[j]) >> dp.laplace(b) for j in range(4)]
    by_filter = [bins >> dp.filter(dp.row() == j) >> dp.count() >> dp.laplace(b) for j in range(4)]
    by_query = [bins >> dp.linear_queries(dp.row() == j) >> dp.laplace(b) for j in range(4)]
    assert [dp.compose(each).solve(half, 1) for each in (by_bin, by_filter, by_query)] == [8, 8, 8]


@pytest.mark.seed("001-1.6")
def test_what_is_done_afterwards_may_have_coins_of_its_own() -> None:
    """Only the second of two answers, or a randomized function of both: whose coins know nothing of the data."""
    both = counted("1/2") & counted("1/2")
    coins = iter(range(100))
    assert both.then(lambda seen: seen[1]).loss(1) == dp.pure(1)
    assert both.then(lambda seen: seen[0] + seen[1] + next(coins)).loss(1) == dp.pure(1)


@pytest.mark.seed("001-1.7")
def test_data_that_differ_in_k_positions() -> None:
    tenth = replaced >> dp.linear_queries(dp.row() >= 18) >> dp.laplace(10)
    assert tenth.loss(6) == dp.group_privacy(tenth).loss(6) == dp.pure("3/5")


@pytest.mark.seed("001-1.7b")
def test_below_1_over_n_nothing_can_be_learnt() -> None:
    """50 rows, eps = 1/500: 0^n and 1^n lie e^(1/10) apart, 0.04996 in total variation."""
    bits = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance, 50)
    loss = (bits >> dp.sum() >> dp.laplace(500)).loss(50)
    assert loss == dp.pure("1/10")
    assert float(loss.advantage()) == pytest.approx(math.tanh(0.05), rel=1e-9)
    assert float(loss.advantage()) == pytest.approx(0.04996, abs=1e-5)


@pytest.mark.seed("001-2.1b")
def test_additive_secrecy_composes_and_is_post_processed_and_lifts_to_groups() -> None:
    shame = dp.rows(dp.text(), dp.ChangeOneDistance) >> dp.name_and_shame("1/100")
    assert (shame & shame).loss(1) == dp.total_variation("1/50")
    assert shame.loss(3) == dp.total_variation("3/100")
    assert shame.then(len).loss(1) == shame.loss(1)


@pytest.mark.seed("001-2.1c")
def test_a_delta_below_1_over_n_hides_everything() -> None:
    shame = dp.rows(dp.text(), dp.ChangeOneDistance, 100) >> dp.name_and_shame("1/1000")
    assert shame.loss(100) == dp.total_variation("1/10"), "all rows replaced shows with a tenth at most"


@pytest.mark.seed("001-2.3i", "001-2.3ii")
def test_name_and_shame_is_secret_and_publishes_somebody() -> None:
    """Neighbours lie exactly delta apart; and where the row is not, it is never published, so no epsilon is finite."""
    people = dp.rows(dp.categories("ann", "bob", "cleo"), dp.ChangeOneDistance)
    shame = people >> dp.name_and_shame("1/10")
    [line] = [line for line in exhaust(shame, rows=2).lines if line.d_in == 1]
    assert (line.claimed, line.verdict) == (dp.types.Bound("1/10"), "sound and tight")
    half = people >> dp.name_and_shame("1/2")
    data = ["ann", "bob", "cleo"]
    assert half.distribution(data).probability([]) == dp.types.Bound("1/8"), "P(somebody) = 1 - (1 - delta)^n = 7/8"
    with pytest.raises(dp.errors.NoConversion, match="no rule leads from TotalVariation to PureDP"):
        half.to(dp.PureDP)
