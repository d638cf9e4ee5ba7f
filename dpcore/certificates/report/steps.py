"""Between the claimed points of a trade-off curve: what follows of the true-positive rate elsewhere.

At each point (a, b) a test with the false-positive rate a has at most the true-positive rate 1 - b. The largest
true-positive rate y(x) grows with x; and y(x)/x falls, since y is concave (tests can be mixed by a coin) and y(0) >= 0. So

    y(x) <= 1 - b   for x <= a        and        y(x) <= x (1 - b)/a   for x >= a > 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

Point: TypeAlias = tuple[Fraction, Fraction]
ONE = Fraction(1)


@final
@dataclass(frozen=True, slots=True)
class Stepwise:
    """The bound that follows from points `(a, 1 - b)`, in the order of a."""

    points: tuple[Point, ...]

    def __call__(self, x: Fraction) -> Fraction:
        flat = (y for a, y in self.points if a >= x)
        return min([ONE, *flat, *([x * ray] if (ray := self._ray(x)) is not None else [])])

    def corners(self) -> list[Point]:
        """The bound as a chain of straight pieces: on each interval flat, or a ray through 0 and then flat."""
        found = [(Fraction(0), self(Fraction(0)))]
        for end in (*(a for a, _ in self.points if a > 0), *([] if (ONE, ONE) in self.points else [ONE])):
            start = found[-1][0]
            flat, ray = min([ONE, *(y for a, y in self.points if a >= end)]), self._ray(start)
            if ray is None:
                found.append((start, flat))  # it may leap, right of 0
            elif ray > 0 and start < flat / ray < end:
                found.append((flat / ray, flat))
            found.append((end, self(end)))
        return found

    def _ray(self, x: Fraction) -> Fraction | None:
        """The least slope from 0 through a point that is not right of x."""
        return min((y / a for a, y in self.points if 0 < a <= x), default=None)


def stepwise(points: Iterable[Point]) -> Stepwise:
    """The bound, of claimed points (false-positive rate, least false-negative rate)."""
    return Stepwise(tuple(sorted((a, 1 - min(ONE, b)) for a, b in points)))
