"""What cannot be certified is refused by name, before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.errors import NotCertifiable

COUNT = dp.rows(dp.text()) >> dp.count()
NOISY = COUNT >> dp.laplace(scale=1)


def test_nothing_is_certified_between_inputs_that_do_not_differ() -> None:
    with pytest.raises(dp.errors.Vacuous):
        certify(NOISY, 0)
    with pytest.raises(dp.errors.Vacuous):
        certify(dp.rows(dp.text(), size=0, metric=dp.ChangeOneDistance()) >> dp.count() >> dp.laplace(scale=1))
    with pytest.raises(dp.errors.Vacuous):
        certify(dp.rows(dp.text(), size=3) >> dp.count() >> dp.laplace(scale=1))


def test_a_delta_of_one_is_refused() -> None:
    shamed = dp.rows(dp.text(), metric=dp.ChangeOneDistance()) >> dp.name_and_shame("1/2")
    certify(shamed, 1)
    with pytest.raises(dp.errors.Vacuous, match="delta of 1"):
        certify(shamed, 2)


def test_no_measurement_is_refused() -> None:
    for x in (COUNT, None, "laplace"):
        with pytest.raises(dp.errors.InvalidParameter, match="Expected a measurement"):
            certify(x)


def test_a_curve_needs_points_and_a_number_takes_none() -> None:
    curve = NOISY.to(dp.RenyiDP)
    for at in (None, [], [1], ["1/2"]):
        with pytest.raises(dp.errors.InvalidParameter):
            certify(curve, at=at)
    with pytest.raises(dp.errors.InvalidParameter):
        certify(NOISY, at=[2])
    with pytest.raises(dp.errors.InvalidParameter):
        certify(NOISY.to(dp.Tradeoff), at=[2])
    with pytest.raises(dp.errors.InvalidParameter):
        certify(NOISY.to(dp.Profile), at=[-1])
    assert certify(curve, at=["3/2", 7]).data["claims"]


def test_numbers_too_long_to_be_read_are_refused() -> None:
    with pytest.raises(NotCertifiable, match="digits"):
        certify(COUNT >> dp.laplace(scale=10**1200))


def test_a_derivation_nested_too_deeply_is_refused() -> None:
    m = NOISY
    for _ in range(120):
        m = m.then(abs)
    with pytest.raises(NotCertifiable, match="nested"):
        certify(m)


def test_text_that_was_changed_is_no_certificate(tmp_path: Path) -> None:
    written = certify(NOISY).text().decode()
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        Certificate(written + " ")
    assert "dpcore verify, explain, report and diff" in str(refusal.value.bridge)
    for other in (written + " ", written.replace("\n ", "\n"), "{}", "", "[" * 10**5, written.replace("/1", "/9", 1)):
        (tmp_path / "c.json").write_text(other)
        with pytest.raises(dp.errors.InvalidParameter):
            Certificate.load(tmp_path / "c.json")
    (tmp_path / "c.json").write_bytes(b"\xff")
    with pytest.raises(dp.errors.InvalidParameter):
        Certificate.load(tmp_path / "c.json")
