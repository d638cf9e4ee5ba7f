"""Functions of the user, run row by row. A failure says which function and what type, never which row or what value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from types import GeneratorType

from dpcore.domains import Domain, Key, key
from dpcore.domains.reading import ATOMS, read_once
from dpcore.errors import Interruption
from dpcore.functions import UserFunction, looked_at, reading, user_function


def mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain) -> list[object]:
    """`f` of each row, in canonical form."""
    function = user_function(f)
    return reading(lambda: [_checked(function, function(row), domain) for row in rows])


def flat_mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain, limit: int) -> list[object]:
    """The first `limit` rows that `f` makes of each row, in canonical form."""
    function = user_function(f)
    return reading(
        lambda: [_checked(function, made, domain) for row in rows for made in _first(function, function(row), limit)]
    )


def key_by(by: UserFunction, row: object) -> Key:
    """The key of a row by a user's function; to be called within `reading`."""
    given = by(row)
    its_key = looked_at(lambda: key(read_once(given)))  # of a type of the user, which may fail to be looked at
    if its_key is None:
        raise by.returned(given, "which cannot be a key")
    return its_key


def _first(f: UserFunction, made: object, limit: int) -> list[object]:
    if not isinstance(made, Iterable) or isinstance(made, (str, bytes)):
        raise f.returned(made, "where rows were expected")
    return f.guarded(lambda: _taken(made, limit))  # a generator runs only now


def _taken(made: Iterable[object], limit: int) -> list[object]:
    """As many, and the end of a generator that is cut off, which runs too."""
    rows = iter(made)
    taken = list(islice(rows, limit))
    if isinstance(rows, GeneratorType):
        rows.close()
    return taken


def _checked(f: UserFunction, value: object, domain: Domain) -> object:
    """The value in canonical form. What is checked is what is used."""
    try:
        held = value if type(value) in ATOMS else read_once(value, domain)
        if domain.offence(held) is None:
            return domain.canonical(held)
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException:  # of a type of the user, which may fail to be looked at
        pass
    raise f.returned(value, "outside the domain it declared", domain)
