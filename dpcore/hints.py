"""What one looks for in another library, and what does it here. Asked for when a name is not found, and never before."""

from __future__ import annotations

from typing import Final

_QUANTILE: Final = "quantile_scores(candidates, level) >> permute_and_flip(scale), which releases an index"

HINTS: Final = {
    "Session": "compose([...]) or adaptive(...), with shares of a loss by budget(...)",
    "col": "field(name)",
    "count_distinct": "bound_contributions(1) >> count() for persons, histogram(...) for values that are known",
    "group_by": "partition(by=field(name)) >> parallel(measurement), or histogram(field(name))",
    "join": "when(...).then(...).otherwise(...) in select(...), or row_map(f, domain) with a public table in f",
    "mean": "sum() and count(), each with its noise, then .then(lambda r: r[0] / max(1, r[1]))",
    "median": _QUANTILE,
    "quantile": _QUANTILE,
    "read_csv": "rows as csv.DictReader reads them, with texts converted, or a dict of numpy arrays by column",
    "variance": "sum() of select(row() * row()), sum() and count(), each with its noise, then .then(...)",
}


def not_found(name: str) -> AttributeError:
    """The refusal of a name, with what to use where that is known."""
    said = f"module 'dpcore' has no attribute {name!r}"
    return AttributeError(f"{said}\n  use    {HINTS[name]}" if name in HINTS else said)
