"""Plain values as they are typed: what stands for one where it is given, and the code that it is printed as."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from keyword import iskeyword

from dpcore.domains.keys import day_of
from dpcore.domains.numeric import real, unwrapped
from dpcore.maps import argument


class Constant:
    """What stands for a value where it is typed, as `ratio(1, 3)` does."""

    __slots__ = ()

    def constant(self) -> object:
        """The value; itself where it stands for none."""
        return self


def is_keyword(name: str) -> bool:
    """Whether a name can stand before `=` in a call, and is that very name then: Python reads some letters as others."""
    from unicodedata import normalize

    return name.isidentifier() and not iskeyword(name) and name != "__debug__" and normalize("NFKC", name) == name


def plainly(x: object) -> object:
    """A value as it was typed, without numpy's scalars, also inside a tuple; of a constant its value."""
    if isinstance(x, Constant):
        return x.constant()
    if type(x) is tuple:
        return tuple(map(plainly, x))
    return day_of(x) or unwrapped(x)


def as_typed(value: object) -> str:
    """A plain value as code that needs nothing but `from dpcore import *`: numbers that are no decimals as ratios, days as
    days."""
    if type(value) is tuple:
        return f"({', '.join(map(as_typed, value))}{',' if len(value) == 1 else ''})"
    if type(value) is datetime.date:
        return f"day({value.isoformat()!r})"
    return as_decimal(value) if isinstance(value, (Fraction, Decimal)) else argument(value)


def as_decimal(x: Fraction | Decimal) -> str:
    """The shortest decimal, where a float has it; otherwise a ratio."""
    exact = real(x)
    assert exact is not None
    if exact.denominator == 1:
        return argument(exact.numerator)
    # A float can hold its size; a quotient of ints is rounded correctly then.
    if -1000 < exact.numerator.bit_length() - exact.denominator.bit_length() < 1000:
        decimal = repr(exact.numerator / exact.denominator)
        if Fraction(decimal) == exact:
            return decimal
    return f"ratio({argument(exact.numerator)}, {argument(exact.denominator)})"
