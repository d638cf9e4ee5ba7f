"""Running an arrow while its user's functions are watched: what they are given must be as it was when they return.

The stages of an adaptive composition are such functions too, and what they choose is watched as well.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from dpcore.calculus import Derivation
from dpcore.core import Measurement
from dpcore.core.origins import MADE, Arrow
from dpcore.distributions import settled
from dpcore.engines.doors import hand_out, receive
from dpcore.functions import UserFunction, known_as
from dpcore.noise.bits import SeededBits
from dpcore.noise.row_keys import drawn

SEED: Final = 0
"""Of the noise in a run that is watched, which is not looked at, and of the key."""


def run_watched(arrow: Arrow, data: object, seed: int = SEED) -> tuple[object, str | None]:
    """The output, and the name of a function that changed what it was given. The seed decides on the key."""
    changed: list[str] = []
    run = _watched(arrow.derivation, changed).runner(drawn(SeededBits(seed)))
    output = hand_out(run(receive(data, arrow.input.domain)))
    return output, changed[0] if changed else None


def _watched(derivation: Derivation, changed: list[str]) -> Derivation:
    parameters = {name: _watching(value, changed) for name, value in derivation.parameters.items()}
    return replace(derivation, parameters=parameters, premises=tuple(_watched(p, changed) for p in derivation.premises))


def _watching(value: object, changed: list[str]) -> object:
    if type(value) is tuple:
        return tuple([_watching(each, changed) for each in value])
    if not isinstance(value, UserFunction):
        return value
    return known_as(_watch(value, changed), value.name, value.digest)


def _watch(function: UserFunction, changed: list[str]) -> Callable[[object], object]:
    def call(x: object) -> object:
        try:
            before = settled(copy.deepcopy(x))
        except TypeError:  # it answers questions, and is no data: neither it nor its account can be copied
            return function.function(x)
        output = function.function(x)
        if settled(x) != before:
            changed.append(function.name)
        if isinstance(output, Measurement):
            return replace(output, derivation=_watched(output.derivation, changed), made=MADE)
        return output

    return call
