"""What can go wrong with a file is said in one sentence, and what is said to be charged is."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from dpcore.errors import DPError, InvalidParameter, LedgerRefused, LedgerUnavailable
from dpcore.interaction.accounts import ANSWERED, Charge
from dpcore.interaction.ledgers import ledger as ledgers
from dpcore.interaction.ledgers.sqlite import SQLite
from tests.interaction.ledgers.ledgers import a, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "study.ledger"
    opened(found).close()
    return found


def test_a_full_disk(path: Path) -> None:
    """Really full is what `test_kills` lets it be at every step; here SQLite is told to grow no further."""
    ledger = opened(path)
    ledger.charge(a("1/10"))
    assert isinstance(ledger.store, SQLite)
    connection = ledger.store._opened()
    connection.execute("PRAGMA max_page_count=1")
    with pytest.raises(LedgerUnavailable, match="the disk is full; what was not said to be charged is not answered"):
        ledger.charge(a("1/10", "x" * 20_000))
    connection.execute("PRAGMA max_page_count=1000000")
    assert ledger.charge(a("1/10")) == 2
    assert ledger.spent() == (Fraction(1, 5),)


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder that everybody may enter, and to be nobody for whom it may be read-only."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        root = os.geteuid() == 0
        try:
            yield Path(folder)
        finally:
            if root:
                os.seteuid(0)


def test_a_file_that_may_only_be_read(nobody: Path) -> None:
    path = nobody / "study.ledger"
    opened(path).close()
    for each in nobody.iterdir():
        each.chmod(0o444)
    nobody.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)
    with pytest.raises(LedgerUnavailable, match=r"Permission denied|read-only|cannot be opened"):
        opened(path)


def test_a_file_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="there is no folder"):
        opened(tmp_path / "no" / "study.ledger")
    with pytest.raises(LedgerRefused, match="is a folder"):
        opened(tmp_path)


def test_a_file_that_is_gone(path: Path) -> None:
    ledger = opened(path)
    path.unlink()
    with pytest.raises(LedgerUnavailable, match="No such file or directory"):
        ledger.charge(a("1/10"))


def test_a_ledger_that_another_writes_for_too_long(path: Path) -> None:
    ledger = opened(path, timeout=0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerUnavailable, match="another process held it for longer than was waited"):
            ledger.charge(a("1/10"))
    assert ledger.charge(a("1/10")) == 1


def test_a_fence_that_another_holds_for_too_long(path: Path) -> None:
    ledger = opened(path, timeout=0.01)
    with open(f"{path}-fence") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LedgerUnavailable, match=r"-fence was held by another process for more than 0.01 s"):
            ledger.charge(a("1/10"))
    assert ledger.charge(a("1/10")) == 1


def test_a_clock_that_is_set_back_decides_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    years = [2030, 1970, 2001]
    ledger = opened(path)
    for year in years:
        monkeypatch.setattr(ledgers, "now", lambda year=year: datetime(year, 1, 1, tzinfo=UTC))
        ledger.charge(a("1/10"))
    again = opened(path)
    assert [(each.number, each.time.year) for each in again.entries()] == [*enumerate(years, 1)]
    assert again.spent() == (Fraction(3, 10),)


def test_a_charge_that_is_interrupted_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = opened(path)

    def interrupted() -> datetime:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ledgers, "now", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ledger.charge(a("1/10"))
    assert ledger.spent() == (Fraction(0),)
    assert ledger.charge(a("1/10")) == 1


def test_what_is_no_charge(path: Path) -> None:
    ledger = opened(path)
    huge = Fraction(1, 10**5000)
    odd = Charge((Fraction(0),), "count", ("by region",))
    for each in (a("-1/10"), Charge((), "count"), odd, Charge((huge,), "count")):
        with pytest.raises(InvalidParameter):
            ledger.charge(each)
    for number, outcome in ((1, ANSWERED), (0, ANSWERED), (1, "forgotten")):
        with pytest.raises(InvalidParameter):
            ledger.settle(number, outcome)
    assert len(ledger.entries()) == 0


def test_who_asks_is_kept(path: Path) -> None:
    ledger = opened(path, asker="Ada")
    ledger.charge(a("1/10"))
    ledger.charge(Charge((Fraction(1, 10),), "count", (), "{}", "Grace \ud800\x00"))
    assert [(each.charge.asker, each.charge.certificate) for each in opened(path).entries()] == [
        ("Ada", None),
        ("Grace \ud800\x00", "{}"),
    ]


def test_a_path_of_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "a b?mode=memory#%41é.ledger"
    opened(path).charge(a("1/10"))
    assert path.exists()
    assert opened(path).spent() == (Fraction(1, 10),)


def test_a_connection_of_another_process_is_not_used(path: Path) -> None:
    ledger = opened(path)
    ledger.charge(a("1/10"))
    assert isinstance(ledger.store, SQLite)
    ledger.store._process += 1
    with pytest.raises(DPError, match="open in the process that this one was split from"):
        ledger.charge(a("1/10"))
    ledger.store._process -= 1
    assert ledger.charge(a("1/10")) == 2
