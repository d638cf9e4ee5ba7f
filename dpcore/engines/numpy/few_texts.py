"""Arrays in which a few texts stand in many rows: a table of them, and for each row the place of its own.

Each row has a mark, a whole number: of an array of Python objects the address of the object, of an array of texts of one
width what stands there, mixed. What has a mark that was not met is looked at; the others take a few passes over whole
numbers, where a look at each row takes ten times that. An array holds its objects, so no address is that of another one as
long as it is there. Of what was mixed, each row is compared with the text that it is taken for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.domains import Array
from dpcore.engines.numpy.coded import Coded
from dpcore.engines.numpy.columns import Ints

Codes: TypeAlias = NDArray[np.int16]

FEW: Final = 200
"""More marks are not tried."""

SAMPLE: Final = 2048
"""So many rows are looked at to tell whether there are few texts."""

BLOCK: Final = 1 << 16
SLOTS: Final = 1 << 16
"""Of the table in which a mark is looked up."""

HIGHEST_SHIFT: Final = 48
NOBODYS: Final = -1
"""The address of no object, and no mixture that is looked up; 0 may stand for None."""

WIDEST: Final = 32
MIXER: Final = 0x2545F4914F6CDD1D
"""Odd, so that texts which differ in one place have different marks."""


def few_texts(array: Array) -> Coded | None:
    """The array, if it holds few objects, each a text or None, or few texts; None for any other."""
    marks = _marks_of(array)
    if marks is None:
        return None
    known, size = _Known(marks), len(array)
    codes = np.empty(size, dtype=np.int16)
    if not known.meet(range(0, size, max(1, size // SAMPLE))):
        return None
    for start in range(0, size, BLOCK):
        block = marks.between(start, min(size, start + BLOCK))
        found, strange = known.codes(block)
        while len(strange):
            if not known.meet([start + int(strange[0])]):
                return None
            found, strange = known.codes(block)
        if not marks.are(start, known.rows, found):
            return None
        codes[start : start + BLOCK] = found
    return Coded(codes, tuple(known.table))


def _marks_of(array: Array) -> _Marks | None:
    if array.ndim != 1 or not len(array):
        return None
    if array.dtype == object:
        return _Addresses(array)
    width = array.dtype.itemsize // 4
    return _Mixed(array, width) if array.dtype.kind == "U" and array.dtype.isnative and 0 < width <= WIDEST else None


class _Marks(ABC):
    """The marks of rows."""

    @abstractmethod
    def between(self, start: int, stop: int) -> Ints:
        """Of these rows."""

    @abstractmethod
    def value(self, row: int) -> object:
        """What stands in a row."""

    @abstractmethod
    def are(self, start: int, rows: Sequence[int], codes: Codes) -> bool:
        """Whether each row from this one on holds what its code says: what stands in that one of some rows."""


@final
class _Addresses(_Marks):
    """Of objects."""

    def __init__(self, array: Array) -> None:
        interface = array.__array_interface__
        held = {name: interface[name] for name in ("version", "shape", "strides")}
        # Read only: what is written there would be taken for an object.
        held |= {"typestr": np.dtype(np.intp).str, "data": (interface["data"][0], True)}
        self._array = array
        self._addresses: Ints = np.asarray(SimpleNamespace(__array_interface__=held))

    def between(self, start: int, stop: int) -> Ints:
        return self._addresses[start:stop]

    def value(self, row: int) -> object:
        return self._array[row]

    def are(self, start: int, rows: Sequence[int], codes: Codes) -> bool:
        return True  # the same object


@final
class _Mixed(_Marks):
    """Of texts of one width, as code points."""

    def __init__(self, array: Array, width: int) -> None:
        self._array = array
        self._points: NDArray[np.uint32] = np.ascontiguousarray(array).view(np.uint32).reshape(len(array), width)

    def between(self, start: int, stop: int) -> Ints:
        first, *others = self._points[start:stop].T
        mixed: Ints = first.astype(np.int64)
        for points in others:
            mixed = mixed * np.int64(MIXER) + points
        return mixed

    def value(self, row: int) -> object:
        return str(self._array[row])

    def are(self, start: int, rows: Sequence[int], codes: Codes) -> bool:
        return np.array_equal(self._points[start : start + len(codes)], self._points[list(rows)][codes])


@final
class _Known:
    """Marks that were met, and for each the place of its text in a table."""

    def __init__(self, marks: _Marks) -> None:
        self._marks = marks
        self._codes: dict[int, int] = {}
        self._places: dict[str, int] = {}
        self.rows: list[int] = []
        """For each text of the table one in which it stands."""

        self._shift, self._slots = 0, 0
        self._held: Ints = np.full(1, NOBODYS)
        self._code_of: Codes = np.zeros(1, dtype=np.int16)

    @property
    def table(self) -> list[str]:
        return list(self._places)

    def meet(self, rows: Sequence[int]) -> bool:
        """What stands in these rows; False where it is no text, or too much."""
        for row in rows:
            mark = int(self._marks.between(row, row + 1)[0])
            if mark in self._codes:
                continue
            met = self._marks.value(row)
            if len(self._codes) >= FEW or mark == NOBODYS or not (met is None or type(met) is str):
                return False
            self._codes[mark] = -1 if met is None else self._place(met, row)
        return self._laid_out()

    def _place(self, text: str, row: int) -> int:
        if text not in self._places:
            self._places[text] = len(self._places)
            self.rows.append(row)
        return self._places[text]

    def _laid_out(self) -> bool:
        """Find bits that are different for all marks that were met."""
        known = np.array(list(self._codes), dtype=np.int64)
        slots = 256
        while slots <= SLOTS:
            for shift in range(HIGHEST_SHIFT):
                places = (known >> shift) & (slots - 1)
                if len(np.unique(places)) == len(known):
                    self._shift, self._slots = shift, slots
                    self._held, self._code_of = np.full(slots, NOBODYS), np.zeros(slots, dtype=np.int16)
                    self._held[places], self._code_of[places] = known, list(self._codes.values())
                    return True
            slots *= 2
        return False

    def codes(self, marks: Ints) -> tuple[Codes, Ints]:
        """Their codes, and where a mark stands that was not met yet."""
        places = (marks >> self._shift) & (self._slots - 1)
        strange = np.flatnonzero(self._held[places] != marks)
        return self._code_of[places], strange
