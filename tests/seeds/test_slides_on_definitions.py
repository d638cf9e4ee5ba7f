"""The introductory slides, row by row: the curator, the definition, groups, randomized response, the Laplace mechanism."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.maps import known

ages = dp.rows(dp.integers(0, 120))
fruit = dp.categories("apple", "pear", "orange")


def counted(epsilon: Fraction | str) -> Any:
    return ages >> dp.count() >> dp.laplace(1 / Fraction(epsilon))


@pytest.mark.seed("003-05b")
def test_two_hospitals_degrade_gracefully() -> None:
    """Each publishes a histogram at 1/2: who went to one of them loses 1/2, Alice, who has a row in each, 1."""
    stay = dp.record(hospital=dp.categories("A", "B"), illness=dp.categories("heart", "lung", "none"))
    stays = dp.rows(stay)
    at = stays >> dp.histogram(dp.field("illness")) >> dp.laplace(2)
    both = stays >> dp.partition(by=dp.field("hospital")) >> dp.parallel(at)
    assert (both.loss(1), both.loss(2)) == (dp.pure("1/2"), dp.pure(1))


@pytest.mark.seed("003-09a")
def test_the_curator_releases_once() -> None:
    release = counted("1/4") & (ages >> dp.sum() >> dp.laplace(480))
    assert release.loss(1) == dp.pure("1/2")
    assert len(release.release([30, 40])) == 2


@pytest.mark.seed("003-09b")
def test_the_curator_is_asked() -> None:
    """q_2 depends on q_1 and a_1, and is not known before."""
    curator = dp.curator(ages, [30] * 50, budget=dp.pure(1))
    first = curator.ask(counted("1/2"))
    adults = curator.after(ages >> dp.filter(dp.row() >= 18)) if first > 20 else curator
    adults.ask(counted("1/3"))
    assert curator.spent == dp.pure("5/6")


@pytest.mark.seed("003-10")
def test_data_sets_as_histograms() -> None:
    """[2, 1, 1] of apple, pear, apple, orange; their l1 distance is how many must come or go."""
    data, other = ["apple", "pear", "apple", "orange"], ["apple", "orange", "orange"]
    tally = dp.rows(fruit) >> dp.histogram()
    assert tally(data) == [2, 1, 1]
    added = dp.SymmetricDistance()
    assert added.distance(data, other) == dp.L1Distance().distance(tally(data), tally(other)) == 3
    assert added.distance(data, other) == sum(
        ((Counter(data) - Counter(other)) + (Counter(other) - Counter(data))).values()
    )
    assert dp.ChangeOneDistance().distance(data, other) == float("inf"), "another size"
    assert dp.ChangeOneDistance().distance(data, ["pear", "pear", "orange", "orange"]) == 2


@pytest.mark.seed("003-12")
def test_eps_0_tells_nothing() -> None:
    """At distance 0 nothing is lost, and where rows are replaced their number is public."""
    assert counted(1 * Fraction(1)).loss(0) == dp.pure(0)
    replaced = dp.rows(dp.integers(0, 120), dp.ChangeOneDistance)
    assert (replaced >> dp.count()).stability(1) == 0


@pytest.mark.seed("003-16a")
def test_post_processing_with_a_delta() -> None:
    release = (ages >> dp.count() >> dp.gaussian(2)).to(dp.ApproxDP, delta="1e-6")
    assert release.then(abs).loss(1) == release.loss(1)
    assert float(release.loss(1).epsilon) == pytest.approx(2.4191, abs=1e-4)


@pytest.mark.seed("003-16b")
def test_pairs_add_up_though_chosen_one_after_another() -> None:
    """(0, 1/100), then (1/2, 0): exactly (1/2, 1/100)."""
    crowd = dp.rows(dp.integers(0, 9), dp.ChangeOneDistance, 100)
    noisy = (crowd >> dp.linear_queries(dp.row() >= 5) >> dp.laplace(2)).to(dp.ApproxDP)
    both = dp.adaptive(
        crowd,
        [(dp.approx(0, "1/100"), lambda seen: crowd >> dp.random_row()), (dp.approx("1/2", 0), lambda seen: noisy)],
    )
    assert both.loss(1) == dp.approx("1/2", "1/100")
    assert both.loss(1) <= dp.approx("1/2", "1/100")


@pytest.mark.seed("003-16c")
def test_small_groups() -> None:
    assert dp.group_privacy(counted("1/10")).loss(4) == dp.pure("2/5")


@pytest.mark.seed("003-16d")
def test_groups_in_every_measure() -> None:
    """k eps; (k eps, delta (e^(k eps) - 1)/(e^eps - 1)); k^2 rho; k mu; k delta; and the curves."""
    pure, gaussian = counted("1/10"), ages >> dp.count() >> dp.gaussian(4)
    assert pure.loss(3) == dp.pure("3/10")
    assert gaussian.loss(3) == dp.zcdp(9 * Fraction(1, 32))
    mu = dp.measurement(len, ages, dp.GaussianDP, loss=lambda d: d / 4)
    assert dp.group_privacy(mu).loss(3) == dp.gaussian_dp("3/4")
    apart = dp.rows(dp.text(), dp.ChangeOneDistance) >> dp.name_and_shame("1/100")
    assert dp.group_privacy(apart).loss(3) == dp.total_variation("3/100")
    pair = dp.group_privacy(dp.measurement(len, ages, dp.ApproxDP, loss=lambda d: (d / 10, d / 10**6))).loss(3)
    assert float(pair.delta) == pytest.approx(1e-6 * math.expm1(0.3) / math.expm1(0.1), rel=1e-12)
    assert float(dp.group_privacy(pure.to(dp.RenyiDP)).loss(3).epsilon(2)) <= 0.3
    curve = dp.group_privacy(pure.to(dp.Tradeoff)).loss(3)
    assert curve.beta("0.1").downward <= 1 - 0.1 * math.exp(0.3) + 1e-12
    assert curve.beta("0.1").downward == pytest.approx(1 - 0.1 * math.exp(0.3), abs=1e-6)


@pytest.mark.seed("003-19")
def test_what_a_definition_should_have() -> None:
    """A loss that is a number, composition, groups, post-processing; of whatever else is known nothing is assumed."""
    half = counted("1/2")
    assert dp.compose([half] * 2).loss(1) == dp.pure(1)
    assert half.loss(3) == dp.pure("3/2")
    assert half.then(abs).loss(1) == dp.pure("1/2")


@pytest.mark.seed("003-21a")
def test_randomized_response() -> None:
    """Kept with probability p, else flipped: eps = ln(p/(1 - p)), so p = e^eps/(e^eps + 1)."""
    bit = dp.value(dp.booleans(), dp.DiscreteDistance)
    assert float((bit >> dp.randomized_response("3/4")).loss(1).epsilon) == pytest.approx(math.log(3), rel=1e-12)
    p = known((bit >> dp.randomized_response(dp.symbol("p"))).solve(dp.pure(1), 1))
    assert float(p) == pytest.approx(math.e / (math.e + 1), abs=1e-9)
    assert float(p) == pytest.approx(0.7310585786, abs=1e-9)


@pytest.mark.seed("003-23")
def test_the_laplace_mechanism() -> None:
    """b = Delta f/eps, Delta f in L1: vectors of three entries in [0, 5], eps = 1/2."""
    vectors = dp.rows(dp.vector(dp.integers(0, 5), 3))
    assert (vectors >> dp.sum(norm=dp.L1Distance)).stability(1) == 15
    assert (vectors >> dp.sum(norm=dp.L1Distance) >> dp.laplace(dp.symbol("b"))).solve(dp.pure("1/2"), 1) == 30


@pytest.mark.seed("003-24")
def test_the_law_of_the_noise() -> None:
    """(1 - q)/(1 + q) q^|z| with q = e^(-1/b), 0.4621 at 0 where the density is 0.5; on a fine grid the density itself."""
    whole = (dp.value(dp.integers(), dp.AbsoluteDistance) >> dp.laplace(1)).distribution(0)
    q = math.exp(-1)
    for z in (-3, 0, 5):
        assert float(whole.probability(z)) == pytest.approx((1 - q) / (1 + q) * q ** abs(z), rel=1e-9)
    grid = dp.value(dp.numbers(None, None, "0.05"), dp.AbsoluteDistance) >> dp.laplace(1)
    density = float(grid.distribution(Fraction(0)).probability(Fraction(1))) / 0.05
    assert density == pytest.approx(math.exp(-1) / 2, rel=1e-3)


@pytest.mark.seed("003-26c")
@pytest.mark.parametrize(("b", "k"), [(1, 4), (10, 10), (25, 100)])
def test_the_largest_error_of_a_histogram(b: int, k: int) -> None:
    """The least a that all k bins miss with 5 % at most, exactly; the slides' union bound allows no less."""
    together = (dp.rows(dp.integers(0, k - 1)) >> dp.histogram() >> dp.laplace(b)).accuracy(0.95)
    q = math.exp(-1 / b)

    def missed(a: int) -> float:
        """P(the largest of k is a or more)."""
        return -math.expm1(k * math.log1p(-2 * q**a / (1 + q)))

    assert missed(int(together)) <= 0.05 < missed(int(together) - 1)
    assert together <= math.ceil(b * math.log(k / 0.05)) + 1


