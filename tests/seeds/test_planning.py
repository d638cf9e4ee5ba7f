"""Many queries within one budget: noise per query by basic and by advanced composition, and the inverse of the latter."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import pytest

import dpcore as dp
from dpcore.certificates.explaining import explained
from dpcore.planning import inverse_advanced

BUDGET = dp.approx(1, "1e-6")
COUNT = dp.rows(dp.integers(0, 120)) >> dp.count()


@pytest.mark.seed("004-4c")
def test_the_inverse_of_advanced_composition() -> None:
    plan = dp.plan(100, BUDGET)
    assert plan["basic"].loss == dp.pure("1/100")
    assert float(inverse_advanced(BUDGET, 100).epsilon) == pytest.approx(0.018691668, abs=1e-9)
    halved = inverse_advanced(BUDGET, 100, dp.ApproxDP)
    assert float(halved.epsilon) == pytest.approx(0.018254694, abs=1e-9)
    assert halved.delta.exact == Fraction(1, 2 * 100 * 10**6), "delta = delta~/(2 k)"
    assert float(plan["optimal"].loss.epsilon) == pytest.approx(0.024011080, abs=1e-9)  # type: ignore[attr-defined]
    assert float(plan["zCDP"].scale) == pytest.approx(45.308771, abs=1e-6)
    assert float(inverse_advanced(BUDGET, 100).epsilon) < 1 / sqrt(100 * log(2 * 10**6)), (
        "the order that the notes give"
    )


@pytest.mark.seed("000-15a")
def test_the_gaussian_mechanism_of_the_textbook_and_the_exact_one() -> None:
    """sqrt(2 ln(2/delta))/eps = 5.386772 is sound; zCDP needs 4.530877, and the exact curve 4.230779."""
    textbook = COUNT >> dp.gaussian(epsilon=1, delta="1e-6", classical=True)
    exact = COUNT >> dp.gaussian(epsilon=1, delta="1e-6")
    for m, sigma, epsilon in ((textbook, sqrt(2 * log(2e6)), 0.769841), (exact, 4.230779, 1)):
        loss = m.to(dp.ApproxDP, delta="1e-6").loss(1)
        assert float(loss.epsilon) == pytest.approx(epsilon, abs=1e-6)
        assert loss <= BUDGET
        assert float(m.derivation.premises[-1].parameters["sigma_squared"]) == pytest.approx(sigma**2, rel=1e-6)  # type: ignore[arg-type]
    assert float(dp.plan(1, BUDGET)["zCDP"].scale) == pytest.approx(4.530877, abs=1e-6)


@pytest.mark.seed("000-16")
def test_noise_grows_with_k_by_basic_and_with_its_root_by_advanced_composition() -> None:
    at_25, at_100 = dp.plan(25, BUDGET), dp.plan(100, BUDGET)
    assert [at["basic"].scale for at in (at_25, at_100)] == [25, 100]
    assert float(at_25["advanced"].scale) == pytest.approx(26.75, abs=5e-3)
    assert float(at_100["advanced"].scale) == pytest.approx(53.50, abs=5e-3)


@pytest.mark.seed("003-26b")
def test_the_largest_error_is_the_one_of_noise_on_whole_numbers() -> None:
    """The notes say ln(k/delta) scale, which is that of continuous noise: on whole numbers about a step more is needed."""
    for scale, k, least in ((1, 1, 4), (10, 1, 31), (10, 10, 54), (100, 10, 529)):
        questions = dp.value(dp.vector(dp.integers(), k), dp.L1Distance()) >> dp.laplace(scale)
        assert questions.accuracy("0.95") == least
        assert abs(least - log(k / 0.05) * scale) < 1.05


@pytest.mark.seed("000-10b", "003-13")
def test_figures_that_promise_little_are_pointed_out() -> None:
    """epsilon <= 1, delta = o(1/n), and n epsilon at least 1: at delta = 1/n a random row may be output."""
    people = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance(), 100)
    for m, said in (
        (COUNT >> dp.laplace("1/12"), "epsilon is 12, above 1"),
        (people >> dp.random_row(), "delta is 1/100, at or above 1/n for 100 rows"),
        (people >> dp.sum() >> dp.laplace(1000), "n epsilon is 1/10 for 100 rows, below 1"),
    ):
        assert [line for line in explained(dp.certify(m)) if line.startswith(f"advice: {said}")]
    certificate = dp.certify(people >> dp.sum() >> dp.laplace(1))
    assert not [line for line in explained(certificate) if line.startswith("advice")]
