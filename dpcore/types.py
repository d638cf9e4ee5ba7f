"""The classes of what dpcore returns, for annotations and `isinstance`: nobody has to call one.

Domains are made by `integers()` and the like, losses by `pure()` and the like, spaces by `rows` and `value`.
"""

from dpcore.core import Space
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
    Record,
    Text,
    Vector,
)
from dpcore.expressions import Expr
from dpcore.losses import (
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    RenyiLoss,
    TotalVariationLoss,
    TradeoffLoss,
    ZCDPLoss,
)
from dpcore.measures import Measure
from dpcore.metrics import Granularity, Metric

__all__ = [
    "Booleans",
    "Categories",
    "Dates",
    "Distribution",
    "Domain",
    "Expr",
    "GaussianLoss",
    "Granularity",
    "Graphs",
    "Integers",
    "Loss",
    "Measure",
    "Metric",
    "Numbers",
    "Optional",
    "ProfileLoss",
    "PureLoss",
    "Record",
    "RenyiLoss",
    "Space",
    "Text",
    "TotalVariationLoss",
    "TradeoffLoss",
    "Vector",
    "ZCDPLoss",
]
