"""The comparison of carriers finds the faults that were there, each put back by itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from dpcore.domains import Key, key, structures
from dpcore.engines import python_rows, user_functions
from dpcore.engines.numpy import arrays, grouping
from dpcore.engines.numpy import table as numpy_table
from dpcore.engines.numpy.columns import Column, Multiples
from dpcore.measurements import threshold_release
from tests.carriers.pipelines import cases, differences

Fault = Callable[[pytest.MonkeyPatch], None]


def loses_fractions(patch: pytest.MonkeyPatch) -> None:
    """A key that is no whole number is not looked for where a column holds multiples."""
    find = grouping.places_of

    def places_of(column: Column, places: Any) -> Any:
        lost = isinstance(column, Multiples) and column.step != 1
        return np.full(len(column), -1) if lost else find(column, places)

    patch.setattr(numpy_table, "places_of", places_of)


def merges_one_and_true(patch: pytest.MonkeyPatch) -> None:
    """Keys that a dict takes for one are released as one."""
    patch.setattr(threshold_release, "clashing", lambda values: None)


def splits_texts(patch: pytest.MonkeyPatch) -> None:
    """A text of numpy is taken for a sequence of letters."""
    patch.setattr(user_functions, "key", lambda x: key(tuple(x)) if isinstance(x, np.str_) else key(x))


def knows_no_days(patch: pytest.MonkeyPatch) -> None:
    """A day of numpy is known by its type."""
    patch.setattr(user_functions, "key", lambda x: (9, repr(x)) if isinstance(x, np.datetime64) else key(x))


def refuses_lists(patch: pytest.MonkeyPatch) -> None:
    """A list is no key, where a tuple is one."""

    def hashable(x: object) -> Key:
        if isinstance(x, list):
            raise TypeError("a list cannot be a key")
        return key(x)

    for module in (grouping, python_rows):
        patch.setattr(module, "key", hashable)


def reads_records_as_values(patch: pytest.MonkeyPatch) -> None:
    """An array of records that may be missing is a column of single values."""
    patch.setattr(arrays, "Optional", ())


def reads_past_masks(patch: pytest.MonkeyPatch) -> None:
    """What is masked in a vector counts as what lies under the mask."""
    patch.setattr(structures, "_whole_numbers", lambda x: isinstance(x, np.ndarray) and x.dtype.kind in "iu")


def shows_the_row_itself(patch: pytest.MonkeyPatch) -> None:
    """What a condition does to the row that it is shown is done to the data."""
    patch.setattr(python_rows, "fresh", lambda row: row)


FAULTS: list[Fault] = [
    loses_fractions,
    merges_one_and_true,
    splits_texts,
    knows_no_days,
    refuses_lists,
    reads_records_as_values,
    reads_past_masks,
    shows_the_row_itself,
]


def some_differences() -> list[str]:
    dice = Random(1)
    found: list[str] = []
    for _ in range(1200):
        try:
            found += differences(cases(dice), dice)
        except Exception as error:  # what is raised and is none of our refusals is a difference too
            found.append(repr(error))
        if found:
            break
    return found


def test_without_a_fault_there_are_none() -> None:
    assert some_differences() == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    assert some_differences() != []
