"""What a page begins with: what is published, how noisy, and on how many assumptions it rests.

A class of faults that can no longer happen: a page that says what is protected and not what is published; a noise, a release
or an assumption that is left out.
"""

from __future__ import annotations

import re
from fnmatch import filter as named_like
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.calculus import RULES
from dpcore.certificates.certificate import Certificate, certify
from dpcore.certificates.rules import load_rules
from dpcore.report import render
from dpcore.report.released import WORDS, released
from tests.certificates.test_same_words import SAMPLES
from tests.certificates.tools import certified
from tests.laws.arrows import measurement
from tests.laws.examples import choices, noise
from tests.laws.examples.example import Example
from tests.report.document import parsed

ROWS = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "E", "S", "W")))
COUNTS = ROWS >> dp.histogram(dp.field("region"), norm=dp.L2Distance) >> dp.gaussian(sigma=20)
TOTAL = ROWS >> dp.select(dp.field("age"), dp.integers(0, 120)) >> dp.sum() >> dp.gaussian(sigma=1000)
COUNT = ROWS >> dp.count() >> dp.laplace(scale=30)
OF_PART = dp.rows(ROWS.domain.of) >> dp.count() >> dp.laplace(scale=2)

SAYS = {
    "counts": (COUNTS, ["Four counts, each with Gaussian noise of standard deviation 20: off by less than 40 in 95%"]),
    "two": (COUNTS & TOTAL, ["Four counts", "One sum, with Gaussian noise of standard deviation 1000"]),
    "alike": (dp.compose([COUNT] * 3), ["Three times: one count, with Laplace noise of standard deviation about 42"]),
    "parts": (
        ROWS >> dp.partition(by=dp.field("region")) >> dp.parallel(OF_PART),
        ["Of each of four parts of the data: one count"],
    ),
    "chosen": (
        dp.rows(dp.integers(0, 9)) >> dp.quantile_scores([1, 2], "1/2") >> dp.permute_and_flip(scale=20),
        ["Which of the candidates"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAYS)
def test_what_is_released_and_how_noisy(name: str) -> None:
    measurement, says = SAYS[name]
    (said,) = parsed(render(certify(measurement))).classed("released")
    assert all(each in re.sub(r"\\s+", " ", said.text) for each in says)


@pytest.mark.parametrize("pattern", WORDS)
def test_words_are_of_rules_that_there_are(pattern: str) -> None:
    load_rules()
    assert named_like(RULES, pattern)


@pytest.mark.parametrize("example", [*noise.NOISE, *choices.ANSWERS, *choices.OF_ROWS], ids=lambda e: e.name)
def test_no_release_is_left_out(example: Example) -> None:
    """Also of a rule that has no words here."""
    (said,) = parsed(str(released(certified(measurement(example.build())).data))).classed("released")
    assert said.text.removeprefix("What is released. ").strip()


def test_it_is_as_noisy_as_the_library_says() -> None:
    """Of several numbers each by itself."""
    single = ROWS >> dp.count() >> dp.gaussian(sigma=20)
    for page, off in ((certify(COUNT), COUNT.accuracy("0.95")), (certify(COUNTS), single.accuracy("0.95"))):
        (said,) = parsed(render(page)).classed("released")
        assert f"off by less than {off} in" in said.text


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_assumptions_stand_numbered_behind_the_claim(name: str) -> None:
    html = render(SAMPLES[name])
    document = parsed(html)
    assumed = [item for each in document.classed("taken") for item in each.inner]
    (rests,) = document.classed("rests")
    assert (f"{len(assumed)} assumption" if assumed else "no assumption") in rests.text
    headings = [each.text for each in document.all("h2")]
    assert headings[:2] == ["What is claimed", "Assumptions"]


def test_theorems_link_to_what_coq_printed_of_them() -> None:
    document = parsed(render(Certificate(SAMPLES["persons"].written)))
    links = {each.attributes["href"][1:] for each in document.all("a") if "#theorem-" in each.attributes["href"]}
    stated = {each.attributes["id"]: each.text for each in document.all("pre") if "id" in each.attributes}
    rules = ("chain", "bound_contributions_fair_person", "count_symmetric", "laplace", "beliefs_odds", "beliefs_pure")
    assert links == stated.keys() == {f"theorem-{rule}" for rule in rules}
    printed = (Path(__file__).parents[2] / "proofs" / "coq" / "statements.txt").read_text(encoding="utf-8")
    for rule in rules:
        assert re.search(rf"^\w+\.{rule}\n     : ", stated[f"theorem-{rule}"])
        assert f"\n{stated[f'theorem-{rule}']}\n" in printed


def test_rules_link_to_their_statements_and_theorems_have_names() -> None:
    html = render(Certificate(SAMPLES["persons"].written))
    links = {each.attributes["href"] for each in parsed(html).all("a") if "rule" in each.attributes.get("class", "")}
    assert links == {
        f"#rule-{rule}" for rule in ("chain", "bound_contributions_fair_person", "count_symmetric", "laplace")
    }
    assert all(f'id="{link[1:]}"' in html for link in links)
    assert "Laplace.laplace in proofs/coq/theory/Laplace.v" in parsed(html).text
    assert "any one person" in html
    assert "(who)" not in html
    assert "\N{INVISIBLE TIMES}" not in html
