"""Long derivations stay short documents, and nothing of them is lost."""

from __future__ import annotations

import re

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.certificates.explaining import explained
from dpcore.report import render
from tests.report.document import parsed

ROWS = dp.rows(dp.integers(0, 9))
COUNT = ROWS >> dp.count()
MANY = 2_000
SMALL = 1 << 16
"""Bytes of the report of a small tree at most."""


def _scales(n: int, step: int) -> Certificate:
    return certify(dp.compose([COUNT >> dp.laplace(scale=1000 + step * i) for i in range(n)]))


def test_equal_leaves_are_drawn_once() -> None:
    html = render(_scales(MANY, 0))
    assert len(html) < SMALL
    assert f"\N{MULTIPLICATION SIGN} {MANY}" in parsed(html).text


def test_leaves_that_differ_in_figures_are_rows_of_a_folded_table() -> None:
    html = render(_scales(MANY, 1))
    assert len(html) < SMALL + 130 * MANY
    document = parsed(html)
    (folded,) = [e for e in document.all("details") if f"{MANY - 1} more" in e.text]
    assert "open" not in folded.attributes
    scales = {int(cell.text) for row in folded.all("tr") for cell in row.all("td")[:1]}
    assert scales == {1000 + i for i in range(MANY)}


def test_leaves_of_many_kinds_are_folded() -> None:
    kinds = []
    for i in range(1 << 4):
        chained = ROWS >> dp.clamp(0, 9)
        for j in range(4):
            chained = chained >> dp.filter(dp.row() >= 1) if i >> j & 1 else chained >> dp.clamp(0, 9)
        kinds.append(chained >> dp.count() >> dp.laplace(scale=1))
    found = parsed(render(certify(dp.compose(kinds))))
    assert any("more, made differently" in e.text for e in found.all("details"))


def test_a_deep_tree_is_folded_and_complete() -> None:
    measurement = COUNT >> dp.laplace(scale=1)
    for _ in range(50):
        measurement = measurement.then(abs)
    document = parsed(render(certify(measurement)))
    assert len([e for e in document.classed("rule") if e.text == "post_process"]) == 51  # and once among the rules
    assert document.classed("fold")


def test_row_expressions_are_there_in_full() -> None:
    people = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S")))
    adults = people >> dp.filter((dp.field("age") >= 18) & (dp.field("region") == "N"))
    certificate = certify(
        adults >> dp.select(dp.field("age", int).clip(20, 60), dp.integers(20, 60)) >> dp.sum() >> dp.laplace(scale=9)
    )
    text = parsed(render(certificate)).text
    for said in (
        "(field('age') >= 18) & (field('region') == 'N')",
        "field('age', int).clip(20, 60)",
        "whole numbers from 20 to 60",
    ):
        assert said in text
        assert any(said in line for line in explained(certificate))


def test_premises_are_shown_at_the_distances_that_reach_them() -> None:
    replaced = dp.rows(dp.integers(0, 9), dp.ChangeOneDistance())
    certificate = certify(replaced >> dp.filter(dp.row() >= 1) >> dp.histogram(bins=[1, 2]) >> dp.laplace(scale=3), 2)
    told = [re.sub(r"\s+", " ", each.text) for each in parsed(render(certificate)).classed("top")]
    assert told == [
        "chain at d = 2 gives 4/3",
        "filter_change_one at d = 2 gives 4",
        "histogram_symmetric at d = 4 gives 4",
        "laplace at d = 4 gives 4/3",
    ]


def test_premises_of_a_group_are_shown_at_distance_1() -> None:
    certificate = certify(dp.group_privacy(COUNT >> dp.laplace(scale=3)), 5)
    told = [re.sub(r"\s+", " ", each.text).strip() for each in parsed(render(certificate)).classed("top")]
    assert told[:2] == ["group_pure at d = 5 gives 5/3", "chain at d = 1 gives 1/3"]


def test_rows_of_a_folded_table_say_which_premises_they_are() -> None:
    twice = [COUNT >> dp.laplace(scale=1 + i // 2) for i in range(20)]
    document = parsed(render(certify(dp.compose(twice))))
    places = [row.all("th")[0].text for row in document.classed("many")[0].all("tr")[1:]]
    assert places == [f"{i} to {i + 1}" for i in range(1, 21, 2)]
