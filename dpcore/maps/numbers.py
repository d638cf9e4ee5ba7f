"""What a user may write where a number goes, read exactly: `0.1` is one tenth."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from flint import fmpq

from dpcore.errors import FreeSymbols, InvalidParameter, looked_at

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class Number(Protocol):
    """A rational, a ball or a formula: whatever a rule computes with."""

    def __add__(self, other: Any, /) -> Number: ...
    def __radd__(self, other: Any, /) -> Number: ...
    def __sub__(self, other: Any, /) -> Number: ...
    def __rsub__(self, other: Any, /) -> Number: ...
    def __mul__(self, other: Any, /) -> Number: ...
    def __rmul__(self, other: Any, /) -> Number: ...
    def __truediv__(self, other: Any, /) -> Number: ...
    def __rtruediv__(self, other: Any, /) -> Number: ...
    def __pow__(self, other: Any, /) -> Number: ...
    def __neg__(self) -> Number: ...
    def __abs__(self) -> Number: ...


class Symbolic(Number, Protocol):
    """A formula with free symbols, standing where a number will be."""

    @property
    def free_symbols(self) -> set[Any]: ...


Numeric: TypeAlias = int | float | str | Fraction | Decimal | Symbolic
"""What a user may write where a number goes."""


Exact: TypeAlias = int | Fraction | Symbolic
"""What is kept of it: the same number exactly, or the symbol."""


def counted(x: object) -> int | None:
    """What counts, as a Python int: one, or whatever Python takes in its place, as numpy's integers are. No truth value."""
    if type(x) is int:
        return x
    if isinstance(x, (bool, type)):
        return None
    value: Any = x
    return looked_at(lambda: operator.index(value))  # of which a class of somebody else's may raise anything


def exact(x: object, name: str = "number") -> Exact:
    """The number that was typed: `0.1` is one tenth, `"1/3"` a third. Refuses NaN, infinities and truth values."""
    if type(x) is int or (type(x) is Fraction and type(x.numerator) is type(x.denominator) is int):
        return x
    if isinstance(x, bool):
        raise InvalidParameter(f"Expected a number but got a truth value for {name}", produced=x)
    x = _plain(x)
    if isinstance(x, (str, Decimal)):
        _of_writable_size(x, name)
    try:
        if isinstance(x, float):
            return _lowest(Fraction(repr(x)))
        if isinstance(x, (str, Decimal)):
            return _lowest(_typed(x))
        if isinstance(x, (int, Fraction)):
            return _lowest(Fraction(x))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidParameter(f"Expected a finite number but got {name}={x!r}", produced=x) from None
    if is_formula(x):
        return _from_sympy(x, name)
    if type(x).__module__ == "numpy" and hasattr(x, "item"):
        return _from_numpy(x, name)
    count = counted(x)
    if count is not None:
        return count
    enclosed = isinstance(getattr(type(x), "upper", None), property)  # a `Bound`, which this layer does not know
    raise InvalidParameter(
        f"Expected a number for {name} but got a {type(x).__name__}",
        produced=type(x),
        bridge=".upper or .lower of it, whichever is the safe side here: a rational" if enclosed else None,
    )


def _plain(x: object) -> object:
    """A number of a class of somebody's own as Python has it, read once: what it says of itself may be another each time."""
    try:
        for base, plain in PYTHONS_OWN.items():
            if isinstance(x, base):
                return plain(x)
        if isinstance(x, Fraction):
            return Fraction(int.__index__(x.numerator), int.__index__(x.denominator))
    except TypeError:  # of another class than it says
        raise InvalidParameter(f"Expected a number but got a {type(x).__name__}", produced=type(x)) from None
    return x


PYTHONS_OWN: Final[Mapping[type, Callable[[Any], object]]] = {
    int: int.__index__,
    float: float.__float__,
    str: str.__str__,
    # `Decimal(x)` would read a tuple that says it is one.
    Decimal: lambda x: Decimal(Decimal.__str__(x)),
}
"""What a number or a text holds, asked of the class of Python that it is of, and not of its own."""

DIGITS_LIMIT = 10_000


def _of_writable_size(x: str | Decimal, name: str) -> None:
    """A short text can name a number that fills the memory; nobody means `1e999999999`."""
    mantissa, _, exponent = str(x).lower().partition("e")
    exponent = exponent.strip().lstrip("+-")
    if len(mantissa) > DIGITS_LIMIT or (exponent.isdigit() and (len(exponent) > 9 or int(exponent) > DIGITS_LIMIT)):
        raise InvalidParameter(f"Expected a number of at most {DIGITS_LIMIT} digits for {name}", expected=DIGITS_LIMIT)


def integer(x: object, name: str = "number") -> int | Symbolic:
    """A whole number, or a symbol for one."""
    value = exact(x, name)
    if isinstance(value, Fraction):
        if value.denominator != 1:
            raise InvalidParameter(f"Expected a whole number but got {name}={x!r}", produced=x)
        return int(value)
    return value


