"""One entry of a vector, by its place: `field("position")[0]`; and a vector of its entries, `select([x, y])`.

Rounding each entry is `round`, in `rounding`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from dpcore.domains import Domain, Integers, Vector
from dpcore.errors import printed
from dpcore.expressions.intervals import Rational, hull
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import item, listing
from dpcore.expressions.shapes import Shape, Unfit, interval, numeric, shape_of
from dpcore.maps import argument


def entry(x: Sequence[object], place: int) -> object:
    """The entry at a place, counted from 0."""
    return x[place]


def _entry_shape(x: Domain, place: Domain) -> Shape:
    assert isinstance(place, Integers)
    assert isinstance(place.low, int)
    if not isinstance(x, Vector) or x.size <= place.low:
        raise Unfit(x, f"a vector of more than {argument(place.low)} entries" if place.low else "a vector")
    return shape_of(x.of)


def _a_place(place: object) -> str | None:
    if type(place) is int and place >= 0:
        return None
    return f"Expected the place of an entry, a whole number from 0, but got {printed(place)}"


def vector(*entries: Rational) -> list[Rational]:
    """The values, one after another."""
    return list(entries)


def _vector_shape(*entries: Domain) -> Shape:
    """Of numbers of one kind: a vector holds entries of one domain, which is what holds them all."""
    each = numeric(reduce(hull, map(interval, entries)))
    assert each.values is not None
    return Shape(Vector(each.values, len(entries)))


TABLE: Final = (
    Operation("entry", 2, entry, _entry_shape, item, constants=1, demand=_a_place),
    Operation("vector", 1, vector, _vector_shape, listing, more=True),
)
