"""The slides "Composition of DP" (CS2080), row by row: definitions, composition, histograms, zCDP and trade-off curves.

A row is the slide's number and a letter. The figures are the slides' own, or follow from them by hand; where whole-number
noise or a later theorem gives another one, the test says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import audit, exhaust
from dpcore.noise.bits import SeededBits

ages = dp.rows(dp.integers(0, 120))
count = ages >> dp.count()
region = dp.categories("N", "E", "S", "W")
number = dp.value(dp.integers(), dp.AbsoluteDistance)


def counted(epsilon: Fraction | str | int) -> Any:
    return count >> dp.laplace(1 / Fraction(epsilon))


@pytest.mark.seed("000-03")
def test_the_definition() -> None:
    """P(M(x) in T) <= e^eps P(M(x') in T) for all neighbours and all T: what is claimed is reached, and not passed."""
    found = exhaust(dp.rows(dp.categories("a", "b")) >> dp.count() >> dp.laplace(1), rows=2)
    [line] = [line for line in found.lines if line.d_in == 1]
    assert (line.claimed, line.verdict) == (dp.pure(1).epsilon, "sound and tight")


@pytest.mark.seed("000-04a")
def test_pure_privacy_may_be_seen_point_by_point() -> None:
    release = number >> dp.laplace(1)
    here, there = release.distribution(0), release.distribution(1)
    ratios = [float(here.probability(z)) / float(there.probability(z)) for z in range(-28, 29)]
    assert max(ratios) == pytest.approx(math.e, rel=1e-12)


@pytest.mark.seed("000-04b")
def test_post_processing_costs_nothing() -> None:
    release = counted("1/2")
    assert release.then(lambda z: z % 7).loss(1) == release.loss(1) == dp.pure("1/2")


@pytest.mark.seed("000-04c")
def test_losses_add_up_also_where_each_is_chosen_after_the_others() -> None:
    shares = [Fraction(1, k) for k in (2, 3, 4, 5)]
    assert dp.compose([counted(share) for share in shares]).loss(1) == dp.pure("77/60")

    def stage(share: Fraction) -> Callable[[Any], Any]:
        return lambda seen: counted(share)

    assert dp.adaptive(ages, [(dp.pure(share), stage(share)) for share in shares]).loss(1) == dp.pure("77/60")


@pytest.mark.seed("000-05")
def test_queries_that_are_fixed_beforehand_are_one_release() -> None:
    three = dp.compose([counted("1/4")] * 3)
    assert three.loss(1) == dp.pure("3/4")
    assert len(three.release([30, 40])) == 3


@pytest.mark.seed("000-06")
def test_every_adversary_sees_a_private_view() -> None:
    """View_A(A <-> M(x)) for all strategies A of two questions, where the second may depend on the first answer."""
    bit = dp.value(dp.booleans(), dp.DiscreteDistance)
    response = bit >> dp.randomized_response("3/4")
    budget = dp.compose([response] * 2).loss(1)
    seen: list[float] = []
    for again in ((True, True), (True, False), (False, True), (False, False)):

        def strategy(curator: Any, again: tuple[bool, bool] = again) -> tuple[bool, ...]:
            first = curator.ask(response)
            return (first, curator.ask(response)) if again[first] else (first,)

        view = dp.view(dp.interactive(bit, budget), strategy)
        [line] = [line for line in exhaust(view).lines if line.d_in == 1]
        assert line.verdict.startswith("sound")
        seen.append(float(line.true))
    assert max(seen) == pytest.approx(2 * math.log(3), abs=1e-12)


@pytest.mark.seed("000-07a")
def test_a_filter_lets_losses_be_chosen_as_one_goes() -> None:
    curator = dp.curator(ages, [30, 40], budget=dp.pure(1))
    curator.ask(counted("1/2"))
    curator.ask(counted("1/4"))
    with pytest.raises(dp.errors.BudgetExceeded) as refusal:
        curator.ask(counted("1/2"))
    assert (refusal.value.produced, refusal.value.expected) == (dp.pure("1/2"), dp.pure("1/4"))
    curator.ask(counted("1/4"))
    assert curator.left == dp.pure(0)


@pytest.mark.seed("000-07b")
def test_mechanisms_are_asked_by_turns_and_an_odometer_reads_what_was_spent() -> None:
    half = dp.interactive(ages, dp.pure("1/2"))
    both = dp.concurrently([half, half])
    assert both.loss(1) == dp.pure(1)

    def by_turns(started: Any) -> list[int]:
        one, other = started
        return [each.ask(counted("1/4")) for each in (one, other, one, other)]

    assert len(dp.view(both, by_turns).release([30, 40])) == 4
    odometer = dp.odometer(ages, dp.ZCDP).start([30, 40])
    for _ in range(3):
        odometer.ask(count >> dp.gaussian(2))
    assert odometer.spent == dp.zcdp("3/8")


@pytest.mark.seed("000-08")
@pytest.mark.parametrize("k", [1, 10, 100])
def test_k_queries_of_a_kth_each(k: int) -> None:
    scale = (count >> dp.laplace(dp.symbol("b"))).solve(dp.budget(dp.pure(1), k)[0], 1)
    assert scale == k
    assert dp.compose([count >> dp.laplace(scale)] * k).loss(1) == dp.pure(1)


@pytest.mark.seed("000-10a")
def test_groups_of_k_lose_k_times_as_much() -> None:
    assert counted("1/3").loss(5) == dp.group_privacy(counted("1/3")).loss(5) == dp.pure("5/3")


@pytest.mark.seed("000-11a", "000-11b", "000-13")
def test_a_histogram_needs_1_over_eps_where_rows_come_and_go_and_2_over_eps_where_they_change() -> None:
    """By proof 2: the histogram is a 1-stable (2-stable) map to L1, and the vector Laplace mechanism follows."""
    came, changed = dp.rows(region) >> dp.histogram(), dp.rows(region, dp.ChangeOneDistance) >> dp.histogram()
    assert (came.stability(1), changed.stability(1)) == (dp.types.Bound(1), dp.types.Bound(2))
    assert isinstance(came.output.metric, dp.L1Distance)
    quarter = dp.pure("1/4")
    scales = [(each >> dp.laplace(dp.symbol("b"))).solve(quarter, 1) for each in (came, changed)]
    assert scales == [4, 8]


@pytest.mark.seed("000-12")
def test_disjoint_parts_cost_the_dearest() -> None:
    """Proof 1 of the same."""
    each = {
        key: dp.rows(region) >> dp.count() >> dp.laplace(scale) for key, scale in zip("NESW", (2, 3, 4, 5), strict=True)
    }
    assert (dp.rows(region) >> dp.partition() >> dp.parallel(each)).loss(1) == dp.pure("1/2")


@pytest.mark.seed("000-14a")
def test_the_definition_with_a_delta() -> None:
    release = dp.rows(dp.categories("a")) >> dp.count() >> dp.gaussian(1)
    found = exhaust(release.to(dp.ApproxDP, delta="1/1000"), rows=1)
    [line] = [line for line in found.lines if line.d_in == 1]
    assert float(release.to(dp.ApproxDP, delta="1/1000").loss(1).epsilon) == pytest.approx(3.53656, abs=1e-5)
    assert float(line.true) == pytest.approx(8.4047254e-05, rel=1e-6)
    assert float(line.true) < 1e-3


@pytest.mark.seed("000-14b")
def test_one_random_row_of_n() -> None:
    crowd = dp.rows(dp.text(), dp.ChangeOneDistance, 50)
    assert (crowd >> dp.random_row()).loss(1) == dp.approx(0, "1/50")


@pytest.mark.seed("000-14c")
def test_a_delta_as_small_as_a_key_is_hard_to_guess() -> None:
    loss = (count >> dp.gaussian(4)).to(dp.ApproxDP, delta=Fraction(1, 2**50)).loss(1)
    assert float(loss.epsilon) == pytest.approx(1.974083, abs=1e-6)


@pytest.mark.seed("000-14d")
def test_membership_inference_is_bounded_by_rates() -> None:
    """TPR <= e^eps FPR + delta; and the test that `audit` finds does no better."""
    assert float(dp.pure(1).tpr("0.05")) == pytest.approx(math.e * 0.05, rel=1e-12)
    assert float(dp.approx(1, "1/100").tpr("0.05")) == pytest.approx(math.e * 0.05 + 0.01, rel=1e-12)
    release = number >> dp.laplace(1)
    assert not audit(release, 0, 1, n=20_000, confidence="0.9999999999", bits=SeededBits(14)).exceeded


@pytest.mark.seed("000-14e")
def test_deltas_add_up_too() -> None:
    one = dp.rows(dp.text(), dp.ChangeOneDistance, 100) >> dp.random_row()
    assert dp.compose([one] * 3).loss(1) == dp.approx(0, "3/100")
    assert one.then(str).loss(1) == one.loss(1)


@pytest.mark.seed("000-14f")
def test_groups_with_a_delta() -> None:
    """(k eps, delta (e^(k eps) - 1)/(e^eps - 1)), of use as long as k eps is about 1; at k = 1 the pair itself."""
    tenth = dp.measurement(len, ages, dp.ApproxDP, loss=lambda d: (d / 10, d / 10**6))
    lifted = dp.group_privacy(tenth)
    assert lifted.loss(1) == dp.approx("1/10", "1e-6")
    ten = lifted.loss(10)
    assert ten.epsilon == dp.pure(1).epsilon
    assert float(ten.delta) == pytest.approx(1e-6 * math.expm1(1) / math.expm1(0.1), rel=1e-12)
    assert float(ten.delta) == pytest.approx(1.633799e-05, rel=1e-6)


@pytest.mark.seed("000-14g")
def test_with_a_delta_points_do_not_suffice() -> None:
    """Each of five outcomes gains 1/5 and all five together 1: all rows of five may be replaced."""
    one = dp.rows(dp.integers(0, 9), dp.ChangeOneDistance, 5) >> dp.random_row()
    here, there = one.distribution([0, 1, 2, 3, 4]), one.distribution([5, 6, 7, 8, 9])
    assert [here.probability(row) for row in range(5)] == [dp.types.Bound("1/5")] * 5
    assert [there.probability(row) for row in range(5)] == [dp.types.Bound(0)] * 5
    assert one.loss(5).delta.exact == 1
    assert one.loss(1).delta.exact == Fraction(1, 5)


@pytest.mark.seed("000-15b")
def test_advanced_composition_grows_with_the_root_of_k() -> None:
    """eps = 1/100, delta' = 1e-6: four times the queries cost twice as much; added up they cost four times as much."""
    hundredth = counted("1/100")
    costs = [float(dp.compose_advanced([hundredth] * k, slack="1e-6").loss(1).epsilon) for k in (100, 400, 1600)]
    assert costs == pytest.approx([0.5307, 1.0713, 2.1826], abs=1e-4)
    assert [dp.compose([hundredth] * k).loss(1) for k in (100, 400, 1600)] == [dp.pure(1), dp.pure(4), dp.pure(16)]


@pytest.mark.seed("000-17a")
def test_the_privacy_loss_is_a_random_variable() -> None:
    """Its mean is rho, its variance 2 rho. "At most eps, except with probability delta" is more than (eps, delta) says."""
    release = number >> dp.gaussian(10)
    variable = release.loss_distribution(0, 1)
    rho = release.loss(1).rho
    assert rho == dp.zcdp("1/200").rho
    assert float(variable.mean) == pytest.approx(0.005, abs=1e-9)
    assert float(variable.variance) == pytest.approx(0.01, abs=1e-9)
    seeds = float(rho) + 2 * math.sqrt(float(rho) * math.log(1e6))
    ours = release.to(dp.ApproxDP, delta="1e-6").loss(1).epsilon.upper
    assert float(variable.at_least(seeds)) == pytest.approx(7.5e-08, rel=0.05)
    assert float(variable.at_least(ours)) == pytest.approx(1.1e-05, rel=0.05)
    bounded = (number >> dp.laplace(1)).loss_distribution(0, 1)
    assert float(bounded.at_least("1.0000001")) < 1e-12, "with no delta always at most eps; what was left out is less"
    assert float(bounded.at_least(1)) > 0.6


@pytest.mark.seed("000-18a")
def test_pure_leads_to_zcdp() -> None:
    assert counted("1/3").to(dp.ZCDP).loss(1) == dp.zcdp("1/18")


@pytest.mark.seed("000-18b")
def test_zcdp_leads_to_epsilon_and_delta() -> None:
    """The slide's rho + 2 sqrt(rho ln(1/delta)) is 2.753261; dpcore converts by Canonne, Kamath, Steinke: less."""
    eighth = count >> dp.gaussian(2)
    assert eighth.loss(1) == dp.zcdp("1/8")
    ours = float(eighth.to(dp.ApproxDP, delta="1e-6").loss(1).epsilon)
    assert ours == pytest.approx(2.419093, abs=1e-6)
    assert ours < 1 / 8 + 2 * math.sqrt(math.log(1e6) / 8)


@pytest.mark.seed("000-18c")
def test_rhos_add_up() -> None:
    assert dp.compose([count >> dp.gaussian(sigma) for sigma in (1, 2, 4)]).loss(1) == dp.zcdp("21/32")


@pytest.mark.seed("000-18d")
def test_gaussian_noise_in_zcdp() -> None:
    assert (ages >> dp.sum() >> dp.gaussian(1200)).loss(1) == dp.zcdp("1/200")
    sigma = (count >> dp.gaussian(dp.symbol("sigma"))).solve(dp.zcdp("1/8"), 1)
    assert sigma == 2


@pytest.mark.seed("000-19")
def test_a_trade_off_curve_bounds_every_test() -> None:
    """beta(alpha) = max(0, 1 - e^eps alpha, e^-eps (1 - alpha)), and it draws itself."""
    curve = dp.pure(1).tradeoff()
    for alpha in (0.0, 0.1, 0.25, 0.5, 0.9):
        by_hand = max(0.0, 1 - math.e * alpha, math.exp(-1) * (1 - alpha))
        assert float(curve.beta(alpha)) == pytest.approx(by_hand, abs=1e-12)
    assert dp.pure(1).plot().svg.startswith("<svg")


@pytest.mark.seed("000-20a")
def test_the_curve_of_epsilon_and_delta() -> None:
    curve = dp.approx(1, "1/10").tradeoff()
    betas = [float(curve.beta(alpha)) for alpha in ("0", "0.05", "0.2", "0.5", "0.9")]
    assert betas == pytest.approx([0.9, 0.7640859, 0.3563436, 0.1471518, 0.0], abs=1e-7)


@pytest.mark.seed("000-20b")
def test_the_curve_of_gaussian_noise() -> None:
    """N(0, 1) against N(1, 1). Noise on whole numbers, which is what runs, tells more: its curve lies below."""
    curve = dp.gaussian_dp(1).tradeoff()
    normal = NormalDist()
    for alpha in (0.05, 0.3):
        assert float(curve.beta(alpha)) == pytest.approx(normal.cdf(normal.inv_cdf(1 - alpha) - 1), abs=1e-9)
    runs = (count >> dp.gaussian(1, measure=dp.Profile)).loss(1).tradeoff()
    assert [float(runs.beta(alpha)) for alpha in ("0.05", "0.3")] == pytest.approx([0.7378261, 0.3014008], abs=1e-7)


@pytest.mark.seed("000-20c")
def test_a_trade_off_curve_is_a_curve_of_epsilon_and_delta() -> None:
    profile = counted(1).to(dp.Profile)
    curve = profile.to(dp.Tradeoff)
    assert float(curve.loss(1).beta("0.1")) == pytest.approx(1 - 0.1 * math.e, abs=1e-6)
    back = curve.to(dp.Profile).loss(1)
    assert float(back.delta("0.5")) == pytest.approx(float(profile.loss(1).delta("0.5")), abs=1e-6)
    assert float(back.delta("0.5")) == pytest.approx(0.287649, abs=1e-6)
