"""The constants that an arrow is made of: bounds, bins, thresholds, what its expressions and functions compare with.

Where a map is wrong, it is wrong near these, so data are made of them and of their neighbours.
"""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from types import CodeType
from typing import TypeAlias

from dpcore.calculus import Derivation
from dpcore.domains import Domain, real
from dpcore.expressions import Expression
from dpcore.functions import UserFunction
from dpcore.maps import is_short

Plain: TypeAlias = int | Fraction | str | datetime.date


def constants(derivation: Derivation) -> tuple[Plain, ...]:
    """All plain values in the parameters of a derivation, each once, in the order in which they are met."""
    return tuple(dict.fromkeys(_in_tree(derivation)))


def _in_tree(derivation: Derivation) -> Iterator[Plain]:
    for value in derivation.parameters.values():
        yield from _in(value)
    for premise in derivation.premises:
        yield from _in_tree(premise)


def _in(x: object) -> Iterator[Plain]:
    if isinstance(x, bool) or x is None:
        return
    if isinstance(x, (float, Decimal)):
        yield from _in(real(x))
    elif isinstance(x, (int, Fraction)):
        if is_short(x):
            yield x.numerator if x.denominator == 1 else x
    elif isinstance(x, (str, datetime.date)):
        yield x
    elif isinstance(x, Expression):
        yield from _in_written(x.data())
    elif isinstance(x, UserFunction):
        yield from _in_code(getattr(x.function, "__code__", None))
    elif isinstance(x, (tuple, list, frozenset)):
        for part in x:
            yield from _in(part)
    elif isinstance(x, Mapping):
        for part in (*x.keys(), *x.values()):
            yield from _in(part)
    elif isinstance(x, Domain):
        for name in getattr(x, "__dataclass_fields__", ()):
            yield from _in(getattr(x, name))


def _in_written(node: Mapping[str, object]) -> Iterator[Plain]:
    """The constants of an expression, as it is serialised: a number is written as text."""
    of = node.get("of")
    if isinstance(of, list):
        for operand in of:
            yield from _in_written(operand)
    value = node.get("value")
    if isinstance(value, str):
        yield value
        try:
            yield from _in(Fraction(value))
        except (ValueError, ZeroDivisionError):
            with suppress(ValueError):
                yield datetime.date.fromisoformat(value)


def _in_code(code: object) -> Iterator[Plain]:
    if isinstance(code, CodeType):
        for constant in code.co_consts:
            yield from _in_code(constant) if isinstance(constant, CodeType) else _in(constant)


def numbers_among(found: tuple[Hashable, ...]) -> list[int | Fraction]:
    """The numbers among them, and those one beside each, smallest in size first."""
    near = [x + step for x in found if isinstance(x, (int, Fraction)) for step in (0, 1, -1)]
    return sorted(set(near), key=lambda x: (abs(x), x < 0))
