"""How long the checkers take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from proofs.coq.differential import verdicts
from proofs.coq.differential.json_trees import Json, rules


def timed(check: Callable[[], str]) -> tuple[float, str]:
    began = time.perf_counter()
    said = check()
    return time.perf_counter() - began, said


def one_by_one(python: ModuleType, some: Sequence[Json], files: Sequence[Path]) -> None:
    """Each checker on each certificate, dpcheck as a process of its own; and which took longest."""
    checks: dict[str, Callable[[Path], str]] = {
        "python": lambda file: verdicts.by_python(python, file.read_bytes()),
        "dpcheck": lambda file: verdicts.by_dpcheck([file])[0],
    }
    for name, check in checks.items():
        found = [timed(partial(check, file)) for file in files]
        seconds = [taken for taken, _ in found]
        ordered = sorted(seconds)
        middle, total = ordered[len(ordered) // 2], sum(seconds)
        print(
            f"{name}: {total:.1f} s, {1000 * total / len(files):.2f} ms each, {1000 * middle:.2f} ms in the middle; longest:"
        )
        for i in sorted(range(len(files)), key=lambda i: -seconds[i])[:5]:
            size = files[i].stat().st_size
            print(f"  {1000 * seconds[i]:.0f} ms, {size} bytes, {found[i][1]}: {' '.join(sorted(rules(some[i])))}")
