"""How many bits balls have, and how a question is asked again with more of them."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flint import ctx

from dpcore.errors import FreeSymbols, Undecided

if TYPE_CHECKING:
    pass
from dpcore.maps.kinds import ends, is_symbolic
from dpcore.maps.numbers import Number

R = TypeVar("R")


PRECISION = 128
"""Bits that the rigorous reading starts with; it doubles them until a question is decided."""


PRECISION_LIMIT = 1 << 14


class Overlap(Exception):
    """The enclosures of two numbers overlap at this precision."""


_lock = threading.RLock()


def _new_lock() -> None:
    """In a forked child, where a thread that does not exist there may hold the old one for ever."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_new_lock)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls of so many bits. flint has one precision for the whole process, so one thread at a time sets it."""
    with _lock:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


def at_precision(bits: int, compute: Callable[[], R]) -> R:
    """`compute()` with balls of at least so many bits, more where a comparison in it needs them."""
    while bits <= PRECISION_LIMIT:
        with precision(bits):
            try:
                return compute()
            except Overlap:
                bits *= 2
    raise Undecided(f"a comparison was not decided with {PRECISION_LIMIT} bits")


def working_bits() -> int:
    """The precision that is set now."""
    return int(ctx.prec)


def at_least(x: Number, y: Number) -> bool:
    """Whether `x >= y`, decided; refuses where the enclosures overlap (the reading then asks again, more precisely)."""
    if is_symbolic(x) or is_symbolic(y):
        raise FreeSymbols("a comparison needs numbers, not symbols", left=x, right=y)
    if cast(Any, x) >= cast(Any, y):
        return True
    if cast(Any, x) < cast(Any, y):
        return False
    raise Overlap


def whole_above(x: Number) -> int:
    """The least whole number strictly above x; asks for more bits while the enclosure of x leaves two of them."""
    low, high = ends(x)
    if math.floor(low) != math.floor(high):
        raise Overlap
    return math.floor(low) + 1
