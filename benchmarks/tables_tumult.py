"""The questions of `tables.py` that Tumult Analytics answers, of a Parquet file: the least milliseconds of several, by name.

    TUMULT=/path/to/its/python python benchmarks/tables.py     # an environment of its own, with tmlt.analytics and a JRE

It needs older releases of sympy and pandas than dpcore does, so it runs as another process, on a session that is started
and warm before anything is timed.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import Any

clock: Any = import_module("tables_clock")  # found beside this file, which is run as a script

RUNS = 2


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
        release = partial(_released, asked, question, t.PureDPBudget(1))
        print(f"{name}\t{clock.least({name: release}, RUNS)[name]:.1f}", flush=True)


def _released(session: Any, question: Any, budget: Any) -> object:
    return session.evaluate(question, budget).collect()


if __name__ == "__main__":
    main(sys.argv[1])
