"""What a refusal of data says that is of use."""

from __future__ import annotations

import re
from typing import Final

NULL_MET: Final = "null"
"""What a refusal says of a missing value where there must be one."""

NULL_BRIDGE: Final = "optional(...) around that domain, then drop_nulls() or .fill_null(...)"

BEYOND: Final = "out of bounds"

BEYOND_BRIDGE: Final = "wider bounds; of numbers, clamp(low, high) or .clip(low, high) after that cuts what lies beyond"

NO_CATEGORY: Final = "none of the categories"

CATEGORY_BRIDGE: Final = "categories(...) with that one as well, or text()"

DATE_BRIDGE: Final = (
    "days: .str.to_date() or .dt.date() in polars, to_datetime(...).dt.normalize() without a time zone in pandas, "
    "CAST(... AS DATE) in SQL"
)

NO_ROWS: Final = re.compile(r"expected a sequence of rows but got a (str|\w+Path)")
"""What a refusal says of the path of a file."""

PATH_BRIDGE: Final = "polars.scan_parquet(path) or scan_csv(path), where it is the path of a file"

UNDECLARED: Final = "fields that were not declared"
"""What a refusal says of fields, or of columns, beside those of a record."""

UNDECLARED_BRIDGE: Final = 'record(..., extra="ignore"), which leaves them aside'


def bridge_for(place: str) -> str | None:
    """What helps against what was met at a place."""
    if place.endswith(f"got {NULL_MET}"):
        return NULL_BRIDGE
    if place.endswith(BEYOND):
        return BEYOND_BRIDGE
    if place.endswith(NO_CATEGORY):
        return CATEGORY_BRIDGE
    if "expected a date but got a " in place:
        return DATE_BRIDGE
    if NO_ROWS.fullmatch(place):
        return PATH_BRIDGE
    return UNDECLARED_BRIDGE if UNDECLARED in place else None
