"""What a refusal of data says that is of use: where null was met, and where a field was not declared."""

from __future__ import annotations

from typing import Final

NULL_MET: Final = "null"
"""What a refusal says of a missing value where there must be one."""

NULL_BRIDGE: Final = "optional(...) around that domain, then drop_nulls() or .fill_null(...)"

UNDECLARED: Final = "fields that were not declared"
"""What a refusal says of fields, or of columns, beside those of a record."""

UNDECLARED_BRIDGE: Final = 'record(..., extra="ignore"), which leaves them aside'


def bridge_for(place: str) -> str | None:
    """What helps against what was met at a place."""
    if place.endswith(f"got {NULL_MET}"):
        return NULL_BRIDGE
    return UNDECLARED_BRIDGE if UNDECLARED in place else None
