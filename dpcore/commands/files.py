"""Files that commands read and write: read once, and never more than a certificate may have; written whole or not at all.

What a name is shown as is said here too: a path is a text of others, and cannot pass for a line of ours.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from dpcore.calculus.parameters.quoting import quoted

SQLITE: Final = b"SQLite format 3\0"

MOST: Final = 1 << 26
"""Bytes of a certificate, at most: as the checker has it."""


def shown(path: str) -> str:
    """A path in a message: as it is where nothing in it could be taken for anything else, otherwise in quotes."""
    return path if re.fullmatch(r"[A-Za-z0-9_./+=@%~-]+", path) else named(path)


def named(path: str) -> str:
    """A path as it stands in a verdict."""
    return quoted(path, most=4096)


def is_ledger(path: str | Path) -> bool:
    """Whether it is a file of SQLite, as ledgers are. What is a pipe is not opened, as it can be read once only."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except (OSError, ValueError):
        return False


def read_file(path: str | Path) -> bytes:
    """All that the file or pipe holds, read in one go; what is longer than a certificate may be is an `OSError`."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST + 1)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    if len(data) > MOST:
        raise OSError(errno.EFBIG, f"is longer than {MOST} bytes", str(path))
    return data


def write_file(path: str | Path, data: bytes, *, force: bool = False) -> None:
    """Write it beside the place and move it there, so that a part of it is never seen.

    What is there already is left as it is, and is an `OSError`, unless it is forced; a link is replaced, not followed. What
    is no file, such as a pipe or a device, is written to.
    """
    target = Path(path)
    if expect_place(path, force=force):
        _write(os.open(target, os.O_WRONLY), data, str(path))
        return
    beside = target.with_name(f".dpcore-{secrets.token_hex(8)}")
    try:
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        _write(opened, data, str(path))
        if force:
            os.replace(beside, target)
        else:
            _move_to_nothing(beside, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def expect_place(path: str | Path, *, force: bool = False) -> bool:
    """Refuse where nothing may be written, as far as it is known before; whether what stands there is no file."""
    target = Path(path)
    mode = _mode(target)
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if mode is not None and not stat.S_ISREG(mode):
        return True
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {shown(str(target.parent))}", str(path))
    if f"{os.path.realpath(target.parent)}/".startswith(("/proc/", "/dev/fd/")) or str(target.parent) == "/dev":
        raise OSError(errno.EINVAL, "is an open file; use its name", str(path))
    if os.path.lexists(target) and not force:
        what = "is a link" if target.is_symlink() else "is there already"
        raise FileExistsError(errno.EEXIST, f"{what}; use --force to replace it", str(path))
    return False


def _mode(target: Path) -> int | None:
    """What stands there, behind a link too; None where nothing does."""
    try:
        return os.stat(target).st_mode
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(target)) from error


def _write(opened: int, data: bytes, path: str) -> None:
    try:
        with open(opened, "wb") as file:
            file.write(data)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, path) from None


def _move_to_nothing(beside: Path, target: Path) -> None:
    """Move it where nothing stands; what came there meanwhile is left as it is."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, "is there already; use --force to replace it", str(target)) from None
    except OSError:  # a file system without links
        os.replace(beside, target)
