"""Above-threshold, asked query by query: every small adversary, what it costs, when it is over, and what it refuses."""

from __future__ import annotations

import copy
import json
import os
import pickle
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.distributions import settled
from dpcore.errors import (
    BudgetExceeded,
    DomainMismatch,
    FreeSymbols,
    InvalidParameter,
    MetricMismatch,
    UserFunctionFailed,
)
from dpcore.report import render
from dpcore.types import Comparisons, Integers
from tests.certificates.tools import checker
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution
from tests.measurements.test_above_threshold import exactly

AGES = dp.rows(dp.integers(0, 120))
DATA = [23, 45, 67, 12] * 10
OLD = AGES >> dp.filter(dp.row() > 60) >> dp.count()
ALL = AGES >> dp.count()
LETTERS = dp.rows(dp.categories("a", "b"))
SPARSE = {"threshold_scale": 4, "query_scale": 8}  # 1/4 + 2/8 = 1/2
CERTAIN = {"threshold_scale": "1/1000", "query_scale": "1/1000"}
Asked = Comparisons[dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance]


def _begun(
    threshold: int = 20, hits: int = 1, budget: int = 10**9
) -> Comparisons[dp.types.Rows[Integers], dp.SymmetricDistance]:
    """One whose noise is all but none, so that what it answers is known."""
    return dp.curator(AGES, DATA, budget=dp.pure(budget)).above_threshold(threshold, hits=hits, **CERTAIN)


def _letters(key: str | None) -> dp.types.Transformation[
    dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance, Integers, dp.AbsoluteDistance
]:  # fmt: skip
    return LETTERS >> dp.count() if key is None else LETTERS >> dp.filter(dp.row() == key) >> dp.count()


# ---- what it is --------------------------------------------------------------------------------------------------------


def _adversary(first: str | None, then: dict[bool, str | None]) -> Callable[[Asked], object]:
    def asks(comparisons: Asked) -> object:
        seen = [comparisons.ask(_letters(first))]
        while not comparisons.over and len(seen) < 2:
            seen.append(comparisons.ask(_letters(then[seen[-1]])))
        return seen

    return asks


@pytest.mark.parametrize("hits", [1, 2])
def test_no_adversary_of_two_queries_sees_more_than_it_costs(hits: int) -> None:
    step = dp.above_threshold(1, threshold_scale="1/4", query_scale="1/3", hits=hits)
    interactive = dp.interactive(LETTERS, step)
    for first, below, above in ((None, "a", "b"), ("a", "b", "a")):
        view = dp.view(interactive, _adversary(first, {False: below, True: above}))
        assert exhaust(view, ("a", "b"), rows=1).sound, (first, below, above)


def test_queries_that_are_fixed_give_what_the_list_gives() -> None:
    """Law and loss are those of above-threshold over a list, whose distribution is worked out by hand."""
    step = dp.above_threshold(1, threshold_scale="1/4", query_scale="1/2", hits=2)
    view = dp.view(dp.interactive(LETTERS, step), _adversary("a", {False: "b", True: "b"}))
    run = distribution(measurement(view), ["a", "b", "b"]).masses
    hand = exactly([1, 2], 1, (1 / 4, 1 / 2), 2)
    assert len(run) == len(hand)
    for answers, p in hand.items():
        assert run[settled(list(answers))] == pytest.approx(p, abs=1e-10)


HALVES = dp.rows(dp.numbers(0, 1, "1/2"))


def test_of_a_number_on_a_grid_the_whole_part_is_compared() -> None:
    """So the law is that of whole queries, and the loss too: where a sum of halves moves by 1, its whole part does."""
    step = dp.above_threshold(1, threshold_scale="1/4", query_scale="1/4", hits=2)

    def twice(comparisons: Comparisons[Any, Any]) -> list[bool]:
        return [comparisons.ask(HALVES >> dp.sum()), comparisons.ask(HALVES >> dp.sum() >> dp.absolute_errors("1/2"))]

    view = dp.view(dp.interactive(HALVES, step), twice)
    for half in (Fraction(1, 2), Fraction(0)):
        run = distribution(measurement(view), [Fraction(1), half]).masses
        for answers, p in exactly([1, int(half * 2)], 1, (1 / 4, 1 / 4), 2).items():
            assert run[settled(list(answers))] == pytest.approx(p, abs=1e-10)
    assert exhaust(view, [Fraction(1, 2), Fraction(1)], rows=2).sound


