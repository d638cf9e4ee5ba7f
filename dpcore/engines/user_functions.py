"""Functions of the user, run row by row. A failure says which function and what type, never which row or what value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from dpcore.domains import Domain, Key, key
from dpcore.functions import UserFunction, looked_at, user_function


def mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain) -> list[object]:
    """`f` of each row, in canonical form."""
    function = user_function(f)
    return [_checked(function, function(row), domain) for row in rows]


def flat_mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain, limit: int) -> list[object]:
    """The first `limit` rows that `f` makes of each row, in canonical form."""
    function = user_function(f)
    return [_checked(function, made, domain) for row in rows for made in _first(function, function(row), limit)]


def key_by(by: UserFunction, row: object) -> Key:
    """The key of a row by a user's function."""
    given = by(row)
    its_key = looked_at(lambda: key(given))  # by a type of the user, which may fail to be looked at
    if its_key is None:
        raise by.returned(given, "which cannot be a key")
    return its_key


def _first(f: UserFunction, made: object, limit: int) -> list[object]:
    if not isinstance(made, Iterable) or isinstance(made, (str, bytes)):
        raise f.returned(made, "where rows were expected")
    return f.guarded(lambda: list(islice(made, limit)))  # a generator runs only now


def _checked(f: UserFunction, value: object, domain: Domain) -> object:
    kept = looked_at(lambda: _canonical(value, domain))
    if kept is None:
        raise f.returned(value, "outside the domain it declared", domain)
    return kept[0]


def _canonical(value: object, domain: Domain) -> tuple[object] | None:
    """A member in canonical form, in a tuple, as null is a member of some domains."""
    return (domain.canonical(value),) if domain.member(value) else None
