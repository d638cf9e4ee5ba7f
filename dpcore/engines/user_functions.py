"""Functions of the user, run row by row. A failure says which function and what type, never which row or what value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from dpcore.domains import Domain
from dpcore.errors import UserFunctionFailed
from dpcore.functions import UserFunction


def name_of(f: Callable[[object], object]) -> str:
    return f.name if isinstance(f, UserFunction) else str(getattr(f, "__qualname__", type(f).__qualname__))


def mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain) -> list[object]:
    """`f` of each row, in canonical form."""
    return [_checked(f, _called(f, row), domain) for row in rows]


def flat_mapped(rows: Iterable[object], f: Callable[[object], object], domain: Domain, limit: int) -> list[object]:
    """The first `limit` rows that `f` makes of each row, in canonical form."""
    return [_checked(f, made, domain) for row in rows for made in _first(f, _called(f, row), limit)]


def _called(f: Callable[[object], object], row: object) -> object:
    try:
        return f(row)
    except UserFunctionFailed:
        raise
    except Exception as failure:
        kind = type(failure).__name__
    raise UserFunctionFailed(f"the function {name_of(f)} raised {_article(kind)}") from None


def _first(f: Callable[[object], object], made: object, limit: int) -> list[object]:
    if not isinstance(made, Iterable) or isinstance(made, (str, bytes)):
        kind = type(made).__name__
        raise UserFunctionFailed(f"the function {name_of(f)} returned {_article(kind)} where rows were expected")
    try:
        return list(islice(made, limit))
    except Exception as failure:
        kind = type(failure).__name__
    raise UserFunctionFailed(f"the function {name_of(f)} raised {_article(kind)}") from None


def _checked(f: Callable[[object], object], value: object, domain: Domain) -> object:
    kind = type(value).__name__
    try:
        if domain.member(value):
            return domain.canonical(value)
    except Exception:  # a value that fails to be looked at, by a type of the user, is no member
        pass
    raise UserFunctionFailed(
        f"the function {name_of(f)} returned {_article(kind)} outside the domain it declared", expected=domain
    ) from None


def _article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'AEIOUaeio' else 'a'} {kind}"
