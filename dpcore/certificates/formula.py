"""The formula of a whole certificate: its bound in the distance `d_in` and in whatever is left as a symbol."""

from __future__ import annotations

from typing import cast

from dpcore.certificates import decoding
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import Data
from dpcore.formulas import Map


def formula(certificate: Certificate) -> Map:
    """The map, read back from the tree. Like every formula it is to be read, and nothing is computed with it."""
    decoding.load_rules()
    data = certificate.data
    measure = decoding.measure(cast("list[Data]", data["claims"])[0]["measure"])
    metric = decoding.metric(cast(Data, data["space"])["metric"])
    return Map(decoding.derivation(data["derivation"]), metric, measure)
