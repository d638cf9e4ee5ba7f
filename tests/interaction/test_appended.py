"""What was made before rows were appended: by `after`, by `by`, above-thresholds, strategies, and the account of them."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.distributions import distribution_of
from dpcore.errors import BudgetExceeded, InvalidParameter, UserFunctionFailed
from dpcore.noise.bits import BitSource
from dpcore.types import Curator, Record
from tests.certificates.tools import checker

REGION = dp.field("region")
ROWS = dp.rows(dp.record(day=dp.integers(0, 9), region=dp.categories("N", "S")))
COUNT = ROWS >> dp.count()
EXACT = COUNT >> dp.laplace(scale="1/1000")
CERTAIN: dict[str, Any] = {"threshold_scale": "1/1000", "query_scale": "1/1000"}
MUCH = dp.pure(10**6)
Streaming = Curator[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP]


def _begun(ledger: Path | None = None) -> Streaming:
    return dp.curator(ROWS, [], budget=MUCH, ledger=ledger)


def _rows(day: int, north: int, south: int = 0) -> list[dict[str, object]]:
    return [*[{"day": day, "region": "N"}] * north, *[{"day": day, "region": "S"}] * south]


# ---- after ---------------------------------------------------------------------------------------------------------------


def test_after_a_step_are_the_rows_so_far() -> None:
    """It kept the rows of its first question, and a count of it was that of a day long ago."""
    curator = _begun()
    north = curator.after(dp.filter(REGION == "N"))
    late = north.after(dp.filter(dp.field("day", int) > 0))
    assert [c.ask(EXACT) for c in (north, late)] == [0, 0]
    for day in range(3):
        curator.append(_rows(day, 2, 5))
        assert [c.ask(EXACT) for c in (curator, north, late)] == [7 * (day + 1), 2 * (day + 1), 2 * day]
        assert north.ask(EXACT) == 2 * (day + 1), "asked again at the same step"
    assert curator.spent == dp.pure(1000 * 14)


def test_a_step_is_taken_once_between_two_appends() -> None:
    taken: list[object] = []

    def noted(row: dict[str, object]) -> dict[str, object]:
        taken.append(row)
        return row

    curator = _begun()
    after = curator.after(dp.row_map(noted, ROWS.domain.of))
    curator.append(_rows(0, 3))
    for _ in range(5):
        assert after.ask(EXACT) == 3
    assert len(taken) == 3
    curator.append(_rows(1, 1))
    assert after.ask(EXACT) == 4
    assert len(taken) == 3 + 4


def test_a_step_that_fails_on_an_appended_row_ends_the_account() -> None:
    def failing(row: dict[str, object]) -> dict[str, object]:
        if row["day"] == 1:
            raise ValueError
        return row

    curator = _begun()
    after = curator.after(dp.row_map(failing, ROWS.domain.of))
    curator.append(_rows(0, 1))
    assert after.ask(EXACT) == 1
    curator.append(_rows(1, 1))
    with pytest.raises(UserFunctionFailed, match="stays charged"):
        after.ask(EXACT)
    for again in (lambda: after.ask(EXACT), lambda: curator.ask(EXACT), lambda: curator.append([])):
        with pytest.raises(InvalidParameter, match="a question failed"):
            again()


@pytest.mark.parametrize("where", ["in a question", "in an above-threshold"])
def test_a_function_of_rows_appends_none(where: str) -> None:
    """It did: one row made a hundred, and the next question, which was charged for one row, was about all of them."""
    curator = _begun()
    curator.append(_rows(0, 1))

    def breeding(row: dict[str, object]) -> dict[str, object]:
        curator.append(_rows(1, 100))
        return row

    after, crowded = curator.after(dp.row_map(breeding, ROWS.domain.of)), curator.above_threshold(5, **CERTAIN)
    bred = dp.row_map(breeding, ROWS.domain.of)
    with pytest.raises(UserFunctionFailed, match="stays charged"):
        after.ask(EXACT) if where == "in a question" else crowded.ask(ROWS >> bred >> dp.count())
    assert curator._streaming().steps == 1
    with pytest.raises(InvalidParameter, match="a question failed"):
        curator.ask(EXACT)


# ---- by ------------------------------------------------------------------------------------------------------------------


def test_parts_keep_the_rows_of_their_first_question_and_others_are_made_of_all_rows() -> None:
    """Asked for again they were the old parts, so nobody could ask about parts of rows that were appended."""
    curator = _begun()
    curator.append(_rows(0, 2, 5))
    old = curator.by(REGION)
    curator.append(_rows(1, 2, 5))
    assert old["N"].ask(EXACT) == 4, "nobody had asked before"
    curator.append(_rows(2, 2, 5))
    assert [old[key].ask(EXACT) for key in "NS"] == [4, 10]
    new = curator.by(REGION)
    assert [new[key].ask(EXACT) for key in "NS"] == [6, 15]
    assert [old[key].ask(EXACT) for key in "NS"] == [4, 10]
    assert curator.by(REGION)["N"].ask(EXACT) == 6
    # N three times and S twice of the old parts, N twice and S once of the new ones
    assert [part.spent for part in (old["N"], old["S"], new["N"], new["S"])] == [
        dp.pure(1000 * times) for times in (3, 2, 2, 1)
    ]
    assert curator.spent == dp.pure(1000 * (3 + 2))


def test_parts_of_parts_and_what_is_made_of_them_keep_their_rows() -> None:
    curator = _begun()
    curator.append(_rows(0, 2, 5))
    north = curator.by(REGION)["N"]
    inside, days = north.after(dp.filter(dp.field("day", int) < 5)), north.by(dp.field("day"))
    assert [inside.ask(EXACT), days[0].ask(EXACT)] == [2, 2]
    curator.append(_rows(0, 9))
    assert [north.ask(EXACT), inside.ask(EXACT), days[0].ask(EXACT), north.by(dp.field("day"))[0].ask(EXACT)] == [2] * 4
    assert curator.spent == dp.pure(6000), "all of it about the one part"
    assert north.by(dp.field("day"))[1].left == dp.pure(10**6 - 6000 + 3000), "the days share what the dearest costs"


def test_parts_behind_a_step_are_of_the_rows_when_they_are_first_asked() -> None:
    curator = _begun()
    early = curator.after(dp.filter(dp.field("day", int) < 1))
    curator.append(_rows(0, 2, 5))
    old = early.by(REGION)
    assert old["S"].ask(EXACT) == 5
    curator.append(_rows(0, 1, 1))
    assert [old["S"].ask(EXACT), early.by(REGION)["S"].ask(EXACT), early.ask(EXACT)] == [5, 6, 9]


# ---- above-threshold -----------------------------------------------------------------------------------------------------


def test_an_above_threshold_that_was_begun_before_sees_what_was_appended() -> None:
    curator = _begun()
    crowded = curator.above_threshold(5, **CERTAIN)
    late = curator.after(dp.filter(dp.field("day", int) > 0)).above_threshold(5, **CERTAIN)
    spent = curator.spent
    for day, (all_of_them, some) in enumerate([(False, False), (True, False), (None, True)]):
        curator.append(_rows(day, 3))
        assert late.ask(COUNT) is some
        if all_of_them is not None:
            assert crowded.ask(COUNT) is all_of_them
    assert crowded.over
    assert late.over
    assert curator.spent == spent


def test_an_above_threshold_of_a_part_keeps_the_rows_of_the_part() -> None:
    curator = _begun()
    curator.append(_rows(0, 3, 1))
    crowded = {key: part.above_threshold(2, **CERTAIN) for key, part in curator.by(REGION).items()}
    assert not crowded["S"].ask(COUNT)
    curator.append(_rows(1, 3, 3))
    assert not crowded["S"].ask(COUNT)
    assert crowded["N"].ask(ROWS >> dp.count())
    again = curator.by(REGION)["S"].above_threshold(2, **CERTAIN)
    assert again.ask(COUNT)


# ---- what is lost --------------------------------------------------------------------------------------------------------

Adversary = Callable[[int | Fraction], int]
LOUD = COUNT >> dp.laplace(scale="1/4")


def _seen(adversary: Adversary, more: tuple[int, int], how: str) -> dict[object, float]:
    """The law of what is seen of two steps, the rows of the second chosen by what was seen of the first."""

    def prepare(bits: BitSource) -> Callable[[], object]:
        def run() -> object:
            curator = dp.curator(ROWS, [], budget=MUCH, bits=bits)
            north = curator.after(dp.filter(REGION == "N"))
            curator.append(_rows(0, more[0]))
            first = (north if how == "after" else curator.by(REGION)["N"]).ask(LOUD)
            curator.append(_rows(1, adversary(first) + more[1]))
            second = (north if how == "after" else curator.by(REGION)["N"]).ask(LOUD)
            assert curator.spent == dp.pure(8)
            return [first, second]

        return run

    return dict(distribution_of(prepare).floats)


@pytest.mark.parametrize("how", ["after", "by"])
@pytest.mark.parametrize(("first", "second"), [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 0), (0, 1))])
def test_whoever_appends_by_what_he_saw_sees_no_more_than_is_charged(
    how: str, first: tuple[int, int], second: tuple[int, int]
) -> None:
    """One row that is there at both steps moves both answers: 8 is charged, and 8 is lost."""
    x, y = (_seen(lambda seen: int(seen > 0), more, how) for more in (first, second))
    d = sum(abs(a - b) for a, b in zip(first, second, strict=True))
    true = max(abs(math.log(x[each] / y[each])) for each in x.keys() & y.keys() if min(x[each], y[each]) > 1e-20)
    assert true <= 8 * d + 1e-6
    if second == (1, 0):
        assert true == pytest.approx(8)


# ---- the account ---------------------------------------------------------------------------------------------------------


def _asked_all_ways(curator: Streaming) -> None:
    north, old = curator.after(dp.filter(REGION == "N")), curator.by(REGION)
    crowded = curator.above_threshold(5, **CERTAIN)
    for day in range(2):
        curator.append(_rows(day, 2, 1))
        north.ask(EXACT)
        old["N"].ask(EXACT)
        curator.by(REGION)["S"].ask(EXACT)
        crowded.ask(COUNT)


def test_it_certifies_what_is_charged() -> None:
    curator = _begun()
    _asked_all_ways(curator)
    # the step twice; N of the first parts twice, S of them once; S of the second parts once; the above-threshold
    assert curator.spent == dp.pure(1000 * (2 + 2 + 1) + 3000)
    assert len(curator.view()) == 2 + 2 + 2 + 2
    said = checker.verify(dp.certify(curator).text())[0]
    assert said[0].startswith("claim: pure: epsilon <= 1000000, ")
    assert dp.certify(curator).text().count(b'"rule": "parallel') == 2


def test_a_ledger_keeps_it_for_another_day(tmp_path: Path) -> None:
    path = tmp_path / "study.ledger"
    curator = _begun(path)
    _asked_all_ways(curator)
    spent = curator.spent
    again = _begun(path)
    assert again.spent == spent == dp.pure(8000)
    again.append(_rows(0, 1))
    again.by(REGION)["N"].ask(EXACT)
    assert again.spent == curator.spent == dp.pure(9000)
    out = subprocess.run(
        [sys.executable, "-m", "dpcore.commands.cli", "ledger", "certify", os.fspath(path)],
        capture_output=True,
        check=False,
    )
    assert out.returncode == 0, out.stderr
    with pytest.raises(BudgetExceeded):
        again.after(dp.filter(REGION == "N")).ask(COUNT >> dp.laplace(scale="1/1000000"))


def test_in_a_view_nothing_is_appended_and_all_ways_are_open() -> None:
    def asks(curator: Streaming) -> list[object]:
        north = curator.after(dp.filter(REGION == "N"))
        with pytest.raises(InvalidParameter, match="who began with none of them"):
            curator.append([])
        return [north.ask(EXACT), curator.by(REGION)["S"].ask(EXACT), curator.above_threshold(1, **CERTAIN).ask(COUNT)]

    assert dp.view(dp.interactive(ROWS, MUCH), asks).release([]) == [0, 0, False]
    assert dp.view(dp.interactive(ROWS, MUCH), asks).release(_rows(0, 2, 1)) == [2, 1, True]
