"""From one measure to another: `measurement.to(ApproxDP, delta="1e-6")`. The release is the same, its loss is recounted.

Each conversion is a rule with its argument beside it. Where a rule holds for every witness (an order alpha, an epsilon)
and none is given, a search proposes one at the loss at hand, and the rule is evaluated rigorously there.
"""

from dpcore.conversions.between_curves import (
    best_lines,
    profile_to_approx,
    profile_to_total_variation,
    profile_to_tradeoff,
    tradeoff_to_profile,
    worst_test,
)
from dpcore.conversions.from_approx import (
    advantage,
    approx_to_approximate_zcdp,
    approx_to_profile,
    approx_to_total_variation,
    approx_to_tradeoff,
    total_variation_to_approx,
    total_variation_to_profile,
    total_variation_to_tradeoff,
    worst_case,
)
from dpcore.conversions.from_gaussian import (
    gaussian_to_profile,
    gaussian_to_renyi,
    gaussian_to_tradeoff,
    gaussian_to_zcdp,
    normal_curve,
)
from dpcore.conversions.from_orders import (
    approximate_zcdp_to_approx,
    approximate_zcdp_to_profile,
    of_order,
    renyi_to_approx,
    zcdp_to_approx,
    zcdp_to_approx_tight,
    zcdp_to_approximate_zcdp,
    zcdp_to_profile,
    zcdp_to_renyi,
)
from dpcore.conversions.from_pure import (
    pure_to_approx,
    pure_to_approximate_zcdp,
    pure_to_gaussian,
    pure_to_profile,
    pure_to_renyi,
    pure_to_total_variation,
    pure_to_tradeoff,
    pure_to_zcdp,
)
from dpcore.conversions.shared import same, two_lines
from dpcore.conversions.table import CONVERSIONS, Conversion, as_found, conversion

__all__ = [
    "CONVERSIONS",
    "Conversion",
    "advantage",
    "approx_to_approximate_zcdp",
    "approx_to_profile",
    "approx_to_total_variation",
    "approx_to_tradeoff",
    "approximate_zcdp_to_approx",
    "approximate_zcdp_to_profile",
    "as_found",
    "best_lines",
    "conversion",
    "gaussian_to_profile",
    "gaussian_to_renyi",
    "gaussian_to_tradeoff",
    "gaussian_to_zcdp",
    "normal_curve",
    "of_order",
    "profile_to_approx",
    "profile_to_total_variation",
    "profile_to_tradeoff",
    "pure_to_approx",
    "pure_to_approximate_zcdp",
    "pure_to_gaussian",
    "pure_to_profile",
    "pure_to_renyi",
    "pure_to_total_variation",
    "pure_to_tradeoff",
    "pure_to_zcdp",
    "renyi_to_approx",
    "same",
    "total_variation_to_approx",
    "total_variation_to_profile",
    "total_variation_to_tradeoff",
    "tradeoff_to_profile",
    "two_lines",
    "worst_case",
    "worst_test",
    "zcdp_to_approx",
    "zcdp_to_approx_tight",
    "zcdp_to_approximate_zcdp",
    "zcdp_to_profile",
    "zcdp_to_renyi",
]
