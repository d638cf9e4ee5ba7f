"""The command line.

dpcore verify FILE...     what the checker says of each: exit 0 verified, 1 rejected, 2 not a certificate
dpcore explain FILE       the derivation as a tree, each rule with its formula and its value
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from dpcore.certificates.certificate import Certificate
from dpcore.certificates.explaining import explained
from dpcore.errors import DPError

NAME = "check_certificate.py"


def checker() -> Path:
    """The checker: beside this file in a wheel, in `proofs` of a checkout."""
    here = Path(__file__).with_name(NAME)
    return here if here.is_file() else Path(__file__).parents[2] / "proofs" / NAME


def verify(paths: Sequence[str], *, as_json: bool) -> int:
    """Run the checker on each file, by itself: in a process that cannot import dpcore."""
    worst, found = 0, []
    for path in paths:
        command = [sys.executable, "-I", "-S", str(checker()), path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = (done.stdout + done.stderr).splitlines()
        found.append({"file": path, "status": done.returncode, "lines": lines})
        worst = max(worst, done.returncode)
        if not as_json:
            print("\n".join(lines))
    if as_json:
        print(json.dumps(found, indent=1))
    return worst


def explain(path: str) -> int:
    """Print the derivation as a tree."""
    try:
        print("\n".join(explained(Certificate.load(path))))
    except (DPError, OSError, KeyError, TypeError, ValueError) as error:
        print(f"not a certificate that can be explained: {type(error).__name__}", file=sys.stderr)
        return 2
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="dpcore", description="Certificates of differential privacy.")
    commands = parser.add_subparsers(dest="command", required=True)
    verifying = commands.add_parser(
        "verify", help="check certificates: exit 0 verified, 1 rejected, 2 not a certificate"
    )
    verifying.add_argument("files", nargs="+", metavar="FILE")
    verifying.add_argument("--json", action="store_true", help="print one JSON list, an object for each file")
    explaining = commands.add_parser("explain", help="print the derivation as a tree")
    explaining.add_argument("file", metavar="FILE")
    given = parser.parse_args(arguments)
    return verify(given.files, as_json=given.json) if given.command == "verify" else explain(given.file)


if __name__ == "__main__":
    sys.exit(main())
