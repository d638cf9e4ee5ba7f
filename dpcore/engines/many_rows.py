"""When arrays are asked by polars instead of numpy: where there are many rows, and polars is installed.

It asks them on all processors at once, where they are. Below that, numpy has answered before polars has begun.
"""

from __future__ import annotations

from typing import Final

from dpcore.extras import has

MANY_ROWS: Final = 1 << 17


def for_polars(rows: int) -> bool:
    """Whether so many rows are asked by polars."""
    return rows >= MANY_ROWS and has("polars")
