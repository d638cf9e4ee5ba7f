"""Questions one after another: what they cost, what is refused, and what stays as it was."""

from __future__ import annotations

import copy
import os
import threading
from fractions import Fraction
from typing import Any, cast

import pytest

import dpcore as dp
from dpcore.errors import (
    BudgetExceeded,
    DomainMismatch,
    DPError,
    InvalidData,
    InvalidParameter,
    MeasureMismatch,
    MetricMismatch,
    NoFiniteLoss,
    UserFunctionFailed,
)

AGES = dp.rows(dp.integers(0, 120))
DATA = [23, 45, 67, 12]
PEOPLE = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S", "W")))
ROWS = [{"age": 30, "region": "N"}, {"age": 50, "region": "S"}, {"age": 11, "region": "S"}]


NOISY = AGES >> dp.count() >> dp.gaussian(sigma=2)


def _count(
    epsilon: str,
) -> dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.PureDP, int]:
    return AGES >> dp.count() >> dp.laplace(scale=1 / Fraction(epsilon))


def test_ten_tenths_are_the_whole_and_the_eleventh_is_refused() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    for _ in range(10):
        assert isinstance(curator.ask(_count("1/10")), int)
    assert curator.left == dp.pure(0)
    with pytest.raises(BudgetExceeded, match="costs PureDP: epsilon = 1/10, exactly; left is PureDP: epsilon = 0"):
        curator.ask(_count("1/10"))
    assert curator.spent == dp.pure(1)
    assert len(curator.log) == len(curator.view()) == 10


def test_what_is_refused_changes_nothing_and_the_curator_goes_on() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    curator.ask(_count("1/2"))
    curator.ask(_count("1/4"))
    before = curator.log
    with pytest.raises(BudgetExceeded) as refusal:
        curator.ask(_count("1/2"))
    assert (refusal.value.produced, refusal.value.expected) == (dp.pure("1/2"), dp.pure("1/4"))
    assert curator.log == before
    assert curator.left == dp.pure("1/4")
    curator.ask(_count("1/4"))
    assert curator.left == dp.pure(0)


def test_zcdp_and_gaussian_add_up_in_their_own_way() -> None:
    zcdp = dp.curator(AGES, DATA, budget=dp.zcdp("1/2"))
    for _ in range(4):
        zcdp.ask(NOISY)
    assert zcdp.left == dp.zcdp(0)
    with pytest.raises(BudgetExceeded):
        zcdp.ask(AGES >> dp.count() >> dp.gaussian(sigma=1000))


def test_an_odometer_counts_without_a_limit() -> None:
    meter = dp.odometer(AGES, dp.PureDP).start(DATA)
    for _ in range(3):
        meter.ask(_count("2"))
    assert meter.spent == dp.pure(6)
    with pytest.raises(InvalidParameter, match="no limit"):
        _ = meter.left


def test_two_that_are_asked_by_turns_cost_their_sum() -> None:
    half = dp.interactive(AGES, dp.pure("1/2"))
    both = dp.concurrently([half, half])
    assert both.loss(1) == dp.pure(1)
    assert both.loss(3) == dp.pure(3)
    first, second = both.start(DATA)
    first.ask(_count("1/4"))
    second.ask(_count("1/2"))
    first.ask(_count("1/4"))
    with pytest.raises(BudgetExceeded):
        first.ask(_count("1/100"))
    assert (first.left, second.left) == (dp.pure(0), dp.pure(0))


def test_a_step_before_the_question_multiplies_its_cost() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    doubled = curator.after(AGES >> dp.flat_map(lambda age: [age, age], dp.integers(0, 120), limit=2))
    with pytest.raises(BudgetExceeded):
        doubled.ask(_count("2/3"))
    doubled.ask(_count("1/2"))
    assert curator.spent == dp.pure(1)


def test_what_a_step_costs_is_known_before_it_runs() -> None:
    ran: list[int] = []

    def seen(age: int) -> list[int]:
        ran.append(age)
        return [age] * 10

    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    with pytest.raises(BudgetExceeded):
        curator.after(AGES >> dp.flat_map(seen, dp.integers(0, 120), limit=10)).ask(_count("1/2"))
    assert ran == []


