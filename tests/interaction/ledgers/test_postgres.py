"""A ledger in a server is what a ledger in a file is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction

import psycopg
import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from dpcore.commands.cli import main
from dpcore.errors import LedgerRefused, LedgerUnavailable, MissingExtra
from dpcore.interaction.accounts import ANSWERED, CHARGED, Refused
from dpcore.interaction.ledgers.ledger import Ledger, adopt
from dpcore.interaction.ledgers.lines import SCHEMA, digest
from dpcore.interaction.ledgers.opening import stored
from tests.interaction.ledgers.ledgers import ONE, a, opened
from tests.interaction.ledgers.racing import PROCESSES
from tests.interaction.ledgers.server import Server
from tests.interaction.ledgers.test_model import Accounts
from tests.interaction.ledgers.test_races import REFUSED, race


@pytest.fixture
def place(server: Server) -> str:
    return server.place()


@pytest.fixture
def ledger(place: str) -> Iterator[Ledger]:
    """Rows: 0 the header, 1 a charge, 2 its outcome, 3 a charge."""
    found = opened(place)
    found.charge(a("1/10", "first"))
    found.settle(1, ANSWERED)
    found.charge(a("1/10", "second"))
    yield found
    found.close()


def edit(place: str, *statements: str) -> None:
    with psycopg.connect(place, autocommit=True) as connection:
        for each in statements:
            connection.execute(each.encode())


def refused(place: str, **other: str) -> str:
    with pytest.raises(LedgerRefused) as refusal:
        opened(place, measure=other.get("measure", "PureDP"), space=other.get("space", "rows(integers())"))
    return str(refusal.value)


def test_it_is_what_an_account_in_memory_is(server: Server) -> None:
    class OnServer(Accounts):
        def new_place(self) -> str:
            return server.place()

    run_state_machine_as_test(OnServer, settings=settings(max_examples=8, stateful_step_count=15))


def test_of_sixteen_processes_one_gets_the_last_tenth(place: str) -> None:
    assert race(place, "last") == (["10", *[REFUSED] * (PROCESSES - 1)], 10)


def test_sixteen_processes_begin_one_ledger(place: str) -> None:
    assert race(place, "begin") == ([*sorted(str(i + 1) for i in range(10)), *[REFUSED] * (PROCESSES - 10)], 10)


def test_threads_of_several_processes_share_the_budget(place: str) -> None:
    assert race(place, "threads") == ([*sorted(str(i + 1) for i in range(10)), *[REFUSED] * (4 * 4 * 2 - 10)], 10)


def test_another_study_is_refused(place: str, ledger: Ledger) -> None:
    assert "was begun for another measure: PureDP, and not ZCDP" in refused(place, measure="ZCDP")
    assert "was begun for another space" in refused(place, space="rows(booleans())")
    assert opened(place).spent() == (Fraction(1, 5),)


def test_an_edited_row_is_named(place: str, ledger: Ledger) -> None:
    edit(place, "UPDATE dpcore_chain SET line = replace(line, 'second', 'other') WHERE row = 3")
    assert "row 3 is not what its hash says" in refused(place)


@pytest.mark.parametrize("row", range(4))
def test_a_row_that_is_missing_is_named(place: str, ledger: Ledger, row: int) -> None:
    edit(place, f"DELETE FROM dpcore_chain WHERE row = {row}")
    assert f"row {row} is missing" in refused(place)


def test_rows_that_go_missing_are_missed_by_who_knew_them(place: str, ledger: Ledger) -> None:
    """Who opens it later can know only from a hash that was kept elsewhere."""
    edit(
        place,
        "DELETE FROM dpcore_chain WHERE row = 3",
        "UPDATE dpcore_head SET row = 2, hash = (SELECT hash FROM dpcore_chain WHERE row = 2)",
    )
    with pytest.raises(LedgerRefused, match="does not hold row 3, which was charged"):
        ledger.charge(a("1/10"))


def test_triggers_and_rules_are_refused(place: str, ledger: Ledger) -> None:
    edit(place, "CREATE RULE r AS ON INSERT TO dpcore_chain DO ALSO DELETE FROM dpcore_chain WHERE row < new.row")
    assert "triggers or rules" in refused(place)


def test_a_ledger_of_a_later_dpcore_is_refused(place: str, ledger: Ledger) -> None:
    with psycopg.connect(place, autocommit=True) as connection:
        [line] = connection.execute("SELECT line FROM dpcore_chain WHERE row = 0").fetchone() or [""]
        later = line.replace('"schema":1', f'"schema":{SCHEMA + 1}')
        connection.execute("UPDATE dpcore_chain SET line = %s, hash = %s WHERE row = 0", (later, digest(later)))
    assert f"written by a later dpcore: schema {SCHEMA + 1}" in refused(place)


def test_a_copy_is_refused_until_somebody_gives_their_word(server: Server, place: str, ledger: Ledger) -> None:
    copy, schema = server.place(), place.rpartition("%3D")[2]
    edit(
        copy,
        f"CREATE TABLE dpcore_chain AS SELECT * FROM {schema}.dpcore_chain",
        f"CREATE TABLE dpcore_head AS SELECT * FROM {schema}.dpcore_head",
    )
    assert "is a copy: the ledger stands at PostgreSQL cluster" in refused(copy)
    with closing(stored(copy, reading=False)) as store:
        adopt(store)
    assert opened(copy).charge(a("4/5")) == 3


def test_a_server_that_fails_loses_no_charge(server: Server, place: str, ledger: Ledger) -> None:
    ledger.settle(2, ANSWERED)  # which may be lost
    server.crash()
    with pytest.raises(LedgerUnavailable, match="what was not said to be charged is not answered"):
        ledger.charge(a("1/10"))
    with pytest.raises(LedgerUnavailable):
        opened(place)
    server.start()
    assert ledger.charge(a("1/10", "third")) == 3
    assert [each.charge.question for each in opened(place).entries()] == ["first", "second", "third"]
    assert ledger.entries()[1].outcome in (ANSWERED, CHARGED)


def test_a_server_that_does_not_wait_for_its_disk_is_refused(server: Server, place: str) -> None:
    edit(place, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    try:
        assert "does not wait for its disk" in refused(place)
    finally:
        edit(place, "ALTER SYSTEM RESET fsync", "SELECT pg_reload_conf()")


def test_a_session_that_would_not_wait_is_made_to(place: str) -> None:
    ledger = opened(f"{place}%20-csynchronous_commit%3Doff")
    assert ledger.charge(a("1/10")) == 1


def test_a_ledger_that_another_writes_for_too_long(place: str, ledger: Ledger) -> None:
    impatient = opened(place, timeout=0.05)
    with psycopg.connect(place) as other:
        other.execute("SELECT FROM dpcore_head FOR UPDATE")
        with pytest.raises(LedgerUnavailable, match="another process held it for longer than was waited"):
            impatient.charge(a("1/10"))
    assert impatient.charge(a("1/10")) == 3


def test_a_refused_charge_changes_nothing(place: str, ledger: Ledger) -> None:
    with pytest.raises(Refused):
        ledger.charge(a("9/10"))
    ledger.charge(a("4/5"))
    assert opened(place).spent() == ONE


@pytest.mark.parametrize("what", ["show", "verify", "export"])
def test_the_command_reads_it(place: str, ledger: Ledger, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", what, place]) == 0
    assert "second" in capsys.readouterr().out or what == "verify"


def test_a_server_needs_its_extra(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'dpcore\[postgres\]'"):
        opened(place)


def test_no_password_is_said(server: Server, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    secret = place.replace("dpcore@", "dpcore:hidden@")
    opened(secret).close()
    for each in (secret, secret.replace("%3D", "%ZZ"), secret.replace(server.folder.name, "absent")):
        for what in ("show", "verify", "adopt"):
            main(["ledger", what, each])
    said = capsys.readouterr()
    assert "hidden" not in said.out + said.err
    assert "this is no address of a PostgreSQL server" in said.err


def test_a_schema_without_a_ledger(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "verify", place]) == 1
    assert "is no ledger of dpcore" in capsys.readouterr().out
