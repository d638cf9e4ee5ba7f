"""What is derived is the map that dpcore uses: the difference simplifies to 0, and another map is refused."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias, cast

import pytest

import dpcore as dp
import dpcore.conversions
import dpcore.measurements
from dpcore.calculus import RULES, Curve, Derivation
from dpcore.maps import Number
from proofs.derivations.formulas import Formula, at_least_zero, positive
from proofs.derivations.rules import DERIVED
from tests.laws.arrows import AnyMeasurement
from tests.proofs.derivations.algebra import derivation, perturbed, same, with_values

Figures: TypeAlias = tuple[Formula, ...]

D, EPS, EPSILON, ALPHA = (at_least_zero(name) for name in ("d_in", "eps", "epsilon", "alpha"))
A, G, M = positive("a"), positive("g"), positive("m")
"""An order above 1 is `1 + a`, a chance below 1 is `g/(1 + g)`, and a number of answers above 1 is `1 + m`."""
IN_POSITIVES = {"alpha": 1 + A, "p": G / (1 + G), "k": 1 + M}

for package in (dpcore.conversions, dpcore.measurements):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        import_module(module.name)  # a rule is known once the module that states it is imported

LOSS = Derivation(RULES["laplace"], {"scale": 1})
"""A premise whose loss is its distance, so that a conversion is read as a function of the loss that it converts."""
ORDERS = Derivation(RULES["zcdp_to_renyi"], premises=(LOSS,))


def read(rule: str, d: Formula, *premises: Derivation, at: Formula | None = None, **parameters: Formula) -> Figures:
    """The formula of dpcore's rule at a distance, as it is carried; of a curve, at a point."""
    derivation = Derivation(RULES[rule], parameters, premises)
    raw = derivation.formula()(cast(Number, d))
    if at is not None:
        return (cast(Formula, cast(Curve, raw)(cast(Number, at))),)
    return cast(Figures, raw) if isinstance(raw, tuple) else (cast(Formula, raw),)


def noise(rule: str, *names: str) -> Callable[[], Figures]:
    return lambda: read(rule, D, **{name: positive(name) for name in names})


MU, RHO, DELTA, DIVERGENCE = (positive(name) for name in ("mu", "rho", "delta", "divergence"))

USED: dict[str, Callable[[], Figures]] = {
    "above_threshold_linf": noise("above_threshold_linf", "threshold_scale", "query_scale", "hits"),
    "above_threshold_range": noise("above_threshold_range", "threshold_scale", "query_scale", "hits"),
    "exponential_linf": noise("exponential_linf", "scale"),
    "exponential_range": noise("exponential_range", "scale"),
    "gaussian": noise("gaussian", "sigma_squared"),
    "gaussian_profile": lambda: read(
        "gaussian_profile", D, at=EPSILON, sigma_squared=positive("sigma_squared"), step=positive("step")
    ),
    # What follows carries mu and an L2 distance as their squares.
    "gaussian_to_profile": lambda: read("gaussian_to_profile", MU**2, LOSS, at=EPSILON),
    "gaussian_to_renyi": lambda: read("gaussian_to_renyi", MU**2, LOSS, at=ALPHA),
    "gaussian_to_tradeoff": lambda: read("gaussian_to_tradeoff", MU**2, LOSS, at=ALPHA),
    "gaussian_to_zcdp": lambda: read("gaussian_to_zcdp", MU**2, LOSS),
    "gaussian_vector": lambda: read("gaussian_vector", D**2, sigma_squared=positive("sigma_squared")),
    "laplace": noise("laplace", "scale"),
    "permute_and_flip_linf": noise("permute_and_flip_linf", "scale"),
    "permute_and_flip_range": noise("permute_and_flip_range", "scale"),
    "pure_to_profile": lambda: read("pure_to_profile", EPS, LOSS, at=EPSILON),
    "pure_to_renyi": lambda: read("pure_to_renyi", EPS, LOSS, at=ALPHA),
    "pure_to_total_variation": lambda: read("pure_to_total_variation", EPS, LOSS),
    "pure_to_tradeoff": lambda: read("pure_to_tradeoff", EPS, LOSS, at=ALPHA),
    "pure_to_zcdp": lambda: read("pure_to_zcdp", EPS, LOSS),
    "randomized_response": noise("randomized_response", "k", "p"),
    "renyi_to_approx": lambda: read("renyi_to_approx", DIVERGENCE / ALPHA, ORDERS, delta=DELTA, alpha=ALPHA),
    "threshold_release": noise("threshold_release", "scale", "threshold"),
    "zcdp_to_approx": lambda: read("zcdp_to_approx", RHO, LOSS, delta=DELTA),
    "zcdp_to_approx_tight": lambda: read("zcdp_to_approx_tight", RHO, LOSS, delta=DELTA, alpha=ALPHA),
}


