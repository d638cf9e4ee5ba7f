"""How much memory a count by key over a Parquet file takes, by DuckDB and by the scan of polars.

    python benchmarks/tables_memory.py            # 10,000,000 rows; or another number of them

On Linux. The file is made on the spot, in pieces. Each reading is a process of its own, whose greatest resident memory
is printed beside what it takes for a hundredth of the rows, which is that of the libraries. Each answer is compared with
the number of rows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

clock: Any = import_module("tables_clock")  # found beside this file, where it is run as a script
pa: Any = import_module("pyarrow")  # has no types of its own
parquet: Any = import_module("pyarrow.parquet")

PIECE: Final = 1_000_000
KEYS: Final = 100
WAYS: Final = ("DuckDB", "polars")


def write(path: Path, rows: int) -> None:
    """A key of a hundred, an age and a number, so many times."""
    draws = np.random.default_rng(1)
    schema = pa.schema({"key": pa.int64(), "age": pa.int64(), "x": pa.float64()})
    with parquet.ParquetWriter(path, schema) as file:
        for start in range(0, rows, PIECE):
            n = min(PIECE, rows - start)
            columns = [draws.integers(0, KEYS, n), draws.integers(0, 121, n), draws.random(n)]
            file.write_table(pa.table(columns, schema=schema), row_group_size=PIECE // 8)


def read(way: str, path: str) -> None:
    """Count by key, and print the rows, the memory in MB and the seconds."""
    import dpcore as dp

    table = dp.rows(dp.record(key=dp.categories(*range(KEYS)), age=dp.integers(0, 120)))
    counts = table >> dp.filter(dp.field("age") >= 0) >> dp.histogram(dp.field("key"))
    start = time.perf_counter()
    data: object
    if way == "DuckDB":
        import duckdb

        data = duckdb.connect().read_parquet(path)
    else:
        import polars

        data = polars.scan_parquet(path)
    answer = counts(data)
    took = time.perf_counter() - start
    print(sum(answer), clock.megabytes("VmHWM"), f"{took:.1f}")


def measured(way: str, path: Path) -> tuple[int, int, float]:
    done = subprocess.run([sys.executable, __file__, way, str(path)], capture_output=True, text=True, check=True)
    rows, memory, seconds = done.stdout.split()[:3]
    return int(rows), int(memory), float(seconds)


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = {size: Path(folder) / f"{size}.parquet" for size in (rows // 100, rows)}
        for size, path in paths.items():
            write(path, size)
        print(f"{'':8} {'rows':>12} {'file':>8} {'resident':>9} {'seconds':>8}")
        for way in WAYS:
            for size, path in paths.items():
                counted, memory, seconds = measured(way, path)
                assert counted == size
                print(f"{way:8} {size:>12,} {path.stat().st_size >> 20:>6} MB {memory:>6} MB {seconds:>8.1f}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        read(sys.argv[1], sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) == 2 else 10_000_000)
