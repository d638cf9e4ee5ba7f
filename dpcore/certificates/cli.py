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
from typing import TYPE_CHECKING, Final, TypeVar, cast

from dpcore.certificates.checker_file import checker_file
from dpcore.errors import DPError, MissingExtra

if TYPE_CHECKING:
    from dpcore.certificates.certificate import Certificate

T = TypeVar("T")

MALFORMED: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)
"""What reading can meet in a file that is written like a certificate and is none."""

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
  check            0 nothing found   1 a claim is wrong                  2 no module with arrows

Of several files verify gives the highest status. How a certificate is formatted means nothing to any of them."""

UNCHECKED: Final = "explained, not checked: whether it holds, dpcore verify says"


class Refused(Exception):
    """What the command cannot do, in one line."""


# ---- the commands ------------------------------------------------------------------------------------------------------


def verify(given: argparse.Namespace) -> int:
    """What the checker says of each file: run by itself, in a process that cannot import dpcore."""
    if given.kernel and not given.json:
        return max([by_kernel(path) for path in given.files])  # printed as it is found: each takes seconds
    found = [kernel_said(path) if given.kernel else checked(path) for path in given.files]
    if given.json:
        print(json.dumps([{"file": f, "status": done, "lines": lines} for f, done, lines in found], indent=1))
    else:
        print("\n".join(line for _, _, lines in found for line in lines))
    return max(status for _, status, _ in found)


def explain(given: argparse.Namespace) -> int:
    """The derivation as a tree, each rule with its formula and its value; with symbols, the formula of the whole."""
    from dpcore.certificates.explaining import explained
    from dpcore.certificates.formula import formula

    certificate = loaded(given.file)
    lines = read(given.file, lambda: explained(certificate))
    if certificate.symbols:
        lines.append("in all: " + read(given.file, lambda: str(formula(certificate))))
    print("\n".join([*lines, UNCHECKED]))
    return 0


def report(given: argparse.Namespace) -> int:
    """One HTML file about the certificate. Of a rejected one too, and it says so."""
    from dpcore.certificates import report

    certificate = loaded(given.file)
    out = given.output or str(Path(given.file).with_suffix(".html"))
    if Path(out).exists() and Path(out).samefile(given.file):
        raise Refused(f"the report would be written over the certificate: {shown(out)}")
    read(given.file, lambda: Path(out).write_text(report.render(certificate), encoding="utf-8"))
    print(f"report: {out}")
    return checked(given.file)[1]


def diff(given: argparse.Namespace) -> int:
    """What changed from the first certificate to the second, and what that does to the claim."""
    from dpcore.certificates import diff_words
    from dpcore.certificates.diff import difference

    before, after = loaded(given.before), loaded(given.after)
    found = read(f"{given.before} or {given.after}", lambda: difference(before, after))
    print(diff_words.as_json(found) if given.json else "\n".join(diff_words.lines(found)))
    return 0 if found.equal else 1


def check(given: argparse.Namespace) -> int:
    """Attack every arrow that a Python module exports, with falsify and exhaust. The module is imported, so it is run."""
    from dpcore.assurance.checking import check_module, module_at

    try:
        module = module_at(given.module)
        sound = []
        for result in check_module(module, rows=given.rows, examples=given.examples, seed=given.seed):
            print(result.summary if result.sound else result, flush=True)
            sound.append(result.sound)
    except DPError as error:
        raise Refused(said(error)) from None
    if not sound:
        raise Refused(f"{shown(given.module)} exports no arrow")
    print(f"{len(sound)} arrow{'s' * (len(sound) > 1)}: " + ("nothing found" if all(sound) else "a claim is wrong"))
    return 0 if all(sound) else 1


# ---- how they do it ----------------------------------------------------------------------------------------------------


def checked(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that the checker gives it, and what it prints."""
    unread = unreadable(path)
    if unread:
        return path, 2, [unread]
    command = [sys.executable, "-I", "-S", str(checker_file()), path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return path, done.returncode, (done.stdout + done.stderr).splitlines()


def by_kernel(path: str) -> int:
    """The status that Coq's kernel gives the file, what it says being printed."""
    from dpcore.certificates import kernel

    unread = unreadable(path)
    if unread:
        print(unread)
        return 2
    return kernel.verify_by_kernel(path)


def kernel_said(path: str) -> tuple[str, int, list[str]]:
    """The file, the status that Coq's kernel gives it, and what is said of it."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = by_kernel(path)
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


def loaded(path: str) -> Certificate:
    from dpcore.certificates.certificate import reformatted

    return read(path, lambda: reformatted(Path(path).read_bytes()))


def read(path: str, reading: Callable[[], T]) -> T:
    """What reading gives; one line about whatever it meets instead."""
    try:
        return reading()
    except OSError as error:
        raise Refused(f"{shown(str(error.filename or path))}: {(error.strerror or 'cannot be read').lower()}") from None
    except DPError as error:
        raise Refused(f"not a certificate: {shown(path)}: {said(error)}") from None
    except MALFORMED as error:
        raise Refused(f"not a certificate: {shown(path)}: {type(error).__name__}") from None


def said(error: DPError) -> str:
    """The error in one line, with the way out where there is one."""
    if error.bridge is None:
        return error.headline
    found = f"{error.headline}; use {error.bridge}"
    if isinstance(error, MissingExtra):  # what pip would fetch by name is not what stands in a checkout
        found += ", in a checkout " + error.bridge.replace("'dpcore[", "-e '.[")
    return found


def shown(path: str) -> str:
    return path if path.isprintable() else ascii(path)


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    found = argparse.ArgumentParser(
        prog="dpcore", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    found.add_argument("--version", action="version", version=f"dpcore {_version()}")
    commands = found.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(run: Callable[[argparse.Namespace], int], short: str) -> argparse.ArgumentParser:
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
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names in certificates may be of any alphabet
    given = parser().parse_args(arguments)
    try:
        status = cast("Callable[[argparse.Namespace], int]", given.run)(given)
        sys.stdout.flush()
        return status
    except Refused as refused:
        print(f"dpcore: {refused}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read along has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _version() -> str:
    try:
        return version("dpcore")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main())
