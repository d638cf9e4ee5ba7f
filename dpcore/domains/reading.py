"""What a function of the user returned, read once and held in Python's own types.

An object of somebody's class may say another thing each time that it is asked: a member of the domain when that is
checked, and a million when it is used. So it is asked once, where it can be by what its class inherits and not by what it
makes of that, and what is checked is then what is used. What a thing is, is told by its type and never by `__class__`.
Nothing is kept that can be changed afterwards, not even a `Fraction`, whose parts can be set.

What has no such form is refused.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import gcd
from typing import Any, Final

from dpcore.domains.domain import Domain
from dpcore.domains.instances import by_name
from dpcore.domains.structures import OCTETS, Optional, Parts, Record, Rows, Vector
from dpcore.domains.values import DEEPEST, Booleans, Dates, Integers, NumberDomain, Text
from dpcore.errors import InvalidData
from dpcore.kinds import bases, is_everybodys, place_of
from dpcore.maps.numbers import PYTHONS_OWN

ATOMS: Final = frozenset({int, str, bool, type(None), float, bytes, Decimal, datetime.date})
"""Types of which a value is what it is: nothing in it can be changed, and no class of the user's is asked."""

SINGLE: Final = (NumberDomain, Booleans, Text, Dates)
"""Of these no member holds others."""

OF_PANDAS: Final = frozenset({"NAType", "NaTType", "Timestamp"})
"""Values of pandas, of which none changes."""


def read_once(x: Any, domain: Domain | None = None, depth: int = 0) -> object:  # whatever a function returns
    """The value as a member of this domain is read; without one, as a key is."""
    kind = type(x)
    if kind is Fraction:
        return _copied(x._numerator, x._denominator)
    if kind in ATOMS or (kind is dict and _is_of_atoms(x)):
        return x
    if (kind is list or kind is tuple) and ATOMS.issuperset(map(type, x)):
        return x
    return _of_others(x, kind, domain, depth)


def _is_of_atoms(x: dict[object, object]) -> bool:
    """Whether names and values are such; faster than by sets, of the few that a record has."""
    for value in x.values():
        if type(value) not in ATOMS:
            return False
    for name in x:  # noqa: SIM110
        if type(name) is not str:
            return False
    return True


def _of_others(x: Any, kind: type, domain: Domain | None, depth: int) -> object:
    if depth > DEEPEST:
        raise InvalidData("what may hold itself is no value")
    while isinstance(domain, Optional):
        domain = domain.of
    import numpy as np

    if kind is np.ndarray and isinstance(domain, Vector) and not x.dtype.hasobject:
        return x  # of which a list is made at once
    if isinstance(domain, Record) and not issubclass(kind, Mapping):
        named = by_name(x)
        if named is not None:
            return _read_fields(named.items(), domain, depth)
    if Enum in bases(kind) and not isinstance(domain, (NumberDomain, Text, Dates)):
        return read_once(x._value_, domain, depth + 1)
    alone = _single(x, bases(kind), domain)
    return _many(x, bases(kind), domain, depth) if alone is None else alone[0]


def _read_fields(held: Iterable[tuple[Any, object]], domain: Domain | None, depth: int) -> dict[object, object]:
    """Values by name. Of those that a record does not declare there is but the name, which is counted."""
    declared = dict(domain.fields) if isinstance(domain, Record) else None
    rows = Rows(domain.of) if isinstance(domain, Parts) else None
    read = dict[object, object]()
    for given, value in held:
        name = read_once(given, None, depth + 1)
        if declared is None:
            read[name] = read_once(value, rows, depth + 1)
        else:
            of = declared.get(name) if type(name) is str else None
            read[name] = None if of is None else read_once(value, of, depth + 1)
    return read


def _single(x: Any, kinds: tuple[type, ...], domain: Domain | None) -> tuple[object] | None:
    """A value that holds no others."""
    import numpy as np

    if x is np.ma.masked:
        return (x,)
    if np.generic in kinds:
        return (x if is_everybodys(kinds[0]) else np.array(x, subok=False)[()],)
    if is_everybodys(kinds[0]) and place_of(x).startswith("pandas.") and kinds[0].__name__ in OF_PANDAS:
        return (x,)
    for base, plain in _PLAIN.items():
        if base in kinds:
            if base is int and isinstance(domain, Integers):  # as everywhere: it may be a truth value, or a name
                raise _no_value()
            return (plain(x),)
    return None


def _many(x: Any, kinds: tuple[type, ...], domain: Domain | None, depth: int) -> object:
    if isinstance(domain, SINGLE):
        raise _no_value()
    if dict in kinds:
        return _read_fields(dict.items(x), domain, depth)
    if issubclass(kinds[0], Mapping):
        return _read_fields([(name, x[name]) for name in x], domain, depth)
    of = domain.of if isinstance(domain, (Vector, Rows)) else None
    return _entries(x, kinds, lambda each: read_once(each, of, depth + 1))


def _entries(x: Any, kinds: tuple[type, ...], read: Callable[[object], object]) -> object:
    import numpy as np

    for base, plain in _HOLDING.items():
        if base in kinds:
            return plain(map(read, base.__iter__(x)))
    if np.ndarray in kinds:
        masked = np.ma.MaskedArray in kinds
        held = x if masked else np.array(x, subok=False)
        return [*map(read, held)] if masked or held.dtype.hasobject else held
    if issubclass(kinds[0], Sequence) and not issubclass(kinds[0], OCTETS):
        return [*map(read, x)]
    raise _no_value()


def _fraction(x: Fraction) -> Fraction:
    """By what it holds, and not by what a subclass says of it."""
    return _copied(_NUMERATOR(x), _DENOMINATOR(x))


def _copied(above: object, below: object) -> Fraction:
    """As `Fraction(above, below)`, in less time, of what are the parts of one already."""
    if type(above) is not int or type(below) is not int or below <= 0 or gcd(above, below) != 1:
        raise _no_value()
    made = object.__new__(Fraction)
    held: Any = made
    held._numerator, held._denominator = above, below
    return made


def _moment(x: datetime.datetime) -> datetime.datetime:
    """Of no zone; a moment of pandas that a user's class is of may be finer than Python's."""
    *parts, zone = [part.__get__(x) for part in _OF_MOMENTS]
    if zone is not None or place_of(x).startswith("pandas."):
        raise _no_value()
    return datetime.datetime(*parts)


def _no_value() -> InvalidData:
    return InvalidData("this is no value that can be read once")


_NUMERATOR: Final[Any] = vars(Fraction)["_numerator"].__get__
_DENOMINATOR: Final[Any] = vars(Fraction)["_denominator"].__get__
_OF_MOMENTS: Final[tuple[Any, ...]] = (
    *(vars(datetime.date)[name] for name in ("year", "month", "day")),
    *(vars(datetime.datetime)[name] for name in ("hour", "minute", "second", "microsecond", "tzinfo")),
)
_HOLDING: Final[Mapping[type[Any], Callable[[Iterable[object]], object]]] = {
    list: list,
    tuple: tuple,
    set: frozenset,
    frozenset: frozenset,
}
_PLAIN: Final[Mapping[type, Callable[[Any], object]]] = {
    **PYTHONS_OWN,
    Fraction: _fraction,
    datetime.datetime: _moment,
}
