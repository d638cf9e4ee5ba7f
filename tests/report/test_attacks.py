"""Whoever writes a certificate writes no HTML: names and texts of theirs stay text. And no guarantee of what is rejected."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.certificates.checker_file import ask_checker
from dpcore.certificates.explaining import explained
from dpcore.errors import InvalidParameter
from dpcore.maps import parameter
from dpcore.maps.presentation import mathml
from dpcore.report import render
from dpcore.report.checker import verdict
from tests.report.document import parsed

EVIL = "</style></title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&<!--\N{RIGHT-TO-LEFT OVERRIDE}\x1b[2J"
REJECTED = sorted((Path(__file__).parents[1] / "certificates" / "reject").glob("*.json"))
ATTENTION = "count_change_one"


def _evil(x: int) -> int:
    return x


_evil.__name__ = _evil.__qualname__ = EVIL


def _attacks() -> dict[str, Certificate]:
    rows = dp.rows(dp.record(**{EVIL: dp.categories(EVIL, "b")}))
    field = dp.field(EVIL, str)
    persons = dp.rows(dp.record(**{EVIL: dp.text()}), dp.PersonDistance(EVIL))
    return {
        "a field": certify(rows >> dp.filter(field == EVIL) >> dp.count() >> dp.laplace(scale=1)),
        "a bin": certify(rows >> dp.histogram(field) >> dp.laplace(scale=1)),
        "a key": certify(
            rows >> dp.partition(by=field) >> dp.parallel(dp.rows(rows.domain.of) >> dp.count() >> dp.laplace(1))
        ),
        "a person": certify(persons >> dp.bound_contributions(2) >> dp.count() >> dp.laplace(scale=1)),
        "a function": certify((rows >> dp.count() >> dp.laplace(scale=1)).then(_evil)),
    }


ATTACKS = _attacks()


@pytest.mark.parametrize("name", ATTACKS)
def test_names_stay_text(name: str) -> None:
    html = render(ATTACKS[name])
    document = parsed(html)
    assert "Checked by dpcore" in document.text
    assert not document.all("script", "img")
    assert "<script" not in html
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in html
    assert "\x1b" not in html
    assert "alert(1)" in document.text, "the attack is not shown at all"
    assert len(document.all("style")) == len(document.all("html")) == 1


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_of_theirs_commands_the_terminal(name: str) -> None:
    lines = explained(ATTACKS[name])
    assert all(line.isprintable() for line in lines)
    assert "alert(1)" in "".join(lines)


def _changed(change: Callable[[dict[str, Any]], object]) -> Certificate:
    data = dict[str, Any](ATTACKS["a field"].data)
    change(data)
    return Certificate(json.dumps(data, sort_keys=True, indent=1, ensure_ascii=True) + "\n")


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "neighbours": lambda data: data.update(neighbours=EVIL),
    "version": lambda data: data.update(dpcore=EVIL, neighbours=""),
    "code": lambda data: data.update(code={"x": EVIL}),
    "measure": lambda data: data["claims"][0].update(measure=EVIL),
    "an unknown field": lambda data: data.update({EVIL: EVIL}),
    "a rule": lambda data: data["derivation"].update(rule=EVIL),
    "a parameter": lambda data: data["derivation"]["premises"][0]["parameters"].update({EVIL: EVIL}),
    "a lower claim": lambda data: data["claims"][0]["loss"].update(epsilon="1/1000"),
    "no claim": lambda data: data.update(claims=[]),
    "symbols that are none": lambda data: data.update(symbols=5),
    "everything but the format": lambda data: [data.pop(key) for key in [*data] if key != "format"],
}


def _is_refused(certificate: Certificate) -> None:
    html = render(certificate)
    document = parsed(html)
    (title,), (heading,), (badge,) = document.all("title"), document.all("h1"), document.classed("badge")
    assert title.text.startswith("REJECTED")
    assert heading.text.startswith("REJECTED")
    assert "Rejected" in badge.text
    assert "Verified" not in document.text
    assert not document.all("svg", "script", "img")
    assert not document.classed("claim")
    assert "true-positive" not in document.text
    assert "≤" not in document.text


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed_is_rejected_in_the_first_lines(name: str) -> None:
    _is_refused(_changed(CHANGES[name]))


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_what_the_checker_rejects_is_never_a_guarantee(path: Path) -> None:
    try:
        certificate = Certificate.load(path)
    except InvalidParameter:
        return  # which is no certificate as dpcore writes it, and has no report
    assert not verdict(certificate.text()).verified
    _is_refused(certificate)


def test_a_checker_that_crashes_verifies_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = ATTACKS["a field"]
    for name, code in {
        "crash": "raise ValueError",
        "silent": "",
        "lies": "print('verified: \"certificate.json\"'); raise SystemExit(1)",
        "stopped": "import os\nprint('verified: \"certificate.json\"', flush=True)\nos.kill(os.getpid(), 9)",
        "another file": "print('verified: \"other.json\"')",
    }.items():
        (tmp_path / name).write_text(code)
        monkeypatch.setattr("dpcore.certificates.checker_file.checker_file", lambda at=tmp_path / name: at)
        said = verdict(found.text())
        assert (said.verified, said.status) == (False, 4)
        _is_refused(found)
        if name != "another file":
            assert ask_checker("certificate.json", str(tmp_path)).status == 4


def test_what_must_not_be_missed_stands_in_the_first_lines() -> None:
    replaced = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance())
    document = parsed(render(certify(replaced >> dp.count() >> dp.laplace(scale=1))))
    (header,) = document.all("header")
    assert ATTENTION in header.text
    assert "does not depend" in header.text


def test_names_in_formulas_are_identifiers() -> None:
    assert mathml(parameter("scale")) == "<mi>scale</mi>"
    with pytest.raises(InvalidParameter, match="formula"):
        mathml(parameter("a<b"))
