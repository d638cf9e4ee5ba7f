"""By what a certificate knows a function of the user's own: a digest of its code and of the plain values it holds.

The same text with the same values gives the same digest on the same Python. Of functions that it calls by name, of objects
that are no plain values, and of what is written in another language it holds the name or the type alone: two that differ
in these have one digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Final, cast

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, Fraction)
_DEEP: Final = 20
"""Deeper, a function that holds itself would not come to an end."""


def digest_of(function: object) -> str:
    """64 hexadecimal digits."""
    import hashlib

    return hashlib.sha256(_outline(function, 0).encode()).hexdigest()


def _outline(x: object, depth: int) -> str:
    if type(x) in _PLAIN:
        return repr(x)
    if depth < _DEEP:
        parts = _parts(x)
        if parts is not None:
            return f"{type(x).__qualname__}({', '.join([_outline(part, depth + 1) for part in parts])})"
    return f"{getattr(x, '__qualname__', '')} {type(x).__qualname__}"


def _parts(x: object) -> list[object] | None:
    """What it is made of, in an order of its own; None of what cannot be looked into."""
    if isinstance(x, CodeType):
        return [x.co_code, *x.co_names, *x.co_consts]
    if isinstance(x, FunctionType):
        held = [_held(cell) for cell in x.__closure__ or ()]
        return [x.__code__, x.__defaults__, x.__kwdefaults__, *held]
    if isinstance(x, MethodType):
        return [x.__func__, type(x.__self__).__qualname__]
    if isinstance(x, partial):
        made = cast("partial[object]", x)
        return [made.func, made.args, made.keywords]
    if isinstance(x, (tuple, list)):
        return [*cast("Sequence[object]", x)]
    if isinstance(x, dict):
        return [*cast("dict[object, object]", x).items()]
    if isinstance(x, (set, frozenset)):
        return [*sorted(cast("set[object]", x), key=repr)]
    return None


def _held(cell: object) -> object:
    """What a closure holds in a cell, which may be empty still."""
    return getattr(cell, "cell_contents", None)
