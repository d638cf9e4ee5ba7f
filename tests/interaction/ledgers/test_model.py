"""A ledger is what an account in memory is, whatever is asked of it, by whomever, and however often it is opened anew."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dpcore.errors import InvalidParameter
from dpcore.interaction.accounts import ANSWERED, FAILED, Account, Charge, Entry, Figures, InMemory, Place, Refused
from dpcore.interaction.ledgers.ledger import Ledger
from tests.interaction.ledgers.ledgers import opened

SOME = 3
"""So many hold the ledger open at once."""

FIGURE = st.fractions(min_value=0, max_value=Fraction(1, 2), max_denominator=9)
PARTS = st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("xyz")), max_size=2)
PLACE = PARTS.map(lambda parts: tuple(text for part in parts for text in part))
TEXT = st.text(max_size=5)
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)


def timeless(entries: object) -> list[Entry]:
    assert isinstance(entries, (list, tuple))
    return [replace(each, time=NO_TIME) for each in entries]


def told(account: Account, charge: Charge) -> int | Figures:
    """The number of the charge, or what is spent if it is refused."""
    try:
        return account.charge(charge)
    except Refused as refusal:
        return refusal.spent


class Accounts(RuleBasedStateMachine):
    """Ledgers on one file beside the model."""

    @initialize(budget=st.one_of(st.none(), st.tuples(st.just(Fraction(1)), st.fractions(0, 1))))
    def begin(self, budget: Figures | None) -> None:
        self.budget = budget
        self.folder = Path(tempfile.mkdtemp())
        self.place = self.new_place()
        self.model = InMemory(budget, 2)
        self.ledgers = [self.another() for _ in range(SOME)]

    def new_place(self) -> str:
        return str(self.folder / "study.ledger")

    def another(self) -> Ledger:
        return opened(self.place, measure="ApproxDP", figures=2, budget=self.budget)

    @rule(i=st.integers(0, SOME - 1), cost=st.tuples(FIGURE, FIGURE), place=PLACE, question=TEXT, by=TEXT)
    def charge(self, i: int, cost: Figures, place: Place, question: str, by: str) -> None:
        charge = Charge(cost, question, place, None if by else question, by)
        assert told(self.ledgers[i], charge) == told(self.model, charge)

    @rule(i=st.integers(0, SOME - 1), cost=st.sampled_from([(), (1,), (1, 1, 1), (0, -1)]))
    def no_cost(self, i: int, cost: tuple[int, ...]) -> None:
        with pytest.raises(InvalidParameter):
            self.ledgers[i].charge(Charge(tuple(map(Fraction, cost)), "count"))

    @precondition(lambda self: self.model.entries())
    @rule(i=st.integers(0, SOME - 1), which=st.integers(0, 99), outcome=st.sampled_from([ANSWERED, FAILED]))
    def settle(self, i: int, which: int, outcome: str) -> None:
        number = which % len(self.model.entries()) + 1
        self.model.settle(number, outcome)
        self.ledgers[i].settle(number, outcome)

    @rule(i=st.integers(0, SOME - 1))
    def open_again(self, i: int) -> None:
        self.ledgers[i].close()
        self.ledgers[i] = self.another()

    @rule(i=st.integers(0, SOME - 1))
    def let_go(self, i: int) -> None:
        self.ledgers[i].close()

    @rule(i=st.integers(0, SOME - 1), place=PLACE)
    def spent(self, i: int, place: Place) -> None:
        assert self.ledgers[i].spent(place) == self.model.spent(place)
        assert self.ledgers[i].spent(place[:-1]) == self.model.spent(place[:-1])

    @invariant()
    def all_say_the_same(self) -> None:
        if hasattr(self, "ledgers"):
            assert {each.spent() for each in self.ledgers} == {self.model.spent()}
            assert timeless(self.ledgers[0].entries()) == timeless(self.model.entries())

    def teardown(self) -> None:
        if hasattr(self, "ledgers"):
            for each in self.ledgers:
                each.close()
            shutil.rmtree(self.folder)


Accounts.TestCase.settings = settings(max_examples=15, stateful_step_count=20)
TestAccounts = Accounts.TestCase