def positive(x: object, name: str) -> Exact:
    value = exact(x, name)
    if not is_formula(value) and value <= 0:
        raise InvalidParameter(f"Expected a positive {name} but got {name}={show(value)}", produced=value)
    return value


def between_0_and_1(x: object, name: str) -> Exact:
    value = exact(x, name)
    if not is_formula(value) and not 0 < value < 1:
        raise InvalidParameter(f"Expected 0 < {name} < 1 but got {name}={show(value)}", produced=value)
    return value


def confidence_of(confidence: object) -> Fraction:
    """A confidence, which is known and leaves something to chance."""
    return Fraction(known(between_0_and_1(confidence, "confidence"), "confidence"))


def is_formula(x: object) -> TypeIs[Symbolic]:
    return hasattr(x, "free_symbols")


def symbols_of(xs: Iterable[Number | Exact | None]) -> frozenset[str]:
    """The names of all symbols that are free in any of the numbers."""
    return frozenset().union(*[{s.name for s in x.free_symbols} for x in xs if is_formula(x)])


def known(x: Exact, name: str = "number") -> int | Fraction:
    """The number itself, where a symbol would not do."""
    if is_formula(x):
        raise FreeSymbols(f"{name} is still the symbol {x}: bind it to a number first", produced=x)
    return x


def _typed(x: str | Decimal) -> Fraction:
    """Refuses an exponent of millions before its digits take the memory."""
    exponent = x.partition("e" if "e" in x else "E")[2] if isinstance(x, str) else x.as_tuple().exponent
    if exponent and abs(int(exponent)) > LONG:
        raise OverflowError
    return Fraction(x)


def _from_numpy(x: object, name: str) -> Exact:
    """A numpy scalar, a float of any width as its own shortest decimal."""
    scalar = cast(Any, x)
    kind = scalar.dtype.kind if scalar.ndim == 0 else None
    if kind is not None and kind in "biu":
        return exact(scalar.item(), name)
    if kind != "f":
        raise InvalidParameter(f"Expected a number for {name} but got a {type(x).__name__}", produced=type(x))
    return exact(str(x), name)


def _lowest(x: Fraction) -> int | Fraction:
    return x.numerator if x.denominator == 1 else x


def _from_sympy(x: Symbolic, name: str) -> Exact:
    if x.free_symbols:
        return x
    formula = cast(Any, x)
    if formula.is_Rational:
        return _lowest(Fraction(int(formula.p), int(formula.q)))
    if formula.is_Float:
        return exact(str(formula), name)
    raise InvalidParameter(f"Expected a rational number but got {name}={x}", produced=x)


def as_number(x: object) -> Number:
    """The flint and sympy types do have the operators that `Number` asks for; their annotations are narrower."""
    return cast(Number, x)


def times(x: Exact, y: Exact) -> Exact:
    return cast(Exact, cast(Any, x) * cast(Any, y))


def numeral(x: object) -> Number:
    """The same number as a rational of the exact reading (a formula stays a formula)."""
    if type(x) is int:
        return as_number(fmpq(x))
    if isinstance(x, Fraction):
        return as_number(fmpq(x.numerator, x.denominator))
    return cast(Number, x)


def rational_in(x: Number) -> Fraction | None:
    """The number itself where it is a rational of the exact reading; None of a ball, and of a formula."""
    if isinstance(x, fmpq):
        return Fraction(int(x.p), int(x.q))
    return Fraction(x) if isinstance(x, int) else None


LONG = 13_000
"""Bits of a numerator or denominator up to which a number is printed. Python itself refuses somewhat longer ones."""


def is_short(x: int | Fraction) -> bool:
    """Whether the number can be printed digit by digit."""
    return x.numerator.bit_length() <= LONG and x.denominator.bit_length() <= LONG


def show(x: Exact) -> str:
    """As one would type it: `3`, `1/2`, `b`."""
    if is_formula(x) or is_short(x):
        return str(x)
    return f"about 2^{x.numerator.bit_length() - x.denominator.bit_length()}"


def argument(x: object) -> str:
    """As the argument of a printed call, so that evaluating the print rebuilds the value."""
    if isinstance(x, Fraction) and x.denominator == 1:
        return argument(x.numerator)
    if isinstance(x, Fraction):
        return f"'{x}'" if is_short(x) else f"<{show(x)}>"
    if type(x) is int and not is_short(x):
        return hex(x)
    if is_formula(x):
        return _formula_argument(x)
    return repr(x)


def _formula_argument(x: Symbolic) -> str:
    names = set(map(str, x.free_symbols))
    return re.sub(r"\w+", lambda word: f"symbol({word[0]!r})" if word[0] in names else word[0], str(x))
