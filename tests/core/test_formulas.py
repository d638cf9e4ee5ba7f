"""The map of an arrow, read: as text, as LaTeX, as sympy. It says of a number what `loss` and `stability` compute."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

import dpcore as dp

d: Any = dp
b, s, p = d.symbol("b"), d.symbol("s"), d.symbol("p")
ages = d.rows(d.integers())
number = ages >> d.count()
replaced = d.rows(d.categories("N", "S"), d.ChangeOneDistance())
choice = d.value(d.categories("a", "b", "c"), d.DiscreteDistance())

PRINTED: dict[str, tuple[Any, str, str]] = {
    "count": (number, "d_in", r"d_{in}"),
    "clamped sum": (ages >> d.clamp(-5, 120) >> d.sum(), "120*d_in", r"120 d_{in}"),
    "count replaced": (replaced >> d.count(), "0", "0"),
    "L2": (replaced >> d.histogram(norm=d.L2Distance), "sqrt(2)*d_in", r"\sqrt{2} d_{in}"),
    "half": (
        d.rows(d.integers(), size=4) >> d.to_metric(d.ChangeOneDistance()),
        "floor(d_in/2)",
        r"\left\lfloor{\frac{d_{in}}{2}}\right\rfloor",
    ),
    "laplace": (ages >> d.clamp(0, 120) >> d.sum() >> d.laplace(b), "120*d_in/b", r"\frac{120 d_{in}}{b}"),
    "gaussian": (number >> d.gaussian(s), "d_in**2/(2*s**2)", r"\frac{d_{in}^{2}}{2 s^{2}}"),
    "randomized response": (
        choice >> d.randomized_response(p),
        "d_in*log(2*p/(1 - p))",
        r"d_{in} \log{\left(\frac{2 p}{1 - p} \right)}",
    ),
    "pair": (
        (number >> d.laplace(2)).to(d.ApproxDP),
        "epsilon = d_in/2, delta = 0",
        r"\epsilon = \frac{d_{in}}{2},\quad \delta = 0",
    ),
    "curve": (
        (number >> d.laplace(1)).to(d.RenyiDP),
        "epsilon(alpha) = Min(d_in, alpha*d_in**2/2)",
        r"\epsilon(\alpha) = \min\left(d_{in}, \frac{\alpha d_{in}^{2}}{2}\right)",
    ),
    "two of them": ((number >> d.laplace(2)) & (number >> d.laplace(3)), "5*d_in/6", r"\frac{5 d_{in}}{6}"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_as_text_and_as_latex(name: str) -> None:
    arrow, text, latex = PRINTED[name]
    assert str(arrow.map) == text
    assert repr(arrow.map) == text
    assert arrow.map.latex() == latex


SAME: dict[str, tuple[Any, dict[str, int | Fraction]]] = {
    "laplace": (ages >> d.clamp(0, 120) >> d.sum() >> d.laplace(b), {"b": Fraction(7, 3)}),
    "gaussian": (number >> d.gaussian(s), {"s": Fraction(5, 2)}),
    "clamp": (ages >> d.clamp(-3, d.symbol("u")) >> d.sum() >> d.laplace(2), {"u": 9}),
    "vector": (d.rows(d.vector(d.integers(), 2)) >> d.clip_norm(s, d.L2Distance) >> d.sum(norm=d.L2Distance), {"s": 3}),
    "exponential": (ages >> d.quantile_scores([1, 2], "1/3") >> d.exponential(s), {"s": Fraction(1, 9)}),
    "randomized response": (choice >> d.randomized_response(p), {"p": Fraction(2, 3)}),
    "parallel": (
        replaced >> d.partition() >> d.parallel(d.rows(d.categories("N", "S")) >> d.count() >> d.laplace(b)),
        {"b": 4},
    ),
    "composed": ((number >> d.laplace(b)) & (ages >> d.clamp(0, 2) >> d.sum() >> d.laplace(b)), {"b": 4}),
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("d_in", [0, 1])
def test_the_formula_and_the_number_agree(name: str, d_in: int) -> None:
    """The formula at the bound values, at 40 digits, lies where the number says."""
    arrow, values = SAME[name]
    formula = arrow.map.sympy()
    assert {str(x) for x in formula.free_symbols} == {"d_in", *values} or d_in == 0
    given = {x: (d_in if str(x) == "d_in" else sympy.Rational(values[str(x)])) for x in formula.free_symbols}
    true = Fraction(str(formula.subs(given).evalf(40)))
    made = arrow.bind(**values)
    found = made.loss(d_in).parts[0] if isinstance(made, dp.types.Measurement) else made.stability(d_in)
    slack = Fraction(1, 10**35)
    assert found.lower - slack <= true <= found.upper + slack
    assert found.upper - found.lower < slack


def test_a_formula_is_sympy() -> None:
    formula = (ages >> d.clamp(0, 120) >> d.sum() >> d.laplace(b)).map.sympy()
    d_in = next(x for x in formula.free_symbols if str(x) == "d_in")
    scale = next(x for x in formula.free_symbols if str(x) == "b")
    assert sympy.diff(formula, d_in) == 120 / scale
    pair = (number >> d.laplace(2)).to(d.ApproxDP).map.sympy()
    assert len(pair) == 2
    assert pair[1] == 0


def test_reading_a_formula_evaluates_nothing() -> None:
    """A symbol needs no value to be printed, and a number that would be infinite at 0 is only written down."""
    open_ended = number >> d.laplace(b)
    assert str(open_ended.map) == "d_in/b"
    assert open_ended.symbols == {"b"}
    with pytest.raises(dp.errors.FreeSymbols):
        open_ended.loss(1)


@pytest.mark.parametrize("name", ["d_in", "alpha", "epsilon", "delta", "", "2b", "a b", "b-c"])
def test_names_that_are_no_symbols(name: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="name"):
        d.symbol(name)


# ---- bind --------------------------------------------------------------------------------------------------------------


def test_bind_makes_it_runnable_and_repeats_every_check() -> None:
    made = ages >> d.clamp(0, d.symbol("u")) >> d.sum() >> d.laplace(b)
    assert made.symbols == {"b", "u"}
    assert made.bind(u=120).symbols == {"b"}
    assert made.bind(u=120, b=40) == made.bind(b=40).bind(u=120)
    assert made.bind(u=120, b=40) == ages >> d.clamp(0, 120) >> d.sum() >> d.laplace(40)
    assert made.bind(u=120, b=40).loss(1) == d.pure(3)
    assert isinstance(made.bind(u=120, b=40).release([5]), int)


def test_bind_reaches_every_place() -> None:
    part = ages >> d.count() >> d.laplace(b)
    for made in (
        part & part,
        d.compose([part, part]),
        part.to(d.ZCDP),
        part.then(abs),
        d.group_privacy(part),
        d.compose_advanced([part], "1e-6"),
        ages >> d.partition([1]) >> d.parallel(part),
        ages >> d.partition([1]) >> d.parallel({1: part}),
        d.compose_jointly([d.after(ages >> d.clamp(0, 9), part)], joint=[(1,)]),
        d.rows(d.integers(0, b)) >> d.sum() >> d.laplace(1),
    ):
        assert made.symbols == {"b"}, made
        bound = made.bind(b=7)
        assert bound.symbols == frozenset()
        assert bound.loss(1) is not None
        assert "symbol" not in repr(bound)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"c": 1}, dp.errors.InvalidParameter, "no symbol is named 'c'; the free ones are: b"),
        ({"b": 0}, dp.errors.InvalidParameter, "Expected a positive scale but got scale=0"),
        ({"b": -2}, dp.errors.InvalidParameter, "scale=-2"),
        ({"b": float("nan")}, dp.errors.InvalidParameter, "b=nan"),
        ({"b": "x"}, dp.errors.InvalidParameter, "b='x'"),
        ({"b": None}, dp.errors.InvalidParameter, "for b but got a NoneType"),
        ({"b": True}, dp.errors.InvalidParameter, "truth value for b"),
    ],
)
def test_bind_refuses(values: dict[str, object], error: type[dp.errors.DPError], words: str) -> None:
    with pytest.raises(error) as refusal:
        (number >> d.laplace(b)).bind(**values)
    assert words in str(refusal.value)
    with pytest.raises(dp.errors.InvalidParameter, match="the free ones are: none"):
        (number >> d.laplace(1)).bind(**values)


def test_bind_checks_the_order_of_bounds_and_whole_numbers() -> None:
    made = ages >> d.clamp(5, d.symbol("u")) >> d.sum() >> d.laplace(1)
    with pytest.raises(dp.errors.InvalidParameter, match="low <= high"):
        made.bind(u=4)
    with pytest.raises(dp.errors.InvalidParameter, match="whole"):
        made.bind(u="11/2")


def test_one_symbol_may_become_another() -> None:
    made = (number >> d.laplace(2 * b)).bind(b=d.symbol("c") + 1)
    assert str(made.map) == "d_in/(2*c + 2)"
    assert made.bind(c=1).loss(1) == d.pure("1/4")


def test_what_is_open_is_neither_run_nor_counted() -> None:
    made = number >> d.laplace(b)
    with pytest.raises(dp.errors.FreeSymbols, match=r"\bb\b"):
        made.loss(1)
    with pytest.raises(dp.errors.FreeSymbols, match=r"\bb\b"):
        made.release([1])
    with pytest.raises(dp.errors.FreeSymbols, match=r"\bb\b"):
        made.accuracy("0.9")
    open_space = d.rows(d.integers(0, b)) >> d.sum()
    with pytest.raises(dp.errors.FreeSymbols):
        open_space.stability(1)
    with pytest.raises(dp.errors.FreeSymbols):
        open_space([1])
