"""From one measure to another: `measurement.to(ApproxDP, delta="1e-6")`. The release is the same, its loss is recounted.

Each conversion is a rule with its argument beside it. Where a rule holds for every witness (an order alpha, an epsilon)
and none is given, a search proposes one at the loss at hand, and the rule is evaluated rigorously there.
"""

from dpcore.conversions.table import CONVERSIONS, as_found, conversion

__all__ = ["CONVERSIONS", "as_found", "conversion"]
