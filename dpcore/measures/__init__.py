"""Measures, and the losses that are counted in them. Rules, conversions and combinators take measures; users make losses."""

from dpcore.measures.measure import (
    MEASURES,
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    Counts,
    CurveMeasure,
    GaussianDP,
    Measure,
    Profile,
    PureDP,
    RenyiDP,
    TotalVariation,
    Tradeoff,
    geometric,
    measure_of,
)

__all__ = [
    "MEASURES",
    "ZCDP",
    "ApproxDP",
    "ApproxZCDP",
    "Counts",
    "CurveMeasure",
    "GaussianDP",
    "Measure",
    "Profile",
    "PureDP",
    "RenyiDP",
    "TotalVariation",
    "Tradeoff",
    "geometric",
    "measure_of",
]
