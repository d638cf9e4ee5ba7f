"""Derivations begin with the densities of the running code, and end with bounds on its divergences, most of them exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal, TypeAlias, cast

import pytest

import dpcore as dp
from dpcore.noise import discrete_gaussian, discrete_laplace, selection
from proofs.derivations import gaussian, geometric
from proofs.derivations.formulas import Formula, real
from tests.laws.arrows import AnyMeasurement
from tests.laws.distributions import Distribution, distribution, false_negatives, hockey_stick, max_log_ratio, renyi
from tests.proofs.derivations.algebra import derivation, rational, value

CLOSE = 1e-7
"""Of floats."""
NEAR = 1e-4
"""Reached means but for what branches too rare to follow could have brought."""


# ---- where derivations begin --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2)])
@pytest.mark.parametrize("z", [-3, 0, 1, 5])
def test_the_laplace_density_is_that_of_the_noise(scale: Fraction, z: int) -> None:
    derived = value(geometric.mass(real("z")), {"scale": scale, "z": z})
    assert derived == pytest.approx(float(discrete_laplace.mass(scale, z).mid()), rel=1e-12)


@pytest.mark.parametrize("sigma_squared", [Fraction(1, 3), Fraction(2)])
@pytest.mark.parametrize("z", [-3, 1, 5])
def test_the_gaussian_density_is_that_of_the_noise(sigma_squared: Fraction, z: int) -> None:
    """But for the normaliser, which has no closed form."""
    derived = value(gaussian.weight(real("z")), {"sigma_squared": sigma_squared, "z": z})
    noise = discrete_gaussian.mass(sigma_squared, z) / discrete_gaussian.mass(sigma_squared, 0)
    assert derived == pytest.approx(float(noise.mid()), rel=1e-12)


@pytest.mark.parametrize("scores", [(0, 1, 3), (2, 2, 2), (5, 0, 4)])
def test_the_permute_and_flip_probability_is_that_of_the_sampler(scores: tuple[int, ...]) -> None:
    start = derivation("permute_and_flip_linf").steps[0].before
    for i, probability in enumerate(selection.permute_and_flip_probabilities(scores, 2)):
        u = [math.exp((s - max(scores)) / 2) for s in (scores[i], *scores[:i], *scores[i + 1 :])]
        at: dict[str, object] = {"u": u[0], "M": 1, "n": 2}
        assert value(start, at, sequence=u) == pytest.approx(float(probability.mid()), rel=1e-9)


# ---- what derivations end with ------------------------------------------------------------------------------------------

NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
PAIR = dp.vector(dp.integers(), 2)
SCORES = dp.vector(dp.integers(), 3)
ORDERS = (1.5, 2.0, 5.0)

Values: TypeAlias = dict[str, object]
Divergence: TypeAlias = Callable[[Distribution, Distribution], float]
Use: TypeAlias = Literal["reached", "a bound"]


def most_rho(p: Distribution, q: Distribution) -> float:
    return max(renyi(p, q, order) / order for order in ORDERS)


CASES: list[tuple[str, object, tuple[object, object], Values, Divergence, Use]] = [
    ("laplace", NUMBER >> dp.laplace(scale="3/2"), (0, 1), {"scale": "3/2", "d_in": 1}, max_log_ratio, "reached"),
    ("laplace", NUMBER >> dp.laplace(scale="3/2"), (4, 1), {"scale": "3/2", "d_in": 3}, max_log_ratio, "reached"),
    (
        "laplace",
        dp.value(PAIR, dp.L1Distance()) >> dp.laplace(scale="1/2"),
        ([0, 1], [1, -1]),
        {"scale": "1/2", "d_in": 3},
        max_log_ratio,
        "reached",
    ),
    ("gaussian", NUMBER >> dp.gaussian(sigma=1), (0, 1), {"sigma_squared": 1, "d_in": 1}, most_rho, "reached"),
    ("gaussian", NUMBER >> dp.gaussian(sigma="2/3"), (2, 0), {"sigma_squared": "4/9", "d_in": 2}, most_rho, "reached"),
    (
        "gaussian_vector",
        dp.value(PAIR, dp.L2Distance()) >> dp.gaussian(sigma=1),
        ([0, 1], [1, 0]),
        {"sigma_squared": 1, "d_in": math.sqrt(2)},
        most_rho,
        "reached",
    ),
    (
        "gaussian_profile",
        NUMBER >> dp.gaussian(sigma="3/2"),
        (0, 2),
        {"sigma_squared": "9/4", "step": 1, "d_in": 2, "epsilon": "1/2"},
        lambda p, q: hockey_stick(p, q, 0.5),
        "reached",
    ),
    (
        "randomized_response",
        dp.value(dp.categories("a", "b", "c"), dp.DiscreteDistance()) >> dp.randomized_response("3/4"),
        ("a", "c"),
        {"k": 3, "p": "3/4", "d_in": 1},
        max_log_ratio,
        "reached",
    ),
    (
        "permute_and_flip_linf",
        dp.value(SCORES, dp.LInfDistance()) >> dp.permute_and_flip(scale=2),
        ([1, 5, 9], [0, 6, 10]),
        {"scale": 2, "d_in": 1},
        max_log_ratio,
        "reached",
    ),
    (
        "permute_and_flip_range",
        dp.value(SCORES, dp.RangeDistance()) >> dp.permute_and_flip(scale=2),
        ([1, 5, 9], [0, 5, 9]),
        {"scale": 2, "d_in": 1},
        max_log_ratio,
        "reached",
    ),
    (
        "exponential_linf",
        dp.value(SCORES, dp.LInfDistance()) >> dp.exponential(scale=2),
        ([1, 0, 0], [0, 1, 1]),
        {"scale": 2, "d_in": 1},
        most_rho,
        "a bound",
    ),
    (
        "exponential_range",
        dp.value(SCORES, dp.RangeDistance()) >> dp.exponential(scale=2),
        ([1, 0, 0], [0, 0, 0]),
        {"scale": 2, "d_in": 1},
        most_rho,
        "a bound",
    ),
    (
        "above_threshold_linf",
        dp.value(PAIR, dp.LInfDistance()) >> dp.above_threshold(1, threshold_scale="1/3", query_scale="1/2"),
        ([1, 2], [0, 3]),
        {"threshold_scale": "1/3", "query_scale": "1/2", "hits": 1, "d_in": 1},
        max_log_ratio,
        "a bound",
    ),
    (
        "above_threshold_range",
        dp.value(PAIR, dp.RangeDistance()) >> dp.above_threshold(1, threshold_scale="1/3", query_scale="1/2"),
        ([1, 2], [1, 1]),
        {"threshold_scale": "1/3", "query_scale": "1/2", "hits": 1, "d_in": 1},
        max_log_ratio,
        "a bound",
    ),
]


@pytest.mark.spread(3)
@pytest.mark.parametrize(
    ("rule", "built", "data", "values", "divergence", "use"),
    CASES,
    ids=[f"{i} {case[0]}" for i, case in enumerate(CASES)],
)
def test_the_derived_map_bounds_the_divergence(
    rule: str, built: object, data: tuple[object, object], values: Values, divergence: Divergence, use: Use
) -> None:
    derived = at(derivation(rule).map, values)
    p, q = (distribution(cast(AnyMeasurement, built), x) for x in data)
    true = max(divergence(p, q), divergence(q, p))
    assert true <= derived + CLOSE
    assert (true > derived * (1 - NEAR)) == (use == "reached")


def test_the_derived_pair_bounds_the_divergence() -> None:
    m = cast(AnyMeasurement, dp.rows(dp.text()) >> dp.threshold_release(scale="1/2", threshold=3))
    found = derivation("threshold_release").map
    assert isinstance(found, tuple)
    for rows, d in ((["a"], 1), (["a", "b"], 2)):
        epsilon, delta = (at(figure, {"scale": "1/2", "threshold": 3, "d_in": d}) for figure in found)
        p, q = distribution(m, rows), distribution(m, [])
        true = max(hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon))
        assert true <= delta + CLOSE
        assert (true > delta * (1 - NEAR)) == (d == 1)


@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(9, 10)])
def test_conversions_of_a_pure_loss_bound_randomized_response(p: Fraction) -> None:
    """Which is the worst case of total variation and the profile, and nears that of Renyi as eps goes to 0."""
    m = cast(AnyMeasurement, dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response(p))
    yes, no = distribution(m, True), distribution(m, False)
    eps = math.log(p / (1 - p))
    assert converted("pure_to_total_variation", {"eps": eps}) == pytest.approx(hockey_stick(yes, no, 0), rel=1e-9)
    profile = converted("pure_to_profile", {"eps": eps, "epsilon": eps / 2})
    assert profile == pytest.approx(hockey_stick(yes, no, eps / 2), rel=1e-9)
    for rate in (0.05, 0.25, 0.5):
        curve = converted("pure_to_tradeoff", {"eps": eps, "alpha": rate})
        assert curve == pytest.approx(false_negatives(yes, no, rate), rel=1e-9)
    assert most_rho(yes, no) <= converted("pure_to_zcdp", {"eps": eps})
    for order in ORDERS:
        assert renyi(yes, no, order) <= converted("pure_to_renyi", {"eps": eps, "alpha": order})


def test_conversions_of_gaussian_noise_bound_it() -> None:
    """Wide discrete noise is as good as normal noise, and its delta is below what every order gives."""
    sigma, epsilon = 8, 0.1
    m = cast(AnyMeasurement, NUMBER >> dp.gaussian(sigma=sigma))
    p, q = distribution(m, 0), distribution(m, 8)
    true = hockey_stick(p, q, epsilon)
    at_mu: Values = {"mu": 1, "epsilon": epsilon, "alpha": 2}
    assert converted("gaussian_to_zcdp", at_mu) == pytest.approx(renyi(p, q, 2) / 2, rel=1e-6)
    assert converted("gaussian_to_renyi", at_mu) == pytest.approx(renyi(p, q, 2), rel=1e-6)
    assert converted("gaussian_to_profile", at_mu) == pytest.approx(true, rel=0.2)
    assert converted("gaussian_to_tradeoff", {"mu": 1, "alpha": 0.1}) == pytest.approx(
        false_negatives(p, q, 0.1), rel=0.01
    )
    for rule in ("renyi_to_approx", "zcdp_to_approx_tight", "zcdp_to_approx"):
        for more in (1, 3, 10):
            given: Values = {"rho": "1/2", "a": more, "divergence": Fraction(1 + more, 2), "delta": "1/1000"}
            assert hockey_stick(p, q, converted(rule, given)) <= 1e-3


def converted(rule: str, values: Values) -> float:
    found = derivation(rule).map
    return at(found[0] if isinstance(found, tuple) else found, values)


def at(figure: Formula | tuple[Formula, ...], values: Values) -> float:
    assert not isinstance(figure, tuple)
    return value(figure, values)


def test_a_map_that_is_too_small_is_found() -> None:
    """The comparison above can fail: half the derived loss is below what the noise loses."""
    m = cast(AnyMeasurement, NUMBER >> dp.laplace(scale="3/2"))
    half = cast(Formula, derivation("laplace").map) * rational(1, 2)
    assert max_log_ratio(distribution(m, 0), distribution(m, 1)) > at(half, {"scale": "3/2", "d_in": 1}) + CLOSE
