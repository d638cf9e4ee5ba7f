"""Adversaries that ask whatever they like, in any order, against an account that is worked out anew by its definition.

The model keeps every charge that was made and adds them up from nothing: own charges, and of each partition the dearest
part. What a refusal, a failure or a part may change is thereby no matter of bookkeeping.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import dpcore as dp
from dpcore.errors import BudgetExceeded, InvalidParameter, UserFunctionFailed
from dpcore.types import Comparisons, Curator, Integers

ROWS = dp.rows(dp.integers(0, 9))
BUDGET = Fraction(3)
DATA = [1, 2, 3, 3, 9]
SHARES = st.sampled_from(
    [Fraction(1, 7), Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(5, 2), Fraction(1, 10**6)]
)
Path = tuple[tuple[object, object], ...]
Asker = Curator[dp.types.Rows[Integers], dp.SymmetricDistance, Any]
Comparing = Comparisons[dp.types.Rows[Integers], dp.SymmetricDistance]


def _failing(row: int) -> int:
    raise ValueError


def _due(charges: list[tuple[Path, Fraction]]) -> Fraction:
    """What such charges come to: those of nobody's part, and of each partition the most that a part comes to."""
    parts: defaultdict[object, defaultdict[object, list[tuple[Path, Fraction]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    own = Fraction(0)
    for path, cost in charges:
        if path:
            (partition, key), *deeper = path
            parts[partition][key].append((tuple(deeper), cost))
        else:
            own += cost
    return own + sum((max(map(_due, keys.values())) for keys in parts.values()), Fraction(0))


class Adversary(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.curator: Asker = self.account()
        self.askers: list[tuple[Path, Fraction, Asker]] = [((), Fraction(1), self.curator)]
        self.charges: list[tuple[Path, Fraction]] = []
        self.failed = False
        self.partitions = 0
        self.begun: list[tuple[Comparing, int, int]] = []

    def account(self) -> Asker:
        return dp.curator(ROWS, DATA, budget=dp.pure(BUDGET))

    def worth(self, epsilon: Fraction) -> Fraction:
        """What an epsilon is charged."""
        return epsilon

    @rule(who=st.integers(0, 30), epsilon=SHARES, fails=st.sampled_from([False] * 9 + [True]))
    def asks(self, who: int, epsilon: Fraction, fails: bool) -> None:
        path, factor, asker = self.askers[who % len(self.askers)]
        broken = ROWS >> dp.row_map(_failing, dp.integers(0, 1)) if fails else ROWS
        question: Any = broken >> dp.count() >> dp.laplace(scale=1 / epsilon)
        question = question.to(asker.measure) if asker.measure != dp.PureDP() else question
        charge = (path, self.worth(factor * epsilon))
        before = self.curator.log
        if self.failed:
            with pytest.raises(InvalidParameter, match="a question failed"):
                asker.ask(question)
            assert self.curator.log == before
            return
        if _due([*self.charges, charge]) > BUDGET:
            with pytest.raises(BudgetExceeded):
                asker.ask(question)
            assert self.curator.log == before
            return
        self.charges.append(charge)
        try:
            asker.ask(question)
        except UserFunctionFailed:
            self.failed = True
            assert fails

    @rule(who=st.integers(0, 30), epsilon=SHARES, hits=st.integers(1, 3))
    def begins_to_compare(self, who: int, epsilon: Fraction, hits: int) -> None:
        """Charged whole: half of epsilon for the threshold, half for what is above it."""
        path, factor, asker = self.askers[who % len(self.askers)]
        charge, before = (path, self.worth(factor * epsilon)), self.curator.log
        refused = InvalidParameter if self.failed else BudgetExceeded
        scales = {"threshold_scale": 2 / epsilon, "query_scale": 4 * hits / epsilon}
        if self.failed or _due([*self.charges, charge]) > BUDGET:
            with pytest.raises(refused):
                asker.above_threshold(3, **scales, hits=hits)
            assert self.curator.log == before
            return
        self.charges.append(charge)
        self.begun.append((asker.above_threshold(3, **scales, hits=hits), hits, 0))

    @precondition(lambda self: self.begun)
    @rule(which=st.integers(0, 30), fails=st.sampled_from([False] * 9 + [True]))
    def compares(self, which: int, fails: bool) -> None:
        at = which % len(self.begun)
        comparisons, hits, found = self.begun[at]
        broken = ROWS >> dp.row_map(_failing, dp.integers(0, 1)) if fails else ROWS
        if self.failed or found == hits:
            with pytest.raises(InvalidParameter, match="a question failed" if self.failed else "it is over"):
                comparisons.ask(broken >> dp.count())
            return
        try:
            self.begun[at] = comparisons, hits, found + comparisons.ask(broken >> dp.count())
        except UserFunctionFailed:
            self.failed = True
            assert fails

    @rule(who=st.integers(0, 30), keys=st.sampled_from([(1, 2), (3,), (1, 3, 9)]), own=st.booleans())
    def parts(self, who: int, keys: tuple[int, ...], own: bool) -> None:
        path, factor, asker = self.askers[who % len(self.askers)]
        self.partitions += 1
        by = (dp.row() + 10 * self.partitions) % 10 if own else dp.row()
        # The same partition is one where the same curator is asked for it.
        name = self.partitions if own else (id(asker), keys)
        for key, part in asker.by(by, keys).items():
            self.askers.append(((*path, (name, key)), factor, part))

    @rule(who=st.integers(0, 30), times=st.integers(2, 3))
    def multiplies(self, who: int, times: int) -> None:
        path, factor, asker = self.askers[who % len(self.askers)]
        step = ROWS >> dp.flat_map(lambda row: [row] * times, dp.integers(0, 9), limit=times)
        self.askers.append((path, factor * times, asker.after(step)))

    @invariant()
    def spends_what_is_due(self) -> None:
        (spent,) = self.curator.spent.parts
        assert spent.exact == _due(self.charges)
        assert _due(self.charges) <= BUDGET
        assert len(self.curator.log) == len(self.charges)

    @invariant()
    def leaves_what_one_more_may_cost(self) -> None:
        for path, factor, asker in self.askers:
            (part,) = asker.left.parts
            left = part.exact
            assert left is not None
            assert _due([*self.charges, (path, left)]) == BUDGET
            assert factor >= 1


class AdversaryInZCDP(Adversary):
    """The same where an epsilon is charged by its square, of above-thresholds, too."""

    def account(self) -> Asker:
        return dp.curator(ROWS, DATA, budget=dp.zcdp(BUDGET))

    def worth(self, epsilon: Fraction) -> Fraction:
        return epsilon**2 / 2


TestAdversary = Adversary.TestCase
TestAdversary.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)

TestAdversaryInZCDP = AdversaryInZCDP.TestCase
TestAdversaryInZCDP.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
