"""How much memory a question about a Parquet file takes, by DuckDB and by the scan of polars.

    python benchmarks/tables_memory.py            # 10,000,000 rows; or another number of them

A filtered count by 100 keys, and a count of at most 5 rows of each person. On Linux. The file is made on the spot, in
pieces. Each reading is a process of its own, whose greatest resident memory is printed beside what it takes for a hundredth
of the rows, which is that of the libraries. Each answer is compared with that of DuckDB alone.
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
duckdb: Any = import_module("duckdb")
pa: Any = import_module("pyarrow")  # has no types of its own
parquet: Any = import_module("pyarrow.parquet")

PIECE: Final = 1_000_000
KEYS: Final = 100
FEW: Final = 5
WAYS: Final = ("DuckDB", "polars")
ALONE: Final = {
    "count by 100 keys": "SELECT count(*) FROM '{}' WHERE age >= 18",
    "at most 5 rows each": f"SELECT sum(least(n, {FEW})) FROM (SELECT count(*) AS n FROM '{{}}' GROUP BY person)",
}


def write(path: Path, rows: int) -> None:
    """A key of a hundred, an age, a number and a person, so many times."""
    draws = np.random.default_rng(1)
    schema = pa.schema({"key": pa.int64(), "age": pa.int64(), "x": pa.float64(), "person": pa.int64()})
    with parquet.ParquetWriter(path, schema) as file:
        for start in range(0, rows, PIECE):
            n = min(PIECE, rows - start)
            columns = [draws.integers(0, KEYS, n), draws.integers(0, 121, n), draws.random(n)]
            columns.append(draws.integers(0, max(rows // 8, 1), n))
            file.write_table(pa.table(columns, schema=schema), row_group_size=PIECE // 8)


def read(way: str, question: str, path: str) -> None:
    """Ask without noise, and print the answer, the memory in MB and the seconds."""
    import dpcore as dp

    start = time.perf_counter()
    data: Any
    if way == "DuckDB":
        data = duckdb.connect().read_parquet(path)
    else:
        import polars

        data = polars.scan_parquet(path)
    age = dp.field("age", int)
    if question == "count by 100 keys":
        table = dp.rows(dp.record(key=dp.categories(*range(KEYS)), age=dp.integers(0, 120)))
        answer = sum((table >> dp.filter(age >= 18) >> dp.histogram(dp.field("key")))(data))
    else:
        visit = dp.record(person=dp.integers(0, 1 << 40), age=dp.integers(0, 120))
        persons = dp.rows(visit, dp.PersonDistance("person"))
        answer = (persons >> dp.bound_contributions(FEW) >> dp.count())(data)
    took = time.perf_counter() - start
    print(answer, clock.megabytes("VmHWM"), f"{took:.1f}")


def measured(way: str, question: str, path: Path) -> tuple[int, int, float]:
    program = [sys.executable, __file__, way, question, str(path)]
    answer, memory, seconds = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()
    return int(answer), int(memory), float(seconds)


def main(rows: int) -> None:
    print(clock.machine())
    with tempfile.TemporaryDirectory() as folder:
        paths = {size: Path(folder) / f"{size}.parquet" for size in (rows // 100, rows)}
        for size, path in paths.items():
            write(path, size)
        print(f"{'':20} {'':8} {'rows':>12} {'file':>8} {'resident':>9} {'seconds':>8}")
        for question, alone in ALONE.items():
            for size, path in paths.items():
                ((expected,),) = duckdb.sql(alone.format(path)).fetchall()
                for way in WAYS:
                    answer, memory, seconds = measured(way, question, path)
                    assert answer == expected, (question, way)
                    octets = path.stat().st_size >> 20
                    print(
                        f"{question:20} {way:8} {size:>12,} {octets:>6} MB {memory:>6} MB {seconds:>8.1f}", flush=True
                    )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        read(*sys.argv[1:])
    else:
        main(int(sys.argv[1]) if len(sys.argv) == 2 else 10_000_000)
