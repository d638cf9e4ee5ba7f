"""Certificates of ten thousand leaves: how long each checker takes, beside reading the same file with Python's json.

    python benchmarks/certificates.py

The ratio to `json.loads` does not depend on the machine; the seconds that were asked for stand beside the time, which does.
`dpcheck` and Coq's kernel are timed where `make proofs` has built them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import dpcore as dp

ROOT = Path(__file__).resolve().parents[1]
CHECKER = ROOT / "proofs" / "check_certificate.py"
COQ = ROOT / "proofs" / "coq"
DPCHECK = COQ / "extract" / "dpcheck"
LEAVES = 10_000
RUNS = 3


def least(work: Callable[[], object], runs: int = RUNS) -> float:
    """The least time of several runs."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def certificates() -> Mapping[str, bytes]:
    """Ten thousand releases on one count: with equal noise, and each with its own; and as many whole pipelines."""
    count = dp.value(dp.integers(), dp.AbsoluteDistance)
    equal = dp.compose([count >> dp.laplace(scale=LEAVES)] * LEAVES)
    distinct = dp.compose([count >> dp.laplace(scale=LEAVES + Fraction(i, 7)) for i in range(LEAVES)])
    ages = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum()
    whole = dp.compose([ages >> dp.laplace(scale=120 * LEAVES + i) for i in range(LEAVES)])
    return {
        "equal leaves": dp.certify(equal).text(),
        "distinct leaves": dp.certify(distinct).text(),
        "whole pipelines, 40,000 nodes": dp.certify(whole).text(),
    }


def checked(command: list[str]) -> Callable[[], object]:
    return lambda: subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    print(f"{'':<34} {'checker':<22} {'time':>9} {'of reading the JSON':>20}  asked")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in certificates().items():
            file = Path(folder) / "c.json"
            file.write_bytes(text)
            reading = least(checked([sys.executable, "-I", "-S", "-c", f"import json; json.load(open({str(file)!r}))"]))
            commands: dict[str, tuple[list[str], float | None]] = {}
            commands["check_certificate.py"] = ([sys.executable, "-I", "-S", str(CHECKER), str(file)], 1.0)
            if DPCHECK.is_file():
                commands["dpcheck"] = ([str(DPCHECK), str(file)], None)
                exported = file.with_name("Certificate.v")
                export = [sys.executable, "-I", "-S", str(COQ / "export.py"), str(file)]
                exported.write_bytes(subprocess.run(export, check=True, capture_output=True).stdout)
                libraries = ["-Q", str(COQ / "theory"), "DPcore", "-Q", str(COQ / "checker"), "DPchecker"]
                commands["coqc"] = (["coqc", "-w", "none", *libraries, str(exported)], 10.0)
            for checker, (command, asked) in commands.items():
                took = least(checked(command), 1 if checker == "coqc" else RUNS)
                said = "" if asked is None else f"{asked:>5.0f} s  {'met' if took < asked else 'MISSED'}"
                print(f"{name:<34} {checker:<22} {took:>7.2f} s {took / reading:>19.1f}x  {said}".rstrip())


if __name__ == "__main__":
    main()
