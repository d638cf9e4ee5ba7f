"""Symbols and formulas. With `kinds` and `functions`, the only door to sympy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import chain, count
from typing import Any, cast

from flint import arb, fmpq

from dpcore.errors import FreeSymbols, InvalidParameter
from dpcore.maps.kinds import sympy_module
from dpcore.maps.numbers import Exact, Number, Symbolic, as_number, exact, is_formula, symbols_of
from dpcore.maps.precision import PRECISION


def symbol(name: str) -> Symbolic:
    """A positive real number that is not known yet. `measurement.bind(name=value)` puts a number in its place."""
    if type(name) is not str or not name.isidentifier():
        raise InvalidParameter(f"Expected a name for the symbol but got {name!r}", produced=name)
    if name in RESERVED:
        raise InvalidParameter(f"the name {name!r} is taken by the maps themselves; choose another", produced=name)
    return cast(Symbolic, sympy_module().Symbol(name, positive=True))


RESERVED = ("d_in", "alpha", "epsilon", "delta")


def variable(name: str, *, whole: bool = False) -> Number:
    """One of the variables that maps are functions of."""
    assumptions = {"nonnegative": True, "integer": True} if whole else {"nonnegative": True}
    return as_number(sympy_module().Symbol(name, **assumptions))


def parameter(name: str) -> Number:
    """A real number that a rule is given, by its name: where a formula is to be read for every value of it."""
    return as_number(sympy_module().Symbol(name, real=True))


def formula(x: object) -> Symbolic:
    """The sympy form of a number of any kind."""
    return cast(Symbolic, as_sympy(x))


def as_sympy(x: object) -> Any:
    """The same, within this door."""
    sp = sympy_module()
    if isinstance(x, fmpq):
        return sp.Rational(int(x.p), int(x.q))
    if type(x) is int or isinstance(x, Fraction):
        return sp.Rational(x.numerator, x.denominator)
    if isinstance(x, arb):
        raise FreeSymbols("a ball is no formula", produced=x)
    return x


def named_function(name: str, *args: object) -> Number:
    """A function that has no closed form, by its name."""
    return as_number(sympy_module().Function(name)(*(formula(a) for a in args)))


def sum_over(term: Callable[[Number], Number], last: Number) -> Number:
    """`term(1) + ... + term(last)`, as it is written where nobody knows yet how many terms there are."""
    taken = symbols_of([term(as_number(fmpq(1))), last])  # also by a sum that this one stands in
    name = next(name for name in map("i{}".format, chain([""], count(1))) if name not in taken)
    i = variable(name, whole=True)
    each = term(i)
    return (
        as_number(sympy_module().Sum(formula(each), (i, 1, formula(last))))
        if name in symbols_of([each])
        else last * each
    )


def latex(x: Number) -> str:
    return str(sympy_module().latex(formula(x)))


def substitute(x: Exact, values: dict[str, Exact]) -> Exact:
    """The number with symbols replaced; exact again as soon as none is left."""
    if not is_formula(x):
        return x
    found = {s: formula(values[s.name]) for s in x.free_symbols if s.name in values}
    return exact(cast(Any, x).xreplace(found)) if found else x


def taken_apart(x: Symbolic) -> tuple[str, tuple[Exact, ...]] | None:
    """How a formula is made: an operation and its operands, or "symbol" and none. None where it is made otherwise.

    A float in a formula is no number that was typed, so it is made otherwise as well.
    """
    made = cast(Any, x)
    if made.is_Symbol:
        return "symbol", ()
    found = next((name for name in ("Add", "Mul", "Pow") if getattr(made, f"is_{name}")), None)
    if found is None or not all(part.is_Rational or part.free_symbols for part in made.args):
        return None
    return {"Add": "add", "Mul": "multiply", "Pow": "power"}[found], tuple(exact(part) for part in made.args)


def put_together(op: str, operands: Iterable[Exact]) -> Exact:
    """The formula that `taken_apart` took apart."""
    kind = {"add": "Add", "multiply": "Mul", "power": "Pow"}[op]
    return exact(getattr(sympy_module(), kind)(*map(formula, operands)))


def solutions(side: object, at: dict[str, Exact], level: Fraction, name: str) -> list[Any]:
    """Real closed forms of the symbol at which `side == level`, or none where sympy finds none."""
    sp, equation = sympy_module(), as_sympy(side)
    equation = equation.xreplace({s: formula(at[str(s)]) for s in equation.free_symbols if str(s) in at}) - formula(
        level
    )
    unknown = next((s for s in equation.free_symbols if str(s) == name), None)
    if unknown is None or not _worth_asking(equation, unknown):
        return []
    try:
        found = sp.solve(equation, unknown)
    except (NotImplementedError, ValueError, TypeError):
        return []
    return [s for s in found if s.is_real and not s.free_symbols]


def _worth_asking(equation: Any, unknown: Any) -> bool:
    """Whether the symbol stands in few places, or in a polynomial of low degree. Sympy may work on others for hours."""
    sp = sympy_module()
    # Such as inf_alpha, which has no inverse; and those of the normal distribution, whose answers are not rational.
    without = equation.atoms(sp.core.function.AppliedUndef, sp.erf, sp.erfc, sp.erfinv)
    if any(f.has(unknown) for f in without) or sum(power.has(unknown) for power in equation.atoms(sp.exp)) > 1:
        return False
    if equation.count(unknown) <= 2:
        return True
    top = sp.numer(sp.together(equation))
    return bool(top.is_polynomial(unknown) and sp.degree(top, unknown) <= 2)


def around(value: Any, bits: int = PRECISION) -> tuple[Fraction, Fraction]:
    """Rationals just below and just above a real closed form (a suggestion; whoever uses it checks it)."""
    if value.is_Rational:
        here = Fraction(int(value.p), int(value.q))
        return here, here
    near = Fraction(str(value.evalf(bits // 3)))
    slack = abs(near) / (1 << (bits - 16))
    return near - slack, near + slack