def figures(rule: str) -> Figures:
    """The derived map."""
    found = derivation(rule).map
    return found if isinstance(found, tuple) else (found,)


def tied(mine: Figures, theirs: Figures) -> bool:
    pairs = zip(mine, theirs, strict=True)
    return all(same(with_values(x, IN_POSITIVES), with_values(y, IN_POSITIVES)) for x, y in pairs)


def test_every_derivation_is_tied_to_a_rule() -> None:
    assert set(USED) == set(DERIVED)
    assert set(DERIVED) <= set(RULES)


@pytest.mark.parametrize("rule", DERIVED)
def test_the_derived_map_is_the_one_that_dpcore_uses(rule: str) -> None:
    assert tied(figures(rule), USED[rule]())


@pytest.mark.spread(3)
@pytest.mark.parametrize("rule", DERIVED)
def test_another_map_is_refused(rule: str) -> None:
    mine, used = figures(rule), USED[rule]()
    for i, figure in enumerate(used):
        for other in perturbed(figure):
            assert not tied(mine, (*used[:i], other, *used[i + 1 :])), other


# ---- through the public face: what an arrow shows as its map ------------------------------------------------------------

B, C, P = dp.symbol("b"), dp.symbol("c"), dp.symbol("p")
NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
SCORES = dp.vector(dp.integers(), 3)

ARROWS: list[tuple[str, Callable[[], object], dict[str, object]]] = [
    ("laplace", lambda: NUMBER >> dp.laplace(scale=B), {"scale": B}),
    ("gaussian", lambda: NUMBER >> dp.gaussian(sigma=B), {"sigma_squared": B**2}),
    (
        "gaussian_vector",
        lambda: dp.value(SCORES, dp.L2Distance()) >> dp.gaussian(sigma=B),
        {"sigma_squared": B**2},
    ),
    (
        "gaussian_profile",
        lambda: NUMBER >> dp.gaussian(sigma=B, measure=dp.Profile),
        {"sigma_squared": B**2, "step": 1},
    ),
    (
        "randomized_response",
        lambda: dp.value(dp.categories("a", "b", "c"), dp.DiscreteDistance()) >> dp.randomized_response(P),
        {"k": 3},
    ),
    (
        "permute_and_flip_linf",
        lambda: dp.value(SCORES, dp.LInfDistance()) >> dp.permute_and_flip(scale=B),
        {"scale": B},
    ),
    (
        "permute_and_flip_range",
        lambda: dp.value(SCORES, dp.RangeDistance()) >> dp.permute_and_flip(scale=B),
        {"scale": B},
    ),
    ("exponential_linf", lambda: dp.value(SCORES, dp.LInfDistance()) >> dp.exponential(scale=B), {"scale": B}),
    ("exponential_range", lambda: dp.value(SCORES, dp.RangeDistance()) >> dp.exponential(scale=B), {"scale": B}),
    (
        "above_threshold_linf",
        lambda: dp.value(SCORES, dp.LInfDistance()) >> dp.above_threshold(1, threshold_scale=B, query_scale=C, hits=2),
        {"threshold_scale": B, "query_scale": C, "hits": 2},
    ),
    (
        "above_threshold_range",
        lambda: dp.value(SCORES, dp.RangeDistance()) >> dp.above_threshold(1, threshold_scale=B, query_scale=C, hits=2),
        {"threshold_scale": B, "query_scale": C, "hits": 2},
    ),
    (
        "threshold_release",
        lambda: dp.rows(dp.text()) >> dp.threshold_release(scale=B, threshold=C),
        {"scale": B, "threshold": C},
    ),
    ("pure_to_zcdp", lambda: (NUMBER >> dp.laplace(scale=1)).to(dp.ZCDP), {"eps": D}),
    ("pure_to_renyi", lambda: (NUMBER >> dp.laplace(scale=1)).to(dp.RenyiDP), {"eps": D}),
    ("pure_to_total_variation", lambda: (NUMBER >> dp.laplace(scale=1)).to(dp.TotalVariation), {"eps": D}),
    ("pure_to_profile", lambda: (NUMBER >> dp.laplace(scale=1)).to(dp.Profile), {"eps": D}),
]


@pytest.mark.parametrize(("rule", "build", "values"), ARROWS, ids=[rule for rule, _, _ in ARROWS])
def test_the_derived_map_is_the_one_that_an_arrow_shows(
    rule: str, build: Callable[[], object], values: dict[str, object]
) -> None:
    arrow = cast(AnyMeasurement, build())
    assert rule in arrow.derivation.rules()
    shown = cast("Formula | Figures", arrow.map.sympy())
    mine = tuple(with_values(figure, values) for figure in figures(rule))
    assert tied(mine, shown if isinstance(shown, tuple) else (shown,))
