"""What the claims of a certificate are worth is said where it is read, and not in it: the checkers see what they saw."""

from __future__ import annotations

import json

import dpcore as dp
from dpcore.certificates.certificate import reformatted
from dpcore.certificates.explaining import explained
from dpcore.report import render

HUNDRED = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance(), 100)


def _said(measurement: object, d_in: int = 1) -> tuple[str, ...]:
    return dp.certify(measurement, d_in).advice


def test_an_epsilon_above_one_is_pointed_out() -> None:
    twelve = dp.rows(dp.integers()) >> dp.count() >> dp.laplace("1/12")
    (line,) = _said(twelve)
    assert line.startswith("epsilon is 12, above 1")
    assert _said(dp.rows(dp.integers()) >> dp.count() >> dp.laplace(1)) == ()
    assert _said(dp.rows(dp.integers()) >> dp.count() >> dp.laplace(1), 5) == (), (
        "five at once cost five, and that is no vice"
    )
    certificate = dp.certify(twelve)
    assert f"advice: {line}" in explained(certificate)
    assert "epsilon is 12, above 1" in render(certificate)
    assert certificate.document.attention == ()
    assert "above 1" not in json.dumps(certificate.data)


def test_a_delta_of_one_in_n_is_pointed_out() -> None:
    """Where the number of rows is public, and only there."""
    (line,) = _said(HUNDRED >> dp.random_row())
    assert "delta is 1/100, at or above 1/n for 100 rows" in line
    noisy = HUNDRED >> dp.sum() >> dp.gaussian(10)
    assert _said(noisy.to(dp.ApproxDP, delta="1/100"))
    assert not _said(noisy.to(dp.ApproxDP, delta="1/101"))
    unknown = dp.rows(dp.integers(0, 1)) >> dp.sum() >> dp.gaussian(10)
    assert not _said(unknown.to(dp.ApproxDP, delta="1/100"))


def test_figures_of_attackers_are_read_too() -> None:
    data = dp.certify(HUNDRED >> dp.sum() >> dp.laplace(1)).data
    for size, epsilon in (("9" * 5000, "1"), ("100", "1" + "0" * 4000), ("100", "1/1" + "0" * 4000)):
        text = json.dumps(data).replace('"size": "100"', f'"size": "{size}"')
        text = text.replace('"epsilon": "1"', f'"epsilon": "{epsilon}"')
        for line in reformatted(text.encode()).advice:
            assert len(line) < 200


def test_n_epsilon_below_one_is_pointed_out() -> None:
    (line,) = _said(HUNDRED >> dp.sum() >> dp.laplace(1000))
    assert "n epsilon is 1/10 for 100 rows" in line
    assert not _said(HUNDRED >> dp.sum() >> dp.laplace(100))
    assert _said(HUNDRED >> dp.sum() >> dp.laplace(1000), 10) == _said(HUNDRED >> dp.sum() >> dp.laplace(1000))
