"""The questions of `tables.py` that Tumult Analytics answers, of a Parquet file: the least milliseconds of several, by name.

    TUMULT=/path/to/its/python python benchmarks/tables.py     # an environment of its own, with tmlt.analytics and a JRE

It needs older releases of sympy and pandas than dpcore does, so it runs as another process, on a session that is started
and warm before anything is timed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

RUNS = 2


def releases(path: Path) -> dict[str, float]:
    """Of the environment that is named, by a process there; nothing where none is."""
    python = os.environ.get("TUMULT")
    if python is None:
        return {}
    environment = {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python}
    told = subprocess.run([python, __file__, str(path)], env=environment, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in told.stdout.splitlines() if "\t" in line]
    return {name: float(milliseconds) for name, milliseconds in lines}


def questions(t: Any) -> dict[str, Any]:
    visits = t.QueryBuilder("visits")

    def keys(name: str, n: int) -> Any:
        return t.KeySet.from_dict({name: list(range(n))})

    return {
        "count": visits.count(),
        "sum of integers": visits.sum("age", 0, 120),
        "counts by 100 keys": visits.groupby(keys("shop", 100)).count(),
        "sums by 100 keys": visits.groupby(keys("shop", 100)).sum("age", 0, 120),
        "at most 5 rows a person": visits.enforce(t.MaxRowsPerID(5)).sum("age", 0, 120),
    }


def main(path: str) -> None:
    t = import_module("tmlt.analytics")
    builder: Any = import_module("pyspark.sql").SparkSession.builder
    spark = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "4g").getOrCreate()
    frame = spark.read.parquet(path)

    def session(change: Any) -> Any:
        budget = t.PureDPBudget(float("inf"))
        return t.Session.from_dataframe(budget, "visits", frame, protected_change=change)

    of_rows, of_persons = session(t.AddOneRow()), session(t.AddRowsWithID("person"))
    of_rows.evaluate(t.QueryBuilder("visits").count(), t.PureDPBudget(1)).collect()
    for name, question in questions(t).items():
        asked = of_persons if "person" in name else of_rows
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            asked.evaluate(question, t.PureDPBudget(1)).collect()
            times.append(1000 * (time.perf_counter() - start))
        print(f"{name}\t{min(times):.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
