"""Numbers in domains: read exactly, compared with bounds, measured in norms."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from dpcore.domains.domain import Norm
from dpcore.domains.missing import NEVER
from dpcore.errors import is_a
from dpcore.maps import LONG, Exact, is_formula, substitute, times

if TYPE_CHECKING:
    import numpy as np


def real(x: object) -> Fraction | None:
    """A finite number as it is written: the float 0.1 is one tenth. None for anything else."""
    if type(x) is Fraction:
        return x
    if type(x) is int:
        return Fraction(x)
    import numpy as np

    if isinstance(x, (bool, np.bool_)):
        return None
    if isinstance(x, np.generic):
        return real(float(x) if isinstance(x, np.float64) else Fraction(str(x))) if _is_number(x) else None
    if isinstance(x, float):
        return Fraction(repr(float(x))) if math.isfinite(x) else None
    if isinstance(x, Decimal):
        # An exponent of millions would take the memory before anybody looks at the value.
        return Fraction(x) if x.is_finite() and abs(x.adjusted()) <= LONG else None
    return Fraction(x) if isinstance(x, (int, Fraction)) else None


def _is_number(x: np.generic) -> bool:
    import numpy as np

    # numpy counts spans of time among its integers.
    return isinstance(x, (np.integer, np.floating)) and not is_a(x, np.timedelta64) and bool(np.isfinite(x))


def unwrapped(x: object) -> object:
    """A numpy scalar, or a member of an enumeration, as the Python value that it holds; of a narrow float, the float of the
    same shortest decimal."""
    if type(x) in NEVER:
        return x
    if isinstance(x, Enum):
        its: object = x._value_
        return unwrapped(its)
    import numpy as np

    if not isinstance(x, np.generic):
        return x
    if isinstance(x, np.floating) and x.dtype.itemsize != 8:
        return float(str(x)) if x.dtype.itemsize < 8 else real(x)
    held: object = x.item()
    # A time is none of our values, and numpy would make a number of it.
    return x if isinstance(x, (np.datetime64, np.timedelta64)) and type(held) is not datetime.date else held


def contains(low: Exact | None, high: Exact | None, their_low: Exact | None, their_high: Exact | None) -> bool:
    """Whether `[low, high]` contains `[their_low, their_high]`. A missing bound is no bound; symbols must be the same."""
    return (low is None or _at_most(low, their_low)) and (high is None or _at_most(their_high, high))


def _at_most(x: Exact | None, y: Exact | None) -> bool:
    if x == y:
        return True
    if x is None or y is None:
        return False
    return not is_formula(x) and not is_formula(y) and x <= y


def coarser(mine: Exact | None, theirs: Exact | None) -> bool:
    """Whether every multiple of their step is a multiple of mine."""
    if mine is None or mine == theirs:
        return True
    if theirs is None or is_formula(mine) or is_formula(theirs):
        return False
    return (Fraction(theirs) / mine).denominator == 1


def bind_bound(x: Exact | None, values: dict[str, Exact]) -> Exact | None:
    return None if x is None else substitute(x, values)


def raised(x: Exact, norm: Norm) -> Exact:
    """A length as it is carried: the square of an L2 length, any other as it is."""
    return times(x, x) if norm == "L2" else x


def raised_norm(values: Sequence[Fraction], norm: Norm) -> Fraction:
    """The length of a vector as it is carried: squared for L2."""
    if norm == "L1":
        return sum(map(abs, values), Fraction(0))
    if norm == "L2":
        return sum((v * v for v in values), Fraction(0))
    return max(map(abs, values), default=Fraction(0))
