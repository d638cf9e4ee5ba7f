"""Runs the comparison; status 1 where two checkers disagree, or a fault goes unnoticed."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import cast

from proofs.coq.differential import faults, mutations, near_misses, pipelines, verdicts

LEAST = 1000
SAMPLE = 60


def written(folder: Path, many: int, dice: Random) -> list[Path]:
    """Files of random certificates, a third as dpcore wrote them."""
    whole = cast("list[mutations.Json]", pipelines.certificates(dice, many // 3))
    files: list[Path] = []
    for i in range(many):
        found = whole[i] if i < len(whole) else mutations.changed(dice, dice.choice(whole), whole)
        files.append(folder / f"{i}.json")
        files[-1].write_text(json.dumps(found), encoding="utf-8")
    return files


def compared(files: Sequence[Path], ours: Sequence[str], theirs: Sequence[str], what: str) -> int:
    """How often they differ, of those for which there are theorems."""
    differ = [(f, a, b) for f, a, b in zip(files, ours, theirs, strict=True) if b != "not proved" and a != b]
    print(f"{what}: {dict(Counter(zip(ours, theirs, strict=True)))}; {len(differ)} differ")
    for file, a, b in differ[:5]:
        print(f"  {a} / {b}: {file.read_text(encoding='utf-8')[:2000]}")
    return len(differ)


def missed(folder: Path, certificates: Sequence[mutations.Json], python: ModuleType) -> int:
    """For each rule followed one certificate that all accept, and two near misses that all refuse."""
    rules = verdicts.followed()
    cases = near_misses.chosen(certificates, rules)
    absent = [rule for rule in rules if rule not in cases]
    print(f"near misses: {len(cases)} of {len(rules)} rules; not among the certificates: {' '.join(absent) or 'none'}")
    files: list[Path] = []
    for rule, several in cases.items():
        for i, each in enumerate(several):
            files.append(folder / f"{rule}_{i}.json")
            files[-1].write_text(json.dumps(each), encoding="utf-8")
    expected = ["verified", "rejected", "rejected"] * len(cases)
    said = {
        "python": [verdicts.by_python(python, file.read_bytes()) for file in files],
        "dpcheck": verdicts.by_dpcheck(files),
        "Coq": verdicts.by_coq(files, folder),
    }
    wrong = 0
    for checker, found in said.items():
        for file, a, b in zip(files, found, expected, strict=True):
            if a != b:
                print(f"  {checker}: {file.name}: {a}, expected {b}")
                wrong += 1
    return wrong


def main(arguments: Sequence[str]) -> int:
    many, seed = int(arguments[0]) if arguments else 10_000, int(arguments[1]) if arguments[1:] else 1
    dice, source = Random(seed), verdicts.CHECKER.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = written(folder, many, dice)
        data = [file.read_bytes() for file in files]
        python = verdicts.loaded(source, "checker_as_it_is")
        started = time.perf_counter()
        ours = [verdicts.by_python(python, each) for each in data]
        between = time.perf_counter()
        theirs = verdicts.by_dpcheck(files)
        print(f"{many} certificates: python {between - started:.1f} s, dpcheck {time.perf_counter() - between:.1f} s")
        wrong = compared(files, ours, theirs, "python / dpcheck")
        counts = Counter(a for a, b in zip(ours, theirs, strict=True) if b != "not proved")
        if many >= 10 * LEAST and min(counts["verified"], counts["rejected"]) < LEAST:
            print(f"too few of a kind: {dict(counts)}")
            wrong += 1
        wrong += missed(folder, [cast("mutations.Json", json.loads(x)) for x in data[: many // 3]], python)
        some = dice.sample(range(many), min(SAMPLE, many))
        sample = verdicts.by_coq([files[i] for i in some], folder)
        wrong += compared([files[i] for i in some], [theirs[i] for i in some], sample, "dpcheck / Coq")
        for i, (what, text, instead) in enumerate(faults.FAULTS):
            assert source.count(text) == 1, f"the checker has changed: {text}"
            faulty = verdicts.loaded(source.replace(text, instead), f"faulty_{i}")
            seen = sum(
                verdicts.by_python(faulty, x) != b for x, b in zip(data, theirs, strict=True) if b != "not proved"
            )
            print(f"fault: {what}: noticed by {seen} certificates")
            wrong += not seen
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
