"""A PostgreSQL server for the tests, in a folder of its own, which nobody reaches but through a socket in that folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, final
from urllib.parse import quote

import psycopg

PROGRAMS: Final = ("initdb", "pg_ctl", "postgres")
USERS: Final = ("postgres", "nobody")
"""A server does not run as root; then it runs as one of these."""


def programs() -> Path | None:
    """Where all of them are: on the path, or where Debian puts them."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in folders if all((each / name).exists() for name in PROGRAMS)), None)


@final
@dataclass
class Server:
    """Started when it is made."""

    bin: Path
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="dpcore-pg-", dir="/tmp")))
    names: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        user = self.user()
        if user is not None:
            shutil.chown(self.folder, user)
        self.run("initdb", "--auth=trust", "--username=dpcore", "--no-sync")
        self.start()

    def user(self) -> str | None:
        known = {each.pw_name for each in pwd.getpwall()}
        return next(each for each in USERS if each in known) if os.geteuid() == 0 else None

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.bin / program), "-D", str(self.folder / "data"), *arguments]
        with open(self.folder / "said", "ab") as said:
            subprocess.run(command, check=True, stdout=said, stderr=said, user=self.user(), cwd=self.folder)

    def start(self) -> None:
        settings = f"-c listen_addresses= -c unix_socket_directories={self.folder}"
        self.run("pg_ctl", "-w", "-o", settings, "-l", str(self.folder / "log"), "start")

    def crash(self) -> None:
        """As when the power fails, but for the disk."""
        self.run("pg_ctl", "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        self.crash()
        shutil.rmtree(self.folder)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://dpcore@/{database}?host={quote(str(self.folder), safe='')}"

    def database(self) -> str:
        """The address of a database without schemas."""
        name = f"tried{next(self.names)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def place(self) -> str:
        """An address at which there is no ledger yet."""
        return schema(self.url(), f"study{next(self.names)}")


def schema(url: str, name: str) -> str:
    """The address of a schema of this name, which is made."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{url}&options=-csearch_path%3D{name}"
