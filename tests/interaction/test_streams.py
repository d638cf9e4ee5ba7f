"""Running totals: what they are made of, what they lose whoever chooses the rows, how exact they are, what is refused."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.distributions import distribution_of
from dpcore.errors import BudgetExceeded, InvalidData, InvalidParameter, MeasureMismatch, UserFunctionFailed
from dpcore.interaction.streams import stretches, whole
from dpcore.noise.bits import BitSource
from dpcore.types import Curator, Record
from tests.certificates.tools import checker
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution

DAY = dp.field("day")
ROWS = dp.rows(dp.record(day=dp.integers(0, 63), n=dp.integers(0, 9)))
COUNT = ROWS >> dp.count()
NOISY = COUNT >> dp.laplace(scale=16)
EXACT = COUNT >> dp.laplace(scale="1/1000")
MUCH = dp.pure(10**9)
Streaming = Curator[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP]


def _rows(day: int, many: int, n: int = 1) -> list[dict[str, int]]:
    return [{"day": day, "n": n} for _ in range(many)]


def _streaming(budget: dp.types.PureLoss = MUCH, bits: BitSource | None = None) -> Streaming:
    return dp.curator(ROWS, [], budget=budget, bits=bits)


# ---- what totals are made of ---------------------------------------------------------------------------------------------


def test_steps_are_made_up_of_at_most_two_nodes_of_each_level() -> None:
    for start, stop in itertools.combinations(range(65), 2):
        made = stretches(start, stop)
        assert [step for a, b in made for step in range(a, b)] == [*range(start, stop)]
        sizes = [b - a for a, b in made]
        assert all(size.bit_count() == 1 and a % size == 0 for size, (a, _) in zip(sizes, made, strict=True))
        assert all(sizes.count(size) <= (2 if start else 1) for size in sizes)


@pytest.mark.parametrize("horizon", [1, 2, 3, 5, 8, 13])
def test_totals_are_those_of_the_rows_so_far(horizon: int) -> None:
    curator = _streaming()
    counted = curator.running(EXACT, time=DAY, horizon=horizon)
    summed = curator.running(
        ROWS >> dp.select(dp.field("n", int), dp.integers(0, 9)) >> dp.sum() >> dp.laplace(scale="1/1000"),
        time=DAY,
        horizon=horizon,
    )
    per_day = [(7 * day) % 5 for day in range(horizon)]
    for day, many in enumerate(per_day):
        curator.append(_rows(day, many, n=day % 10))
        so_far = per_day[: day + 1]
        assert counted.total() == sum(so_far)
        assert [counted.total(last=w) for w in (1, 2, 3, 99)] == [sum(so_far[-w:]) for w in (1, 2, 3, 99)]
        assert summed.total() == sum(many * (d % 10) for d, many in enumerate(so_far))
        assert counted.steps == day + 1
    assert curator.ask(EXACT) == sum(per_day)
    curator.append(_rows(0, 3))  # beyond the horizon a total stands still
    assert counted.total() == sum(per_day)


def test_no_noise_is_drawn_anew() -> None:
    curator = _streaming()
    running = curator.running(NOISY, time=DAY, horizon=8)
    before: dict[tuple[int, int], int | Fraction] = {}
    for day in range(8):
        curator.append(_rows(day, 3))
        assert before.items() <= running.released().items()
        before = running.released()
        assert running.total() == running.total()
    assert len(before) == 15
    assert running.total() == before[0, 8]
    assert running.total(last=3) == before[5, 6] + before[6, 8]


def test_a_total_that_begins_later_knows_the_steps_before() -> None:
    curator = _streaming()
    for day in range(5):
        curator.append(_rows(day, 2))
    assert curator.running(EXACT, time=DAY, horizon=8).total() == 10


# ---- what they lose ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 6])
def test_of_all_small_streams_none_loses_more_and_some_lose_all(horizon: int) -> None:
    """Nodes have Laplace noise of their own, so what is lost between two streams is what their counts differ by in all."""
    blocks = [
        range(j << level, (j + 1) << level) for level in range(horizon.bit_length()) for j in range(horizon >> level)
    ]
    streams = [x for n in range(4) for x in itertools.combinations_with_replacement(range(horizon), n)]
    found = {x: [sum(day in block for day in x) for block in blocks] for x in streams}
    question = whole(NOISY, DAY, horizon)
    worst: dict[int, int] = {}
    for x, y in itertools.product(streams, repeat=2):
        d = sum(abs(x.count(day) - y.count(day)) for day in range(horizon))
        moved = sum(abs(a - b) for a, b in zip(found[x], found[y], strict=True))
        worst[d] = max(worst.get(d, 0), moved)
    for d in (1, 2, 3):
        assert question.loss(d) == dp.pure(Fraction(worst[d], 16))
    assert question.loss(1) == dp.pure(Fraction(horizon.bit_length(), 16))


def test_the_question_that_is_charged_is_exactly_that_loud() -> None:
    two = dp.rows(dp.record(day=dp.integers(0, 1)))
    question = whole(two >> dp.count() >> dp.laplace(scale="1/4"), DAY, 2)
    assert exhaust(question, [{"day": 0}, {"day": 1}], rows=1).tight


FEW = dp.rows(dp.record(day=dp.integers(0, 1)))
LOUD = FEW >> dp.count() >> dp.laplace(scale="1/4")
Adversary = Callable[[int | Fraction], int]


@cache
def _seen(today: int, adversary: Adversary, more: tuple[int, int]) -> dict[object, float]:
    """The law of all nodes, where the rows of the second step are chosen by the first node."""

    def prepare(bits: BitSource) -> Callable[[], object]:
        def run() -> object:
            curator = dp.curator(FEW, [], budget=MUCH, bits=bits)
            running = curator.running(LOUD, time=DAY, horizon=2)
            curator.append([{"day": 0}] * (today + more[0]))
            curator.append([{"day": 1}] * (adversary(running.total()) + more[1]))
            return list(running.released().values())

        return run

    return dict(distribution_of(prepare).floats)


def test_released_step_by_step_is_what_is_released_at_once() -> None:
    rows = [{"day": 0}, {"day": 1}, {"day": 1}]
    at_once = distribution(measurement(whole(LOUD, DAY, 2)), rows).masses
    by_steps = _seen(1, lambda seen: 2, (0, 0))
    assert len(by_steps) == len(at_once)
    assert sorted(by_steps.values()) == pytest.approx(sorted(at_once.values()), abs=1e-12)


@pytest.mark.parametrize("adversary", [lambda seen: int(seen > 0), lambda seen: 2 * (seen % 2)], ids=["sign", "parity"])
@pytest.mark.parametrize(("first", "second"), [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 0), (0, 1)), ((0, 0), (1, 1))])
def test_whoever_chooses_rows_by_what_he_saw_sees_no_more(
    adversary: Adversary, first: tuple[int, int], second: tuple[int, int]
) -> None:
    x, y = _seen(0, adversary, first), _seen(0, adversary, second)
    d = sum(abs(a - b) for a, b in zip(first, second, strict=True))
    true = max(abs(math.log(x[each] / y[each])) for each in x.keys() & y.keys() if min(x[each], y[each]) > 1e-20)
    claimed = float(whole(LOUD, DAY, 2).loss(d).epsilon)
    assert claimed * 0.4 < true <= claimed + 1e-6


# ---- the account ---------------------------------------------------------------------------------------------------------


def test_all_totals_are_charged_once_when_they_begin() -> None:
    curator = _streaming(dp.pure(1))
    curator.running(NOISY, time=DAY, horizon=8)
    assert curator.left == dp.pure("3/4")  # four levels at 1/16
    for day in range(8):
        curator.append(_rows(day, 1))
    assert curator.left == dp.pure("3/4")
    with pytest.raises(BudgetExceeded):
        curator.running(COUNT >> dp.laplace(scale=4), time=DAY, horizon=8)
    assert len(curator.log) == 1
    said = checker.verify(dp.certify(curator).text())[0]
    assert said[0].startswith("claim: pure: epsilon <= 1, ")
    assert said[-1].endswith("partition_symmetric (proved)")


def test_in_another_measure_the_noise_is_of_that_measure() -> None:
    curator = dp.curator(ROWS, [], budget=dp.zcdp(1))
    running = curator.running(COUNT >> dp.gaussian(sigma=4), time=DAY, horizon=7)
    assert curator.spent == dp.zcdp(Fraction(3, 32))
    with pytest.raises(MeasureMismatch):
        curator.running(NOISY, time=DAY, horizon=7)  # type: ignore[arg-type]
    curator.running(NOISY.to(dp.ZCDP), time=DAY, horizon=7)
    curator.append(_rows(0, 4))
    assert isinstance(running.total(), int)


def test_a_ledger_keeps_the_charge_with_the_certificate_of_all_totals(tmp_path: Path) -> None:
    curator = dp.curator(ROWS, [], budget=dp.pure(1), ledger=tmp_path / "study.ledger")
    curator.running(NOISY, time=DAY, horizon=4)
    curator.append(_rows(0, 1))
    (entry,) = curator.log
    assert entry.charge.certificate is not None
    assert checker.verify(entry.charge.certificate.encode())[0][0].startswith("claim: pure: epsilon <= 3/16, ")


# ---- how exact -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["1/2", 2])
@pytest.mark.parametrize("confidence", ["1/2", "19/20", "999/1000"])
def test_the_accuracy_is_that_of_the_sum(scale: str | int, confidence: str) -> None:
    """Against sums of probabilities one by one."""
    curator = _streaming()
    running = curator.running(COUNT >> dp.laplace(scale=scale), time=DAY, horizon=7)
    for _ in range(7):
        curator.append([])
    assert len(stretches(0, 7)) == 3
    r, reach = math.exp(-1 / float(Fraction(scale))), 90
    one = {z: (1 - r) / (1 + r) * r ** abs(z) for z in range(-reach, reach + 1)}
    law = {0: 1.0}
    for _ in range(3):
        more: dict[int, float] = {}
        for (a, p), (b, q) in itertools.product(law.items(), one.items()):
            more[a + b] = more.get(a + b, 0.0) + p * q
        law = more
    failing = 1 - float(Fraction(confidence))
    least = next(a for a in range(4 * reach) if sum(p for z, p in law.items() if abs(z) >= a) <= failing)
    assert running.accuracy(confidence) == least


def test_wide_noise_is_bounded_by_all_at_once_and_no_steps_are_exact() -> None:
    curator = _streaming()
    running = curator.running(COUNT >> dp.laplace(scale=10**6), time=DAY, horizon=7)
    assert running.accuracy("19/20") == 0
    for _ in range(3):
        curator.append([])
    one = (COUNT >> dp.laplace(scale=10**6)).accuracy("19/20")
    assert one < running.accuracy("19/20") < 3 * one
    assert running.accuracy("19/20", last=1) == one


# ---- what is refused -----------------------------------------------------------------------------------------------------


def test_rows_of_another_time_change_nothing() -> None:
    curator = _streaming()
    running = curator.running(NOISY, time=DAY, horizon=4)
    curator.append(_rows(0, 2))
    before = running.released()
    for rows in (_rows(0, 1), [*_rows(1, 3), *_rows(2, 1)], [{"day": 1}], [{"day": 1, "n": 99}]):
        with pytest.raises(InvalidData):
            curator.append(rows)
    assert running.released() == before
    curator.append(_rows(1, 1))
    assert running.steps == 2
    assert len(curator.log) == 1


def test_that_rows_are_of_another_time_is_learned_once_and_ends_the_account() -> None:
    """A time may be any expression of a row: refused for nothing, each would tell whether some row is so."""
    curator = _streaming()
    curator.append(_rows(0, 2))
    later = dp.field("day", int) + dp.field("n", int)
    with pytest.raises(InvalidData, match="rows of another time are among those of step 0") as failed:
        curator.running(NOISY, time=later, horizon=4)
    assert "the question stays charged" in str(failed.value)
    assert curator.log[0].outcome == "failed"
    for again in (
        lambda: curator.running(NOISY, time=DAY, horizon=4),
        lambda: curator.ask(NOISY),
        lambda: curator.append([]),
    ):
        with pytest.raises(InvalidParameter, match="a question failed while it was answered"):
            again()


def test_a_view_does_not_learn_that_there_are_no_rows() -> None:
    """It is a measurement of some epsilon, and both would be seen for certain."""

    def told(asked: Any) -> list[str]:
        one = asked[0] if isinstance(asked, tuple) else asked
        seen = []
        both: list[Callable[[], object]] = [
            lambda: one.append([]),
            lambda: one.running(NOISY, time=DAY, horizon=4),
        ]
        for tries in both:
            with pytest.raises(InvalidParameter, match="who began with none of them") as refused:
                tries()
            seen.append(str(refused.value))
        return seen

    filtered = dp.interactive(ROWS, dp.pure(1))
    for asked in (filtered, dp.concurrently([filtered, filtered])):
        seen = dp.view(asked, told)
        assert seen.release([]) == seen.release(_rows(0, 1))


def test_the_time_is_an_expression() -> None:
    curator: Any = _streaming()
    times: list[Any] = [None, "day", lambda row: row["day"]]
    for time in times:
        with pytest.raises(InvalidParameter, match="Expected an expression for time"):
            curator.running(NOISY, time=time, horizon=4)


def test_rows_are_appended_as_a_list() -> None:
    curator: Any = _streaming()
    others: tuple[object, ...] = ("", {"day": [0], "n": [1]}, iter([]), None)
    for rows in others:
        with pytest.raises(InvalidParameter, match=r"Expected a list of rows[\s\S]*frame\.to_dicts\(\)"):
            curator.append(rows)


def test_what_was_appended_cannot_be_changed_afterwards() -> None:
    curator = _streaming()
    rows = _rows(0, 3)
    curator.append(rows)
    rows[0]["day"] = 7
    assert curator.running(EXACT, time=DAY, horizon=4).total() == 3


def test_streams_begin_with_no_rows_that_come_and_go_one_by_one() -> None:
    others: list[Any] = [
        dp.curator(ROWS, _rows(0, 1), budget=dp.pure(1)),
        dp.curator(dp.rows(ROWS.domain.of, dp.ChangeOneDistance), [], budget=dp.pure(1)),
        dp.curator(dp.rows(ROWS.domain.of, dp.PersonDistance("n")), [], budget=dp.pure(1)),
        _streaming().after(dp.filter(DAY > 3)),
        _streaming().by(DAY, [1])[1],
    ]
    for curator in others:
        with pytest.raises(InvalidParameter, match="who began with none of them"):
            curator.append([])
        with pytest.raises(InvalidParameter, match="who began with none of them"):
            curator.running(NOISY, time=DAY, horizon=4)


def test_a_total_is_made_of_counts_or_sums() -> None:
    curator: Any = _streaming()
    wrong: list[object] = [
        ROWS >> dp.histogram(DAY, bins=[1, 2]) >> dp.laplace(scale=1),
        NOISY.then(abs),
        COUNT,
        dp.view(dp.interactive(ROWS, dp.pure(1)), lambda asked: 0),
        7,
    ]
    for node in wrong:
        with pytest.raises(InvalidParameter):
            curator.running(node, time=DAY, horizon=4)
    for horizon in (0, -1, True, 2**16 + 1, "4"):
        with pytest.raises(InvalidParameter):
            curator.running(NOISY, time=DAY, horizon=horizon)
    assert curator.log == ()
    running = curator.running(NOISY, time=DAY, horizon=4)
    for last in (0, -1, 1.5):
        with pytest.raises(InvalidParameter):
            running.total(last=last)


def _failing(row: dict[str, int]) -> dict[str, int]:
    raise ValueError


def test_a_node_that_fails_closes_the_curator() -> None:
    curator = _streaming()
    curator.running(
        ROWS >> dp.row_map(_failing, ROWS.domain.of) >> dp.count() >> dp.laplace(scale=1), time=DAY, horizon=4
    )
    with pytest.raises(UserFunctionFailed, match="stays charged"):
        curator.append(_rows(0, 1))
    with pytest.raises(InvalidParameter, match="a question failed"):
        curator.append(_rows(1, 1))
    assert [entry.outcome for entry in curator.log] == ["failed"]


def test_no_fork_goes_on_with_a_stream() -> None:
    curator = _streaming()
    running = curator.running(NOISY, time=DAY, horizon=4)
    process = os.fork()
    if process == 0:
        try:
            curator.append(_rows(0, 1))
        except InvalidParameter:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7
    curator.append(_rows(0, 1))
    assert running.steps == 1


def test_the_longest_stream_is_certified_in_few_bytes() -> None:
    space = dp.rows(dp.record(day=dp.integers(0, 1 << 17)))
    curator = dp.curator(space, [], budget=dp.pure(1))
    curator.running(space >> dp.count() >> dp.laplace(scale=17), time=DAY, horizon=1 << 16)
    assert curator.left == dp.pure(0)
    found = dp.certify(curator).text()
    assert len(found) < 30_000
    checker.verify(found)