def test_parts_cost_what_the_dearest_does() -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(1))
    parts = curator.by(dp.field("region"), ["N", "S"])
    part = dp.rows(PEOPLE.domain.of)
    half = part >> dp.count() >> dp.laplace(scale=2)
    parts["N"].ask(half)
    assert curator.spent == dp.pure("1/2")
    parts["S"].ask(half)
    assert curator.spent == dp.pure("1/2")
    assert (parts["N"].spent, parts["N"].left) == (dp.pure("1/2"), dp.pure("1/2"))
    parts["N"].ask(half)
    assert (curator.left, parts["N"].left, parts["S"].left) == (dp.pure(0), dp.pure(0), dp.pure("1/2"))
    with pytest.raises(BudgetExceeded):
        parts["N"].ask(half)
    parts["S"].ask(half)
    assert curator.spent == dp.pure(1)


def test_the_same_parts_share_and_others_add_up() -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(2))
    part = dp.rows(PEOPLE.domain.of)
    half = part >> dp.count() >> dp.laplace(scale=2)
    curator.by(dp.field("region"), ["N", "S"])["N"].ask(half)
    curator.by(dp.field("region"), ["N", "S"])["S"].ask(half)
    assert curator.spent == dp.pure("1/2")
    curator.by(dp.field("region"), ["N", "W"])["W"].ask(half)
    assert curator.spent == dp.pure(1)


def test_parts_by_a_key_drawn_today_are_never_those_of_another_curator() -> None:
    """Which rows of a person are kept decides which parts a person touches, and another key keeps others."""
    space = dp.rows(PEOPLE.domain.of, dp.PersonDistance("age"))
    kept = dp.rows(PEOPLE.domain.of, dp.PersonDistance("age")) >> dp.bound_contributions(1)
    curator = dp.curator(space, ROWS, budget=dp.pure(2))
    half = dp.rows(PEOPLE.domain.of) >> dp.count() >> dp.laplace(scale=2)
    for name in ("N", "S"):
        curator.after(kept).by(dp.field("region"), ["N", "S"])[name].ask(half)
    assert curator.spent == dp.pure(1)


def test_parts_after_a_step_cost_as_often_as_the_step_multiplies() -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.approx(4, "1e-6"))
    of = PEOPLE.domain.of
    thrice = PEOPLE >> dp.flat_map(lambda person: [person] * 3, of, limit=3)
    part = dp.rows(of) >> dp.count() >> dp.laplace(scale=1)
    curator.after(thrice).by(dp.field("region"))["W"].ask(part.to(dp.ApproxDP))
    assert curator.spent.epsilon == 3


def test_a_replaced_row_may_touch_two_parts() -> None:
    space = dp.rows(PEOPLE.domain.of, dp.ChangeOneDistance)
    curator = dp.curator(space, ROWS, budget=dp.pure(1))
    with pytest.raises(MetricMismatch, match="may be in several parts"):
        curator.by(dp.field("region"))  # type: ignore[misc]


def test_what_raises_stays_charged() -> None:
    def failing(age: int) -> int:
        raise ValueError(str(age))

    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    question = AGES >> dp.row_map(failing, dp.integers(0, 1)) >> dp.count() >> dp.laplace(scale=2)
    with pytest.raises(UserFunctionFailed, match="the question stays charged"):
        curator.ask(question)
    assert curator.spent == dp.pure("1/2")
    assert [entry.outcome for entry in curator.log] == ["failed"]
    assert curator.view() == ()


def test_questions_about_something_else_are_refused() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    with pytest.raises(MeasureMismatch):
        curator.ask(NOISY)  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch):
        curator.ask(dp.rows(dp.integers(0, 7)) >> dp.count() >> dp.laplace(scale=10))
    with pytest.raises(MetricMismatch):
        curator.ask(dp.rows(dp.integers(0, 120), dp.ChangeOneDistance) >> dp.histogram(bins=[1]) >> dp.laplace(scale=9))  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter):
        curator.ask("how many")  # type: ignore[arg-type]
    assert curator.spent == dp.pure(0)


def test_data_of_another_kind_are_refused_at_the_start() -> None:
    with pytest.raises(InvalidData):
        dp.curator(AGES, [500], budget=dp.pure(1))


def test_a_lazy_frame_is_checked_before_anything_is_charged() -> None:
    pl = pytest.importorskip("polars")
    people = pl.DataFrame({"age": [30, 500], "region": ["N", "S"]}).lazy()
    with pytest.raises(InvalidData, match="row 1, field 'age'"):
        dp.curator(PEOPLE, people, budget=dp.pure(1))
    with pytest.raises(InvalidData, match="row 1, field 'age'"):
        dp.odometer(PEOPLE, dp.PureDP).start(people)


