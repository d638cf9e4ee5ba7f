"""What 1 apart is in the input space of a certificate, in full, with the function that says so if it is the user's own."""

from __future__ import annotations

from collections.abc import Mapping

from dpcore.errors import DPError
from dpcore.parameters import Json, fields
from dpcore.parameters.quoting import sentence
from dpcore.written import METRIC


def neighbours(data: Mapping[str, Json]) -> str:
    """As the checkers say it; if that cannot be read, what the certificate says itself."""
    try:
        return METRIC.neighbours(fields(data["space"], "metric")["metric"])
    except (DPError, KeyError):
        return sentence(str(data.get("neighbours")))
