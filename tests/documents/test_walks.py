"""A walk through dpcore gets no longer than `docs/walk.md` says, and what is counted is what a reader follows."""

from __future__ import annotations

import pytest

from benchmarks.walk import PAGE, STAGES, Call, Stage, Walk


def published() -> dict[str, tuple[int, int]]:
    """Of each walk how many files and changes of file the page gives."""
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    return {row[0].removeprefix("| "): (int(row[3]), int(row[4])) for row in rows if row[3].isdigit()}


def test_every_walk_is_published() -> None:
    assert set(published()) == {stage.what for stage in STAGES}


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_no_walk_is_longer_than_published(stage: Stage) -> None:
    """Where it has to be, `make walk` writes the page again, and the change shows it."""
    walk = stage.walk()
    files, changes = published()[stage.what]
    assert walk.files <= files, "make walk"
    assert walk.changes <= changes, "make walk"


def test_the_same_walk_twice() -> None:
    assert [stage.walk() for stage in STAGES] == [stage.walk() for stage in STAGES]


def test_the_way_of_a_loss() -> None:
    """It begins where the user calls and passes the rules of the pipeline in their order."""
    [loss] = [stage for stage in STAGES if stage.name == "loss"]
    calls = loss.walk().calls
    assert calls[0].function == "Measurement.loss"
    rules = [
        call.function for call in calls if call.function in {"filter_symmetric", "histogram_symmetric", "laplace_loss"}
    ]
    assert rules == ["filter_symmetric", "histogram_symmetric", "laplace_loss"]


def test_what_is_counted() -> None:
    f, g, elsewhere = Call("a.py", "f"), Call("a.py", "g"), Call("b.py", "f")
    walk = Walk((f, g, elsewhere, f, f))
    assert (walk.functions, walk.files, walk.changes) == (3, 2, 2)
