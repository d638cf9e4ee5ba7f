"""How much memory a release takes beside the rows that are in memory already.

    python benchmarks/tables_memory_held.py            # 10,000,000 rows; or another number of them

On Linux. The questions are those of `tables.py`, of a frame of polars, of one of pandas and of arrays, each in a process of
its own, which has answered the same of few rows before. The columns are arrays of numpy to begin with, whose memory goes
back as soon as they are gone, so that none that was free is counted for nothing. Asked: at most 200 MB.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

clock: Any = import_module("tables_clock")  # found beside this file, where it is run as a script
tables: Any = import_module("tables")

FEW: Final = 200_000
ASKED: Final = 200
CARRIERS: Final = ("polars", "pandas", "arrays")


def held(carrier: str, names: tuple[str, ...], rows: int) -> object:
    dice = np.random.default_rng(0)
    highest = {"age": 121, "shop": 100, "item": 10_000, "cost": 180, "person": max(rows // 8, 1)}
    columns: dict[str, Any] = {}
    for name in names:
        if name == "region":
            codes = pl.Series(dice.integers(0, len(tables.REGIONS), rows, dtype=np.uint8))
            columns[name] = codes.replace_strict(dict(enumerate(tables.REGIONS)))
        else:
            columns[name] = dice.random(rows) * 180 if name == "cost" else dice.integers(0, highest[name], rows)
    if carrier == "arrays":
        return {name: np.asarray(column) if name != "region" else column.to_numpy() for name, column in columns.items()}
    return pl.DataFrame(columns) if carrier == "polars" else pl.DataFrame(columns).to_pandas()


def beside(question: str, carrier: str, rows: int) -> int:
    """In MB, at its height."""
    asked = tables.QUESTIONS[question]
    asked.private(held(carrier, asked.columns, FEW))
    data = held(carrier, asked.columns, rows)
    before: int = clock.megabytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the height begins anew
    asked.private(data)
    height: int = clock.megabytes("VmHWM")
    return height - before


def main(rows: int) -> None:
    print(f"{rows:,} rows, MB beside them")
    print(f"{'':26}" + "".join(f"{carrier:>10}" for carrier in CARRIERS))
    for question in tables.QUESTIONS:
        figures: list[int] = []
        for carrier in CARRIERS:
            command = [sys.executable, __file__, question, carrier, str(rows)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            figures.append(int(done.stdout.split()[-1]))
        missed = "" if max(figures) <= ASKED else "  MISSED"
        print(f"{question:26}" + "".join(f"{figure:>10}" for figure in figures) + missed, flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(beside(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) == 2 else 10_000_000)
