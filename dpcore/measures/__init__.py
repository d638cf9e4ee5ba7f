"""Measures, and the losses that are counted in them. Rules, conversions and combinators take measures; users make losses."""

from dpcore.measures.measure import MEASURES as MEASURES
from dpcore.measures.measure import ZCDP as ZCDP
from dpcore.measures.measure import ApproxDP as ApproxDP
from dpcore.measures.measure import ApproxZCDP as ApproxZCDP
from dpcore.measures.measure import Counts as Counts
from dpcore.measures.measure import CurveMeasure as CurveMeasure
from dpcore.measures.measure import GaussianDP as GaussianDP
from dpcore.measures.measure import Measure as Measure
from dpcore.measures.measure import Profile as Profile
from dpcore.measures.measure import PureDP as PureDP
from dpcore.measures.measure import RenyiDP as RenyiDP
from dpcore.measures.measure import TotalVariation as TotalVariation
from dpcore.measures.measure import Tradeoff as Tradeoff
from dpcore.measures.measure import geometric as geometric
from dpcore.measures.measure import measure_of as measure_of
