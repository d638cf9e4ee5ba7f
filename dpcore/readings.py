"""What is done with an arrow: its map is read at a distance, it is run on data, its symbols are bound.

Also how type checkers read the carrier off a domain and the loss off a measure: protocols that an arrow's own type
parameters fill in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import numpy as np

from dpcore.bounds import Bound
from dpcore.derivation import Raw, Reading
from dpcore.domains import Gives, Takes, Vector
from dpcore.engines.doors import as_array, hand_out, hand_out_array, receive, receive_array
from dpcore.errors import FreeSymbols, InvalidParameter
from dpcore.maps import Numeric, exact, numeral
from dpcore.measures import Counts
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import drawn
from dpcore.origins import Arrow, SomeSpace
from dpcore.steps import Values

if TYPE_CHECKING:
    from dpcore.distributions import Distribution

In_co = TypeVar("In_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)


def symbols_in(arrow: Arrow) -> frozenset[str]:
    return arrow.derivation.symbols() | arrow.input.domain.symbols()


def bound_arrow(arrow: Arrow, values: Mapping[str, Numeric]) -> Arrow:
    unknown = sorted(set(values) - symbols_in(arrow))
    if unknown:
        free = ", ".join(sorted(symbols_in(arrow))) or "none"
        raise InvalidParameter(f"no symbol is named {unknown[0]!r}; the free ones are: {free}", left=arrow)
    given = {name: exact(value, name) for name, value in values.items()}
    return arrow.origin.rebuilt(cast(Bindable, arrow.input).bind(given), given)


def map_at(arrow: Readable, d_in: Numeric | Bound) -> Callable[[], Raw]:
    """The map at a distance, to be computed at the precision that is set when it is called."""
    space = arrow.input
    d = space.metric.check(d_in, space.domain)
    return partial(arrow._reading or _read(arrow), space.metric.carry(numeral(d)))


def _read(arrow: Readable) -> Reading:
    try:
        reading = arrow.derivation.numbers()
    except FreeSymbols:
        require_known(arrow)  # says it of the whole arrow
        raise
    object.__setattr__(arrow, "_reading", reading)
    return reading


def run_on(arrow: Arrow, data: object, bits: BitSource) -> object:
    """What the arrow gives, all randomness from these bits: a key for what is chosen, then noise."""
    require_known(arrow)
    return hand_out(arrow.derivation.runner(drawn(bits))(receive(data, arrow.input.domain)))


def draws_key(arrow: Arrow) -> bool:
    """Whether what it does depends on a key drawn with the release."""
    return arrow.derivation.asks("key")


def release_on(arrow: Arrow, data: object, bits: BitSource) -> object:
    """numpy in, numpy out: a vector that is given as an array is released as one. See `Measurement.release`."""
    domain, derivation = arrow.input.domain, arrow.derivation
    if not isinstance(domain, Vector):
        return run_on(arrow, data, bits)
    require_known(arrow)
    array = data if isinstance(data, np.ndarray) else as_array(data)
    at_once = array is not None and derivation.takes_arrays()
    received = receive_array(array, domain) if at_once and array is not None else receive(data, domain)
    released = derivation.runner(drawn(bits))(received)
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


class Readable(Arrow, Protocol):
    @property
    def _reading(self) -> Reading | None: ...


class Bindable(Protocol):
    def bind(self, values: Values) -> SomeSpace: ...


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


class Measured(Arrow, Protocol[Out_co]):
    @property
    def _reading(self) -> Reading | None: ...
    @property
    def measure(self) -> Counts[Out_co]: ...
