"""The map of an arrow, read at a distance: a fold over its derivation, done once, since an arrow keeps it over numbers.

Also how type checkers read the carrier off a domain and the loss off a measure: protocols that an arrow's own type
parameters fill in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from dpcore.derivation import Prepared, Raw, Reading
from dpcore.domains import Gives, Takes
from dpcore.errors import FreeSymbols
from dpcore.maps import Numeric, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures import Counts
from dpcore.origins import Arrow, require_known

In_co = TypeVar("In_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)


def map_at(arrow: Keeping, d_in: Numeric | Bound) -> Callable[[], Raw]:
    """The map at a distance, to be computed at the precision that is set when it is called."""
    space = arrow.input
    d = space.metric.check(d_in, space.domain)
    return partial(arrow._reading or _read(arrow), space.metric.carry(numeral(d)))


def _read(arrow: Keeping) -> Reading:
    try:
        reading = arrow.derivation.numbers()
    except FreeSymbols:
        require_known(arrow)  # says it of the whole arrow
        raise
    object.__setattr__(arrow, "_reading", reading)
    return reading


def draws_key(arrow: Arrow) -> bool:
    """Whether what it does depends on a key drawn with the release."""
    return arrow.derivation.asks("key")


class Keeping(Arrow, Protocol):
    """An arrow, and what it keeps of its derivation."""

    @property
    def _reading(self) -> Reading | None: ...
    @property
    def _run(self) -> Prepared | None: ...


# ---- for type checkers: carriers and losses, read off domains and measures -----------------------------------------


class Over(Protocol[Out_co]):
    @property
    def domain(self) -> Out_co: ...


class Applicable(Protocol[In_co, Out_co]):
    @property
    def input(self) -> Over[Takes[In_co]]: ...
    @property
    def output(self) -> Over[Gives[Out_co]]: ...


class Releasable(Protocol[In_co]):
    @property
    def input(self) -> Over[Takes[In_co]]: ...


class Measured(Keeping, Protocol[Out_co]):
    @property
    def measure(self) -> Counts[Out_co]: ...


if TYPE_CHECKING:
    from dpcore.solving import Solvable

    class Sought(Measured[Out_co], Solvable, Protocol[Out_co]): ...
