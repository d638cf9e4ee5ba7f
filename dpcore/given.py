"""What types promise, checked again where a caller without a type checker may hand over anything."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.errors import InvalidParameter


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
