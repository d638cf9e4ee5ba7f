"""What an example is, and the small spaces that examples stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast, final

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.maps import Numeric


@final
@dataclass(frozen=True, slots=True)
class Example:
    """An arrow, and a universe to try it on."""

    name: str
    build: Callable[[], object]
    atoms: Sequence[object] = (0, 1, 2)
    most: int = 3
    """So many rows at most."""
    slack: str = ""
    """Why the bound is not reached at the least distance in this universe."""
    near: int | None = None
    """The distance, as it is carried, at which the bound is reached, where it is not the least."""
    zero: bool = True
    """Whether nothing is lost at distance 0; a witness chosen for another distance may cost a little there."""
    columns: bool = True
    """Whether numpy columns can hold such rows."""
    slow: bool = False
    """Whether each figure takes a search of its own: `make test` leaves it out, and `make assurance` tries it."""


@final
@dataclass(frozen=True, slots=True)
class Symbolic:
    """An arrow with symbols, and the one that is meant when they are bound."""

    name: str
    build: Callable[[], object]
    values: Mapping[str, Numeric]
    direct: Callable[[], object]


Examples: TypeAlias = list[Example]
Letters: TypeAlias = dp.types.Rows[dp.types.Categories[str]]

CHANGE_ONE = dp.ChangeOneDistance()
EITHER = (dp.SymmetricDistance(), cast(dp.SymmetricDistance, CHANGE_ONE))
"""Both row metrics, under the type of one: for examples that differ in nothing else."""

L1, L2, LINF, RANGE = dp.L1Distance(), dp.L2Distance(), dp.LInfDistance(), dp.RangeDistance()
NORMS = (dp.L1Distance, cast("type[dp.L1Distance]", dp.L2Distance), cast("type[dp.L1Distance]", dp.LInfDistance))
"""The three norms, under the type of one."""

AB = dp.categories("a", "b")
ABC = dp.categories("a", "b", "c")
TENTHS = dp.numbers("-1/5", "3/10", "1/10")
WHOLE = dp.value(dp.integers(), dp.AbsoluteDistance())
PERSONS = dp.record(who=dp.integers(0, 2), n=dp.integers(0, 2))
PERSON_ROWS = records(who=(0, 1), n=(0, 1))
LETTERS = dp.rows(AB)
"""Rows that are a or b."""
