"""What an attacker found: each is a class of faults that can no longer happen."""

from __future__ import annotations

import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dpcore as dp
from dpcore.errors import DPError, InvalidParameter, UserFunctionFailed
from dpcore.types import Curator, Integers

AGES = dp.rows(dp.integers(0, 120))
PEOPLE = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S")))
EXACT = dp.laplace(scale="1/10000")
Asker = Curator[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP]


def _one_is_too_much(age: int) -> int:
    if age == 1:
        raise ValueError
    return age


FAILING = AGES >> dp.row_map(_one_is_too_much, dp.integers(0, 120)) >> dp.count() >> dp.laplace(scale=1000)
SAFE = AGES >> dp.count() >> dp.laplace(scale=1000)


def test_a_failure_is_no_answer_that_a_view_may_give_out() -> None:
    """That a question failed tells whether somebody is 1 year old, for a thousandth."""

    def strategy(curator: Asker) -> str:
        try:
            curator.ask(FAILING)
        except DPError:
            return "somebody is 1"
        return "nobody is 1"

    view = dp.view(dp.interactive(AGES, dp.pure("1/1000")), strategy)
    assert view.release([2, 3]) == "nobody is 1"
    with pytest.raises(UserFunctionFailed):
        view.release([1, 3])
    inner = dp.view(dp.interactive(AGES, dp.pure("1/1000")), lambda curator: curator.ask(view))

    def outer(curator: Asker) -> str:
        try:
            return curator.ask(inner)
        except DPError:
            return "somebody is 1"

    with pytest.raises(UserFunctionFailed):
        dp.view(dp.interactive(AGES, dp.pure(1)), outer).release([1, 3])


def test_after_a_failure_nothing_more_is_answered() -> None:
    curator = dp.curator(AGES, [1, 3], budget=dp.pure(1))
    with pytest.raises(UserFunctionFailed):
        curator.ask(FAILING)
    with pytest.raises(InvalidParameter, match="a question failed"):
        curator.ask(SAFE)
    with pytest.raises(InvalidParameter, match="a question failed"):
        curator.after(AGES >> dp.filter(dp.row() > 3)).ask(SAFE)
    assert len(curator.log) == 1


@pytest.mark.parametrize("masked", [False, True])
def test_what_was_checked_cannot_be_changed_afterwards(masked: bool) -> None:
    """A sum is bounded by what the rows were when they were checked."""
    ages = np.array([50] * 100)
    curator = dp.curator(AGES, np.ma.masked_array(ages, mask=False) if masked else ages, budget=dp.pure(10**9))
    ages[:] = 10**6
    assert curator.ask(AGES >> dp.sum() >> EXACT) == 5000


@pytest.mark.parametrize("framed", [False, True])
def test_columns_that_were_checked_cannot_be_changed_afterwards(framed: bool) -> None:
    ages = np.array([50] * 100)
    columns = {"age": ages}
    space = dp.rows(dp.record(age=dp.integers(0, 120)))
    pandas: Any = import_module("pandas")
    data = pandas.DataFrame(columns, copy=False) if framed else columns
    curator = dp.curator(space, data, budget=dp.pure(10**9))
    ages[:] = 10**6
    assert curator.ask(space >> dp.select(dp.field("age"), dp.integers(0, 120)) >> dp.sum() >> EXACT) == 5000


def test_nobody_is_in_two_parts_of_rows_that_change(tmp_path: Path) -> None:
    """Ann moves from N to S between two questions, which share a charge: only one of them may count her."""
    file = tmp_path / "people.parquet"
    pl.DataFrame({"age": [30] * 9, "region": ["N"] * 9}).write_parquet(file)
    curator = dp.curator(PEOPLE, pl.scan_parquet(file), budget=dp.pure(10**9))
    parts = curator.by(dp.field("region"))
    north = parts["N"].ask(PEOPLE >> dp.count() >> EXACT)
    pl.DataFrame({"age": [30] * 9, "region": ["S"] * 9}).write_parquet(file)
    south = parts["S"].ask(PEOPLE >> dp.filter(dp.field("age") > 3) >> dp.count() >> EXACT)
    assert (north, south) == (9, 0)
    again = curator.by(dp.field("region"))["S"].ask(PEOPLE >> dp.count() >> EXACT)
    assert again == 0


def test_a_function_of_rows_asks_nobody() -> None:
    """Each row would be counted in what was spent; and a step that asks for its own rows would wait for itself."""
    curator = dp.curator(AGES, [3, 4, 5], budget=dp.pure(1))

    def asking(age: int) -> int:
        curator.ask(SAFE)
        return age

    asks = AGES >> dp.row_map(asking, dp.integers(0, 120)) >> dp.count() >> dp.laplace(scale=1000)
    with pytest.raises(UserFunctionFailed):
        curator.ask(asks)
    assert len(curator.log) == 1


def test_threads_choose_rows_by_one_key() -> None:
    space = dp.rows(dp.record(who=dp.integers(0, 9), age=dp.integers(0, 120)), dp.PersonDistance("who"))
    curator = dp.curator(
        space, [{"who": who, "age": age} for who in range(9) for age in range(50)], budget=dp.pure(10**12)
    )
    kept = space >> dp.bound_contributions(1) >> dp.select(dp.field("age"), dp.integers(0, 120)) >> dp.sum()
    question = kept >> EXACT
    seen: list[object] = []

    def ask() -> None:
        seen.extend(curator.ask(question) for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 80
    assert len(set(map(str, seen))) == 1
