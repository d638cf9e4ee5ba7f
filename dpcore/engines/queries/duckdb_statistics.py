"""What DuckDB takes for granted: the least and the greatest value of a column, and whether it holds nulls.

A comparison that these settle is not made on any row. Of its own tables DuckDB keeps them itself, with every row that is
written, and they stand where the rows stand. Of a file of Parquet they are what the file says, and whoever wrote it may have
written other rows: a check that is left out because of it, or a clamp, checks and clamps nothing. So columns of anything but
DuckDB's own tables go through a function that gives them as they are, and of whose results nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

OWN: Final = "SEQ_SCAN"
"""The scan of a table of DuckDB, in its plans."""


def of_its_own_tables(relation: Any) -> bool:
    """Whether all rows come from tables of DuckDB; not where it does not tell."""
    try:
        plan = json.loads(plan_of(relation))
    except ValueError:  # drawn; or a session asks for several of each query
        return False
    return all(name == OWN for operator in plan for name in _scans(operator))


def plan_of(relation: Any) -> str:
    """As JSON, which draws nothing in a notebook; before DuckDB 2 plans are only drawn."""
    try:
        plan: str = relation.explain(format="json")
    except TypeError:
        plan = relation.explain()
    return plan


def _scans(operator: Mapping[str, Any]) -> Iterator[str]:
    """What reads rows, and takes none from another."""
    inputs = operator.get("children")
    if not inputs:
        yield str(operator.get("name"))
        return
    for child in inputs:
        yield from _scans(child)
