"""What the kind of a value is called where it must not tell more: by the name of a type that anybody has.

A function that is given data can make a class for each row, named after it. So of what it raised or returned only such
names are told as were there before any data: those of Python, of its standard library, of dpcore and of the libraries
that tables come from. Of any other class it is the nearest base that has one.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

LIBRARIES: Final = frozenset(
    {"dpcore", "numpy", "pandas", "polars", "pyarrow", "duckdb", "ibis", "pyspark"} | sys.stdlib_module_names
) - {"__main__"}

# As `type` itself answers: a metaclass of the user may answer otherwise, each time.
_ITS_BASES: Final[Any] = vars(type)["__mro__"]
_ITS_NAME: Final[Any] = vars(type)["__name__"]
_ITS_MODULE: Final[Any] = vars(type)["__module__"]
_ITS_FLAGS: Final[Any] = vars(type)["__flags__"]

MADE_WHILE_RUNNING: Final = 1 << 9
"""Of a class that is not compiled into Python or a library, and so may be anybody's."""


def bases(kind: type) -> tuple[type, ...]:
    """The class and its bases, the nearest first."""
    found: tuple[type, ...] = _ITS_BASES.__get__(kind)
    return found


def is_everybodys(kind: type) -> bool:
    """Whether it is found, by its very name, in a module of a library that anybody has."""
    return _place(kind) is not None


def kind_of(x: object) -> str:
    """What the type of a value is called."""
    return _named(x)[1]


def place_of(x: object) -> str:
    """The same, with the module that it is from."""
    return ".".join(_named(x))


def _named(x: object) -> tuple[str, str]:
    return next(filter(None, map(_place, bases(type(x)))), (object.__module__, object.__name__))


def _place(kind: type) -> tuple[str, str] | None:
    """The module and the name under which everybody finds the type."""
    name: object = _ITS_NAME.__get__(kind)
    place: object = _ITS_MODULE.__get__(kind)
    if type(name) is not str or type(place) is not str:
        return None
    if not _ITS_FLAGS.__get__(kind) & MADE_WHILE_RUNNING:
        return place, name
    module = sys.modules.get(place) if place.partition(".")[0].lstrip("_") in LIBRARIES else None
    return (place, name) if isinstance(module, ModuleType) and vars(module).get(name) is kind else None
