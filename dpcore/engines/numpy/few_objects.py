"""Arrays of Python objects in which a few texts stand in many rows: a table of them, and for each row the place of its own.

An array of objects holds their addresses, and what stands at one address is looked at once. So it takes as long as a few
passes over whole numbers, where a look at each row takes ten times that. The array holds its objects, so that no address is
that of another one as long as the array is there.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final, final

import numpy as np

from dpcore.domains import Array
from dpcore.engines.numpy.coded import Coded
from dpcore.engines.numpy.columns import Ints

FEW: Final = 200
"""More objects are looked at one by one."""

SAMPLE: Final = 2048
"""So many rows are looked at to tell whether there are few objects."""

BLOCK: Final = 1 << 16
SLOTS: Final = 1 << 16
"""Of the table in which an address is looked up."""

HIGHEST_SHIFT: Final = 40
NOBODYS: Final = -1
"""The address of no object; 0 may stand for None."""


def few_texts(array: Array) -> Coded | None:
    """The array, if all of it are few objects, each a text or None; None for any other."""
    if array.ndim != 1 or array.dtype != object or not len(array):
        return None
    addresses = _addresses(array)
    known = _Known(array, addresses)
    codes = np.empty(len(array), dtype=np.int64)
    if not known.meet(range(0, len(array), max(1, len(array) // SAMPLE))):
        return None
    for start in range(0, len(array), BLOCK):
        block = addresses[start : start + BLOCK]
        found, strange = known.codes(block)
        while len(strange):
            if not known.meet([start + int(strange[0])]):
                return None
            found, strange = known.codes(block)
        codes[start : start + BLOCK] = found
    return Coded(codes, tuple(known.table))


def _addresses(array: Array) -> Ints:
    interface = array.__array_interface__
    held = {name: interface[name] for name in ("version", "data", "shape", "strides")}
    # Read only: what is written there would be taken for an object.
    held |= {"typestr": np.dtype(np.intp).str, "data": (interface["data"][0], True)}
    return np.asarray(SimpleNamespace(__array_interface__=held))


@final
class _Known:
    """Addresses that were met, and for each the place of its text in a table."""

    def __init__(self, array: Array, addresses: Ints) -> None:
        self._array, self._addresses = array, addresses
        self._codes: dict[int, int] = {}
        self._places: dict[str, int] = {}
        self._shift, self._slots = 0, 0
        self._held = self._code_of = np.full(1, NOBODYS)

    @property
    def table(self) -> list[str]:
        return list(self._places)

    def meet(self, rows: range | list[int]) -> bool:
        """What stands in these rows; False where it is no text, or too much."""
        for row in rows:
            address = int(self._addresses[row])
            if address in self._codes:
                continue
            met = self._array[row]
            if len(self._codes) >= FEW or not (met is None or type(met) is str):
                return False
            self._codes[address] = -1 if met is None else self._places.setdefault(met, len(self._places))
        return self._laid_out()

    def _laid_out(self) -> bool:
        """Find bits of an address that are different for all that were met."""
        known = np.array(list(self._codes), dtype=np.int64)
        slots = 256
        while slots <= SLOTS:
            for shift in range(HIGHEST_SHIFT):
                places = (known >> shift) & (slots - 1)
                if len(np.unique(places)) == len(known):
                    self._shift, self._slots = shift, slots
                    self._held, self._code_of = np.full(slots, NOBODYS), np.zeros(slots, dtype=np.int64)
                    self._held[places], self._code_of[places] = known, list(self._codes.values())
                    return True
            slots *= 2
        return False

    def codes(self, addresses: Ints) -> tuple[Ints, Ints]:
        """Their codes, and where an address stands that was not met yet."""
        places = (addresses >> self._shift) & (self._slots - 1)
        strange = np.flatnonzero(self._held[places] != addresses)
        return self._code_of[places], strange
