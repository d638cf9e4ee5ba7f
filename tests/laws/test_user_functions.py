"""No function of a user can change what anybody reads after it: it is shown copies, and what it gives is copied.

On every carrier, in every step that takes one, whatever it does to the row it is shown, to those it was shown before, or to
what it gave before. Not even what it counts is moved: the steps give what they give for a function that touches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits
from tests.carriers.kinds import objects

d: Any = dp
Row: TypeAlias = dict[str, Any]

ROW = dp.record(who=dp.text(), v=dp.vector(dp.integers(0, 9), 2), n=dp.integers(0, 9))
SPACE = d.rows(ROW)
PERSONS = d.rows(ROW, dp.PersonDistance("who"))


def rows() -> list[Row]:
    return [{"who": "ab"[i % 2], "v": [i, 0], "n": i} for i in range(6)]


CARRIERS: Mapping[str, Callable[[], object]] = {
    "rows": rows,
    "columns": lambda: {
        "who": np.array([row["who"] for row in rows()]),
        "v": objects([row["v"] for row in rows()]),
        "n": np.array([row["n"] for row in rows()]),
    },
    "a matrix": lambda: {
        "who": np.array([row["who"] for row in rows()]),
        "v": np.array([row["v"] for row in rows()]),
        "n": objects([row["n"] for row in rows()]),
    },
}

Touch: TypeAlias = Callable[[Row], None]


def nothing(row: Row) -> None:
    pass


def its_row(row: Row) -> None:
    row["who"], row["n"] = str(row["n"]), 9
    row["v"][0] = 9
    row["v"].append(9)


def rows_before() -> Touch:
    """Those it was shown before, which it has kept."""
    kept: list[Row] = []

    def touch(row: Row) -> None:
        kept.append(row)
        for each in kept[:-1]:
            its_row(each)

    return touch


TOUCHES: Mapping[str, Callable[[], Touch]] = {"its row": lambda: its_row, "rows before": rows_before}


def giving(touch: Touch, value: Callable[[Row], object]) -> Callable[[Row], object]:
    def function(row: Row) -> object:
        given = value(row)
        touch(row)
        return given

    return function


def copied(row: Row) -> Row:
    return {**row, "v": [*row["v"]]}


STEPS: Mapping[str, Callable[[Touch], Any]] = {
    "filter": lambda t: SPACE >> d.filter(giving(t, lambda r: r["n"] % 3 > 0)),
    "filter of persons": lambda t: (
        PERSONS >> d.filter(giving(t, lambda r: True)) >> d.bound_contributions(9) >> d.select(d.field("n", int))
    ),
    "filter, then another": lambda t: (
        SPACE >> d.filter(giving(t, lambda r: True)) >> d.filter(giving(t, lambda r: r["n"] > 1)) >> d.select(d.field("n"))
    ),
    "row_map": lambda t: SPACE >> d.row_map(giving(t, copied), ROW) >> d.row_map(giving(t, copied), ROW),
    "flat_map": lambda t: SPACE >> d.flat_map(giving(t, lambda r: [copied(r), copied(r)]), ROW, 2),
    "histogram": lambda t: SPACE >> d.histogram(giving(t, lambda r: r["who"]), bins=["a", "b"]),
    "partition": lambda t: SPACE >> d.partition(["a", "b"], giving(t, lambda r: r["who"])),
    "threshold": lambda t: (
        SPACE >> d.threshold_release(giving(t, lambda r: (r["who"], r["v"][1])), scale="1/1000", threshold=2)
    ),
}  # fmt: skip


def said(arrow: Any, data: object) -> object:
    return arrow.release(data, bits=SeededBits(0)) if isinstance(arrow, dp.types.Measurement) else arrow(data)


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("touch", TOUCHES)
@pytest.mark.parametrize("step", STEPS)
def test_nothing_that_is_read_later_is_changed(step: str, touch: str, carrier: str) -> None:
    data, kept = CARRIERS[carrier](), CARRIERS[carrier]()
    expected = said(STEPS[step](nothing), CARRIERS[carrier]())
    arrow = STEPS[step](TOUCHES[touch]())
    assert said(arrow, data) == expected
    assert said(arrow, data) == expected
    assert repr(data) == repr(kept)


def test_what_a_function_gave_is_its_own_no_longer() -> None:
    given: list[Row] = []

    def function(row: Row) -> Row:
        for each in given:
            its_row(each)
        given.append(copied(row))
        return given[-1]

    mapped = SPACE >> d.row_map(function, ROW)
    assert mapped(rows()) == rows()
