"""How the engine computes each operation on whole columns. A file here is the columns of the file of that name there.

Whatever is named in `ROW_BY_ROW` has none: its row function meets each distinct value of a column once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpcore.engines.numpy.columns import OnColumns
from dpcore.engines.numpy.operations import arithmetic, choice, comparison, dates, logic, rounding, vectors

COLUMNS: Final[Mapping[str, OnColumns]] = {
    **arithmetic.COLUMNS,
    **rounding.COLUMNS,
    **comparison.COLUMNS,
    **logic.COLUMNS,
    **choice.COLUMNS,
    **dates.COLUMNS,
    **vectors.COLUMNS,
}
"""The same as the operation's row function on each row; None where that is not certain, and then it goes row by row."""

ROW_BY_ROW: Final = frozenset({"lower", "upper", "strip", "length", "starts_with", "contains"})
