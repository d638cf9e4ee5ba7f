"""Certificates of interactions: what all answers cost, whoever asks; and what was asked, derived again."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import cast

import pytest

import dpcore as dp
from dpcore.errors import DomainMismatch, InvalidParameter, MeasureMismatch, NotCertifiable
from dpcore.interaction.interactive import filtering
from dpcore.interaction.transcripts import premises
from dpcore.report import render
from dpcore.types import Curator, Integers, Record
from tests.certificates.tools import checker
from tests.report.document import parsed

AGES = dp.rows(dp.integers(0, 120))
COUNT = AGES >> dp.count() >> dp.laplace(scale=2)
PERSON = dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S", "W"))
PEOPLE = dp.rows(PERSON)
ROWS = [{"age": 30, "region": "N"}, {"age": 50, "region": "S"}]
BUDGETS: dict[str, dp.types.Loss] = {
    "pure": dp.pure(2),
    "approx": dp.approx(1, "1/1000"),
    "zcdp": dp.zcdp("1/2"),
    "gaussian": dp.gaussian_dp("1/2"),
    "total_variation": dp.total_variation("1/10"),
}

People = Curator[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP]


def _said(certificate: dp.types.Certificate) -> list[str]:
    return checker.verify(certificate.text())[0]


def _noisy(scale: int) -> dp.types.Measurement[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP, int]:
    return PEOPLE >> dp.count() >> dp.laplace(scale=scale)


@pytest.mark.parametrize("measure", BUDGETS)
@pytest.mark.parametrize("d_in", [1, 3])
def test_an_interaction_is_certified_before_anything_is_asked(measure: str, d_in: int) -> None:
    found = dp.interactive(AGES, cast(dp.types.PureLoss, BUDGETS[measure]))
    said = _said(dp.certify(found, d_in))
    assert said[0].startswith(f"claim: {measure}: ")
    assert "each question is charged at least what it loses between data 1 apart" in said[1]
    assert said[-1] == f"rules: filter_{measure} (proved)"


def test_a_view_has_the_loss_of_its_interaction() -> None:
    def once(curator: Curator[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP]) -> int:
        return curator.ask(COUNT)

    said = _said(dp.certify(dp.view(dp.interactive(AGES, dp.pure("1/2")), once)))
    assert said[0].startswith("claim: pure: epsilon <= 1/2, ")
    assert said[-1] == "rules: filter_pure (proved), post_process (proved)"


def test_a_curator_is_certified_by_what_was_asked() -> None:
    curator = dp.curator(AGES, [1, 2], budget=dp.pure(1))
    before = dp.certify(curator)
    assert before == dp.certify(dp.interactive(AGES, dp.pure(1)))
    curator.ask(COUNT)
    asked = dp.certify(curator)
    assert asked == dp.certify(curator.transcript) != before
    assert asked == dp.certify(dp.interactive(AGES, dp.pure(1), [COUNT]))
    assert _said(asked)[0] == _said(before)[0]
    assert eval(repr(curator.transcript), {**vars(dp)}) == curator.transcript


def asks(dice: Random, curator: People) -> None:
    """Something about the whole or about parts of it, with the same parts and others, and parts of parts."""
    for _ in range(dice.randint(1, 8)):
        at = curator
        if dice.random() < 0.3:
            at = at.after(PEOPLE >> dp.flat_map(_twice, PERSON, limit=2))
        for by, keys in (("region", dice.choice((["N", "S"], ["N", "W"]))), ("age", [3, 4]))[: dice.randint(0, 2)]:
            at = dice.choice([*at.by(dp.field(by), keys).values()])
        at.ask(_noisy(dice.randint(1, 9)))


def _twice(person: dict[str, object]) -> list[dict[str, object]]:
    return [person, person]


@pytest.mark.parametrize("seed", range(25))
def test_what_was_asked_is_derived_again_to_what_was_charged(seed: int) -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(1000))
    asks(Random(seed), curator)
    derived = filtering(PEOPLE, dp.PureDP(), (Fraction(0),), premises(curator._study.asked))
    assert derived.loss(1) == curator.spent
    assert _said(dp.certify(curator))[0].startswith("claim: pure: epsilon <= 1000, ")


def test_what_is_not_certifiable_is_named() -> None:
    curator = dp.curator(AGES, [1, 2], budget=dp.pure(1))
    curator.ask(COUNT)
    curator.ask(AGES >> dp.count() >> dp.laplace(scale=10**1200))
    with pytest.raises(NotCertifiable, match="digits"):
        dp.certify(curator)


def test_only_a_whole_account_with_a_budget_is_certified() -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(1))
    with pytest.raises(InvalidParameter, match="the curator they began with"):
        dp.certify(curator.by(dp.field("region"))["N"])
    with pytest.raises(InvalidParameter, match="the curator they began with"):
        dp.certify(curator.after(PEOPLE >> dp.filter(dp.field("age") >= 18)))
    with pytest.raises(InvalidParameter, match="an odometer promises nothing"):
        dp.certify(dp.odometer(AGES, dp.PureDP).start([1]))


def test_what_was_asked_is_about_these_data_in_this_measure() -> None:
    with pytest.raises(MeasureMismatch):
        dp.interactive(AGES, dp.pure(1), [COUNT.to(dp.ZCDP)])  # type: ignore[misc]
    with pytest.raises(DomainMismatch):
        dp.interactive(dp.rows(dp.integers(0, 7)), dp.pure(1), [COUNT])


# ---- what a checker must refuse ----------------------------------------------------------------------------------------


def _changed(change: Callable[[dict[str, dict[str, object]]], object], *asked: dp.types.Measurement[
    dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP, object
]) -> bytes:  # fmt: skip
    data = copy.deepcopy(dp.certify(dp.interactive(AGES, dp.pure(1), asked)).data)
    change(cast("dict[str, dict[str, object]]", data["derivation"]))
    return json.dumps(data).encode()


def test_more_than_the_budget_that_was_asked_is_no_budget() -> None:
    data = json.loads(_changed(lambda node: None, COUNT, COUNT))
    data["derivation"]["premises"] *= 2
    with pytest.raises(checker.Rejected, match="not what was worked out, 2"):
        checker.verify(json.dumps(data).encode())
    with pytest.raises(checker.Rejected, match="not what was worked out, 2"):
        checker.verify(_changed(lambda node: node["parameters"].update(budget=["2"])))


@pytest.mark.parametrize("budget", [["1", "1"], [], ["-1"], "1"], ids=str)
def test_a_budget_has_the_figures_of_its_measure(budget: object) -> None:
    with pytest.raises(checker.Rejected):
        checker.verify(_changed(lambda node: node["parameters"].update(budget=budget)))


def test_what_is_charged_is_declared_of_these_data() -> None:
    with pytest.raises(checker.Rejected, match="declared under another metric"):
        checker.verify(_changed(lambda node: node["parameters"].update(source={"kind": "ChangeOneDistance"})))


def test_that_it_is_charged_is_said() -> None:
    data = json.loads(_changed(lambda node: None))
    data["assumptions"] = []
    with pytest.raises(checker.Rejected, match="assumptions"):
        checker.verify(json.dumps(data).encode())


# ---- the report --------------------------------------------------------------------------------------------------------


def test_the_report_shows_the_account_line_by_line() -> None:
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(1))
    curator.ask(_noisy(2))
    curator.by(dp.field("region"), ["N", "S"])["S"].ask(_noisy(4))
    page = parsed(render(dp.certify(curator)))
    (timeline,) = [table for table in page.all("table") if "The questions" in table.text]
    cells = [[cell.text for cell in row.all("th", "td")] for row in timeline.all("tr")[1:]]
    assert [[row[0], *row[2:]] for row in cells] == [["", "", "1"], ["1", "0.5", "0.5"], ["2", "0.25", "0.25"]]
    assert cells[1][1].startswith("one count, with Laplace noise")
    assert cells[2][1].startswith("of a part of the data: one count")


def test_the_report_of_an_interaction_says_that_nothing_was_asked() -> None:
    page = parsed(render(dp.certify(dp.interactive(AGES, dp.approx(1, "1/1000")))))
    assert "Nothing was asked yet. Whoever asks" in page.text
    assert "0.001" in next(table.text for table in page.all("table") if "The questions" in table.text)
