"""Runs the comparison; status 1 where two checkers disagree, a rule is hardly looked at, or a fault goes unnoticed."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import cast

from proofs.coq.differential import near_misses, times, verdicts
from proofs.coq.differential.balance import ENOUGH
from proofs.coq.differential.run import Run


def options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proofs.coq.differential", description=__doc__)
    parser.add_argument(
        "many", nargs="?", type=int, default=ENOUGH, help="certificates, a third of them as they should be"
    )
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--times", action="store_true", help="time each checker on each certificate")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the certificates are left")
    return parser.parse_args(arguments)


def compared(asked: argparse.Namespace, folder: Path) -> int:
    """How much is wrong."""
    dice, source = Random(cast(int, asked.seed)), verdicts.CHECKER.read_text(encoding="utf-8")
    known, python = sorted(verdicts.followed()), verdicts.loaded(source, "checker_as_it_is")
    run = Run(folder, source, python, known)
    whole, changed = run.honest_and_changed(asked.many, dice)
    some = [*whole, *changed]
    files = run.written(some, "random")
    data = [file.read_bytes() for file in files]
    began = time.perf_counter()
    ours = [verdicts.by_python(python, each) for each in data]
    between = time.perf_counter()
    theirs = verdicts.by_dpcheck(files)
    print(f"python {between - began:.1f} s, dpcheck {time.perf_counter() - between:.1f} s")
    print(f"dpcheck follows {len(known)} rules")
    if asked.times:
        times.one_by_one(python, some, files)
    run.refused(whole, ours)
    verified = [x for x, verdict in zip(whole, ours, strict=False) if verdict == "verified"]
    wrong = {
        "python / dpcheck": run.compared(some, ours, theirs, "python / dpcheck"),
        "rules hardly looked at": run.balanced(some, ours),
        "dpcheck / Coq": run.sampled(some, files, theirs, dice),
        "near misses": run.missed(verified),
    }
    # What is refused for one side condition is what a fault in that condition would let through.
    misses = near_misses.chosen(verified, known).values()
    broken = [json.dumps(each).encode() for every in misses for each in every.broken]
    refused = ["rejected"] * len(broken)
    wrong["faults unnoticed"] = run.faulty([*data, *broken], [*ours, *refused], [*theirs, *refused])
    print("wrong: " + (", ".join(f"{many} {what}" for what, many in wrong.items() if many) or "nothing"))
    return sum(wrong.values())


def main(arguments: Sequence[str]) -> int:
    asked = options(arguments)
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
        return 1 if compared(asked, asked.keep) else 0
    with tempfile.TemporaryDirectory() as folder:
        return 1 if compared(asked, Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
