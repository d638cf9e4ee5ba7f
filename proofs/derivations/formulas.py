"""What the derivations ask of sympy, with types. The only file of this folder that imports sympy, which has none.

Every function here computes; none knows an answer. Where sympy finds nothing, or more than one thing, it raises
`NotDerived`.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

import sympy

_sp: Any = sympy


class NotDerived(Exception):
    """Sympy does not get there."""


class Formula(Protocol):
    """A sympy expression."""

    @property
    def free_symbols(self) -> set[Any]: ...
    def __add__(self, other: Formula | int, /) -> Formula: ...
    def __radd__(self, other: Formula | int, /) -> Formula: ...
    def __sub__(self, other: Formula | int, /) -> Formula: ...
    def __rsub__(self, other: Formula | int, /) -> Formula: ...
    def __mul__(self, other: Formula | int, /) -> Formula: ...
    def __rmul__(self, other: Formula | int, /) -> Formula: ...
    def __truediv__(self, other: Formula | int, /) -> Formula: ...
    def __rtruediv__(self, other: Formula | int, /) -> Formula: ...
    def __pow__(self, other: Formula | int, /) -> Formula: ...
    def __neg__(self) -> Formula: ...
    def subs(self, old: Formula, new: Formula | int, /) -> Formula: ...


class Indexed(Protocol):
    """A sequence of unknown numbers, one for each index."""

    def __getitem__(self, index: Formula, /) -> Formula: ...


# ---- unknowns and functions ---------------------------------------------------------------------------------------------


def real(name: str) -> Formula:
    return cast(Formula, _sp.Symbol(name, real=True))


def positive(name: str) -> Formula:
    return cast(Formula, _sp.Symbol(name, positive=True))


def at_least_zero(name: str) -> Formula:
    return cast(Formula, _sp.Symbol(name, nonnegative=True))


def whole(name: str) -> Formula:
    return cast(Formula, _sp.Symbol(name, integer=True))


def whole_positive(name: str) -> Formula:
    return cast(Formula, _sp.Symbol(name, integer=True, positive=True))


def sequence(name: str) -> Indexed:
    return cast(Indexed, _sp.IndexedBase(name, real=True))


def unknown(name: str, *at: Formula) -> Formula:
    """The value of a function of which nothing is known."""
    return cast(Formula, _sp.Function(name)(*at))


def unknown_at_least_zero(name: str, *at: Formula) -> Formula:
    """The value of a function of which only `>= 0` is known."""
    return cast(Formula, _sp.Function(name, nonnegative=True)(*at))


def number(n: int) -> Formula:
    return cast(Formula, _sp.Integer(n))


def infinity() -> Formula:
    return cast(Formula, _sp.oo)


def pi() -> Formula:
    return cast(Formula, _sp.pi)


def exp(x: Formula) -> Formula:
    return cast(Formula, _sp.exp(x))


def log(x: Formula) -> Formula:
    return cast(Formula, _sp.log(x))


def sqrt(x: Formula) -> Formula:
    return cast(Formula, _sp.sqrt(x))


def absolute(x: Formula) -> Formula:
    return cast(Formula, _sp.Abs(x))


def cos(x: Formula) -> Formula:
    return cast(Formula, _sp.cos(x))


def floor(x: Formula) -> Formula:
    return cast(Formula, _sp.floor(x))


def largest(*xs: Formula | int) -> Formula:
    """Their maximum, as it is written: `simplified` or `evaluated` decides what sympy can."""
    return cast(Formula, _sp.Max(*map(_sp.sympify, xs), evaluate=False))


def smallest(*xs: Formula | int) -> Formula:
    return cast(Formula, _sp.Min(*map(_sp.sympify, xs), evaluate=False))


def total(term: Formula, over: Formula, low: Formula | int, high: Formula | int) -> Formula:
    """The sum, as it is written."""
    return cast(Formula, _sp.Sum(term, (over, low, high)))


def product(factor: Formula, over: Formula, low: Formula | int, high: Formula | int) -> Formula:
    return cast(Formula, _sp.Product(factor, (over, low, high)))


def integral(density: Formula, over: Formula, low: Formula | int, high: Formula | int) -> Formula:
    """The integral, as it is written."""
    return cast(Formula, _sp.Integral(density, (over, low, high)))


# ---- what sympy does ----------------------------------------------------------------------------------------------------


def simplified(x: Formula) -> Formula:
    return cast(Formula, _sp.simplify(x))


def expanded(x: Formula) -> Formula:
    return cast(Formula, _sp.expand(_sp.expand_log(x)))


def factored(x: Formula) -> Formula:
    return cast(Formula, _sp.factor(_sp.together(x)))


def taken_out(x: Formula) -> Formula:
    """What does not depend on the index, in front of the sum."""
    return cast(Formula, _sp.factor_terms(x))


def evaluated(x: Formula) -> Formula:
    """Sums, integrals, maxima and derivatives, worked out, in cases if need be. Refuses what stays as it was written."""
    found = cast(Any, x).doit()
    if not isinstance(found, _sp.Piecewise) and found.has(_sp.Sum, _sp.Integral, _sp.Derivative):
        raise NotDerived(f"sympy leaves {found}")
    return cast(Formula, found)


def derivative(x: Formula, by: Formula) -> Formula:
    return cast(Formula, _sp.diff(x, by))


def branch(x: Formula, holds: Formula) -> Formula:
    """The branch of a case distinction whose condition is `holds`: the choice is ours, and the condition must be there."""
    if not isinstance(x, _sp.Piecewise):
        raise NotDerived(f"there are no cases in {x}")
    found = [value for value, condition in cast(Any, x).args if condition == holds]
    if len(found) != 1:
        raise NotDerived(f"none of the cases of {x} is {holds}")
    return cast(Formula, found[0])


def below(x: Formula, y: Formula | int) -> Formula:
    return cast(Formula, _sp.Lt(x, y))


def otherwise() -> Formula:
    return cast(Formula, _sp.true)


def holds_for_all_positive(condition: Formula, x: Formula) -> bool:
    """Whether sympy finds that the condition on the real x holds exactly for `x > 0`."""
    return bool(_sp.solveset(condition, x, _sp.S.Reals) == _sp.Interval.open(0, _sp.oo))


def substituted(x: Formula, variable: Formula, by: Formula, new: Formula) -> Formula:
    """The integral that stands in x, over `variable`, with `variable = by`, a function of `new`."""
    (found,) = cast(Any, x).atoms(_sp.Integral)
    return cast(Formula, cast(Any, x).xreplace({found: found.transform(variable, (by, new))}))


def root(x: Formula, of: Formula) -> Formula:
    """The one value of the unknown at which x is 0."""
    found = _sp.solve(x, of)
    if len(found) != 1:
        raise NotDerived(f"{x} = 0 has the solutions {found}")
    return cast(Formula, found[0])


def roots_of_all(xs: list[Formula], of: list[Formula]) -> list[Formula]:
    """The values of the unknowns at which all are 0, of which there is one set."""
    found = _sp.solve(xs, of, dict=True)
    if len(found) != 1 or set(found[0]) != set(of):
        raise NotDerived(f"{xs} = 0 has the solutions {found}")
    return [cast(Formula, found[0][x]) for x in of]


def coefficient(x: Formula, of: Formula, power: int = 1) -> Formula:
    return cast(Formula, _sp.expand(x).coeff(of, power))


def completed_square(x: Formula, of: Formula) -> Formula:
    """`c (of - middle)^2 + rest`: the middle is where the derivative is 0, the rest the value there."""
    middle = root(derivative(x, of), of)
    rest = factored(x.subs(of, middle))
    return coefficient(x, of, 2) * (of - middle) ** 2 + rest


def curve_through(points: list[tuple[int, Formula | int]], at: Formula) -> Formula:
    """The polynomial of least degree through these points."""
    return cast(Formula, _sp.interpolate(points, at))


def curve_of_curvature(curvature: Formula, variable: Formula, zeros: tuple[int, int]) -> Formula:
    """The solution of `G'' = curvature` that is 0 at both ends."""
    g = _sp.Function("G")
    found = _sp.dsolve(_sp.diff(g(variable), variable, 2) - curvature, g(variable), ics={g(z): 0 for z in zeros})
    return cast(Formula, found.rhs)


def is_at_least_zero(x: Formula) -> bool:
    """Whether sympy shows `x >= 0` from what is known of the unknowns."""
    return any(form.is_nonnegative is True for form in _forms(x))


def is_positive(x: Formula) -> bool:
    """Whether sympy shows `x > 0` from what is known of the unknowns."""
    return any(form.is_positive is True for form in _forms(x))


def _forms(x: Formula) -> list[Any]:
    """Sympy tells the sign of one way of writing a number and not that of another."""
    return [x, simplified(x), factored(x)]


def limit(x: Formula, variable: Formula, at: Formula) -> Formula:
    return cast(Formula, _sp.limit(x, variable, at))
