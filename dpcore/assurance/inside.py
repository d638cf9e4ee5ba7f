"""The transformations inside a measurement, wherever they stand: in a chain, a composition, a part, below a conversion.

A release can be too noisy, or a composition too large, for its distribution to be written out. A transformation needs no
distribution, so each is attacked by itself, on the data that reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.assurance.arrows import AnyMeasurement, AnyTransformation, is_transformation
from dpcore.core.origins import Chain, Part, SomeSpace


@final
@dataclass(frozen=True, slots=True)
class Inside:
    """What was found inside a measurement."""

    transformations: tuple[tuple[AnyTransformation, SomeSpace], ...]
    """Each once, with the data that reach it: the same one on other data is another. None of them is a chain."""
    unforeseen: tuple[str, ...]
    """What is known only while it runs, in words."""


def inside(m: AnyMeasurement) -> Inside:
    """Every transformation that data of the measurement go through, those that they reach first in front."""
    found: dict[tuple[AnyTransformation, SomeSpace], None] = {}
    unforeseen: dict[str, None] = {}
    met: dict[tuple[int, SomeSpace], Part] = {}  # by identity, which lasts as long as the part is held here
    waiting = [Part(m, m.input)]
    while waiting:
        part = waiting.pop()
        key = (id(part.arrow), part.space)
        if key in met:
            continue
        met[key] = part
        arrow, origin = part.arrow, part.arrow.origin
        if is_transformation(arrow) and not isinstance(origin, Chain):
            found[arrow, part.space] = None
        contents = origin.contents(part.space)
        if contents.unforeseen:
            unforeseen[contents.unforeseen] = None
        waiting += reversed(contents.parts)
    return Inside(tuple(found), tuple(unforeseen))
