"""`loss.tpr(fpr)` and `loss.advantage()`: no test does better, and for the losses that are met some test does as well."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.distributions import Distribution
from dpcore.maps import ends
from dpcore.measures.losses import Loss

NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
RATES = [Fraction(k, 20) for k in range(21)]


def power(of_x: Distribution, of_y: Distribution, fpr: Fraction) -> Fraction:
    """What the best test reaches (Neyman and Pearson): it says "x" first where x is likelier by the largest factor."""
    x = {outcome: ends(mass)[0] for outcome, mass in of_x.masses.items()}
    y = {outcome: ends(mass)[1] for outcome, mass in of_y.masses.items()}  # so that it reaches no more than it does
    shared = sorted(x.keys() & y.keys(), key=lambda outcome: y[outcome] / x[outcome])
    left, right = fpr, sum((x[outcome] for outcome in x.keys() - y.keys() if of_y.complete), Fraction(0))
    for outcome in shared:
        if y[outcome] > left:
            return right + x[outcome] * left / y[outcome]
        left, right = left - y[outcome], right + x[outcome]
    return right


LAPLACE, GAUSSIAN = NUMBER >> dp.laplace(1), NUMBER >> dp.gaussian(1)
RESPONSE = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
SHAME = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance(), size=2) >> dp.name_and_shame("1/10")


@pytest.mark.parametrize(
    ("released", "loss"),
    [
        ((LAPLACE, 0, 1), LAPLACE.loss(1)),
        ((LAPLACE, 0, 1), LAPLACE.to(dp.ZCDP).loss(1)),
        ((LAPLACE, 0, 1), LAPLACE.to(dp.ApproxDP).loss(1)),
        ((LAPLACE, 0, 1), LAPLACE.to(dp.Profile).loss(1)),
        ((LAPLACE, 0, 1), LAPLACE.to(dp.GaussianDP).loss(1)),
        ((LAPLACE, 0, 2), LAPLACE.to(dp.Tradeoff).loss(2)),
        ((GAUSSIAN, 0, 1), GAUSSIAN.loss(1)),
        ((GAUSSIAN, 0, 1), GAUSSIAN.to(dp.ApproxDP, delta="1/100").loss(1)),
        ((RESPONSE, True, False), RESPONSE.loss(1)),
        ((SHAME, [0, 0], [0, 1]), SHAME.loss(1)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_no_test_does_better(released: tuple[object, object, object], loss: Loss) -> None:
    m, x, y = released
    assert isinstance(m, dp.types.Measurement)
    of_x, of_y = m.distribution(x), m.distribution(y)
    reached = [power(of_x, of_y, rate) for rate in RATES]
    assert all(best <= loss.tpr(rate).upper for best, rate in zip(reached, RATES, strict=True))
    assert max(best - rate for best, rate in zip(reached, RATES, strict=True)) <= loss.advantage().upper


@pytest.mark.parametrize(
    "loss", [LAPLACE.loss(1), LAPLACE.to(dp.Tradeoff).loss(1), LAPLACE.to(dp.ApproxDP).loss(1)], ids=str
)
def test_where_the_loss_is_met_a_test_does_as_well(loss: Loss) -> None:
    of_x, of_y = LAPLACE.distribution(0), LAPLACE.distribution(1)
    for rate in (Fraction(1, 20), Fraction(1, 4)):
        assert loss.tpr(rate).upper - power(of_x, of_y, rate) < Fraction(1, 10**9)


def test_figures_of_the_notes() -> None:
    pure, near = dp.pure(1), dp.approx(1, "1/10")
    assert [round(float(pure.tpr(x)), 7) for x in ("0.01", "0.05", "0.1")] == [0.0271828, 0.1359141, 0.2718282]
    assert round(float(pure.advantage()), 7) == 0.4621172
    curve = near.tradeoff()
    assert [round(curve.beta(x).downward, 7) for x in (0, "0.05", "0.2", "0.5", "0.9")] == [
        0.9, 0.7640859, 0.3563436, 0.1471518, 0,
    ]  # fmt: skip
    gaussian = dp.gaussian_dp(1)
    assert [round(gaussian.tradeoff().beta(x).downward, 7) for x in ("0.05", "0.3")] == [0.7404890, 0.3171799]
    as_run = (NUMBER >> dp.gaussian(1, measure=dp.Profile)).loss(1).tradeoff()
    assert [round(as_run.beta(x).downward, 7) for x in ("0.05", "0.3")] == [0.7378261, 0.3014008]


def test_numbers_that_are_enclosed_are_asked_more_narrowly() -> None:
    narrow = RESPONSE.loss(1).tpr("1/4")
    assert narrow <= Fraction(3, 4) + Fraction(1, 10**30)
    assert not narrow <= Fraction(3, 4) - Fraction(1, 10**30)


def test_of_orders_no_rule_says_anything() -> None:
    loss = GAUSSIAN.to(dp.RenyiDP).loss(1)
    with pytest.raises(dp.errors.DPError, match="no rule leads from RenyiDP to Tradeoff"):
        loss.tpr("1/20")
    with pytest.raises(dp.errors.DPError, match="no rule leads from RenyiDP to TotalVariation"):
        loss.advantage()


@pytest.mark.parametrize("rate", [-1, "1.01"])
def test_a_rate_is_a_probability(rate: object) -> None:
    with pytest.raises(dp.errors.DPError, match="Expected 0 <= alpha <= 1"):
        dp.pure(1).tpr(rate)  # type: ignore[arg-type]
