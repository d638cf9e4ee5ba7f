"""What a question costs a session of Tumult Analytics: the least milliseconds of several, after so many questions.

    TUMULT=/path/to/its/python python benchmarks/interaction.py     # an environment with tmlt.analytics, and a JRE

A process of its own, on a session of one row that is started and warm before anything is timed. As in ours, the same count
is asked, and the budget is never reached.
"""

from __future__ import annotations

import os
import subprocess
import time
from importlib import import_module
from typing import Any, Final

AFTER: Final = (1, 20)
RUNS: Final = 3


def questions() -> dict[int, float]:
    """Of the environment that is named, by a process there: milliseconds, by how many were asked before."""
    python = os.environ.get("TUMULT")
    if python is None:
        return {}
    environment = {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python}
    told = subprocess.run([python, __file__], env=environment, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in told.stdout.splitlines() if "\t" in line]
    return {int(after): float(milliseconds) for after, milliseconds in lines}


def main() -> None:
    t = import_module("tmlt.analytics")
    spark: Any = import_module("pyspark.sql").SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
    frame = spark.createDataFrame([(30,)], ["age"])
    session: Any = t.Session.from_dataframe(t.PureDPBudget(10**6), "people", frame, protected_change=t.AddOneRow())
    count, budget = t.QueryBuilder("people").count(), t.PureDPBudget(1)
    asked = 0
    for after in AFTER:
        while asked < after:
            session.evaluate(count, budget).collect()
            asked += 1
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            session.evaluate(count, budget).collect()
            times.append(1000 * (time.perf_counter() - start))
        asked += RUNS
        print(f"{after}\t{min(times):.1f}", flush=True)


if __name__ == "__main__":
    main()
