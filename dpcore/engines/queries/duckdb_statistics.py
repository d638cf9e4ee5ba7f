"""What DuckDB takes for granted: the least and the greatest value of a column, and whether it holds nulls.

A comparison that these settle is not made on any row. Of its own tables DuckDB keeps them itself, with every row that is
written. Of a file of Parquet they are what the file says, and whoever wrote it may have written other rows: a check that is
left out because of it, or a clamp, checks and clamps nothing. So columns of anything but DuckDB's own tables go through a
function that gives them as they are, and of whose results nothing is known.
"""

from __future__ import annotations

import re
from typing import Any, Final

BOX: Final = "╭"
"""With this each operator begins in the plan that DuckDB draws, from version 2 on."""

OPERATORS: Final = re.compile(BOX + r"─ (?:Seq Scan|Projection|Filter) ─")
"""The scan of a table of its own, and what has one input. Any other plan, of an older version too, is of anything."""


def of_its_own_table(relation: Any) -> bool:
    """Whether all rows come from a table of DuckDB. A name in the plan that looks like an operator is taken for one more."""
    plan = str(relation.explain())
    return BOX in plan and plan.count(BOX) == len(OPERATORS.findall(plan))