def test_it_is_paid_once_and_asked_without_end() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    comparisons = curator.above_threshold(10**6, threshold_scale=4, query_scale=8)
    assert curator.left == dp.pure("1/2")
    for _ in range(300):
        assert not comparisons.ask(ALL)
    assert curator.left == dp.pure("1/2")
    assert len(curator.log) == 1
    assert len(curator.view()) == 300
    with pytest.raises(BudgetExceeded, match="costs PureDP: epsilon = 3/4, exactly; left is PureDP: epsilon = 1/2"):
        curator.above_threshold(0, threshold_scale=4, query_scale=4)
    assert len(curator.log) == 1
    curator.above_threshold(0, threshold_scale=4, query_scale=8)
    assert curator.left == dp.pure(0)
    assert not comparisons.ask(ALL)


def test_it_is_over_after_as_many_answers_above_as_it_may_give() -> None:
    comparisons = _begun(hits=2)
    assert [comparisons.ask(query) for query in (OLD, ALL, OLD)] == [False, True, False]
    assert comparisons.ask(ALL)
    assert comparisons.over
    with pytest.raises(InvalidParameter, match="it is over"):
        comparisons.ask(OLD)
    assert [above for _, above in comparisons.told] == [False, True, False, True]


def test_it_is_asked_between_other_questions_and_beside_another() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(10**6))
    first, second = (curator.above_threshold(20, **CERTAIN) for _ in range(2))  # type: ignore[arg-type]
    assert not first.ask(OLD)
    assert curator.ask(ALL >> dp.laplace(scale="1/1000")) == 40
    assert second.ask(ALL)
    assert second.over
    assert not first.over


def test_after_a_step_and_on_parts_it_costs_what_it_costs_there() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(10))
    three_times = AGES >> dp.flat_map(lambda row: [row] * 3, dp.integers(0, 120), limit=3)
    curator.after(three_times).above_threshold(0, **SPARSE)
    assert curator.spent == dp.pure("3/2")
    for part in curator.by(dp.row() % 2, [0, 1]).values():
        part.above_threshold(0, **SPARSE)
    assert curator.spent == dp.pure(2)


# ---- what is refused -----------------------------------------------------------------------------------------------------


def test_a_query_is_a_number_of_these_data_that_moves_by_at_most_one() -> None:
    comparisons = _begun()
    wrong: list[tuple[Any, type[Exception], str]] = [
        (ALL >> dp.laplace(scale=1), InvalidParameter, "Expected a transformation into a number"),
        (dp.count(), InvalidParameter, "Expected a transformation into a number"),
        (AGES >> dp.filter(dp.row() > 3), DomainMismatch, "one number on a grid"),
        (AGES >> dp.histogram(bins=[1, 2]), DomainMismatch, "one number on a grid"),
        (AGES >> dp.sum(), InvalidParameter, "may move by at most 1"),
        (dp.rows(dp.integers(0, 9)) >> dp.count(), DomainMismatch, "other data"),
        (dp.rows(dp.integers(0, 120), dp.ChangeOneDistance) >> dp.sum(), MetricMismatch, "another metric"),
    ]
    for query, error, said in wrong:
        with pytest.raises(error, match=said):
            comparisons.ask(query)
    assert comparisons.told == ()
    assert comparisons.ask(AGES >> dp.clamp(0, 1) >> dp.sum())


def test_in_approx_it_costs_its_epsilon_and_no_delta() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.approx(1, "1/1000"))
    comparisons = curator.above_threshold(20, threshold_scale=4, query_scale=8)
    assert curator.left == dp.approx("1/2", "1/1000")
    comparisons.ask(ALL)
    curator.ask((ALL >> dp.gaussian(60)).to(dp.ApproxDP, delta="1/1000"))
    assert curator.left.delta.upper == 0
    assert curator.view()[0][1] == comparisons.told[0]
    said = checker.verify(dp.certify(curator).text())[0]
    assert "above_threshold_asked_pure (proved)" in said[-1]


def test_symbols_and_metrics_without_steps_are_refused() -> None:
    with pytest.raises(FreeSymbols):
        dp.interactive(AGES, dp.above_threshold(dp.symbol("t"), threshold_scale=1, query_scale=1))
    with pytest.raises(FreeSymbols):
        dp.curator(AGES, DATA, budget=dp.pure(1)).above_threshold(0, threshold_scale=dp.symbol("b"), query_scale=1)
    vectors = dp.value(dp.vector(dp.integers(), 2), dp.LInfDistance)
    with pytest.raises(InvalidParameter, match="counts steps of 1"):
        dp.interactive(vectors, dp.above_threshold(0, threshold_scale=1, query_scale=1))


