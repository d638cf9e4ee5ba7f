"""The server that ledgers are tried on, where PostgreSQL is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.interaction.ledgers.server import Server, programs


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    found = programs()
    if found is None:
        pytest.skip("needs PostgreSQL: initdb, pg_ctl and postgres (apt-get install postgresql)")
    server = Server(found)
    try:
        yield server
    finally:
        server.remove()
