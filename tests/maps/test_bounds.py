"""Bounds: exact where rational, enclosed where not; compared and added exactly; as a float never below the truth."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.maps import Number, exp, log, numeral, sqrt
from dpcore.maps.bounds import Bound, bound

rationals = st.fractions(Fraction(-(10**9)), 10**9, max_denominator=10**9)
positive = st.fractions(Fraction(1, 10**9), 10**9, max_denominator=10**9)
small = st.fractions(Fraction(-300), 300, max_denominator=10**6)

FUNCTIONS: dict[str, tuple[Callable[[Number], Number], Any]] = {
    "log": (log, sympy.log),
    "exp": (exp, sympy.exp),
    "sqrt": (sqrt, sympy.sqrt),
}


def of(name: str, x: Fraction) -> Bound:
    return Bound.of(lambda: FUNCTIONS[name][0](numeral(x)))


def truth(name: str, x: Fraction) -> tuple[Fraction, Fraction]:
    """The true value between two rationals: 60 digits, and one unit of the 58th either way."""
    value = FUNCTIONS[name][1](sympy.Rational(x.numerator, x.denominator)).evalf(60)
    near = Fraction(str(value))
    slack = abs(near) / 10**57
    return near - slack, near + slack


def holds(found: Bound, low: Fraction, high: Fraction) -> None:
    """The enclosure reaches the truth from both sides, narrowly, and the float is the least one not below it."""
    assert found.lower <= high
    assert found.upper >= low
    assert found.upper - found.lower <= abs(found.upper) / (1 << 90)
    up = float(found)
    assert math.isfinite(up)
    assert Fraction(up) >= low, "a float below the truth"
    assert Fraction(up) >= found.upper
    assert Fraction(math.nextafter(up, -math.inf)) < found.upper, "a float further above than it need be"


@given(positive)
@settings(deadline=None)
def test_log_and_sqrt_against_sixty_digits(x: Fraction) -> None:
    for name in ("log", "sqrt"):
        if x != 1:
            holds(of(name, x), *truth(name, x))


@given(small)
@settings(deadline=None)
def test_exp_against_sixty_digits(x: Fraction) -> None:
    if x:
        holds(of("exp", x), *truth("exp", x))


@given(rationals)
def test_a_rational_is_exact_and_its_float_directed(x: Fraction) -> None:
    found = bound(x)
    assert found.exact == found.lower == found.upper == x
    up = float(found)
    assert Fraction(up) >= x
    assert Fraction(math.nextafter(up, -math.inf)) < x


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_its_shortest_decimal_and_comes_back(x: float) -> None:
    found = bound(x)
    assert found.exact == Fraction(repr(x))
    assert found == x
    assert float(found) in (x, math.nextafter(x, math.inf))


@given(rationals, rationals)
def test_arithmetic_and_order_of_rationals(x: Fraction, y: Fraction) -> None:
    assert (bound(x) + bound(y)).exact == x + y
    assert (bound(x) - bound(y)).exact == x - y
    assert (bound(x) * bound(y)).exact == x * y
    assert (y + bound(x)).exact == x + y
    assert (y * bound(x)).exact == x * y
    assert (bound(x) <= y) == (x <= y)
    assert (bound(x) < y) == (x < y)
    assert (bound(x) >= y) == (x >= y)
    assert (bound(x) > y) == (x > y)
    assert (bound(x) == bound(y)) == (x == y)
    assert (bound(x) == y) == (x == y)
    assert hash(bound(x)) == hash(bound(Fraction(x)))


@given(positive, positive)
@settings(deadline=None)
def test_irrational_numbers_add_up_and_are_ordered(x: Fraction, y: Fraction) -> None:
    together = of("log", x) + of("log", y)
    if x * y != 1 and x != 1 and y != 1:
        low, high = truth("log", x * y)
        assert together.lower <= high
        assert together.upper >= low
    if x != y:
        assert (of("log", x) < of("log", y)) == (x < y)
        assert (of("sqrt", x) <= of("sqrt", y)) == (x < y)
        assert (of("log", x) >= of("log", y)) == (x > y)


@pytest.mark.parametrize("digits", [10, 20, 50, 200, 1000])
@pytest.mark.parametrize("name", ["log", "exp", "sqrt"])
def test_a_close_comparison_is_asked_again_with_more_bits(name: str, digits: int) -> None:
    """Two is compared with a rational that agrees with the function in so many digits, from either side."""
    x = Fraction(3)
    near = Fraction(str(FUNCTIONS[name][1](3).evalf(digits + 20)))
    step = Fraction(1, 10**digits)
    value = of(name, x)
    assert value <= near + step
    assert value < near + step
    assert not value <= near - step
    assert value >= near - step
    assert not value > near + step


def equal_to_two() -> Bound:
    """`log(9 + 4 sqrt 5)/log(2 + sqrt 5)`: 9 + 4 sqrt 5 is the square of 2 + sqrt 5."""

    def compute() -> Number:
        root = sqrt(numeral(5))
        return log(9 + 4 * root) / log(2 + root)

    return Bound.of(compute)


def test_an_equality_that_no_precision_decides_is_refused() -> None:
    two = equal_to_two()
    assert sympy.log(9 + 4 * sympy.sqrt(5)).evalf(50) == (2 * sympy.log(2 + sympy.sqrt(5))).evalf(50)
    asks: list[Callable[[], bool]] = [
        lambda: two <= 2,
        lambda: two < 2,
        lambda: two >= 2,
        lambda: two > 2,
        lambda: bound(2) >= two,
        lambda: bound(2) <= two,
    ]
    for ask in asks:
        with pytest.raises(dp.errors.Undecided, match="not told apart"):
            ask()
    tiny = Fraction(1, 10**1000)
    assert two <= 2 + tiny
    assert not two <= 2 - tiny
    assert two.exact is None
    assert Fraction(float(two)) >= 2, "and as a float it is not below"


def test_a_refusal_is_the_safe_answer_to_a_budget() -> None:
    """What is not decided does not fit: no budget is granted and no measurement is solved for on a guess."""
    with pytest.raises(dp.errors.Undecided):
        assert dp.types.PureLoss(equal_to_two()) <= dp.pure(2)
    assert dp.types.PureLoss(equal_to_two()) <= dp.pure("2.000000000000000000001")


def test_a_number_is_equal_to_itself_without_being_computed() -> None:
    two = equal_to_two()
    assert two <= two
    assert two >= two
    assert not two < two


def test_equality_never_raises_and_never_guesses() -> None:
    assert bound(1) == 1
    assert bound("1/3") == "1/3"
    assert bound(1) != "one"
    assert bound(1) != float("nan")
    assert bound(1) != float("inf")
    assert bound(1) != None  # noqa: E711
    assert bound(1) != True  # noqa: E712
    assert equal_to_two() != 2, "what is known of it is an enclosure"
    assert equal_to_two() == equal_to_two()


@pytest.mark.parametrize("other", [float("nan"), "x", None, True, [1]])
def test_only_numbers_are_compared(other: Any) -> None:
    with pytest.raises((dp.errors.InvalidParameter, TypeError)):
        _ = bound(1) <= other
    with pytest.raises((dp.errors.InvalidParameter, TypeError)):
        bound(1) + other


d: Any = dp


@given(rationals)
def test_every_number_lies_between_the_infinite_floats(x: Fraction) -> None:
    """They are what distances are that no steps join, so they can be compared, and the least taken."""
    for number in (bound(x), Bound.of(lambda: numeral(x) + exp(numeral(1)))):
        assert -math.inf < number < math.inf
        assert -math.inf <= number <= math.inf
        assert not number >= math.inf
        assert not number > math.inf
        assert not math.inf <= number
        assert not number <= -math.inf
        assert number != math.inf
        assert min(math.inf, number) is number
        assert min(number, math.inf) is number
        assert max(number, math.inf, -math.inf) == math.inf
    with pytest.raises(dp.errors.InvalidParameter):
        d.pure(1).epsilon + math.inf


def test_numbers_beyond_floats() -> None:
    huge, tiny = bound(10**400), bound(Fraction(1, 10**400))
    assert float(huge) == math.inf
    assert float(tiny) == 5e-324
    assert huge <= 10**400
    assert tiny > 0
    vanishing = Bound.of(lambda: exp(numeral(-(10**12))))
    assert vanishing.upper > 0
    assert float(vanishing) == 5e-324
    assert vanishing <= Fraction(1, 10**300_000)
    with pytest.raises(dp.errors.Undecided, match="too large"):
        Bound.of(lambda: exp(numeral(10**12))).upper


def test_losses_round_up_in_print_too() -> None:
    choice = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    loss = choice.loss(1)
    assert loss.epsilon.exact is None
    assert str(loss) == f"PureDP: epsilon <= {float(loss)!r}"
    low, high = truth("log", Fraction(3))
    assert low <= Fraction(float(loss))
    assert loss.epsilon.upper >= low
    assert loss.epsilon.lower <= high
    assert Fraction(math.nextafter(float(loss), 0)) < high


def test_a_pair_is_no_single_float() -> None:
    with pytest.raises(TypeError, match="not one number"):
        float(dp.approx(1, "1e-6"))
