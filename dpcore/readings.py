"""What is done with an arrow: its map is read at a distance, it is run on data.

Both are folds over its derivation, done once: an arrow keeps its map over numbers, and its run.

Also how type checkers read the carrier off a domain and the loss off a measure: protocols that an arrow's own type
parameters fill in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from dpcore.derivation import Prepared, Raw, Reading
from dpcore.domains import Gives, Takes, Vector
from dpcore.engines.doors import as_array, hand_out, hand_out_array, receive, receive_array
from dpcore.errors import FreeSymbols
from dpcore.maps import Numeric, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures import Counts
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import drawn
from dpcore.origins import Arrow, symbols_in
from dpcore.solving import Solvable

if TYPE_CHECKING:
    from dpcore.distributions import Distribution

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


def run_on(arrow: Keeping, data: object, bits: BitSource) -> object:
    """What the arrow gives, all randomness from these bits: a key for what is chosen, then noise."""
    run = (arrow._run or _prepared(arrow))(drawn(bits))
    return hand_out(run(receive(data, arrow.input.domain)))


def _prepared(arrow: Keeping) -> Prepared:
    require_known(arrow)
    prepared = arrow.derivation.prepared()
    object.__setattr__(arrow, "_run", prepared)
    return prepared


def draws_key(arrow: Arrow) -> bool:
    """Whether what it does depends on a key drawn with the release."""
    return arrow.derivation.asks("key")


def release_on(arrow: Keeping, data: object, bits: BitSource) -> object:
    """numpy in, numpy out: a vector that is given as an array is released as one. See `Measurement.release`."""
    domain = arrow.input.domain
    if not isinstance(domain, Vector):
        return run_on(arrow, data, bits)
    prepared = arrow._run or _prepared(arrow)
    array = data if isinstance(data, np.ndarray) else as_array(data)
    at_once = array is not None and arrow.derivation.takes_arrays()
    received = receive_array(array, domain) if at_once and array is not None else receive(data, domain)
    released = prepared(drawn(bits))(received)
    return hand_out_array(released) if array is data else hand_out(released)


def distribution_on(arrow: Arrow, data: object) -> Distribution:
    """The probability of every outcome of a release on data: the same run, on every sequence of random choices.

    Keys are averaged over: of the rows that a key ranks every order is as likely, as if the cipher were drawn at random.
    """
    from dpcore.distributions import AnyKey, distribution_of  # not for whoever only asks for a loss

    require_known(arrow)
    received = receive(data, arrow.input.domain)

    def prepare(bits: BitSource) -> Callable[[], object]:
        if draws_key(arrow):  # a new key for each run
            return lambda: hand_out(arrow.derivation.runner({"bits": bits, "key": AnyKey(bits)})(received))
        run = arrow.derivation.runner({"bits": bits})
        return lambda: hand_out(run(received))

    return distribution_of(prepare)


def require_known(arrow: Arrow) -> None:
    free = symbols_in(arrow)
    if free:
        name = min(free)
        raise FreeSymbols(
            f"the symbol {name} stands where a number is needed", left=arrow, bridge=f".bind({name}=...) first"
        )


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


class Sought(Measured[Out_co], Solvable, Protocol[Out_co]): ...
