"""Texts of others on a page: printable ASCII beside what the page writes; no name is invisible or looks like another."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.certificates.explaining import explained
from dpcore.report import render
from dpcore.report.markup import OWN
from tests.certificates.test_same_words import HOSTILE, SAMPLES
from tests.certificates.tools import ROOT
from tests.report.document import parsed

SIGNS = OWN | {"\N{DOT OPERATOR}", "\N{BULLET}"}


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.strip()])
def test_a_field_of_any_name(name: str) -> None:
    rows = dp.rows(dp.record(**{name: dp.integers(0, 9), "a": dp.integers()}))
    html = render(certify(rows >> dp.filter(dp.field(name, int) > 3) >> dp.count() >> dp.laplace(scale=1)))
    assert {c for c in parsed(html).text if not " " <= c <= "~"} <= SIGNS


@pytest.mark.parametrize("sample", sorted(SAMPLES))
def test_no_page_has_other_signs(sample: str) -> None:
    assert {c for c in parsed(render(SAMPLES[sample])).text if not " " <= c <= "~"} <= SIGNS


ACCEPTED = sorted((ROOT / "tests" / "certificates" / "accept").glob("*.json"))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_nothing_of_the_page_itself_is_escaped(path: Path) -> None:
    found = parsed(render(Certificate.load(path))).text
    assert "\\u" not in found
    assert "\\x" not in found


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.strip()])
def test_a_name_in_an_expression_is_no_longer_than_elsewhere_and_has_no_colon(name: str) -> None:
    """So no line of `explain`, however it is folded, begins with a word of the name and a colon."""
    rows = dp.rows(dp.record(**{name: dp.integers(0, 9)}))
    found = certify(rows >> dp.filter(dp.field(name, int) > 3) >> dp.count() >> dp.laplace(scale=1))
    (shown,) = [line for line in explained(found) if "filter" in line]
    of_others = shown.partition("condition: ")[2]
    assert ":" not in of_others
    assert len(of_others) < 64 * 12 + 100
