"""Numbers of three kinds, and the functions that rules are written with. The only door to sympy.

A rule of the calculus is one plain function, `def laplace(d, *, scale): return d / scale`. It is read with

    exact numbers      fmpq            rationals, without rounding
    rigorous numbers   arb             balls that enclose the true value, wherever log, exp or sqrt enter
    formulas           sympy.Expr      for reading, never for evaluating

and this module supplies what arithmetic operators do not: `log`, `exp`, `sqrt`, `floor`, `maximum`, `total`, ...
sympy is imported when the first formula is asked for, not before.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast

from flint import arb, ctx, fmpq

from dpcore.errors import FreeSymbols, InvalidParameter, Undecided

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

R = TypeVar("R")

PRECISION = 128
"""Bits that the rigorous reading starts with; it doubles them until a question is decided."""

PRECISION_LIMIT = 1 << 14


# ---- reading what was typed ------------------------------------------------------------------------------------


def exact(x: object, name: str = "number") -> Exact:
    """The number that was typed: `0.1` is one tenth, `"1/3"` a third. Refuses NaN, infinities and truth values."""
    if type(x) is int or type(x) is Fraction:
        return x
    if isinstance(x, bool):
        raise InvalidParameter(f"Expected a number but got a truth value for {name}", produced=x)
    try:
        if isinstance(x, float):
            return _lowest(Fraction(repr(float(x))))
        if isinstance(x, (int, str, Fraction, Decimal)):
            return _lowest(Fraction(x))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidParameter(f"Expected a finite number but got {name}={x!r}", produced=x) from None
    if is_formula(x):
        return _from_sympy(x, name)
    if hasattr(x, "__index__"):
        return int(x.__index__())
    if type(x).__module__ == "numpy" and hasattr(x, "item"):
        return exact(x.item(), name)
    raise InvalidParameter(f"Expected a number for {name} but got a {type(x).__name__}", produced=type(x))


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


def is_formula(x: object) -> TypeIs[Symbolic]:
    return hasattr(x, "free_symbols")


def known(x: Exact, name: str = "number") -> int | Fraction:
    """The number itself, where a symbol would not do."""
    if is_formula(x):
        raise FreeSymbols(f"{name} is still the symbol {x}: bind it to a number first", produced=x)
    return x


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


def times(x: Exact, y: Exact) -> Exact:
    return cast(Exact, cast(Any, x) * cast(Any, y))


def numeral(x: object) -> Number:
    """The same number as a rational of the exact reading (a formula stays a formula)."""
    if type(x) is int:
        return _number(fmpq(x))
    if isinstance(x, Fraction):
        return _number(fmpq(x.numerator, x.denominator))
    return cast(Number, x)


def show(x: Exact) -> str:
    """As one would type it: `3`, `1/2`, `b`."""
    return str(x)


def argument(x: object) -> str:
    """As the argument of a printed call, so that evaluating the print rebuilds the value."""
    if isinstance(x, Fraction):
        return f"'{x}'" if x.denominator != 1 else str(x.numerator)
    if is_formula(x):
        return _formula_argument(x)
    return repr(x)


def _formula_argument(x: Symbolic) -> str:
    text = str(x)
    for s in sorted(map(str, x.free_symbols), key=len, reverse=True):
        text = text.replace(s, f"symbol({s!r})")
    return text


# ---- the three kinds -------------------------------------------------------------------------------------------


def _number(x: object) -> Number:
    """The flint and sympy types do have the operators that `Number` asks for; their annotations are narrower."""
    return cast(Number, x)


def _ball(x: Number) -> arb:
    return arb(cast(Any, x))


def _rational(x: object) -> bool:
    return isinstance(x, (fmpq, int))


def _fraction(x: Any) -> tuple[int, int]:
    return (x, 1) if isinstance(x, int) else (int(x.p), int(x.q))


def _sympy(x: object) -> bool:
    return not isinstance(x, (fmpq, arb, int))


ZERO: Number = _number(0)
ONE: Number = _number(1)
"""Constants that mix with numbers of every kind. What is handed to a map is `one_like(d)` instead."""


def one_like(x: Number) -> Number:
    """The number 1 of the same kind as x."""
    return _number(_sp().Integer(1)) if _sympy(x) else _number(fmpq(1))


def log(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().log(x))
    return _number(fmpq(0)) if x == 1 else _number(_ball(x).log())


def exp(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().exp(x))
    return _number(fmpq(1)) if x == 0 else _number(_ball(x).exp())


def expm1(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().exp(x) - 1)
    return _number(fmpq(0)) if x == 0 else _number(_ball(x).expm1())


def log1p(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().log(1 + cast(Any, x)))
    return _number(fmpq(0)) if x == 0 else _number(_ball(x).log1p())


def sqrt(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().sqrt(x))
    if _rational(x):
        p, q = _fraction(x)
        if p >= 0 and math.isqrt(p) ** 2 == p and math.isqrt(q) ** 2 == q:
            return _number(fmpq(math.isqrt(p), math.isqrt(q)))
    # A ball that touches zero from below: its square root is meant for the part at or above zero.
    ball = _ball(x)
    return _number(ball.nonnegative_part().sqrt() if not ball > 0 else ball.sqrt())


def floor(x: Number) -> Number:
    if _sympy(x):
        return _number(_sp().floor(x))
    return _number(fmpq(operator.floordiv(*_fraction(x)))) if _rational(x) else _number(_ball(x).floor())


def maximum(*xs: Number) -> Number:
    """The largest; of balls, a ball that encloses it."""
    return _extremum(xs, largest=True)


def minimum(*xs: Number) -> Number:
    return _extremum(xs, largest=False)


def _extremum(xs: Sequence[Number], *, largest: bool) -> Number:
    distinct = list(dict.fromkeys(xs)) if not any(isinstance(x, arb) for x in xs) else list(xs)
    if len(distinct) == 1:
        return distinct[0]
    if any(_sympy(x) for x in distinct):
        sp = _sp()
        terms = [formula(x) for x in distinct]
        decided = all(t.is_number for t in terms) or len(terms) <= 3
        return _number((sp.Max if largest else sp.Min)(*terms, evaluate=decided))
    if all(map(_rational, distinct)):
        return _number(max(cast(Any, distinct)) if largest else min(cast(Any, distinct)))
    best = _ball(distinct[0])
    for x in distinct[1:]:
        best = best.max(_ball(x)) if largest else best.min(_ball(x))
    return _number(best)


def total(xs: Sequence[Number]) -> Number:
    """A sum by halves: denominators stay short for as long as possible."""
    n = len(xs)
    if n <= 2:
        return _number(fmpq(0)) if n == 0 else xs[0] if n == 1 else xs[0] + xs[1]
    if isinstance(xs[0], fmpq) and xs.count(xs[0]) == n:
        return xs[0] * n
    if n > 16 and _sympy(xs[0]):
        return _number(_sp().Add(*xs))
    return total(xs[: n // 2]) + total(xs[n // 2 :])


def largest_pair(xs: Sequence[Number]) -> Number:
    """The largest sum of two of them, `max(x_i + x_j)` over `i != j`."""
    if len(xs) < 2:
        return xs[0] if xs else _number(fmpq(0))
    if any(_sympy(x) for x in xs):
        return maximum(*(x + y for i, x in enumerate(xs) for y in xs[i + 1 :]))
    if all(_rational(x) for x in xs):
        first, second = sorted(cast(Any, xs))[-2:]
        return _number(first + second)
    balls = sorted((_ball(x) for x in xs), key=lambda b: upward(_number(b)))
    # The two largest upper ends bound every pair from above; `max` keeps the enclosure of each.
    return _number(balls[-1] + balls[-2])


def power(x: Number, n: int) -> Number:
    return x**n if n else ONE


def binomial(n: int, k: int) -> Number:
    return _number(math.comb(n, k))


def normal_cdf(x: Number) -> Number:
    """Phi(x), the distribution function of the standard normal."""
    if _sympy(x):
        sp = _sp()
        return _number(sp.erfc(-cast(Any, x) / sp.sqrt(2)) / 2)
    return _number((-_ball(x) / arb(2).sqrt()).erfc() / 2)


def normal_quantile(p: Number) -> Number:
    """The inverse of `normal_cdf` on the open interval (0, 1)."""
    if _sympy(p):
        sp = _sp()
        return _number(sp.sqrt(2) * sp.erfinv(2 * cast(Any, p) - 1))
    return _number(arb(2).sqrt() * (2 * _ball(p) - 1).erfinv())


def at_least(x: Number, y: Number) -> bool:
    """Whether `x >= y`, decided; refuses where the enclosures overlap (the reading then asks again, more precisely)."""
    if _sympy(x) or _sympy(y):
        raise FreeSymbols("a comparison needs numbers, not symbols", left=x, right=y)
    if cast(Any, x) >= cast(Any, y):
        return True
    if cast(Any, x) < cast(Any, y):
        return False
    raise _Overlap


class _Overlap(Exception):
    """The enclosures of two numbers overlap at this precision."""


# ---- the numeric reading -----------------------------------------------------------------------------------------


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls of so many bits. Balls enclose at any precision, so another thread can at worst see wider ones."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def refined(compute: Callable[[], R]) -> R:
    """`compute()`: at once where it is rational, else at a precision at which every comparison in it is decided."""
    try:
        value = compute()
        if isinstance(value, (fmpq, int)):
            return value
    except _Overlap:
        pass
    return at_precision(PRECISION, compute)


def at_precision(bits: int, compute: Callable[[], R]) -> R:
    """`compute()` with balls of at least so many bits, more where a comparison in it needs them."""
    while bits <= PRECISION_LIMIT:
        with precision(bits):
            try:
                return compute()
            except _Overlap:
                bits *= 2
    raise Undecided(f"a comparison was not decided with {PRECISION_LIMIT} bits")


def is_zero(x: Number) -> bool:
    """Whether the number is known to be zero (a formula is not)."""
    return _rational(x) and x == 0


def is_number(x: object) -> TypeIs[Number]:
    """Whether a rule could have computed it: a rational, a ball or a formula."""
    return isinstance(x, (fmpq, arb)) or is_formula(x)


def is_symbolic(x: Number) -> bool:
    """Whether the number is a formula of the symbolic reading."""
    return _sympy(x)


def ball_between(low: Fraction, high: Fraction) -> Number:
    """A ball that contains both."""
    middle, radius = (low + high) / 2, (high - low) / 2
    return _number(_ball(numeral(middle)) + arb(0, _ball(numeral(radius)).upper()))


def as_ball(x: arb) -> Number:
    """A ball that another part of the library has enclosed something in."""
    return _number(x)


def as_fraction(x: Number) -> Fraction:
    """A number of the exact reading; refuses balls, whose value is not known exactly."""
    if not is_exact(x):
        raise Undecided("an exact rational is needed where only an enclosure is known", produced=x)
    return ends(x)[0]


def whole_above(x: Number) -> int:
    """The least whole number strictly above x; asks for more bits while the enclosure of x leaves two of them."""
    low, high = ends(x)
    if math.floor(low) != math.floor(high):
        raise _Overlap
    return math.floor(low) + 1


def working_bits() -> int:
    """The precision that is set now."""
    return int(ctx.prec)


def is_exact(x: Number) -> bool:
    return _rational(x)


def is_finite(x: Number) -> bool:
    return not isinstance(x, arb) or bool(x.is_finite())


def ends(x: Number) -> tuple[Fraction, Fraction]:
    """Two rationals that enclose the number; the same one twice where it is exact."""
    if _rational(x):
        value = Fraction(*_fraction(x))
        return value, value
    if isinstance(x, arb) and x.is_finite():
        return _dyadic(x.lower()), _dyadic(x.upper())
    if is_formula(x):
        raise FreeSymbols(f"{x} is a formula, not a number", produced=x)
    raise Undecided("an enclosure grew without bound", produced=x)


def _dyadic(x: arb) -> Fraction:
    mantissa, exponent = (int(v) for v in x.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def upward(x: Number | Fraction) -> float:
    """The least float at or above the number, or at or above the upper end of its ball."""
    value = x if isinstance(x, Fraction) else ends(x)[1]
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def sum_upward(xs: Iterable[Number]) -> Number:
    """A sum rounded up to a ball, for terms whose common denominator would be thousands of digits long."""
    result = arb(0)
    for x in xs:
        result += _ball(x)
    return _number(result)


# ---- formulas ----------------------------------------------------------------------------------------------------


def _sp() -> Any:
    import sympy

    return sympy


def symbol(name: str) -> Symbolic:
    """A positive real number that is not known yet. `measurement.bind(name=value)` puts a number in its place."""
    if not str(name).isidentifier():
        raise InvalidParameter(f"Expected a name for the symbol but got {name!r}", produced=name)
    if name in RESERVED:
        raise InvalidParameter(f"the name {name!r} is taken by the maps themselves; choose another", produced=name)
    return cast(Symbolic, _sp().Symbol(name, positive=True))


RESERVED = ("d_in", "alpha", "epsilon", "delta")


def variable(name: str, *, whole: bool = False) -> Number:
    """One of the variables that maps are functions of."""
    assumptions = {"nonnegative": True, "integer": True} if whole else {"nonnegative": True}
    return _number(_sp().Symbol(name, **assumptions))


def formula(x: object) -> Any:
    """The sympy form of a number of any kind."""
    sp = _sp()
    if isinstance(x, fmpq):
        return sp.Rational(int(x.p), int(x.q))
    if type(x) is int or isinstance(x, Fraction):
        return sp.Rational(x.numerator, x.denominator)
    if isinstance(x, arb):
        raise FreeSymbols("a ball is no formula", produced=x)
    return x


def named_function(name: str, *args: object) -> Number:
    """A function that has no closed form, by its name."""
    return _number(_sp().Function(name)(*(formula(a) for a in args)))


def latex(x: Number) -> str:
    return str(_sp().latex(formula(x)))


def substitute(x: Exact, values: dict[str, Exact]) -> Exact:
    """The number with symbols replaced; exact again as soon as none is left."""
    if not is_formula(x):
        return x
    found = {s: formula(values[str(s)]) for s in x.free_symbols if str(s) in values}
    return exact(cast(Any, x).xreplace(found)) if found else x


def symbols_of(xs: Iterable[object]) -> frozenset[str]:
    """The names of all symbols that are free in any of them, or in tuples of them."""
    found: set[str] = set()
    for x in xs:
        if isinstance(x, tuple):
            found |= symbols_of(x)
        elif is_formula(x):
            found |= {str(s) for s in x.free_symbols}
    return frozenset(found)


def solutions(side: object, at: dict[str, Exact], level: Fraction, name: str) -> list[Any]:
    """Real closed forms of the symbol at which `side == level`, or none where sympy finds none."""
    sp, equation = _sp(), formula(side)
    equation = equation.xreplace({s: formula(at[str(s)]) for s in equation.free_symbols if str(s) in at}) - formula(
        level
    )
    unknown = next((s for s in equation.free_symbols if str(s) == name), None)
    if unknown is None:
        return []
    try:
        found = sp.solve(equation, unknown)
    except (NotImplementedError, ValueError, TypeError):
        return []
    return [s for s in found if s.is_real and not s.free_symbols]


def around(value: Any, bits: int = PRECISION) -> tuple[Fraction, Fraction]:
    """Rationals just below and just above a real closed form (a suggestion; whoever uses it checks it)."""
    if value.is_Rational:
        here = Fraction(int(value.p), int(value.q))
        return here, here
    near = Fraction(str(value.evalf(bits // 3)))
    slack = abs(near) / (1 << (bits - 16))
    return near - slack, near + slack