def _failing(row: int) -> int:
    raise ValueError


def test_a_query_that_fails_closes_it_and_the_curator() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(2))
    comparisons = curator.above_threshold(0, **SPARSE)
    with pytest.raises(UserFunctionFailed, match="stays charged"):
        comparisons.ask(AGES >> dp.row_map(_failing, dp.integers(0, 1)) >> dp.count())
    with pytest.raises(InvalidParameter, match="a question failed"):
        comparisons.ask(ALL)
    with pytest.raises(InvalidParameter, match="a question failed"):
        curator.ask(ALL >> dp.laplace(scale=9))
    assert [entry.outcome for entry in curator.log] == ["failed"]
    assert curator.spent == dp.pure("1/2")


def test_a_view_of_a_failure_releases_nothing() -> None:
    def strategy(comparisons: Comparisons[dp.types.Rows[Integers], dp.SymmetricDistance]) -> str:
        try:
            comparisons.ask(AGES >> dp.row_map(_failing, dp.integers(0, 1)) >> dp.count())
        except UserFunctionFailed:
            return "somebody is there"
        return "nobody is there"

    view = dp.view(dp.interactive(AGES, dp.above_threshold(0, threshold_scale=1, query_scale=1)), strategy)
    assert view.release([]) == "nobody is there"
    with pytest.raises(UserFunctionFailed):
        view.release([1])


def test_neither_a_copy_nor_a_fork_goes_on_to_another_answer_above() -> None:
    comparisons = _begun()
    other = copy.copy(comparisons)
    for copied in (copy.deepcopy, pickle.dumps):
        with pytest.raises((AttributeError, TypeError)):
            copied(comparisons)
    assert comparisons.ask(ALL)
    with pytest.raises(InvalidParameter, match="it is over"):
        other.ask(ALL)
    forked = _begun()
    process = os.fork()
    if process == 0:
        try:
            forked.ask(ALL)
        except InvalidParameter:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7
    assert forked.ask(ALL)


def test_threads_find_no_more_than_it_may_give() -> None:
    comparisons = _begun(hits=3)
    found: list[bool] = []

    def ask() -> None:
        for _ in range(20):
            try:
                found.append(comparisons.ask(ALL))
            except InvalidParameter:
                return

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 3 == len(comparisons.told)


# ---- what is kept --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d_in", [1, 3])
def test_it_is_certified_before_anything_is_asked(d_in: int) -> None:
    found = dp.interactive(AGES, dp.above_threshold(9, hits=2, **SPARSE))
    said = checker.verify(dp.certify(found, d_in).text())[0]
    assert said[0].startswith(f"claim: pure: epsilon <= {found.loss(d_in).epsilon.exact}, ")
    assert "each query moves by at most 1" in said[1]
    assert said[-1] == "rules: above_threshold_asked_pure (proved)"
    assert eval(repr(found), {**vars(dp)}) == found


def test_fewer_answers_above_are_not_what_was_claimed() -> None:
    data = json.loads(dp.certify(dp.interactive(AGES, dp.above_threshold(9, hits=2, **SPARSE))).text())
    data["derivation"]["parameters"]["hits"] = "3"
    with pytest.raises(checker.Rejected, match="not what was worked out"):
        checker.verify(json.dumps(data).encode())
    data["derivation"]["parameters"].update(hits="2", source={"kind": "ChangeOneDistance"})
    with pytest.raises(checker.Rejected, match="declared under another metric"):
        checker.verify(json.dumps(data).encode())


def test_a_curator_is_certified_with_it_and_the_report_says_it() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    curator.above_threshold(9, **SPARSE).ask(ALL)
    certificate = dp.certify(curator)
    said = checker.verify(certificate.text())[0]
    assert said[0].startswith("claim: pure: epsilon <= 1, ")
    assert "above_threshold_asked_pure (proved), filter_pure (proved)" in said[-1]
    assert "above a threshold" in render(certificate)


def test_a_ledger_keeps_it_with_its_certificate(tmp_path: Path) -> None:
    ledger = tmp_path / "study.ledger"
    dp.curator(AGES, DATA, budget=dp.pure(1), ledger=ledger).above_threshold(9, **SPARSE).ask(ALL)
    tuesday = dp.curator(AGES, DATA, budget=dp.pure(1), ledger=ledger)
    assert tuesday.left == dp.pure("1/2")
    (entry,) = tuesday.log
    assert entry.outcome == "answered"
    assert entry.charge.certificate is not None
    assert checker.verify(entry.charge.certificate.encode())[0][0].startswith("claim: pure: epsilon <= 1/2, ")
