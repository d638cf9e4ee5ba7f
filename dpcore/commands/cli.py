"""The console script `dpcore`: the commands with their arguments, and what the exit status of each says. What a command
does stands in its function in `actions`.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from dpcore.commands.actions import Outcome, check, demo, diff, explain, report, verify
from dpcore.commands.ledger import ledger
from dpcore.commands.messages import Refused
from dpcore.commands.output import Unwritable, complain, emit, silence

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

DESCRIPTION: Final = """Certificates of differential privacy: how a bound was derived, to be checked by whoever relies on it.

exit status: 0 verified (explain: printed, diff: equal, check: nothing found), 1 rejected (diff: they differ, check: a
claim is wrong), 2 not a certificate (check: no arrows), or it cannot be read or written

  verify           0 verified   1 rejected: JSON, but no certificate that holds   2 no JSON, or no such file
                   4 not decided: memory ran out, or the checker was stopped (--kernel: or the time ran out)
  verify --kernel  the same, and 3: Coq cannot say: it is missing, the checker is not compiled (make proofs), or
                   Coq failed
  explain          0 printed, not checked                                2 JSON too, if it is no certificate
  report           0 verified   1 rejected, and the report says so       2 JSON too, if it is no certificate
                   4 not decided, as of verify; the report says no more than of a rejected one
  diff             0 equal      1 they differ; neither is checked        2 JSON too, if it is no certificate
  check            0 nothing found   1 a claim is wrong                  2 no module with arrows, or it does not end
  ledger           0 its rows hold together   1 refused: damaged, edited, no ledger   2 it cannot be read or written
  demo             0 verified   1 rejected

Of several files verify gives the highest status. How a certificate is formatted means nothing to any of them."""


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
    keeping = command(ledger, "show, verify or export the account of an interaction")
    keeping.add_argument(
        "what", choices=["show", "verify", "export", "certify", "adopt"], metavar="show|verify|export|certify|adopt"
    )
    keeping.add_argument("file", metavar="FILE")
    keeping.add_argument("--force", action="store_true", help="replace OUT, if it is there already")
    keeping.add_argument("-o", "--output", metavar="OUT", help="where export and certify write to; else it is printed")
    showing = command(demo, "run a small example, end to end")
    showing.add_argument("folder", nargs="?", metavar="FOLDER", help="for its certificate; else a new temporary one")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names in certificates may be of any alphabet
    status = 2
    try:
        if sys.stdout is None:
            raise Unwritable("is closed")
        given = parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], Outcome] = given.run
        status, text = run(given)
        emit(text)
        return status
    except Refused as refused:
        complain(str(refused))
    except BrokenPipeError:  # whoever read along has seen enough
        silence()
        return status
    except Unwritable as why:
        complain(f"standard output {str(why)[:1].lower()}{str(why)[1:]}")
        silence()
    return 2


def _version() -> str:
    try:
        return version("dpcore")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main())
