"""Maps: monotone, 0 at 0, never negative; one rule read three ways; and how arrows print, compare and chain."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
import sympy

import dpcore as dp
from dpcore.calculus import Derivation
from tests.laws.arrows import AnyArrow, Figures, arrow, figures, measurement, points, transformation
from tests.laws.catalogue import EXAMPLES, MEASUREMENTS, SYMBOLIC, TRANSFORMATIONS, Example, Symbolic
from tests.laws.examples import functions
from tests.laws.examples.functions import ADD_UP, MEASURES, counted

every = pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)

BY_NAME = ("zcdp to approx, simply", "advanced composition alone", "advanced composition alone, approx")
NAMED_ONLY = re.compile(
    r"\b(inf_alpha|inf_epsilon|sup_alpha|sup_epsilon|P_Z_above|after_steps|up_to_1|budget|optimal_composition|unequal_composition)\("
)
"""Functions that formulas name and that have no closed form."""

NAMESPACE: dict[str, object] = {
    **vars(functions),
    **{name: getattr(dp, name) for name in dir(dp)},
    **{name: getattr(dp.types, name) for name in dp.types.__all__},
    "Fraction": Fraction,
    "datetime": datetime,
}
"""What a print may need besides dpcore: the two types of the standard library that keys may have, and our functions."""


SEARCHED = frozenset(
    {"profile_to_tradeoff", "tradeoff_to_profile", "zcdp_to_approx_tight", "renyi_to_approx", "profile_to_approx"}
)
"""Rules that look for a good witness. All witnesses are sound; that at one distance may be better than at another."""

AT_ONE_STEP = {
    "filter_approximate_zcdp",
    "parallel_symmetric_approximate_zcdp",
    "parallel_alike_symmetric_approximate_zcdp",
}
"""Rules that say nothing of larger distances than 1."""

AT_THE_EDGE: dict[str, tuple[Fraction | int, ...]] = {"gaussian to profile": (0,), "gaussian to tradeoff": (0,)}
"""Where sympy meets infinity less infinity: at distance 0, and at the rates 0 and 1."""


def distances(x: AnyArrow) -> list[int | Fraction]:
    if isinstance(x.input.metric, dp.DiscreteDistance) or x.derivation.rules() & AT_ONE_STEP:
        return [0, 1]  # of larger ones there are none, or nothing is known
    domain = x.input.domain
    if x.input.metric.whole:
        sized = isinstance(domain, dp.types.Rows) and domain.size is not None
        alone = sized and not isinstance(x.input.metric, dp.ChangeOneDistance)
        return [d for d in (0, 1, 2, 3, 7) if not (alone and d == 1)]
    return [0, Fraction(1, 3), 1, Fraction(3, 2), 4]


# ---- monotone, from zero ------------------------------------------------------------------------------------------------


@every
def test_monotone_from_zero(example: Example) -> None:
    x = arrow(example.build())
    found = [figures(x, d) for d in distances(x)]
    falling = isinstance(x, dp.types.Measurement) and isinstance(x.measure, dp.Tradeoff)
    slack = Fraction(1, 10**9) if x.derivation.rules() & SEARCHED else 0
    for nearer, farther in itertools.pairwise(found):
        for (low, high), (low_then, high_then) in zip(nearer, farther, strict=True):
            assert low_then <= high + slack if falling else low <= high_then + slack
    if falling:
        assert isinstance(x, dp.types.Measurement)
        assert [low for low, _ in found[0]] == pytest.approx([float(1 - rate) for rate in points(x.measure)])
    else:
        assert all(low >= 0 or high > 0 for figure in found for low, high in figure)
        assert (max(high for _, high in found[0]) < 1e-30) == example.zero


# ---- the formula --------------------------------------------------------------------------------------------------------


@every
def test_the_formula_gives_the_same(example: Example) -> None:
    x = arrow(example.build())
    written = x.map.sympy()
    parts = list(written) if isinstance(written, tuple) else [written]
    assert {str(s) for part in parts for s in part.free_symbols} <= {"d_in", "alpha", "epsilon", "delta"}
    assert str(x.map)
    assert x.map.latex()
    if NAMED_ONLY.search(str(written)):
        return
    for d in distances(x):
        if d in AT_THE_EDGE.get(example.name, ()):
            continue
        for formula, (low, high) in zip(_evaluated(x, parts, d), figures(x, d), strict=True):
            if low == high and example.name in AT_THE_EDGE:
                assert low in (0, 1)
            elif low == high and formula.is_Rational:
                assert sympy.Rational(low.numerator, low.denominator) == formula
            else:
                value = Fraction(str(formula.evalf(60)))
                width = Fraction(1, 10**30) * max(Fraction(1), abs(high))
                assert low - width <= value <= high + width


def _evaluated(x: AnyArrow, parts: Sequence[object], d: int | Fraction) -> Iterator[sympy.Expr]:
    """Each number of the formula at a distance, a curve at the points where the laws look at it."""
    measure = x.measure if isinstance(x, dp.types.Measurement) else None
    variable = None if measure is None else measure.variable
    places = [None] if measure is None or variable is None else list(points(measure))
    bounded = measure is not None and isinstance(measure, (dp.ApproxDP, dp.ApproxZCDP, dp.TotalVariation, dp.Profile))
    for part in parts:
        expression = sympy.sympify(part)
        for place in places:
            values = {"d_in": d} if place is None else {"d_in": d, str(variable): place}
            at = {s: sympy.Rational(values[str(s)]) for s in expression.free_symbols}
            value = sympy.nsimplify(expression.subs(at)) if not at else expression.subs(at)
            # A delta is a probability; what a formula gives beyond 1 is shown as 1.
            yield sympy.Min(value, 1) if bounded and (len(parts) == 1 or part is parts[-1]) else value


# ---- symbols ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", SYMBOLIC, ids=lambda e: e.name)
def test_binding_gives_what_is_built_directly(example: Symbolic) -> None:
    x, direct = arrow(example.build()), arrow(example.direct())
    assert x.symbols == set(example.values)
    bound = arrow(x.bind(**example.values))
    assert bound == direct
    assert hash(bound) == hash(direct)
    assert repr(bound) == repr(direct)
    assert bound.symbols == frozenset()
    assert [figures(bound, d) for d in distances(x)] == [figures(direct, d) for d in distances(x)]
    assert same_tree(bound.derivation, direct.derivation)


@pytest.mark.parametrize("example", SYMBOLIC, ids=lambda e: e.name)
def test_symbols_print_and_are_read_back(example: Symbolic) -> None:
    x = arrow(example.build())
    assert eval(repr(x), dict(NAMESPACE)) == x


@pytest.mark.parametrize("example", SYMBOLIC, ids=lambda e: e.name)
def test_the_formula_holds_the_symbols(example: Symbolic) -> None:
    x = arrow(example.build())
    written = x.map.sympy()
    parts = written if isinstance(written, tuple) else (written,)
    shown = {str(s) for part in parts for s in part.free_symbols}
    assert shown <= {*example.values, "d_in", "alpha", "epsilon", "delta"}
    with pytest.raises(dp.errors.FreeSymbols):
        figures(x, 1)


def same_tree(one: Derivation, other: Derivation) -> bool:
    """Whether both are the same rules with the same parameters."""
    return (
        one.rule is other.rule
        and dict(one.parameters) == dict(other.parameters)
        and len(one.premises) == len(other.premises)
        and all(same_tree(p, q) for p, q in zip(one.premises, other.premises, strict=True))
    )


# ---- printing and comparing ---------------------------------------------------------------------------------------------


@every
def test_a_print_rebuilds_the_arrow(example: Example) -> None:
    x = arrow(example.build())
    again = eval(repr(x), dict(NAMESPACE))
    if example.name not in BY_NAME:  # which stand for rules that no constructor offers
        assert again == x
        assert hash(again) == hash(x)
        assert same_tree(arrow(again).derivation, x.derivation)


@every
def test_equal_arrows_are_equal(example: Example) -> None:
    one, other = arrow(example.build()), arrow(example.build())
    assert one == other
    assert hash(one) == hash(other)
    assert one.derivation.runs_like(other.derivation)


def test_different_arrows_are_different() -> None:
    built = [(example.name, example.build()) for example in EXAMPLES]
    for i, (name, one) in enumerate(built):
        assert not [other for other, two in built[i + 1 :] if one == two and {name, other} not in ALIKE], name


ALIKE = (
    {"compose", "compose pure"},
    {"zcdp to approx", "zcdp to approx, simply"},
    {"compose_advanced", "advanced composition alone"},
    {"compose_advanced approx", "advanced composition alone, approx"},
)
"""One arrow under two names, and one made by hand in the place of the one that the constructor makes."""


# ---- chaining -----------------------------------------------------------------------------------------------------------


def test_chaining_is_associative() -> None:
    a = dp.rows(dp.integers()) >> dp.clamp(0, 3)
    b = a.output >> dp.filter(dp.row() >= 1)
    c = b.output >> dp.sum()
    m = c.output >> dp.laplace(scale=2)
    left, right = ((a >> b) >> c) >> m, a >> (b >> (c >> m))
    middle = (a >> b) >> (c >> m)
    assert left == right == middle
    assert repr(left) == repr(right) == repr(middle)
    assert same_tree(left.derivation, right.derivation)
    assert left == dp.rows(dp.integers()) >> dp.clamp(0, 3) >> dp.filter(dp.row() >= 1) >> dp.sum() >> dp.laplace(
        scale=2
    )
    assert left.loss(3) == right.loss(3) == dp.pure("9/2")


@pytest.mark.parametrize("example", MEASUREMENTS, ids=lambda e: e.name)
def test_post_processing_changes_no_loss(example: Example) -> None:
    m = measurement(example.build())
    after = arrow(m.then(repr))
    assert [figures(after, d) for d in distances(m)] == [figures(m, d) for d in distances(m)]


@pytest.mark.parametrize("measure", [m for m in MEASURES if m not in ("profile", "tradeoff", "approx")])
def test_composition_commutes_and_adds_up(measure: str) -> None:
    one = counted(measure)
    other = counted(measure).then(repr)
    assert arrow(one & other).input == one.input
    for d in (0, 1, 3):
        alone, both = figures(one, d), figures(arrow(one & one), d)
        assert figures(arrow(one & other), d) == figures(arrow(other & one), d) == both
        for (low, high), (low_both, high_both) in zip(alone, both, strict=True):
            if measure == "gaussian":  # mu is a length: two equal ones are sqrt(2) long
                low, high, low_both, high_both = low * low, high * high, low_both * low_both, high_both * high_both
            assert low_both <= 2 * high + Fraction(1, 10**30)
            assert high_both >= min(Fraction(1), 2 * low) - Fraction(1, 10**30)


def test_composition_of_pairs_adds_up() -> None:
    m = counted("approx")
    epsilon, delta = figures(m, 1)
    both = figures(arrow(m & m), 1)
    assert both[0] == (2 * epsilon[0], 2 * epsilon[1])
    assert float(both[1][1]) == pytest.approx(2 * float(delta[1]))


@pytest.mark.parametrize("measure", ADD_UP)
def test_composing_is_associative_in_loss(measure: str) -> None:
    m = counted(measure)
    nested, flat = arrow((m & m) & m), arrow(dp.compose([m, m, m]))
    assert _close(figures(nested, 2), figures(flat, 2))


def _close(one: Figures, other: Figures) -> bool:
    return all(float(a[1]) == pytest.approx(float(b[1]), rel=1e-12) for a, b in zip(one, other, strict=True))


# ---- domains ------------------------------------------------------------------------------------------------------------


def test_a_narrower_domain_chains_with_a_wider_one() -> None:
    """A wider domain on the right keeps its own bounds: the map is the right one's, and it holds."""
    narrow = dp.rows(dp.integers(0, 1)) >> dp.filter(dp.row() >= 0)
    wide = dp.rows(dp.integers(-5, 9)) >> dp.sum()
    both = narrow >> wide
    assert both.stability(1) == 9
    assert both([1, 1, 0]) == 2
    wide_first = dp.rows(dp.integers(-5, 9)) >> dp.filter(dp.row() >= 0)
    with pytest.raises(dp.errors.DomainMismatch):
        wide_first >> (dp.rows(dp.integers(0, 1)) >> dp.sum())


@pytest.mark.parametrize("example", TRANSFORMATIONS, ids=lambda e: e.name)
def test_images_are_in_the_output_domain(example: Example) -> None:
    from dpcore.assurance.universe import members

    f = transformation(example.build())
    for x in members(f.input, example.atoms, example.most):
        f.output.domain.check(f(x))
