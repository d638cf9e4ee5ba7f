"""Adding noise to values: the exact sum, whatever was drawn. It widens where 64 bits do not hold it; it never wraps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore.noise.fixed_point import Int64s
from dpcore.noise.trials import Draws


def add(values: Sequence[int] | Int64s, noise: Draws) -> Draws:
    """The sums: an array where the values are one and all sums fit into it, otherwise a list of Python integers."""
    if isinstance(values, np.ndarray) and isinstance(noise, np.ndarray):
        total = values + noise
        if not ((values ^ total) & (noise ^ total) < 0).any():  # both signs differ from that of the sum: it has wrapped
            return total
    return [v + z for v, z in zip(as_list(values), as_list(noise), strict=True)]


def as_list(values: Sequence[int] | Int64s) -> Sequence[int]:
    """The same as Python integers."""
    if isinstance(values, np.ndarray):
        plain: list[int] = values.tolist()
        return plain
    return values
