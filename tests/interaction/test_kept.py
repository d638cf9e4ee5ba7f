"""A curator whose account is a ledger: it goes on another day, in another process, and never for other data's space."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.errors import BudgetExceeded, InvalidParameter, LedgerRefused
from dpcore.types import Curator

PEOPLE = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S")))
ROWS = [{"age": 30, "region": "N"}, {"age": 50, "region": "S"}]
QUARTER = PEOPLE >> dp.count() >> dp.laplace(scale=4)


def _opened(path: Path, asker: str = "") -> Curator[dp.types.Rows[dp.types.Record], dp.SymmetricDistance, dp.PureDP]:
    return dp.curator(PEOPLE, ROWS, budget=dp.pure(1), ledger=path / "study.ledger", asker=asker)


def test_it_goes_on_another_day(tmp_path: Path) -> None:
    for day in range(4):
        curator = _opened(tmp_path, f"day {day}")
        assert curator.spent == dp.pure(Fraction(day, 4))
        curator.ask(QUARTER)
    with pytest.raises(BudgetExceeded):
        _opened(tmp_path).ask(QUARTER)
    assert [entry.charge.asker for entry in _opened(tmp_path).log] == ["day 0", "day 1", "day 2", "day 3"]


def test_two_that_are_open_at_once_share_what_is_left(tmp_path: Path) -> None:
    ann, bob = _opened(tmp_path, "ann"), _opened(tmp_path, "bob")
    for curator in (ann, bob, ann, bob):
        curator.ask(QUARTER)
    assert (ann.left, bob.left) == (dp.pure(0), dp.pure(0))
    with pytest.raises(BudgetExceeded):
        ann.ask(QUARTER)


def test_parts_of_another_day_add_up(tmp_path: Path) -> None:
    """On Tuesday Ann may live in S, who was in N on Monday: then both questions are about her."""
    for name in ("N", "S"):
        _opened(tmp_path).by(dp.field("region"))[name].ask(QUARTER)
    assert _opened(tmp_path).left == dp.pure("1/2")


@pytest.mark.parametrize("asker", [None, 5, True, b"ann"])
def test_who_asks_is_a_text(tmp_path: Path, asker: object) -> None:
    """A line that cannot be read again would end the ledger for everybody."""
    with pytest.raises(InvalidParameter, match="a text for asker"):
        dp.curator(PEOPLE, ROWS, budget=dp.pure(1), ledger=tmp_path / "study.ledger", asker=asker)  # type: ignore[arg-type]
    assert not (tmp_path / "study.ledger").exists()


def test_what_was_asked_is_kept_with_a_certificate_that_verifies(tmp_path: Path) -> None:
    _opened(tmp_path).ask(QUARTER)
    (entry,) = _opened(tmp_path).log
    assert entry.outcome == "answered"
    assert str(entry.charge.question) == repr(QUARTER)
    certificate = tmp_path / "question.json"
    certificate.write_text(str(entry.charge.certificate), encoding="ascii")
    checker = Path(__file__).parents[2] / "proofs/check_certificate.py"
    done = subprocess.run([sys.executable, "-I", checker, certificate], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_transcript_leaves_nothing_out(tmp_path: Path) -> None:
    first = _opened(tmp_path)
    first.ask(QUARTER)
    assert "filter_pure" in dp.certify(first).written
    with pytest.raises(InvalidParameter, match="other processes or days"):
        dp.certify(_opened(tmp_path))


def test_nothing_of_the_data_and_no_answer_is_kept(tmp_path: Path) -> None:
    wide = PEOPLE >> dp.count() >> dp.laplace(scale=10**40)  # so that the answer cannot stand there by chance
    curator = _opened(tmp_path)
    answer = curator.ask(wide)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert len(str(abs(answer))) > 20
    assert str(abs(answer)).encode() not in kept
    assert repr(wide).replace("'", "\\'").encode() in kept or repr(wide).encode() in kept


def test_an_account_of_another_space_or_budget_is_refused(tmp_path: Path) -> None:
    _opened(tmp_path).ask(QUARTER)
    ages = dp.rows(dp.integers(0, 120))
    with pytest.raises(
        LedgerRefused, match=r"another space than rows\(integers\(0, 120\)\); its first question was .*region"
    ):
        dp.curator(ages, [3], budget=dp.pure(1), ledger=tmp_path / "study.ledger")
    with pytest.raises(LedgerRefused, match="another budget"):
        dp.curator(PEOPLE, ROWS, budget=dp.pure(2), ledger=tmp_path / "study.ledger")
    with pytest.raises(LedgerRefused, match="another measure"):
        dp.curator(PEOPLE, ROWS, budget=dp.zcdp(1), ledger=tmp_path / "study.ledger")
