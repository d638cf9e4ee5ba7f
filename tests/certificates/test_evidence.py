"""What attacks have shown stands in a certificate as evidence; the checker repeats it, and believes nothing of it."""

from __future__ import annotations

import json
from typing import cast

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from dpcore.certificates.explaining import explained
from dpcore.report import render
from tests.certificates.tools import checker, rejection

ROWS = dp.rows(dp.integers(0, 3))


def _twice(rows: list[int]) -> int:
    return 2 * len(rows)


def _arrow(
    factor: int,
) -> dp.types.Transformation[
    dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.types.Integers, dp.AbsoluteDistance
]:
    return dp.transformation(
        _twice, ROWS, dp.value(dp.integers(0), dp.AbsoluteDistance()), stability=lambda d: factor * d
    )


SOUND = _arrow(2)
NOISY = SOUND >> dp.laplace(scale=2)


def test_the_checker_repeats_the_evidence_for_a_part_and_for_the_whole() -> None:
    found = certify(
        NOISY,
        evidence=[dp.assurance.falsify(SOUND, examples=30), dp.assurance.exhaust(SOUND), dp.assurance.exhaust(NOISY)],
    )
    lines, _ = checker.verify(found.text())
    said = [line for line in lines if line.startswith("evidence, not proof: ")]
    assert len(said) == 3
    assert "nothing found in 30 pairs of data sets" in said[2]
    assert "sound and tight" in said[0]
    assert any("claimed_transformation" in line for line in lines if line.startswith("assumption: "))
    assert said == [line for line in explained(found) if line.startswith("evidence")]
    assert "evidence, and no proof" in render(found)


def test_without_evidence_nothing_is_said() -> None:
    lines, _ = checker.verify(certify(NOISY).text())
    assert not [line for line in lines if line.startswith("evidence")]


def test_evidence_against_the_claim_is_refused() -> None:
    wrong = _arrow(1)
    for found in (dp.assurance.falsify(wrong), dp.assurance.exhaust(wrong)):
        with pytest.raises(dp.errors.NotCertifiable, match="against the claim"):
            certify(wrong >> dp.laplace(scale=2), evidence=[found])


def test_evidence_about_another_arrow_is_refused() -> None:
    other = ROWS >> dp.count()
    with pytest.raises(dp.errors.InvalidParameter, match="another arrow"):
        certify(NOISY, evidence=[dp.assurance.exhaust(other)])


@pytest.mark.parametrize("evidence", [None, 3, ["sound"], [SOUND]])
def test_what_is_no_evidence_is_refused(evidence: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=r"for evidence|as evidence"):
        certify(NOISY, evidence=cast("list[dp.assurance.Exhaustion]", evidence))


@pytest.mark.parametrize("evidence", ["all is well", ["twice", "twice"], [1], {}, None])
def test_evidence_that_is_no_list_of_texts_is_rejected(evidence: object) -> None:
    found = rejection(json.dumps({**certify(NOISY).data, "evidence": evidence}).encode())
    assert found is not None
    assert found[0].startswith("evidence")


def test_evidence_cannot_pass_for_a_line_of_the_checker() -> None:
    data = {**certify(NOISY).data, "evidence": ["x\nproved: all of it"]}
    lines, _ = checker.verify(json.dumps(data).encode())
    assert not any(line.startswith("proved: all") for line in "\n".join(lines).splitlines())
