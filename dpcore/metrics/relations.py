"""A user's own neighbour relation, by a distance that can be executed; and the same where distances count its steps.

`granularity` makes them, for `rows` and `value`. The first says what any two data are apart, and nothing of what lies
between: a loss at 1 says nothing of one at 2. Of the second, data k apart are joined by k steps by definition, so groups
lift: the distance of two data is the length of the shortest chain of data of the domain, of any number of rows, in which
each is one step from the next. What one step is, the user's function says where it answers 0 or 1. That it answers the
length of the chain elsewhere is for the user to see to; certificates speak of chains, and do not rely on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from dpcore.domains import Domain, real
from dpcore.domains.reading import read_once
from dpcore.errors import InvalidData, InvalidParameter, printed
from dpcore.functions import guarded, looked_at, reading
from dpcore.kinds import kind_of
from dpcore.maps import counted
from dpcore.metrics.metric import Carried, Metric


@dataclass(frozen=True, slots=True)
class Granularity(Metric):
    """A neighbour relation of the user's own, by its executable distance.

    `rows`, where given, is the user's word that data d apart differ by at most `rows * d` rows, whatever d is; it is what
    `to_metric` relies on. Of a metric in which data 2 apart are not joined by two steps it says more than of one step.
    """

    name: str
    function: Callable[[object, object], float | Fraction]
    rows: int | None = None
    whole: ClassVar[bool] = False
    domains = (Domain,)

    def __repr__(self) -> str:
        function = getattr(self.function, "__qualname__", "...")
        return f"granularity({self.name!r}, {function}, rows={self.rows}{', path=True' if self.whole else ''})"

    def carried(self, x: object, y: object) -> Carried:
        return reading(lambda: self._checked(guarded(self.function, self, x, y, what="the distance {0.name}")))

    def _checked(self, found: object) -> Carried:
        held = looked_at(lambda: read_once(found))
        if isinstance(held, float) and held == math.inf:
            return math.inf
        value = real(held)
        if value is None or value < 0:
            raise InvalidData(
                f"the distance {self.name} gave a {kind_of(found)} that is no number of at least 0", left=self
            )
        if self.whole and value != int(value):
            raise InvalidData(f"the distance {self.name} counts steps, and gave a number that is not whole", left=self)
        return value

    def words(self) -> str:
        return f"one step of {self.name}"


@final
@dataclass(frozen=True, slots=True, repr=False)
class PathGranularity(Granularity):
    """The same where the distance is how many steps of the relation lead from the one to the other.

    Of `rows` it is enough that one step changes no more than that: along a chain they add up.
    """

    whole: ClassVar[bool] = True


def granularity(
    name: str,
    distance: Callable[[object, object], float | Fraction],
    rows: int | None = None,
    *,
    path: bool = False,
) -> Granularity:
    """A user's own neighbour relation, `granularity("a week", weeks_apart, rows=7)`.

    With `path=True` distances count its steps, so that group privacy lifts.
    """
    if not isinstance(name, str):
        raise InvalidParameter(f"Expected a text for name but got a {type(name).__name__}")
    if not callable(distance):
        raise InvalidParameter(f"Expected a function for distance but got a {type(distance).__name__}")
    known = None if rows is None else counted(rows)
    if rows is not None and (known is None or known < 1):
        raise InvalidParameter(f"Expected rows to be a whole number of at least 1 but got rows={printed(rows)}")
    if not isinstance(path, bool):
        raise InvalidParameter(f"Expected True or False for path but got a {type(path).__name__}")
    return (PathGranularity if path else Granularity)(name, distance, known)
