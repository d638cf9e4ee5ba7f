"""The command line: `dpcore verify`, `explain`, `report`, `diff`, `check`. What each does stands in its function, and what
the exit status of each says in `DESCRIPTION`. What went wrong is one line on stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from dpcore.certificates.checker_file import checker_file
from dpcore.certificates.files import read_file, shown, write_file
from dpcore.certificates.messages import Refused, read, said
from dpcore.errors import DPError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from dpcore.certificates.certificate import Certificate

DESCRIPTION: Final = """Certificates of differential privacy: how a bound was derived, to be checked by whoever relies on it.

exit status: 0 verified (explain: printed, diff: equal, check: nothing found), 1 rejected (diff: they differ, check: a
claim is wrong), 2 not a certificate (check: no arrows), or it cannot be read or written

  verify           0 verified   1 rejected: JSON, but no certificate that holds   2 no JSON, or no such file
                   4 not decided: memory ran out (--kernel: or the time that it may take)
  verify --kernel  the same, and 3: Coq cannot say: it is missing, the checker is not compiled (make proofs), a rule
                   has no theorem yet, or Coq failed
  explain          0 printed, not checked                                2 JSON too, if it is no certificate
  report           0 verified   1 rejected, and the report says so       2 JSON too, if it is no certificate
  diff             0 equal      1 they differ; neither is checked        2 JSON too, if it is no certificate
  check            0 nothing found   1 a claim is wrong                  2 no module with arrows, or it does not end

Of several files verify gives the highest status. How a certificate is formatted means nothing to any of them."""

UNCHECKED: Final = "explained, not checked: whether it holds, dpcore verify says"


Outcome: TypeAlias = tuple[int, str]
"""An exit status, and what is said on standard output."""


class Unwritable(Exception):
    """Standard output takes no more, and why."""


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
    from dpcore.certificates.explaining import explained
    from dpcore.certificates.formula import formula

    _, certificate = loaded(given.file)
    lines = read(given.file, lambda: explained(certificate))
    if certificate.symbols:
        lines.append("in all: " + read(given.file, lambda: str(formula(certificate))))
    return 0, "\n".join([*lines, UNCHECKED])


def report(given: argparse.Namespace) -> Outcome:
    """One HTML file about the certificate. Of a rejected one too, and it says so."""
    from dpcore.certificates import report

    out = _beside(given.file) if given.output is None else given.output
    data, certificate = loaded(given.file)
    if read(out, lambda: Path(out).exists() and Path(out).samefile(given.file)):
        raise Refused(f"the report would be written over the certificate: {shown(out)}")
    page, status = read(given.file, lambda: report.made(certificate, data))
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
    from dpcore.certificates.attack import Misbehaved, attacked

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


# ---- how they do it ----------------------------------------------------------------------------------------------------


def checked(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that the checker gives it, and what it prints."""
    unread = unreadable(path)
    if unread:
        return path, 2, [unread]
    command = [sys.executable, "-I", "-S", str(checker_file()), path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return path, done.returncode, (done.stdout + done.stderr).splitlines()


def kernel_said(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that Coq's kernel gives it, and what is said of it."""
    from dpcore.certificates import kernel

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


def emit(text: str) -> None:
    """Say it on standard output, now: who cannot write it must hear of it while there is time."""
    if not text:
        return
    try:
        cast("io.TextIOBase", sys.stdout).write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError, AttributeError) as error:
        raise Unwritable(getattr(error, "strerror", None) or "is closed") from None


class Parser(argparse.ArgumentParser):
    """One whose help is said as all else is: who cannot write it hears of it."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            emit(message.removesuffix("\n"))
        else:
            super()._print_message(message, file)


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    found = Parser(prog="dpcore", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--version", action="version", version=f"dpcore {_version()}")
    commands = found.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(run: Callable[[argparse.Namespace], Outcome], short: str) -> argparse.ArgumentParser:
        made = commands.add_parser(run.__name__, help=short, description=run.__doc__)
        made.set_defaults(run=run)
        return made

    verifying = command(verify, "check certificates")
    verifying.add_argument("files", nargs="+", metavar="FILE")
    verifying.add_argument("--kernel", action="store_true", help="let Coq's own kernel check them, in a checkout")
    verifying.add_argument("--json", action="store_true", help="print one JSON list, an object for each file")
    command(explain, "print the derivation as a tree").add_argument("file", metavar="FILE")
    reporting = command(report, "write a page to be read in a browser")
    reporting.add_argument("file", metavar="FILE")
    reporting.add_argument("--force", action="store_true", help="replace OUT, if it is there already")
    reporting.add_argument("-o", "--output", metavar="OUT", help="where to; else beside FILE, with the ending .html")
    differing = command(diff, "say what changed between two certificates")
    differing.add_argument("before", metavar="A")
    differing.add_argument("after", metavar="B")
    differing.add_argument("--json", action="store_true", help="print one JSON object")
    checking = command(check, "attack the claims of a module")
    checking.add_argument("module", metavar="MODULE.py")
    checking.add_argument(
        "--rows", type=int, default=3, metavar="N", help="rows of the data sets that are all tried (3)"
    )
    checking.add_argument("--examples", type=int, default=500, metavar="N", help="pairs to search among (500)")
    checking.add_argument("--seed", type=int, default=0, metavar="N", help="of the search (0)")
    checking.add_argument("--seconds", type=float, default=600, metavar="N", help="that it may take in all (600)")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names in certificates may be of any alphabet
    status = 2
    try:
        if sys.stdout is None:
            raise Unwritable("is closed")
        given = parser().parse_args(arguments)
        status, text = cast("Callable[[argparse.Namespace], Outcome]", given.run)(given)
        emit(text)
        return status
    except Refused as refused:
        complain(str(refused))
    except BrokenPipeError:  # whoever read along has seen enough
        _silence()
        return status
    except Unwritable as why:
        complain(f"standard output {str(why)[:1].lower()}{str(why)[1:]}")
        _silence()
    return 2


def complain(message: str) -> None:
    """One line on stderr, if there is one."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(f"dpcore: {message}", file=sys.stderr, flush=True)


def _silence() -> None:
    """What is left unwritten is dropped, so that Python does not try again at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version() -> str:
    try:
        return version("dpcore")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main())
