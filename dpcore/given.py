"""What types promise, checked again where a caller without a type checker may hand over anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from dpcore.errors import InvalidParameter

P = ParamSpec("P")
R = TypeVar("R")


def is_a(x: object, kind: type[object]) -> bool:
    """`isinstance` for what types promise and a caller without a type checker may break."""
    return isinstance(x, kind)


def is_callable(x: object) -> bool:
    return callable(x)


def a_list(x: object, name: str) -> None:
    """Refuse what is no list, or an empty one, where a caller without a type checker may hand over anything."""
    if isinstance(x, (str, bytes)) or not isinstance(x, Sequence):
        raise InvalidParameter(f"Expected a list for {name} but got a {type(x).__name__}", produced=x)
    if not x:
        raise InvalidParameter(f"Expected at least one entry for {name} but got none", produced=x)


def refuses(rows: str | None = None, **named: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say what to use where a constructor is given what others take: by position what it is of, or one of these names.

    Types refuse such a call where it stands; this is for whoever has no type checker.
    """

    def decorate(constructor: Callable[P, R]) -> Callable[P, R]:
        word = constructor.__name__

        @wraps(constructor)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name in named:
                    raise InvalidParameter(f"{word} has no parameter {name!r}", produced=name, bridge=named[name])
            if args and rows is not None:
                met = type(args[0]).__name__
                raise InvalidParameter(f"{word} is not told of what, but got a {met}", produced=met, bridge=rows)
            return constructor(*args, **kwargs)

        return checked

    return decorate
