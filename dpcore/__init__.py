"""Differential privacy whose bound can be read.

    import dpcore as dp

    ages = dp.rows(dp.integers())
    total = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)

    total.map                      # the bound as a formula: d_in
    total.loss(d_in=1)             # PureDP: epsilon = 1, exactly
    total.release([23, 45, 67])    # a number with noise

A space, then steps: transformations, which say how far apart their outputs can be, then a measurement, which says what
its release costs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpcore import assurance
    from dpcore.bounds import Bound
    from dpcore.budgets import budget
    from dpcore.certificates.certificate import Certificate, certify
    from dpcore.combinators.adaptive import adaptive
    from dpcore.combinators.advanced import compose_advanced, compose_optimal
    from dpcore.combinators.general import after, compose_jointly
    from dpcore.combinators.group import group_privacy
    from dpcore.combinators.parallel import parallel
    from dpcore.core import Measurement, Space, Transformation, compose
    from dpcore.distributions import Distribution
    from dpcore.domains import (
        Booleans,
        Categories,
        Dates,
        Domain,
        Graphs,
        Integers,
        Numbers,
        Optional,
        Parts,
        Record,
        Rows,
        Text,
        Vector,
        booleans,
        categories,
        date,
        graphs,
        integers,
        numbers,
        optional,
        record,
        text,
        vector,
    )
    from dpcore.errors import (
        BudgetExceeded,
        DomainMismatch,
        DPError,
        FreeSymbols,
        InvalidData,
        InvalidDistance,
        InvalidExpression,
        InvalidParameter,
        MeasureMismatch,
        MetricMismatch,
        Mismatch,
        MissingExtra,
        NoConversion,
        NoDistribution,
        NoFiniteLoss,
        NotCertifiable,
        Undecided,
        UserFunctionFailed,
        Vacuous,
    )
    from dpcore.expressions import Expr, day, expression_from, field, literal, maximum, minimum, ratio, row, when
    from dpcore.losses import (
        ApproxLoss,
        GaussianLoss,
        Loss,
        ProfileLoss,
        PureLoss,
        RenyiLoss,
        TotalVariationLoss,
        TradeoffLoss,
        ZCDPLoss,
        approx,
        gaussian_dp,
        pure,
        total_variation,
        zcdp,
    )
    from dpcore.maps import symbol
    from dpcore.measurements.above_threshold import above_threshold
    from dpcore.measurements.claimed import measurement
    from dpcore.measurements.gaussian import gaussian
    from dpcore.measurements.laplace import laplace
    from dpcore.measurements.published_rows import name_and_shame, random_row
    from dpcore.measurements.randomized_response import randomized_response
    from dpcore.measurements.selection import exponential, permute_and_flip
    from dpcore.measurements.threshold_release import threshold_release
    from dpcore.measures import ZCDP, ApproxDP, GaussianDP, Measure, Profile, PureDP, RenyiDP, TotalVariation, Tradeoff
    from dpcore.metrics import (
        AbsoluteDistance,
        ChangeOneDistance,
        DiscreteDistance,
        EdgeDistance,
        Granularity,
        L1Distance,
        L2Distance,
        LInfDistance,
        Metric,
        NodeDistance,
        PartDistance,
        PersonDistance,
        RangeDistance,
        SymmetricDistance,
        granularity,
    )
    from dpcore.spaces import rows, value
    from dpcore.transformations.bound_contributions import bound_contributions, first_by
    from dpcore.transformations.claimed import transformation
    from dpcore.transformations.clip_norm import clip_norm
    from dpcore.transformations.count import count
    from dpcore.transformations.drop_nulls import drop_nulls
    from dpcore.transformations.filter import filter
    from dpcore.transformations.flat_map import flat_map
    from dpcore.transformations.histogram import histogram
    from dpcore.transformations.linear_queries import linear_queries
    from dpcore.transformations.partition import partition
    from dpcore.transformations.quantile_scores import quantile_scores
    from dpcore.transformations.resize import resize
    from dpcore.transformations.row_map import clamp, quantize, row_map, select
    from dpcore.transformations.sum import sum
    from dpcore.transformations.to_metric import to_metric

# What lies where. Each is imported when it is first asked for, so that `import dpcore` costs next to nothing; a type
# checker reads the imports above, and a test holds the two lists equal.
_LIES_IN = {
    "dpcore": ("assurance",),
    "dpcore.bounds": ("Bound",),
    "dpcore.budgets": ("budget",),
    "dpcore.certificates.certificate": (
        "Certificate",
        "certify",
    ),
    "dpcore.combinators.adaptive": ("adaptive",),
    "dpcore.combinators.advanced": (
        "compose_advanced",
        "compose_optimal",
    ),
    "dpcore.combinators.general": (
        "after",
        "compose_jointly",
    ),
    "dpcore.combinators.group": ("group_privacy",),
    "dpcore.combinators.parallel": ("parallel",),
    "dpcore.core": (
        "Measurement",
        "Space",
        "Transformation",
        "compose",
    ),
    "dpcore.distributions": ("Distribution",),
    "dpcore.domains": (
        "Booleans",
        "Categories",
        "Dates",
        "Domain",
        "Graphs",
        "Integers",
        "Numbers",
        "Optional",
        "Parts",
        "Record",
        "Rows",
        "Text",
        "Vector",
        "booleans",
        "categories",
        "date",
        "graphs",
        "integers",
        "numbers",
        "optional",
        "record",
        "text",
        "vector",
    ),
    "dpcore.errors": (
        "BudgetExceeded",
        "DPError",
        "DomainMismatch",
        "FreeSymbols",
        "InvalidData",
        "InvalidDistance",
        "InvalidExpression",
        "InvalidParameter",
        "MeasureMismatch",
        "MetricMismatch",
        "Mismatch",
        "MissingExtra",
        "NoConversion",
        "NoDistribution",
        "NoFiniteLoss",
        "NotCertifiable",
        "Undecided",
        "UserFunctionFailed",
        "Vacuous",
    ),
    "dpcore.expressions": (
        "Expr",
        "day",
        "expression_from",
        "field",
        "literal",
        "maximum",
        "minimum",
        "ratio",
        "row",
        "when",
    ),
    "dpcore.losses": (
        "ApproxLoss",
        "GaussianLoss",
        "Loss",
        "ProfileLoss",
        "PureLoss",
        "RenyiLoss",
        "TotalVariationLoss",
        "TradeoffLoss",
        "ZCDPLoss",
        "approx",
        "gaussian_dp",
        "pure",
        "total_variation",
        "zcdp",
    ),
    "dpcore.maps": ("symbol",),
    "dpcore.measurements.above_threshold": ("above_threshold",),
    "dpcore.measurements.claimed": ("measurement",),
    "dpcore.measurements.gaussian": ("gaussian",),
    "dpcore.measurements.laplace": ("laplace",),
    "dpcore.measurements.published_rows": (
        "name_and_shame",
        "random_row",
    ),
    "dpcore.measurements.randomized_response": ("randomized_response",),
    "dpcore.measurements.selection": (
        "exponential",
        "permute_and_flip",
    ),
    "dpcore.measurements.threshold_release": ("threshold_release",),
    "dpcore.measures": (
        "ApproxDP",
        "GaussianDP",
        "Measure",
        "Profile",
        "PureDP",
        "RenyiDP",
        "TotalVariation",
        "Tradeoff",
        "ZCDP",
    ),
    "dpcore.metrics": (
        "AbsoluteDistance",
        "ChangeOneDistance",
        "DiscreteDistance",
        "EdgeDistance",
        "Granularity",
        "L1Distance",
        "L2Distance",
        "LInfDistance",
        "Metric",
        "NodeDistance",
        "PartDistance",
        "PersonDistance",
        "RangeDistance",
        "SymmetricDistance",
        "granularity",
    ),
    "dpcore.spaces": (
        "rows",
        "value",
    ),
    "dpcore.transformations.bound_contributions": (
        "bound_contributions",
        "first_by",
    ),
    "dpcore.transformations.claimed": ("transformation",),
    "dpcore.transformations.clip_norm": ("clip_norm",),
    "dpcore.transformations.count": ("count",),
    "dpcore.transformations.drop_nulls": ("drop_nulls",),
    "dpcore.transformations.filter": ("filter",),
    "dpcore.transformations.flat_map": ("flat_map",),
    "dpcore.transformations.histogram": ("histogram",),
    "dpcore.transformations.linear_queries": ("linear_queries",),
    "dpcore.transformations.partition": ("partition",),
    "dpcore.transformations.quantile_scores": ("quantile_scores",),
    "dpcore.transformations.resize": ("resize",),
    "dpcore.transformations.row_map": (
        "clamp",
        "quantize",
        "row_map",
        "select",
    ),
    "dpcore.transformations.sum": ("sum",),
    "dpcore.transformations.to_metric": ("to_metric",),
}
_MODULES = {name: module for module, names in _LIES_IN.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("dpcore")
    if name not in _MODULES:
        from dpcore.hints import not_found

        raise not_found(name)
    module = _MODULES[name]
    found: object = import_module(f"dpcore.{name}") if module == "dpcore" else getattr(import_module(module), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "ZCDP",
    "AbsoluteDistance",
    "ApproxDP",
    "ApproxLoss",
    "Booleans",
    "Bound",
    "BudgetExceeded",
    "Categories",
    "Certificate",
    "ChangeOneDistance",
    "DPError",
    "Dates",
    "DiscreteDistance",
    "Distribution",
    "Domain",
    "DomainMismatch",
    "EdgeDistance",
    "Expr",
    "FreeSymbols",
    "GaussianDP",
    "GaussianLoss",
    "Granularity",
    "Graphs",
    "Integers",
    "InvalidData",
    "InvalidDistance",
    "InvalidExpression",
    "InvalidParameter",
    "L1Distance",
    "L2Distance",
    "LInfDistance",
    "Loss",
    "Measure",
    "MeasureMismatch",
    "Measurement",
    "Metric",
    "MetricMismatch",
    "Mismatch",
    "MissingExtra",
    "NoConversion",
    "NoDistribution",
    "NoFiniteLoss",
    "NodeDistance",
    "NotCertifiable",
    "Numbers",
    "Optional",
    "PartDistance",
    "Parts",
    "PersonDistance",
    "Profile",
    "ProfileLoss",
    "PureDP",
    "PureLoss",
    "RangeDistance",
    "Record",
    "RenyiDP",
    "RenyiLoss",
    "Rows",
    "Space",
    "SymmetricDistance",
    "Text",
    "TotalVariation",
    "TotalVariationLoss",
    "Tradeoff",
    "TradeoffLoss",
    "Transformation",
    "Undecided",
    "UserFunctionFailed",
    "Vacuous",
    "Vector",
    "ZCDPLoss",
    "above_threshold",
    "adaptive",
    "after",
    "approx",
    "assurance",
    "booleans",
    "bound_contributions",
    "budget",
    "categories",
    "certify",
    "clamp",
    "clip_norm",
    "compose",
    "compose_advanced",
    "compose_jointly",
    "compose_optimal",
    "count",
    "date",
    "day",
    "drop_nulls",
    "exponential",
    "expression_from",
    "field",
    "filter",
    "first_by",
    "flat_map",
    "gaussian",
    "gaussian_dp",
    "granularity",
    "graphs",
    "group_privacy",
    "histogram",
    "integers",
    "laplace",
    "linear_queries",
    "literal",
    "maximum",
    "measurement",
    "minimum",
    "name_and_shame",
    "numbers",
    "optional",
    "parallel",
    "partition",
    "permute_and_flip",
    "pure",
    "quantile_scores",
    "quantize",
    "random_row",
    "randomized_response",
    "ratio",
    "record",
    "resize",
    "row",
    "row_map",
    "rows",
    "select",
    "sum",
    "symbol",
    "text",
    "threshold_release",
    "to_metric",
    "total_variation",
    "transformation",
    "value",
    "vector",
    "when",
    "zcdp",
]
