"""What each command does: one function for each, which takes what was asked and gives the exit status and what is said."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from dpcore.certificates.checker_file import ask_checker
from dpcore.commands.files import expect_place, is_ledger, read_file, shown, write_file
from dpcore.commands.messages import LEDGER, Refused, read, said
from dpcore.commands.output import emit
from dpcore.errors import DPError

if TYPE_CHECKING:
    from dpcore.certificates.certificate import Certificate

UNCHECKED: Final = "explained, not checked: whether it holds, dpcore verify says"

Outcome: TypeAlias = tuple[int, str]
"""An exit status, and what is said on standard output."""


# ---- the commands ------------------------------------------------------------------------------------------------------


def verify(given: argparse.Namespace) -> Outcome:
    """What the checker says of each file: run by itself, in a process that cannot import dpcore."""
    found: list[tuple[str, int, list[str]]] = []
    for path in given.files:
        found.append(kernel_said(path) if given.kernel else checked(path))
        if not given.json:
            emit("\n".join(found[-1][2]))  # as it is found: Coq takes seconds for each
    listing = [{"file": file, "status": status, "lines": lines} for file, status, lines in found]
    return max(status for _, status, _ in found), json.dumps(listing, indent=1) if given.json else ""


def explain(given: argparse.Namespace) -> Outcome:
    """The derivation as a tree, each rule with its formula and its value; with symbols, the formula of the whole."""
    from dpcore.certificates.explaining import explained, formula

    _, certificate = loaded(given.file)
    lines = read(given.file, lambda: explained(certificate))
    if certificate.symbols:
        lines.append("in all: " + read(given.file, lambda: str(formula(certificate))))
    return 0, "\n".join([*lines, UNCHECKED])


def report(given: argparse.Namespace) -> Outcome:
    """One HTML file about the certificate. Of a rejected one too, and it says so."""
    from dpcore.report import made

    out = _beside(given.file) if given.output is None else given.output
    data, certificate = loaded(given.file)
    if read(out, lambda: Path(out).exists() and Path(out).samefile(given.file)):
        raise Refused(f"the report would be written over the certificate: {shown(out)}")
    read(out, lambda: expect_place(out, force=given.force))  # a page takes a while to make
    page, status = read(given.file, lambda: made(certificate, data))
    read(out, lambda: write_file(out, page.encode("utf-8"), force=given.force))
    return status, f"report: {shown(out)}"


def diff(given: argparse.Namespace) -> Outcome:
    """What changed from the first certificate to the second, and what that does to the claim."""
    from dpcore.certificates import diff_words
    from dpcore.certificates.diff import difference

    before, after = loaded(given.before)[1], loaded(given.after)[1]

    def told() -> Outcome:
        found = difference(before, after)
        return 0 if found.equal else 1, diff_words.as_json(found) if given.json else "\n".join(diff_words.lines(found))

    return read(f"{given.before} or {given.after}", told)


def check(given: argparse.Namespace) -> Outcome:
    """Attack every arrow that a Python module exports, with falsify and exhaust. The module is imported, so it is run: in a
    process of its own, for so many seconds at most."""
    from dpcore.commands.attack import Misbehaved, attacked

    sound = []
    try:
        for each in attacked(
            given.module, rows=given.rows, examples=given.examples, seed=given.seed, seconds=given.seconds
        ):
            emit(each.said)
            sound.append(each.sound)
    except DPError as error:
        raise Refused(said(error)) from None
    except Misbehaved as why:
        raise Refused(f"{shown(given.module)}: {why}") from None
    if not sound:
        raise Refused(f"{shown(given.module)} exports no arrow")
    found = "nothing found" if all(sound) else "a claim is wrong"
    return 0 if all(sound) else 1, f"{len(sound)} arrow{'s' * (len(sound) > 1)}: {found}"


def demo(given: argparse.Namespace) -> Outcome:
    """Run a small example: pipelines on a made-up table, their bounds, a release of each, a certificate that is checked."""
    from dpcore.commands.demo import main

    return main(Path(given.folder or tempfile.mkdtemp(prefix="dpcore-demo-"))), ""


# ---- how they do it ----------------------------------------------------------------------------------------------------


def checked(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that the checker gives it, and what it prints."""
    unread = unreadable(path)
    if unread:
        return path, 2, [unread]
    return path, *ask_checker(path)


def kernel_said(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that Coq's kernel gives it, and what is said of it."""
    from dpcore.commands import kernel

    unread = unreadable(path)
    if unread:
        return path, 2, [unread]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = kernel.verify_by_kernel(path)
    return path, status, said.getvalue().splitlines()


def unreadable(path: str) -> str:
    """Why no checker need be started, or nothing. The file is not opened: what is a pipe can be read once only."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return f"{shown(path)}: {(error.strerror or 'cannot be read').lower()}"
    except ValueError:
        return f"{shown(path)}: no file can have this name"
    if is_ledger(path):
        return f"{shown(path)}: {LEDGER}"
    return f"{shown(path)}: is a directory" if stat.S_ISDIR(mode) else ""


def loaded(path: str) -> tuple[bytes, Certificate]:
    """The file, read once, and the certificate in it."""
    from dpcore.certificates.certificate import reformatted

    def both() -> tuple[bytes, Certificate]:
        data = read_file(path)
        return data, reformatted(data)

    return read(path, both)


def _beside(path: str) -> str:
    """Where the report of a file goes; of a pipe or a device nothing stands beside it."""
    if unreadable(path) or stat.S_ISREG(os.stat(path).st_mode):
        return str(Path(path).with_suffix(".html")) if Path(path).name else path
    raise Refused(f"{shown(path)} is no file that a report could stand beside; use -o OUT")
