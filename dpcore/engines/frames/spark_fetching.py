"""Rows of Spark that the driver holds with ease: they come in one job, as Arrow, and need no Python of the workers.

A query of Spark takes some hundredths of a second however few rows there are, and the longer its text is the more. So what
the optimizer believes to be small is fetched and not asked. Its belief is a hint: where more rows come than were to come,
they are asked where they are. Where all rows are wanted they are measured first: the JVM of the driver holds them as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import polars as pl

from dpcore.engines.frames.room import shares_for

FEW_OCTETS: Final = 1 << 22
"""Of a table that is fetched, as Spark believes it to be."""

FEW_ROWS: Final = 1 << 18

WIDTHS: Final = {
    "boolean": 1, "tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "float": 4, "double": 8, "date": 4,
    "timestamp_ntz": 8, "string": 16, "binary": 16,
}  # fmt: skip
"""Octets of a value of these types; of texts, beside their own."""

DECIMAL: Final = 16

T = TypeVar("T")


def fetched_if_few(frame: Any) -> pl.DataFrame | None:
    """All rows, where they are few. None are fetched by Connect, which does not know that beforehand."""
    held = getattr(frame, "_jdf", None)
    if held is None or not _at_once(frame):
        return None
    rows = _if_it_can(lambda: _fetched_if_believed(frame, held))
    return None if rows is None or len(rows) > FEW_ROWS else rows


def _fetched_if_believed(frame: Any, held: Any) -> pl.DataFrame | None:
    octets = int(str(held.queryExecution().optimizedPlan().stats().sizeInBytes()))
    return fetched(frame.limit(FEW_ROWS + 1)) if octets <= FEW_OCTETS else None


def fetched_together(frame: Any) -> pl.DataFrame | None:
    """All rows, for which the driver has room."""
    return _if_it_can(lambda: fetched(frame)) if _at_once(frame) else None


def shares_of(frame: Any) -> int | None:
    """In how many shares the driver has room for the rows, as Spark measures them; None of columns whose type does not say,
    and of a Spark that does not measure them. They are called `c0`, `c1`, ..."""
    return _if_it_can(lambda: _shares_of(frame))


def _shares_of(frame: Any) -> int | None:
    width, lengths = 0, ["system.builtin.count(*)"]
    for name, kind in frame.dtypes:
        if kind not in WIDTHS and not kind.startswith("decimal("):
            return None  # lists and the like, of any length
        width += WIDTHS.get(kind, DECIMAL)
        if kind in ("string", "binary"):
            lengths.append(f"system.builtin.sum(system.builtin.octet_length({name}))")
    ((rows, *texts),) = frame.selectExpr(*lengths).collect()
    return shares_for(int(rows) * width + sum(each or 0 for each in texts))


def fetched(frame: Any) -> pl.DataFrame:
    rows = frame.toArrow()
    rows.validate(full=True)  # a text of Spark may be of any octets, and polars would believe them to be a text
    return pl.DataFrame(rows)


def _if_it_can(question: Callable[[], T]) -> T | None:
    """What Spark answers; None where it raised: a session may let less come at once, or know fewer words. Then the rows are
    asked, or come in batches, and what is wrong with the query is said there."""
    try:
        return question()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


def _at_once(frame: Any) -> bool:
    return hasattr(type(frame), "toArrow")  # not before Spark 4
