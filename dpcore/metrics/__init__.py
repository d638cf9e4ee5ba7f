"""Metrics: how far apart two inputs may be. Every metric can be executed, `metric.distance(x, y)`.

Maps compute with distances in the form in which they are carried: the L2 distance as its square, so that `sqrt(2)*d`
stays rational and a zCDP budget can be spent whole; every other distance as it is.
"""

from dpcore.metrics.graphs import EdgeDistance as EdgeDistance
from dpcore.metrics.graphs import NodeDistance as NodeDistance
from dpcore.metrics.metric import Carried as Carried
from dpcore.metrics.metric import Metric as Metric
from dpcore.metrics.metric import edges as edges
from dpcore.metrics.metric import items as items
from dpcore.metrics.metric import multiset as multiset
from dpcore.metrics.parts import PartDistance as PartDistance
from dpcore.metrics.relations import Granularity as Granularity
from dpcore.metrics.relations import PathGranularity as PathGranularity
from dpcore.metrics.relations import granularity as granularity
from dpcore.metrics.rows import ChangeOneDistance as ChangeOneDistance
from dpcore.metrics.rows import PersonDistance as PersonDistance
from dpcore.metrics.rows import RowMetric as RowMetric
from dpcore.metrics.rows import SymmetricDistance as SymmetricDistance
from dpcore.metrics.vectors import AbsoluteDistance as AbsoluteDistance
from dpcore.metrics.vectors import DiscreteDistance as DiscreteDistance
from dpcore.metrics.vectors import L1Distance as L1Distance
from dpcore.metrics.vectors import L2Distance as L2Distance
from dpcore.metrics.vectors import LInfDistance as LInfDistance
from dpcore.metrics.vectors import RangeDistance as RangeDistance
from dpcore.metrics.vectors import VectorMetric as VectorMetric
