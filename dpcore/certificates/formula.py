"""The formula of a whole certificate: its bound in the distance `d_in` and in whatever is left as a symbol."""

from __future__ import annotations

from dpcore.certificates import decoding
from dpcore.certificates.certificate import Certificate
from dpcore.core.readings import Map
from dpcore.written import MEASURE, METRIC


def formula(certificate: Certificate) -> Map:
    """The map, read back from the tree. Like every formula it is to be read, and nothing is computed with it."""
    document = certificate.document
    metric, measure = METRIC.decode(document.space.metric), MEASURE.decode(document.claims[0].measure)
    return Map(decoding.derivation(document.derivation), metric, measure)
