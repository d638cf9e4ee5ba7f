"""The classes of what dpcore returns, for annotations and `isinstance`: nobody has to call one (but `Certificate.load`).

Domains are made by `integers()` and the like, losses by `pure()` and the like, spaces by `rows` and `value`.
Those that a print names, such as `Bound('1/2')` or `Rows(...)`, are read back with `from dpcore.types import *`.
"""

from dpcore.certificates.certificate import Certificate
from dpcore.core import Measurement, Space, Transformation
from dpcore.core.keyed import ByKey, Coordinates
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
)
from dpcore.expressions import Expr
from dpcore.interaction.comparisons import Comparisons
from dpcore.interaction.curators import Curator
from dpcore.interaction.interactive import Interactive, Odometer
from dpcore.interaction.streams import Running
from dpcore.many.pmw import OnlineWeights
from dpcore.many.synthetic import Synthetic
from dpcore.many.synthetic_table import SyntheticTable
from dpcore.maps.bounds import Bound
from dpcore.measurements.shares import Estimator, Randomizer
from dpcore.measures import Measure
from dpcore.measures.losses import (
    ApproxLoss,
    ApproxZCDPLoss,
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    RenyiLoss,
    TotalVariationLoss,
    TradeoffLoss,
    ZCDPLoss,
)
from dpcore.metrics import Granularity, Metric, PartDistance
from dpcore.pictures.comparison import Comparison
from dpcore.planning import Plan, Way
from dpcore.posteriors import Beliefs, Posterior

__all__ = [
    "ApproxLoss",
    "ApproxZCDPLoss",
    "Beliefs",
    "Booleans",
    "Bound",
    "ByKey",
    "Categories",
    "Certificate",
    "Comparison",
    "Comparisons",
    "Coordinates",
    "Curator",
    "Dates",
    "Distribution",
    "Domain",
    "Estimator",
    "Expr",
    "GaussianLoss",
    "Granularity",
    "Graphs",
    "Integers",
    "Interactive",
    "Loss",
    "Measure",
    "Measurement",
    "Metric",
    "Numbers",
    "Odometer",
    "OnlineWeights",
    "Optional",
    "PartDistance",
    "Parts",
    "Plan",
    "Posterior",
    "ProfileLoss",
    "PureLoss",
    "Randomizer",
    "Record",
    "RenyiLoss",
    "Rows",
    "Running",
    "Space",
    "Synthetic",
    "SyntheticTable",
    "Text",
    "TotalVariationLoss",
    "TradeoffLoss",
    "Transformation",
    "Vector",
    "Way",
    "ZCDPLoss",
]
