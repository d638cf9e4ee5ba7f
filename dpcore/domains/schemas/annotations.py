"""An annotation as a domain: the type of the values, and in `Annotated` a domain of ours or bounds of others.

A type has a domain here where every value of the type, as data hold it, is a member or is refused with the data. What
`Annotated` says beside is left aside, so a domain is rather too large than too small.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Literal, Required, TypeAlias, Union, get_args, get_origin
from typing import Final as Constant

from dpcore.domains.constructors import booleans, categories, date, integers, numbers, optional, text
from dpcore.domains.domain import Domain
from dpcore.domains.numeric import real
from dpcore.domains.structures import Vector
from dpcore.domains.typed import as_decimal
from dpcore.domains.values import Integers, Numbers
from dpcore.errors import InvalidParameter

PLAIN: Constant[Mapping[object, Callable[[], Domain]]] = {
    bool: booleans, int: integers, float: numbers, Decimal: numbers, Fraction: numbers, str: text, datetime.date: date,
}  # fmt: skip

KNOWN: Constant = (
    "int, float, Decimal, Fraction, bool, str, datetime.date, Literal[...], an Enum, or one of them | None"
)

Ends: TypeAlias = Sequence[tuple[str, Fraction]]

BRIDGES: Constant[Mapping[object, str]] = {
    datetime.datetime: "datetime.date, of which a moment at midnight is one",
    list: "Annotated[list[int], vector(integers(), size)]",
    tuple: "Annotated[tuple[int, ...], vector(integers(), size)]",
}


def domain_of(said: object, *remarks: object) -> Domain:
    """The domain of an annotation, with what was said about it from outside."""
    origin, args = get_origin(said), get_args(said)
    if origin is Annotated:
        return domain_of(args[0], *args[1:], *remarks)
    if origin is Required or origin is Constant:
        return domain_of(args[0], *remarks)
    for renamed in ("__supertype__", "__value__"):  # of a NewType, of `type X = ...`
        if hasattr(said, renamed):
            return domain_of(getattr(said, renamed), *remarks)
    own = [remark for remark in remarks if isinstance(remark, Domain)]
    if len(own) > 1:
        raise InvalidParameter(f"Expected one domain but got {' and '.join(map(repr, own))}", produced=tuple(own))
    if own:
        return agreed(said, own[0], remarks)
    present = _beside_none(said)
    return limited(_plain(said), remarks) if present is None else optional(domain_of(present, *remarks))


def _beside_none(said: object) -> object:
    """X of `X | None`; None of anything else."""
    args = get_args(said)
    if get_origin(said) not in (Union, UnionType) or len(args) != 2 or NoneType not in args:
        return None
    return args[0] if args[1] is NoneType else args[1]


def _plain(said: object) -> Domain:
    """What a type says by itself."""
    if get_origin(said) is Literal:
        values = [value for value in get_args(said) if value is not None]
        found = categories(values)
        return optional(found) if None in get_args(said) else found
    if isinstance(said, type) and issubclass(said, Enum) and not issubclass(said, Flag):
        return categories(list(said))
    make = next((make for kind, make in PLAIN.items() if kind is said), None)
    if make is None:
        near = BRIDGES.get(get_origin(said) or said, KNOWN)
        raise InvalidParameter(f"there is no domain of {shown(said)}", produced=said, bridge=near)
    return make()


def shown(said: object) -> str:
    return said.__name__ if isinstance(said, type) else str(said).replace("typing.", "")


# ---- a domain of ours --------------------------------------------------------------------------------------------


def agreed(said: object, domain: Domain, remarks: Sequence[object] = ()) -> Domain:
    """The domain that stands beside a type, where it holds no more than the type, and None where the type does."""
    if isinstance(domain, Vector) and get_origin(said) in (list, tuple, Sequence):
        for each in get_args(said):
            if each is not ...:
                agreed(each, domain.of)
        return domain
    expected = domain_of(said, *(remark for remark in remarks if not isinstance(remark, Domain)))
    few = domain.elements()
    inside = expected.includes(domain) or (few is not None and all(map(expected.member, few)))
    if not inside:
        headline = f"{domain!r} holds what {shown(said)} does not"
        raise InvalidParameter(headline, produced=domain, expected=expected, bridge=repr(expected))
    if expected.member(None) and not domain.member(None):
        raise InvalidParameter(f"{shown(said)} holds None, and {domain!r} does not", bridge=f"optional({domain!r})")
    return domain


# ---- bounds of others --------------------------------------------------------------------------------------------


def limited(domain: Domain, remarks: Sequence[object]) -> Domain:
    """The domain within the bounds that annotated-types, pydantic and others write: `ge`, `gt`, `le`, `lt`.

    Whole numbers above 0 are those from 1 on. Of other numbers there is no first above 0, so an open bound is refused.
    """
    ends = [(name, _number(name, end)) for name, end in _ends(remarks)]
    if not ends:
        return domain
    if isinstance(domain, Integers):
        return _whole_within(ends)
    if isinstance(domain, Numbers):
        return _within(ends)
    raise InvalidParameter(f"there are no bounds in {domain!r}", bridge="a domain in their place, in Annotated")


def _whole_within(ends: Ends) -> Domain:
    lows = [math.ceil(end) if name == "ge" else math.floor(end) + 1 for name, end in ends if name[0] == "g"]
    highs = [math.floor(end) if name == "le" else math.ceil(end) - 1 for name, end in ends if name[0] == "l"]
    return integers(max(lows, default=None), min(highs, default=None))


def _within(ends: Ends) -> Domain:
    for name, end in ends:
        if name in ("gt", "lt"):
            closed = f"{name[0]}e={as_decimal(end)}"
            raise InvalidParameter(
                f"{name}={as_decimal(end)} leaves its bound out, which numbers() do not", bridge=closed
            )
    lows, highs = ([end for name, end in ends if name == wanted] for wanted in ("ge", "le"))
    return numbers(max(lows, default=None), min(highs, default=None))


def _ends(remarks: Sequence[object]) -> Iterator[tuple[str, object]]:
    for remark in remarks:
        gathered: object = getattr(remark, "metadata", None)  # a Field of pydantic holds a list of such remarks
        if isinstance(gathered, list):
            yield from _ends(gathered)
        for name in ("ge", "gt", "le", "lt"):
            end: object = getattr(remark, name, None)
            if end is not None:
                yield name, end


def _number(name: str, end: object) -> Fraction:
    number = real(end)
    if number is None:
        raise InvalidParameter(f"Expected a finite number but got {name}={end!r}", produced=end)
    return number
