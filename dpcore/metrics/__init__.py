"""Metrics: how far apart two inputs may be. Every metric can be executed, `metric.distance(x, y)`.

Maps compute with distances in the form in which they are carried: the L2 distance as its square, so that `sqrt(2)*d`
stays rational and a zCDP budget can be spent whole; every other distance as it is.
"""

from dpcore.metrics.graphs import EdgeDistance, NodeDistance
from dpcore.metrics.metric import Carried, Metric, edges, items, multiset, real_of
from dpcore.metrics.parts import PartDistance
from dpcore.metrics.rows import (
    ChangeOneDistance,
    Granularity,
    PersonDistance,
    RowMetric,
    SymmetricDistance,
    granularity,
)
from dpcore.metrics.vectors import (
    AbsoluteDistance,
    DiscreteDistance,
    L1Distance,
    L2Distance,
    LInfDistance,
    RangeDistance,
    VectorMetric,
)

__all__ = [
    "AbsoluteDistance",
    "Carried",
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
    "RowMetric",
    "SymmetricDistance",
    "VectorMetric",
    "edges",
    "granularity",
    "items",
    "multiset",
    "real_of",
]
