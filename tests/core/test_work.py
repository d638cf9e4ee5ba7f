"""How much is worked out: equal parts once, however many there are, and a witness with few looks at its curve.

Work is counted, not timed. A composition of a thousand equal parts that asked each of them, at every value that `solve`
tries, took 17 seconds; a curve of a hundred was looked at 60 times where 15 do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.maps import Number, exp
from dpcore.maps.search import _first_not_above, least_epsilon

d: Any = dp
AGES = d.rows(d.integers(0, 120))

COMPOSITIONS: dict[str, Callable[[list[Any]], Any]] = {
    "compose": d.compose,
    "compose_advanced": lambda parts: d.compose_advanced(parts, "1e-6"),
    "compose_optimal": lambda parts: d.compose_optimal(parts).to(d.ApproxDP, delta="1e-6"),
}


class Asked:
    """A claimed loss that counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, d: Number) -> Number:
        self.times += 1
        return d / 100


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_equal_parts_are_evaluated_once(name: str) -> None:
    """As often for a hundred parts as for fifty; of one alone another bound is the least."""

    def asked(many: int) -> int:
        loss = Asked()
        part = d.measurement(len, AGES, d.PureDP(), loss=loss)
        COMPOSITIONS[name]([part] * many).loss(1)
        return loss.times

    assert asked(100) == asked(50)


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_equal_parts_are_made_once_when_a_symbol_is_bound(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dpcore.core.origins import Call

    rebuilt, made = Call.rebuilt, list[object]()

    def counting(self: Call, *given: Any) -> Any:
        made.append(self.word)
        return rebuilt(self, *given)

    monkeypatch.setattr(Call, "rebuilt", counting)
    part = AGES >> d.count() >> d.laplace(d.symbol("s"))
    COMPOSITIONS[name]([part] * 100).bind(s=100)
    assert (made.count("count"), made.count("laplace")) == (1, 1)


def test_solving_for_a_thousand_parts_binds_few_values(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpcore.core import Measurement

    bind, tried = Measurement.bind, list[object]()

    def counting(self: Any, **values: Any) -> Any:
        tried.append(values)
        return bind(self, **values)

    monkeypatch.setattr(Measurement, "bind", counting)
    monkeypatch.delattr(Measurement, "map")  # a closed form is not asked for where there is none
    part = AGES >> d.count() >> d.laplace(d.symbol("s"))
    d.compose_advanced([part] * 1000, "1e-6").solve(d.approx(1, "1e-6"), 1)
    assert len(tried) <= 64


@pytest.mark.parametrize(
    "curve",
    [
        lambda x: exp(-x),
        lambda x: exp(-x * x / 2) / 3,
        lambda x: exp(-40 * x),
        (AGES >> d.count() >> d.gaussian(1, measure=d.Profile)).loss(1).curve,
        d.compose_optimal([AGES >> d.count() >> d.laplace(10)] * 40).loss(1).curve,
    ],
)
@pytest.mark.parametrize(("delta", "most"), [("1/10", 40), ("1e-6", 40), ("1e-40", 66), ("1e-300", 66)])
def test_a_witness_is_found_with_few_looks(curve: Callable[[Number], Number], delta: str, most: int) -> None:
    """With few where the curve is smooth there, and by halves where it ends or drowns in its enclosure."""
    looks = 0

    def watched(x: Number) -> Number:
        nonlocal looks
        looks += 1
        return curve(x)

    limit = dp.types.Bound(delta)
    found = least_epsilon(watched, limit.value)
    assert dp.types.Bound.of(lambda: curve(dp.types.Bound(found).value)).upper <= limit.upper
    assert looks <= most


@given(st.lists(st.one_of(st.floats(0, 1e9, exclude_min=True), st.just(5e-324)), max_size=60), st.data())
def test_the_first_place_of_a_falling_list_is_found(above: list[float], data: st.DataObject) -> None:
    """Whatever the slopes: the search by chords ends where halving would."""
    below = data.draw(st.lists(st.one_of(st.floats(-1e9, 0), st.just(float("-inf"))), min_size=1, max_size=60))
    values = [float("inf"), *sorted(above, reverse=True), *sorted(below, reverse=True)]
    found = _first_not_above(values.__getitem__, len(values) - 1, values[0], values[-1])
    assert found == 1 + len(above)


def test_a_long_rational_is_printed_without_reducing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum of many parameters of many digits is exact, in lowest terms; to find that out anew takes minutes."""
    longest, gcd = [0], math.gcd

    def noted(*given: int) -> int:
        longest[0] = max(longest[0], *map(int.bit_length, given))
        return gcd(*given)

    sums = dp.types.Bound(Fraction((1 << 200_000) + 1, (1 << 200_001) - 1))
    monkeypatch.setattr(math, "gcd", noted)
    assert str(sums) == "0.5000000000000001"
    assert float(sums) == float(str(sums))
    assert longest[0] < 100_000
