"""The rules whose map is derived here, each with its derivation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proofs.derivations.above_threshold import above_threshold_linf, above_threshold_range
from proofs.derivations.exponential import exponential_linf, exponential_range
from proofs.derivations.from_gaussian import (
    gaussian_to_profile,
    gaussian_to_renyi,
    gaussian_to_tradeoff,
    gaussian_to_zcdp,
)
from proofs.derivations.from_orders import renyi_to_approx, zcdp_to_approx, zcdp_to_approx_tight
from proofs.derivations.from_pure import (
    pure_to_profile,
    pure_to_renyi,
    pure_to_total_variation,
    pure_to_tradeoff,
    pure_to_zcdp,
)
from proofs.derivations.gaussian import gaussian, gaussian_vector
from proofs.derivations.gaussian_profile import gaussian_profile
from proofs.derivations.laplace import laplace
from proofs.derivations.permute_and_flip import permute_and_flip_linf, permute_and_flip_range
from proofs.derivations.randomized_response import randomized_response
from proofs.derivations.steps import Derived
from proofs.derivations.threshold_release import threshold_release

DERIVATIONS: Mapping[str, Callable[[], Derived]] = {
    "above_threshold_linf": above_threshold_linf,
    "above_threshold_range": above_threshold_range,
    "exponential_linf": exponential_linf,
    "exponential_range": exponential_range,
    "gaussian": gaussian,
    "gaussian_profile": gaussian_profile,
    "gaussian_to_profile": gaussian_to_profile,
    "gaussian_to_renyi": gaussian_to_renyi,
    "gaussian_to_tradeoff": gaussian_to_tradeoff,
    "gaussian_to_zcdp": gaussian_to_zcdp,
    "gaussian_vector": gaussian_vector,
    "laplace": laplace,
    "permute_and_flip_linf": permute_and_flip_linf,
    "permute_and_flip_range": permute_and_flip_range,
    "pure_to_profile": pure_to_profile,
    "pure_to_renyi": pure_to_renyi,
    "pure_to_total_variation": pure_to_total_variation,
    "pure_to_tradeoff": pure_to_tradeoff,
    "pure_to_zcdp": pure_to_zcdp,
    "randomized_response": randomized_response,
    "renyi_to_approx": renyi_to_approx,
    "threshold_release": threshold_release,
    "zcdp_to_approx": zcdp_to_approx,
    "zcdp_to_approx_tight": zcdp_to_approx_tight,
}

DERIVED: tuple[str, ...] = tuple(DERIVATIONS)
"""The rules whose map is derived here."""