@pytest.mark.seed("003-27")
def test_sensitivities_of_examples() -> None:
    """One linear query, a histogram of grades, of zip x race x gender, of the patients of each hospital: 1, 1, 1, 1."""
    grades = dp.categories("A", "B", "C", "D", "F")
    person = dp.record(zip=dp.integers(10000, 10099), race=dp.categories(*"abcde"), gender=dp.categories("f", "m"))
    patient = dp.record(hospital=dp.categories("A", "B", "C"), icu=dp.booleans())
    in_icu = dp.rows(patient) >> dp.filter(dp.field("icu", bool))
    cells: Any = dp.rows(person) >> dp.histogram([dp.field("zip"), dp.field("race"), dp.field("gender")])
    examples: list[Any] = [
        ages >> dp.linear_queries(dp.row() >= 18),
        dp.rows(grades) >> dp.histogram(),
        cells,
        in_icu >> dp.histogram(dp.field("hospital")),
    ]
    assert [f.stability(1) for f in examples] == [1, 1, 1, 1]
    assert cells.output.domain.size == 1000
    alone = cells([{"zip": 10001, "race": "b", "gender": "m"}])
    assert (sum(alone), alone.index(1)) == (1, 13)


@pytest.mark.seed("003-28")
def test_many_linear_queries() -> None:
    """k = 20, eps = 1: scale 20, so the largest error is 120 at 95 %, and at most n/20 from n = 2400 on."""
    queries = [dp.row() >= 6 * k for k in range(20)]
    release = ages >> dp.linear_queries(*queries) >> dp.laplace(dp.symbol("b"))
    scale = release.solve(dp.pure(1), 1)
    assert scale == 20
    error = release.bind(b=scale).accuracy(0.95)
    assert (error, error * 20) == (Fraction(120), Fraction(2400))
    assert error == math.ceil(20 * math.log(20 / 0.05))
