"""Rows that are objects of a class with named fields: a dataclass, a NamedTuple, a pydantic model, read by attribute.

pydantic is not imported: its models are known by what they hold. Only the fields of the class are read, and what somebody
else's attribute raises is not seen, since it may hold data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final

from dpcore.domains.missing import NEVER

MODEL: Final = ("model_fields", "__pydantic_fields__")
"""Where a model of pydantic, or a dataclass of its own kind, describes its fields."""

UNREAD: Final = object()
"""In the place of an attribute that there is not, or that failed to be read."""


def described(kind: type) -> Mapping[str, object] | None:
    """What a class of pydantic says of its fields."""
    for name in MODEL:
        found: object = getattr(kind, name, None)
        if isinstance(found, Mapping):
            return found
    return None


def names_of(kind: type) -> tuple[str, ...] | None:
    """The fields that objects of a class have by their class; None of other classes, and of mappings."""
    if issubclass(kind, Mapping):
        return None
    model = described(kind)
    if model is not None:
        return tuple(model)
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    names: object = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
    return names if isinstance(names, tuple) else None


def attribute(x: object, name: str) -> object:
    try:
        return getattr(x, name)
    except KeyboardInterrupt:
        raise
    except BaseException:  # also SystemExit, which carries a value out
        return UNREAD


def by_name(x: object) -> Mapping[str, object] | None:
    """The values of an object by the names of its fields, without those that cannot be read; None of what has no fields."""
    if type(x) in NEVER:
        return None
    names = names_of(type(x))
    if names is None:
        return None
    values = {name: attribute(x, name) for name in names}
    return {name: value for name, value in values.items() if value is not UNREAD}
