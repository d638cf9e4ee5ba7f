"""Whoever asks sees no more than the budget: a view is a measurement, and every strategy of a small game is tried."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.errors import BudgetExceeded, InvalidParameter
from dpcore.types import Categories, Curator

Asker = Curator[Categories[str], dp.DiscreteDistance, dp.PureDP]

ONE = dp.value(dp.categories("yes", "no"), dp.DiscreteDistance)
RESPONSE = ONE >> dp.randomized_response("3/4")
TWO = RESPONSE.loss(1) + RESPONSE.loss(1)


def _strategies() -> list[Callable[[Asker], object]]:
    """Ask once, and once more, or not, after each of the answers; and always once more than there is."""

    def strategy(again: dict[str, bool], greedy: bool) -> Callable[[Asker], object]:
        def asks(curator: Asker) -> object:
            seen = [curator.ask(RESPONSE)]
            if again[seen[0]]:
                seen.append(curator.ask(RESPONSE))
            if greedy:
                try:
                    seen.append(curator.ask(RESPONSE))
                except BudgetExceeded:
                    seen.append("refused")
            return tuple(seen)

        return asks

    answers = product((False, True), repeat=3)
    return [strategy({"yes": yes, "no": no}, greedy) for yes, no, greedy in answers]


def test_no_strategy_sees_more_than_the_budget_and_one_sees_all_of_it() -> None:
    filtered = dp.interactive(ONE, TWO)
    views = [dp.view(filtered, strategy) for strategy in _strategies()]
    tried = [exhaust(view) for view in views]
    assert all(found.sound for found in tried)
    assert any(found.tight for found in tried)


def test_a_view_of_two_at_once() -> None:
    half = dp.interactive(ONE, RESPONSE.loss(1))

    def by_turns(curators: tuple[Asker, ...]) -> object:
        first, second = curators
        seen = second.ask(RESPONSE)
        return seen, first.ask(RESPONSE) if seen == "yes" else None

    both = dp.concurrently([half, half])
    view = dp.view(both, by_turns)
    assert exhaust(view).tight


def test_a_view_is_an_ordinary_measurement() -> None:
    ages = dp.rows(dp.integers(0, 120))
    count = ages >> dp.count() >> dp.laplace(scale=2)

    def narrowing(curator: Curator[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP]) -> int:
        first = curator.ask(count)
        return first if first < 0 else curator.ask(count)

    view = dp.view(dp.interactive(ages, dp.pure(1)), narrowing)
    assert view.loss(1) == dp.pure(1)
    assert view.loss(3) == dp.pure(3)
    assert str(view.map) == "d_in"
    assert isinstance(view.release([30, 40]), int)
    assert (view & count).loss(1) == dp.pure("3/2")


def test_what_is_no_interactive_arrow_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="Expected an interactive arrow"):
        dp.view(RESPONSE, lambda curator: curator)  # type: ignore[arg-type]
