"""Additive secrecy: what small deltas allow. Two mechanisms that publish somebody in plain view, and what they are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp

people = dp.rows(dp.text(), dp.ChangeOneDistance())
crowd = dp.rows(dp.text(), dp.ChangeOneDistance(), 1000)


@pytest.mark.parametrize("delta", [Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2)])
def test_name_and_shame_is_additively_secret(delta: Fraction) -> None:
    shame = people >> dp.name_and_shame(delta)
    assert shame.loss(1) == dp.total_variation(delta)
    assert shame.loss(0) == dp.total_variation(0)
    assert shame.loss(3) == dp.total_variation(min(3 * delta, Fraction(1)))
    assert str(shame.map) == f"{delta.numerator}*d_in/{delta.denominator}".replace("1*d_in", "d_in")


def test_and_names_somebody_all_the_same() -> None:
    """Of ten thousand rows at delta = 1/100 about a hundred are published as they are. P(none) = 0.99^10000 < 10^-43."""
    shame = people >> dp.name_and_shame("0.01")
    published = shame.release([f"person {i}" for i in range(10_000)])
    assert published
    assert all(isinstance(row, str) and row.startswith("person ") for row in published)
    assert len(published) < 10_000


def test_there_is_no_way_to_a_finite_epsilon() -> None:
    shame = people >> dp.name_and_shame("0.01")
    with pytest.raises(dp.errors.NoConversion) as refusal:
        shame.to(dp.PureDP)
    assert "an event of probability delta may reveal everything" in str(refusal.value)
    assert "no finite epsilon" in str(refusal.value)
    assert (refusal.value.produced, refusal.value.expected) == (dp.TotalVariation(), dp.PureDP())
    assert refusal.value.bridge is None, "there is no way round"


@pytest.mark.parametrize("measure", [dp.PureDP, dp.ZCDP, dp.RenyiDP, dp.GaussianDP])
def test_nor_by_a_detour(measure: type[dp.types.Measure]) -> None:
    """From additive secrecy only curves and pairs with that delta can be reached, and from those again nothing else."""
    shame = people >> dp.name_and_shame("0.01")
    reached: list[dp.types.Measurement[Any, Any, Any, Any]] = [
        shame,
        shame.to(dp.ApproxDP),
        shame.to(dp.Profile),
        shame.to(dp.Tradeoff),
    ]
    reached += [shame.to(dp.ApproxDP).to(dp.Profile), shame.to(dp.Profile).to(dp.ApproxDP, delta="0.01")]
    for made in reached:
        with pytest.raises(dp.errors.NoConversion, match=f"no rule leads from .* to {measure.__name__}"):
            made.to(measure)


def test_it_is_approx_at_epsilon_0_and_nothing_better() -> None:
    shame = (people >> dp.name_and_shame("0.01")).to(dp.ApproxDP)
    assert shame.loss(1) == dp.approx(0, "0.01")
    profile = (people >> dp.name_and_shame("0.01")).to(dp.Profile).loss(1)
    assert {profile.delta(epsilon).exact for epsilon in (0, 1, 100, 10**6)} == {Fraction(1, 100)}
    with pytest.raises(dp.errors.InvalidParameter, match="no epsilon"):
        profile.epsilon("0.009")


def test_additive_secrecy_adds_up() -> None:
    shame = people >> dp.name_and_shame("0.01")
    assert (shame & shame).loss(1) == dp.total_variation("0.02")
    assert dp.compose([shame] * 1000).loss(1) == dp.total_variation(1)


def test_one_random_row_costs_0_and_1_over_n() -> None:
    one = crowd >> dp.random_row()
    assert one.loss(1) == dp.approx(0, Fraction(1, 1000))
    assert one.loss(7) == dp.approx(0, Fraction(7, 1000))
    assert one.loss(5000) == dp.types.ApproxLoss(dp.types.Bound("0"), dp.types.Bound("1"))
    assert str(one.map) == "epsilon = 0, delta = d_in/1000"
    data = [f"person {i}" for i in range(1000)]
    assert one.release(data) in data


def test_of_one_row_nothing_is_hidden() -> None:
    alone = dp.rows(dp.text(), dp.ChangeOneDistance(), 1) >> dp.random_row()
    assert alone.loss(1) == dp.types.ApproxLoss(dp.types.Bound("0"), dp.types.Bound("1"))
    assert alone.release(["me"]) == "me"


def test_the_number_of_rows_must_be_public() -> None:
    with pytest.raises(dp.errors.DomainMismatch, match="must be known") as refusal:
        people >> dp.random_row()
    assert refusal.value.bridge is not None
    assert "size=n" in refusal.value.bridge
    with pytest.raises(dp.errors.DomainMismatch, match="not 0"):
        dp.rows(dp.text(), dp.ChangeOneDistance(), 0) >> dp.random_row()
    with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
        (crowd >> dp.random_row()).release(["me"])


def test_neither_has_a_rule_where_rows_come_and_go() -> None:
    """The size of a random row's crowd shows, and so does a row that is there or not."""
    for step in (dp.name_and_shame("0.01"), dp.random_row()):
        with pytest.raises(dp.errors.MetricMismatch, match="no rule under this metric"):
            dp.rows(dp.text()) >> step  # type: ignore[operator]
