"""exp(-y) on arrays, between integers: what decides a comparison without a float, and without a ball for each entry.

Guarantee. For every g in the array, 0 <= g <= 2^29, every slack from 0 to 2^29, and every real y with
g <= 2^30 y <= g + slack,

    low <= 2^30 exp(-y) <= high.

Proof. Let x = g/2^30 <= 1/2 and P(x) = 1 - x + x^2/2 - x^3/6 = 1 - x (1 - x/2 (1 - x/3)). By Taylor, P(x) <= exp(-x) <=
P(x) + x^4/24. So exp(-y) <= exp(-x) is below that, and exp(-y) >= P(y) >= P(x) - (y - x), P having a slope between -1
and 0 on [0, 1]. It remains to bound how far `value` is from 2^30 P(x). Of what each line stands for, exactly, in units
of 2^-30: g // 3 lies in (exact - 1, exact], so 1 - x/3 in [exact, exact + 1); that times g/2^31 <= 1/4, rounded down,
in (exact - 1, exact + 1/4); one minus it in (exact - 1/4, exact + 1); that times g/2^30 <= 1/2, rounded down, in (exact
- 9/8, exact + 1/2). So it is less than 2 away. No product exceeds 2^60.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Int64s: TypeAlias = NDArray[np.int64]

BITS: Final = 30
ONE: Final = 1 << BITS


def exp_between(g: Int64s, slack: int) -> tuple[Int64s, Int64s]:
    """Integers low and high with low <= 2^30 exp(-y) <= high for every y with g <= 2^30 y <= g + slack."""
    inner = ONE - (g * (ONE - g // 3) >> (BITS + 1))
    value = ONE - (g * inner >> BITS)
    square = (g * g >> BITS) + 1
    fourth = (square * square >> BITS) // 24 + 1
    return value - (slack + 2), value + 2 + fourth
