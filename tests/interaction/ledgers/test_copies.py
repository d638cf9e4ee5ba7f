"""Two copies of one ledger are never charged both, as far as a file can know; and a ledger of something else never is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import InvalidParameter, LedgerRefused
from dpcore.interaction.accounts import Figures, Refused
from dpcore.interaction.ledgers.ledger import adopt
from dpcore.interaction.ledgers.opening import stored
from tests.interaction.ledgers.ledgers import ONE, a, opened
from tests.source.syntax import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "study.ledger"
    ledger = opened(found)
    ledger.charge(a("1/2"))
    ledger.close()
    return found


def refused(path: Path, **other: Any) -> str:
    with pytest.raises(LedgerRefused) as refusal:
        opened(path, **other)
    return str(refusal.value)


def fence(path: Path) -> Path:
    return path.with_name(f"{path.name}-fence")


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"measure": "ZCDP"}, "measure: PureDP, and not ZCDP"),
        ({"budget": (Fraction(2),)}, "budget: 1, and not 2"),
        ({"budget": None}, "budget: 1, and not none"),
        ({"figures": 2, "budget": (Fraction(1), Fraction(0))}, "number of figures: 1, and not 2"),
        ({"space": "rows(booleans())"}, 'space than rows(booleans()); its first question was "count"'),
    ],
)
def test_a_ledger_of_something_else_is_refused(path: Path, other: dict[str, object], what: str) -> None:
    assert f"was begun for another {what}" in refused(path, **other)


@pytest.mark.parametrize("budget", [(), (Fraction(1), Fraction(1)), (Fraction(-1),)])
def test_what_is_no_budget_begins_no_ledger(tmp_path: Path, budget: Figures) -> None:
    with pytest.raises(InvalidParameter, match="a budget of 1 figures"):
        opened(tmp_path / "study.ledger", budget=budget)
    assert [*tmp_path.iterdir()] == []


def test_a_copy_is_refused(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    shutil.copy(path, copy)
    assert "is a copy" in refused(copy)
    shutil.copy(fence(path), fence(copy))
    assert "is a copy" in refused(copy)
    assert opened(path).spent() == (Fraction(1, 2),)


def test_a_ledger_is_moved_with_its_fence(path: Path, tmp_path: Path) -> None:
    moved = path.rename(tmp_path / "moved.ledger")
    assert f"{fence(moved)} is missing" in refused(moved)
    assert f"{path} is gone, and its fence is there" in refused(path)
    fence(path).rename(fence(moved))
    assert opened(moved).spent() == (Fraction(1, 2),)


def test_an_older_copy_that_is_put_back_in_place_is_refused(path: Path) -> None:
    older = path.read_bytes()
    ledger = opened(path)
    ledger.charge(a("1/4"))
    ledger.close()
    path.write_bytes(older)  # into the same inode
    assert "does not hold row 2, which was charged: an older copy was put back" in refused(path)


def test_an_older_copy_that_is_put_back_under_an_open_ledger_is_refused(path: Path, tmp_path: Path) -> None:
    """Even with the older fence, of which only the process that holds the ledger open can know."""
    older, before = path.read_bytes(), fence(path).read_bytes()
    ledger = opened(path)
    ledger.charge(a("1/4"))
    ledger.close()  # its history is kept, and its connection made anew
    path.write_bytes(older)
    fence(path).write_bytes(before)
    with pytest.raises(LedgerRefused, match="does not hold row 2"):
        ledger.charge(a("1/4"))
    with pytest.raises(LedgerRefused, match="does not hold row 2"):
        ledger.spent()


def test_a_file_that_replaces_an_open_ledger_is_refused(path: Path, tmp_path: Path) -> None:
    ledger = opened(path)
    ledger.charge(a("1/4"))
    copy = tmp_path / "copy.ledger"
    shutil.copy(path, copy)
    os.replace(copy, path)
    with pytest.raises(LedgerRefused, match="was replaced by another file"):
        ledger.charge(a("1/4"))
    ledger.close()


def test_a_ledger_that_is_gone_is_not_begun_anew_beside_its_fence(path: Path) -> None:
    path.unlink()
    assert "is gone, and its fence is there" in refused(path)
    fence(path).unlink()
    assert opened(path).spent() == (Fraction(0),)


def test_a_ledger_that_was_never_charged_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "study.ledger"
    opened(path).close()
    path.unlink()
    assert opened(path).spent() == (Fraction(0),)


def test_the_log_of_a_ledger_that_is_gone_is_not_read_into_another(path: Path, tmp_path: Path) -> None:
    ledger = opened(path)
    ledger.charge(a("1/4"))
    log = (tmp_path / "study.ledger-wal").read_bytes()
    ledger.close()
    path.unlink()
    fence(path).unlink()
    (tmp_path / "study.ledger-wal").write_bytes(log)
    assert "its log" in refused(path)


@pytest.mark.parametrize("content", [b"", b"x", b"0" * 111, b"0" * 32 + b" " * 12 + b"9 " + b"g" * 64 + b"\n"])
def test_a_fence_that_was_edited_is_refused(path: Path, content: bytes) -> None:
    fence(path).write_bytes(content)
    assert "-fence was damaged or edited" in refused(path)


def test_the_fence_of_another_ledger_is_refused(path: Path, tmp_path: Path) -> None:
    opened(tmp_path / "other.ledger").close()
    shutil.copy(tmp_path / "other.ledger-fence", fence(path))
    assert "is the fence of another ledger" in refused(path)


def test_a_ledger_with_two_names_is_refused(path: Path, tmp_path: Path) -> None:
    """SQLite has a log for each name."""
    os.link(path, tmp_path / "second.ledger")
    assert "has 2 names" in refused(path)
    assert "has 2 names" in refused(tmp_path / "second.ledger")


def test_a_symbolic_link_is_the_ledger_that_it_leads_to(path: Path, tmp_path: Path) -> None:
    (tmp_path / "link.ledger").symlink_to(path)
    one, other = opened(path), opened(tmp_path / "link.ledger")
    other.charge(a("1/2"))
    with pytest.raises(Refused):
        one.charge(a("1/2"))


def test_a_copy_is_charged_once_somebody_gives_their_word(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    shutil.copy(path, copy)
    path.unlink()
    assert adopt(stored(str(copy), reading=False)) == 2
    ledger = opened(copy)
    ledger.charge(a("1/2"))
    assert ledger.spent() == ONE
    ledger.close()
    assert opened(copy).spent() == ONE


def test_an_open_ledger_is_not_charged_when_another_chain_was(path: Path) -> None:
    """What the fence says was charged, by whomever, must be in the chain that is charged next."""
    ledger = opened(path)
    ledger.charge(a("1/8"))
    token, row, hash_ = fence(path).read_text().split()
    assert row == "2"
    for other, why in (
        (f"{token} {9:>12} {hash_}\n", "does not hold row 9"),
        (f"{token} {2:>12} {'0' * 64}\n", "row 2 is not"),
    ):
        fence(path).write_text(other)
        with pytest.raises(LedgerRefused, match=why):
            ledger.charge(a("1/8"))
    assert ledger.spent() == (Fraction(5, 8),)


CHARGE = """
import sys
from dpcore.errors import InvalidParameter, LedgerRefused
from tests.interaction.ledgers.ledgers import a, opened
try:
    ledger = opened(sys.argv[1])
    print(ledger.charge(a("1/16", "elsewhere")))
    ledger.close()
except LedgerRefused as refusal:
    print(refusal)
"""


def charged_elsewhere(path: Path) -> str:
    """What another process says that charges it, and then ends."""
    command = [sys.executable, "-c", CHARGE, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def test_two_chains_are_never_charged_both(path: Path, tmp_path: Path) -> None:
    """The log goes missing under a process: what it charged is in no file that others open, but its fence tells them."""
    ledger = opened(path)
    ledger.charge(a("1/8"))
    for each in ("study.ledger-wal", "study.ledger-shm"):
        (tmp_path / each).unlink()
    assert "does not hold row 2, which was charged" in charged_elsewhere(path)
    assert ledger.charge(a("1/8")) == 3, "the process that has the log open saves it"
    assert charged_elsewhere(path) == "4"
    ledger.close()


def test_a_lost_lock_loses_no_charge(path: Path) -> None:
    """Who opens the file and closes it again drops all locks that SQLite has on it in that process: POSIX has it so."""
    ledger = opened(path)
    said = ["1"]
    for _ in range(4):
        said.append(str(ledger.charge(a("1/16"))))
        path.read_bytes()
        said.append(charged_elsewhere(path))
    ledger.close()
    assert [str(each.number) for each in opened(path).entries()] == said
