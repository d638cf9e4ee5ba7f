"""A file that was damaged or edited is refused, by its first bad row; what an edit leaves alone is all there is."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dpcore.errors import LedgerRefused
from dpcore.interaction.accounts import ANSWERED
from dpcore.interaction.ledgers.lines import SCHEMA, digest
from tests.interaction.ledgers.ledgers import a, edit, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Rows: 0 the header, 1, 2, 3 charges of 1/10, 4 an outcome, 5 a charge of 1/5."""
    found = tmp_path / "study.ledger"
    ledger = opened(found)
    for name in ("first", "second", "third"):
        ledger.charge(a("1/10", name))
    ledger.settle(2, ANSWERED)
    ledger.charge(a("1/5", "last"))
    ledger.close()
    return found


def refused(path: Path) -> str:
    with pytest.raises(LedgerRefused) as refusal:
        opened(path)
    return str(refusal.value)


def rewrite(path: Path, row: int, old: str, new: str, *, rehash: bool = False, rechain: bool = False) -> None:
    """Edit the text of a row; with the hash that it then has; and all rows after it, as a forger does who knows how."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        rows = connection.execute("SELECT row, line, hash FROM dpcore_chain ORDER BY row").fetchall()
        before = rows[row - 1][2] if row else ""
        for number, line, hash_ in rows[row:]:
            if number == row:
                assert old in line
                line = line.replace(old, new)
            elif rechain:
                line = json.dumps(json.loads(line) | {"before": before}, sort_keys=True, separators=(",", ":"))
            before = digest(line) if rehash or rechain else hash_
            connection.execute("UPDATE dpcore_chain SET line = ?, hash = ? WHERE row = ?", (line, before, number))
            if not rechain:
                break
        if rechain:
            connection.execute("UPDATE dpcore_head SET hash = ?", (before,))


WORDS = [
    (2, '"question":"second"', '"question":"other"'),
    (4, '"outcome":"answered"', '"outcome":"failed"'),
    (5, '"asker":""', '"asker":"you"'),
    (5, '"time":"20', '"time":"19'),
]
"""Edits that still add up."""

EDITS = [
    *WORDS,
    (0, '"budget":["1"]', '"budget":["2"]'),
    (0, '"measure":"PureDP"', '"measure":"ZCDP"'),
    (1, '"cost":["1/10"]', '"cost":["1/20"]'),
    (3, '"number":3', '"number":2'),
]


@pytest.mark.parametrize(("row", "old", "new"), EDITS)
def test_an_edited_row_is_named(path: Path, row: int, old: str, new: str) -> None:
    rewrite(path, row, old, new)
    assert f"row {row} is not what its hash says" in refused(path)


@pytest.mark.parametrize(("row", "old", "new"), WORDS[:2])
def test_a_row_with_a_new_hash_is_betrayed_by_the_next(path: Path, row: int, old: str, new: str) -> None:
    rewrite(path, row, old, new, rehash=True)
    assert f"row {row + 1} does not follow the row before it" in refused(path)


@pytest.mark.parametrize(("row", "old", "new"), WORDS)
def test_a_chain_that_was_made_anew_is_betrayed_by_its_fence(path: Path, row: int, old: str, new: str) -> None:
    rewrite(path, row, old, new, rechain=True)
    assert "row 5 is not the one that was charged" in refused(path)


FORGED = [
    (1, '"cost":["1/10"]', '"cost":["-1/10"]', "row 1 its cost is no loss"),
    (1, '"cost":["1/10"]', '"cost":["1/10","0"]', "row 1 its cost is no loss"),
    (1, '"cost":["1/10"]', '"cost":["1/0"]', "row 1 its cost is not rational"),
    (1, '"cost":["1/10"]', '"cost":["1/20"]', "row 1 does not add up"),
    (1, '"cost":["1/10"]', '"cost":0', "row 1 its cost is no list of texts"),
    (1, '"spent":["1/10"]', '"spent":["1/20"]', "row 1 does not add up"),
    (1, '"place":[]', '"place":["by"]', "row 1 is not the next charge"),
    (1, '"number":1', '"number":2', "row 1 is not the next charge"),
    (1, '"number":1', '"number":true', "row 1 its number is no number"),
    (1, '"kind":"charge"', '"kind":"gift"', "row 1 is of no kind"),
    (1, '"time":"2', '"time":"x', "row 1 its time is none"),
    (1, '"question":"first"', '"question":null', "row 1 its question is no text"),
    (1, '{"asker"', '["asker"', "row 1 it is no JSON"),
    (4, '"number":2', '"number":4', "row 4 settles no charge"),
    (4, '"outcome":"answered"', '"outcome":"free"', "row 4 settles no charge"),
    (0, '"kind":"dpcore ledger"', '"kind":"ledger"', "row 0 is no header"),
    (0, '"budget":["1"]', '"budget":["1/5"]', "row 3 spends more than the budget"),
]


@pytest.mark.parametrize(("row", "old", "new", "why"), FORGED)
def test_a_chain_that_was_made_anew_must_also_add_up(path: Path, row: int, old: str, new: str, why: str) -> None:
    if new.startswith("["):
        edit(path, f"UPDATE dpcore_chain SET line = '[]', hash = '{digest('[]')}' WHERE row = 1")
    else:
        rewrite(path, row, old, new, rechain=True)
    assert why in refused(path)


@pytest.mark.parametrize("row", range(6))
def test_a_row_that_is_missing_is_named(path: Path, row: int) -> None:
    edit(path, f"DELETE FROM dpcore_chain WHERE row = {row}")
    assert f"row {row} is missing" in refused(path)


def test_the_last_rows_are_missed_by_the_fence(path: Path) -> None:
    edit(
        path,
        "DELETE FROM dpcore_chain WHERE row = 5",
        "UPDATE dpcore_head SET row = 4, hash = (SELECT hash FROM dpcore_chain WHERE row = 4)",
    )
    assert "does not hold row 5, which was charged" in refused(path)


def test_a_row_too_many_is_named(path: Path) -> None:
    edit(path, "UPDATE dpcore_head SET row = 4, hash = (SELECT hash FROM dpcore_chain WHERE row = 4)")
    assert "row 5 stands after the head" in refused(path)


def test_other_tables_are_refused(path: Path) -> None:
    """A trigger could take away what is charged next."""
    edit(
        path,
        "CREATE TRIGGER t AFTER INSERT ON dpcore_chain BEGIN DELETE FROM dpcore_chain WHERE row = new.row - 1; END",
    )
    assert "other tables" in refused(path)


def test_a_ledger_of_a_later_dpcore_is_refused(path: Path) -> None:
    rewrite(path, 0, '"schema":1', f'"schema":{SCHEMA + 1}', rechain=True)
    assert f"written by a later dpcore: schema {SCHEMA + 1}" in refused(path)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + bytes(4080)])
def test_what_is_no_ledger_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert "is no ledger" in refused(tmp_path / "x")


def test_a_file_is_refused_or_says_what_it_said_whatever_byte_is_changed(path: Path, tmp_path: Path) -> None:
    ledger = opened(path)
    expected = ledger.entries()
    ledger.close()
    sound = path.read_bytes()
    refusals = 0
    for at in range(0, len(sound), 41):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 0x55]) + sound[at + 1 :])
        try:
            found = opened(path)
        except LedgerRefused:
            refusals += 1
            continue
        assert found.entries() == expected
        found.close()
        path.write_bytes(sound)
        for remains in tmp_path.glob("*-wal"):
            remains.unlink()
    assert refusals > 50


def test_a_log_that_was_cut_is_missed(path: Path, tmp_path: Path) -> None:
    """A process that was killed leaves its last rows in the log alone."""
    ledger = opened(path)
    ledger.charge(a("1/10"))
    away = tmp_path / "away"
    away.mkdir()
    for each in tmp_path.glob("study.ledger*"):
        shutil.copy(each, away)
    ledger.close()
    for cut in (0, 40, 4000):
        log = (away / "study.ledger-wal").read_bytes()
        path.write_bytes((away / "study.ledger").read_bytes())
        (tmp_path / "study.ledger-wal").write_bytes(log[:cut])
        assert "does not hold row 6, which was charged" in refused(path)
