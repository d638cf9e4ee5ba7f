"""A function of the user that is given data may not release, nor ask, begin or append to what answers about any data.

How often it did, and with what, would depend on rows that no loss accounts for: a row of one study could be told by the
rows of another.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import dpcore as dp
from dpcore import learning
from dpcore.errors import DPError, InvalidParameter, UserFunctionFailed

d: Any = dp
NUMBERS: Final[Any] = dp.rows(dp.integers(0, 9))
COUNT: Final[Any] = NUMBERS >> dp.count() >> dp.laplace(scale=1)
MUCH: Final = dp.pure(1000)
WHOLE: Final = dp.integers(0, 9)

WEIGHTS: Final[Any] = d.pmw(d.rows(d.record(a=d.integers(0, 3))), d.pure(9), queries=50, size=500)

Does = Callable[[], object]


class Other:
    """A study of somebody else, of which nothing may change."""

    def __init__(self, ledger: Path | None = None) -> None:
        self.curator: Any = dp.curator(NUMBERS, [], budget=MUCH, ledger=ledger)
        self.curator.append([0, 0])
        self.north = self.curator.by(dp.row(), [0])[0]
        self.late = self.curator.after(dp.clamp(0, 5))
        self.asked = self.curator.above_threshold(5, threshold_scale=2, query_scale=4)
        self.weights = WEIGHTS.start([{"a": 1}] * 500)
        self.before = self.state()

    def state(self) -> tuple[object, int, int, int]:
        return self.curator.spent, self.curator._study.stream.steps, len(self.curator.log), len(self.weights.told)


DOINGS: Final[dict[str, tuple[str, Callable[[Other], object]]]] = {
    "ask": ("ask a curator", lambda other: other.curator.ask(COUNT)),
    "ask a part": ("ask a curator", lambda other: other.north.ask(COUNT)),
    "ask after a step": (
        "ask a curator",
        lambda other: other.late.ask(other.late.space >> d.count() >> d.laplace(scale=1)),
    ),
    "ask an above-threshold": ("ask a curator", lambda other: other.asked.ask(NUMBERS >> d.count())),
    "ask weights": ("ask a curator", lambda other: other.weights.ask(d.field("a") > 1)),
    "begin an above-threshold": (
        "ask a curator",
        lambda other: other.curator.above_threshold(5, threshold_scale=2, query_scale=4),
    ),
    "begin a total": (
        "ask a curator",
        lambda other: other.curator.running(COUNT, time=d.row(), horizon=4),
    ),
    "append": ("append rows", lambda other: other.curator.append([1] * 100)),
    "begin a curator": ("begin what answers", lambda other: d.curator(NUMBERS, [1], budget=MUCH)),
    "begin an odometer": ("begin what answers", lambda other: d.odometer(NUMBERS, d.PureDP).start([1])),
    "release": ("may not release", lambda other: COUNT.release([1])),
    "release by a view": (
        "may not release",
        lambda other: d.view(d.interactive(NUMBERS, MUCH), lambda c: c.ask(COUNT)).release([1]),
    ),
    "fit a model": ("may not release", lambda other: learning.PCA(d.pure(1)).fit([[1.0, 0.0]])),
    "attack": ("may not release", lambda other: d.attacks.membership(COUNT, [1], [], n=100)),
}


def wheres(meddle: Does) -> dict[str, Does]:
    """Each place where a function is given data, in a release of these."""

    def row(x: Any) -> Any:
        meddle()
        return x

    def rows(xs: Any) -> Any:
        meddle()
        return len(xs)

    def lazily(x: Any) -> Any:
        meddle()
        yield x

    def gradient(theta: Any, block: Any) -> Any:
        meddle()
        return block[:, :1]

    points: Any = d.rows(d.vector(d.numbers(), 1))
    to_counts: Any = d.transformation(rows, NUMBERS, d.value(d.integers(0), d.AbsoluteDistance), stability=lambda k: k)
    return {
        "row_map": lambda: (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).release([1]),
        "filter": lambda: (NUMBERS >> d.filter(lambda x: bool(row(x))) >> d.count() >> d.laplace(scale=1)).release([1]),
        "flat_map": lambda: (NUMBERS >> d.flat_map(lazily, WHOLE, 1) >> d.count() >> d.laplace(scale=1)).release([1]),
        "partition": lambda: (NUMBERS >> d.partition([1], row) >> d.parallel(COUNT)).release([1]),
        "histogram": lambda: (NUMBERS >> d.histogram(row, bins=[1]) >> d.laplace(scale=1)).release([1]),
        "transformation": lambda: (to_counts >> d.laplace(scale=1)).release([1]),
        "measurement": lambda: d.measurement(rows, NUMBERS, d.PureDP, lambda k: k).release([1]),
        "descend": lambda: (points >> d.descend(gradient, 1, d.pure(1), clip=1, start=[0], size=1)).release([[1.0]]),
        "curator": lambda: d.curator(NUMBERS, [1], budget=MUCH).ask(
            NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)
        ),
        "transformation alone": lambda: (NUMBERS >> d.row_map(row, WHOLE))([1]),
        "many releases": lambda: d.assurance.audit(
            NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1), [1], [], n=1000
        ),
        "distribution": lambda: (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).distribution([1]),
    }


WHERES: Final = tuple(wheres(lambda: None))
MECHANISM_MAY: Final = frozenset({"release", "release by a view", "fit a model", "attack"}) | {
    "begin a curator",
    "begin an odometer",
}


@pytest.mark.parametrize("where", WHERES)
@pytest.mark.parametrize("doing", DOINGS)
def test_a_function_that_is_given_data_meddles_with_nothing(where: str, doing: str) -> None:
    other = Other()
    said, does = DOINGS[doing]
    run = wheres(lambda: does(other))[where]
    if where == "measurement" and doing in MECHANISM_MAY:
        run()
    else:
        with pytest.raises(UserFunctionFailed, match=f"raised InvalidParameter, as .*{said}"):
            run()
    assert other.state() == other.before
    does(other)  # outside of it the same is answered


def test_what_a_function_swallows_did_not_happen() -> None:
    other = Other()

    def row(x: int) -> int:
        with pytest.raises(InvalidParameter, match="may not ask a curator"):
            other.curator.ask(COUNT)
        with pytest.raises(InvalidParameter, match="may not append"):
            other.curator.append([1])
        return x

    (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).release([1])
    assert other.state() == other.before


def test_a_ledger_is_not_begun_by_a_row(tmp_path: Path) -> None:
    def row(x: int) -> int:
        d.curator(NUMBERS, [x], budget=MUCH, ledger=tmp_path / "study.ledger")
        return x

    with pytest.raises(UserFunctionFailed, match="may not begin"):
        (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).release([1])
    assert os.listdir(tmp_path) == []


def test_functions_of_releases_may_ask_and_release() -> None:
    other = Other()

    def asks(release: object) -> object:
        return other.curator.ask(COUNT), COUNT.release([1])

    def chooses(seen: object) -> object:
        other.curator.ask(COUNT)
        return COUNT

    COUNT.then(asks).release([1])
    d.adaptive(NUMBERS, [(d.pure(1), chooses), (d.pure(1), chooses)]).release([1])
    d.view(d.interactive(NUMBERS, MUCH), lambda curator: (curator.ask(COUNT), asks(None))).release([1])
    d.curator(NUMBERS, [1], budget=MUCH).ask(COUNT.then(asks))
    assert len(other.curator.log) == other.before[2] + 5


def test_a_mechanism_of_your_own_asks_what_it_began_and_nothing_else() -> None:
    other = Other()
    kept: list[Any] = []

    def mechanism(data: Any) -> object:
        own = d.curator(NUMBERS, data, budget=MUCH)
        kept.append(own)
        return own.ask(COUNT), own.ask(NUMBERS >> d.count() >> d.laplace(scale=2)), COUNT.then(str).release(data)

    def sly(data: Any) -> object:
        return kept[-1].ask(COUNT)

    def asks_other(data: Any) -> object:
        return other.curator.ask(COUNT)

    def deep(data: Any) -> object:
        own: Any = NUMBERS >> d.row_map(lambda x: COUNT.release([x]), WHOLE) >> d.count() >> d.laplace(scale=1)
        return own.release(data)

    d.measurement(mechanism, NUMBERS, d.PureDP, lambda k: 3 * k).release([1])
    kept[-1].ask(COUNT)  # it goes on, once the mechanism is over
    for function in (sly, asks_other, deep):
        with pytest.raises(DPError, match=r"may not|raised UserFunctionFailed"):
            d.measurement(function, NUMBERS, d.PureDP, lambda k: k).release([1])


def test_after_a_failure_all_is_as_it_was() -> None:
    def failing(x: object) -> object:
        raise ValueError

    with pytest.raises(UserFunctionFailed):
        (NUMBERS >> d.row_map(failing, WHOLE) >> d.count() >> d.laplace(scale=1)).release([1])
    COUNT.release([1])


def test_what_a_function_raises_in_these_words_or_others_tells_no_more_than_they_do() -> None:
    def row(x: object) -> object:
        raise InvalidParameter(f"a function that is given data may not release {x}")

    with pytest.raises(UserFunctionFailed) as refused:
        (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).release([7])
    assert "7" not in str(refused.value).replace("integers(0, 9)", "")


def test_one_thread_asks_while_another_runs_a_function() -> None:
    other = Other()
    inside, asked = threading.Event(), threading.Event()
    answers: list[object] = []

    def row(x: int) -> int:
        inside.set()
        assert asked.wait(60)
        return x

    def asks() -> None:
        assert inside.wait(60)
        answers.append(other.curator.ask(COUNT))
        asked.set()

    thread = threading.Thread(target=asks)
    thread.start()
    (NUMBERS >> d.row_map(row, WHOLE) >> d.count() >> d.laplace(scale=1)).release([1])
    thread.join()
    assert len(answers) == 1