def test_a_budget_is_a_loss_of_numbers() -> None:
    with pytest.raises(InvalidParameter):
        dp.curator(AGES, DATA, budget=1)  # type: ignore[arg-type]
    curve = NOISY.to(dp.RenyiDP).loss(1)
    with pytest.raises(NoFiniteLoss):
        dp.curator(AGES, DATA, budget=curve)


def test_threads_never_spend_more_than_there_is() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    refused: list[BudgetExceeded] = []

    def ask() -> None:
        for _ in range(20):
            try:
                curator.ask(_count("1/40"))
            except BudgetExceeded as error:
                refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert curator.spent == dp.pure(1)
    assert (len(curator.log), len(refused)) == (40, 120)


def test_two_hospitals_line_by_line() -> None:
    """Scenario 2 of the notes on properties: the second question is chosen after the first answer; 1/2 and 1/3 are 5/6."""
    curator = dp.curator(AGES, DATA, budget=dp.pure("5/6"))
    first = curator.ask(_count("1/2"))
    curator.ask(_count("1/3") if first < 100 else AGES >> dp.filter(dp.row() > 60) >> dp.count() >> dp.laplace(scale=3))
    assert (curator.spent, curator.left) == (dp.pure("5/6"), dp.pure(0))


def test_no_copy_is_spent_a_second_time() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    with pytest.raises(TypeError):
        copy.deepcopy(curator)
    copy.copy(curator).ask(_count("1"))
    assert curator.left == dp.pure(0)


def test_a_forked_process_may_not_spend_it_again() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            curator.ask(_count("1"))
        except InvalidParameter as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as said:
        assert "a forked one may not spend it again" in said.read()
    os.waitpid(child, 0)
    curator.ask(_count("1"))


def test_threads_may_ask_one_frame_several_things_at_once() -> None:
    """What one thread notes before it asks is no matter of another, which asks the same rows meanwhile."""
    pl = pytest.importorskip("polars")
    people = pl.DataFrame({"age": [30, 50, 70], "region": ["N", "S", "N"]}).lazy()
    curator = dp.curator(PEOPLE, people, budget=dp.pure(10**6))
    old = PEOPLE >> dp.filter(dp.field("age") > 40) >> dp.count() >> dp.laplace(scale="1/10000")
    both = dp.compose([PEOPLE >> dp.count() >> dp.laplace(scale="1/10000"), old])
    seen: list[tuple[int, ...]] = []

    def ask() -> None:
        seen.extend(curator.ask(both) for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {(3, 2)}
    assert len(seen) == 40


def test_a_refusal_names_the_way_out() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    untyped = cast(Any, curator)
    for question, way in (
        (NOISY, "a curator whose budget is one in ZCDP"),
        (AGES >> dp.count(), r"ends with noise"),
        (dp.rows(dp.integers(0, 7)) >> dp.count() >> dp.laplace(scale=10), r"curator\.space >> "),
    ):
        with pytest.raises(DPError, match=way):
            untyped.ask(question)
    with pytest.raises(MeasureMismatch, match=r"question\.to\(ApproxDP, delta=\.\.\.\)"):
        cast(Any, dp.curator(AGES, DATA, budget=dp.approx(1, "1e-6"))).ask(NOISY)
    with pytest.raises(InvalidParameter, match=r"pure\(1\)"):
        cast(Any, dp.curator)(AGES, DATA, budget=1)
    persons = dp.curator(dp.rows(PEOPLE.domain.of, dp.PersonDistance("age")), ROWS, budget=dp.pure(1))
    with pytest.raises(MetricMismatch, match="bound_contributions"):
        cast(Any, persons).by(dp.field("region"))


def test_a_step_is_taken_as_what_it_makes_of_these_data() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.pure(1))
    old = curator.after(dp.filter(dp.row() > 40))
    old.ask(_count("1/2"))
    assert curator.spent == dp.pure("1/2")
    for wrong in ("filter", dp.laplace(scale=1), dp.filter):
        with pytest.raises(DPError):
            cast(Any, curator).after(wrong)


def test_a_part_says_which_it_is() -> None:
    parts = dp.curator(PEOPLE, ROWS, budget=dp.pure(1)).by(dp.field("region"))
    assert ", part 'N': spent pure(0)" in repr(parts["N"])
