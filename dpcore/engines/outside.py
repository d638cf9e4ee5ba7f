"""What is said of data from outside that are not in their domain."""

from __future__ import annotations

from dpcore.domains import Domain, bridge_for
from dpcore.errors import InvalidData


def not_in(domain: Domain, place: str, bridge: str | None = None) -> InvalidData:
    """The refusal, which names a place and never a value."""
    headline = f"the data are not in the input domain: {place}"
    return InvalidData(headline, expected=domain, bridge=bridge or bridge_for(place))
