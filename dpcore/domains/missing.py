"""What other libraries write where nothing was observed: NaN, and the NA and NaT of pandas. To us all of them are null.

pandas is not imported: its two values are known by the names of their types.
"""

from __future__ import annotations

from typing import Final

NEVER: Final = frozenset({int, str, bool})
"""The types that most rows hold, of which no value is missing, and none is numpy's."""


def is_missing(x: object) -> bool:
    """Whether it stands for nothing observed, None aside."""
    kind = type(x)
    if kind in NEVER:
        return False
    import numpy as np

    if isinstance(x, (float, np.floating)):
        return bool(x != x)
    if isinstance(x, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(x))
    return kind.__name__ in ("NAType", "NaTType") and kind.__module__.split(".")[0] == "pandas"
