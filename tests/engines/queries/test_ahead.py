"""Releases that are composed read the rows once, and give what each of them gives alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import dpcore as dp
from dpcore.engines.numpy import keeping
from dpcore.engines.numpy.columns import Mask
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.duckdb import DuckDBEngine
from dpcore.engines.queries.polars import PolarsEngine
from dpcore.engines.queries.sql import Levels
from dpcore.noise.row_keys import RowKey
from tests.engines.frames.forms import duckdb

Groups = Sequence[tuple[pl.Expr, Sequence[pl.Expr]]]

REGIONS = ("N", "S")
PEOPLE = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories(*REGIONS), cost=dp.numbers(0, 50)))
FRAME = pl.DataFrame({"age": [30, 41, 17, 65], "region": ["N", "S", "S", "N"], "cost": [0.25, 0.35, 49.95, 0.05]})

age, region, cost = dp.field("age", int), dp.field("region"), dp.field("cost", float)
ADULTS = PEOPLE >> dp.filter(age >= 18)
COUNT = ADULTS >> dp.count() >> dp.laplace(scale="1/40")
TOTAL = PEOPLE >> dp.select(age) >> dp.sum() >> dp.laplace(scale="1/40")
COSTS = PEOPLE >> dp.select(cost) >> dp.quantize("0.1") >> dp.sum() >> dp.laplace(scale="1/400")
BY_REGION = PEOPLE >> dp.histogram(region) >> dp.laplace(scale="1/40")
MEDIAN = PEOPLE >> dp.select(age) >> dp.quantile_scores([20, 40, 60], "1/2") >> dp.permute_and_flip("1/400")
MEAN = PEOPLE >> dp.partition(list(REGIONS), region) >> dp.parallel(COUNT & TOTAL)


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For each query that polars is asked, of how many keys it asks."""
    found: list[int] = []
    ask, ask_all = PolarsEngine.ask, PolarsEngine.ask_all

    def asking(engine: PolarsEngine, figures: Sequence[pl.Expr]) -> object:
        found.append(0)
        return ask(engine, figures)

    def asking_all(engine: PolarsEngine, groups: Groups, of_all: Sequence[pl.Expr]) -> object:
        if groups:
            found.append(len(groups))
        return ask_all(engine, groups, of_all)

    monkeypatch.setattr(PolarsEngine, "ask", asking)
    monkeypatch.setattr(PolarsEngine, "ask_all", asking_all)
    return found


EXPECTED = (3, 153, Fraction(506, 10), [2, 2], 1, {"N": (2, 95), "S": (1, 58)})


def test_all_that_is_composed_is_asked_at_once(readings: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Asked, "slow", lambda asked: _in_batches(asked))
    everything = dp.compose([COUNT, TOTAL, COSTS, BY_REGION, MEDIAN, MEAN])
    released = everything.release(FRAME)
    assert readings == [1]
    assert released == EXPECTED


def _in_batches(asked: object) -> object:
    from dpcore.engines.queries.ahead import Noted

    assert isinstance(asked, Asked)
    if asked.ahead.noting:
        raise Noted
    raise AssertionError("polars was not asked")


def test_ever_so_many_that_are_chained_are_asked_at_once(readings: list[int], tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "people.parquet")
    both = COUNT & TOTAL
    for _ in range(20):
        both = both & COUNT  # type: ignore[assignment]
    both.release(pl.scan_parquet(tmp_path / "people.parquet"))
    assert readings == [0]


def test_parts_are_asked_for_all_that_they_are_composed_of(readings: list[int]) -> None:
    frame = MEAN.release(FRAME)
    assert isinstance(frame, pl.DataFrame)
    assert frame.rows() == [("N", 2, 95), ("S", 1, 58)]
    assert readings == [1]


def test_what_is_asked_later_is_asked_by_itself(readings: list[int]) -> None:
    """The second release of a stage depends on the first, so it is asked when that is known."""
    stages = dp.adaptive(PEOPLE, [(dp.pure(40), lambda seen: COUNT), (dp.pure(5000), lambda seen: TOTAL & COUNT)])
    stages.release(FRAME)
    assert readings == [0, 0]


@pytest.mark.parametrize("column", ["age", "region", "cost"])
def test_an_offence_is_found(column: str) -> None:
    frame = FRAME.with_columns(pl.Series(column, [None, *FRAME[column][1:]]))
    with pytest.raises(dp.errors.InvalidData, match=f"row 0, field '{column}'"):
        (COUNT & TOTAL).release(frame)


def test_a_users_function_is_called_for_the_release_alone() -> None:
    seen: list[object] = []

    def noted(row: object) -> bool:
        seen.append(row)
        return True

    ((PEOPLE >> dp.filter(noted) >> dp.count() >> dp.laplace(scale=1)) & TOTAL).release(FRAME)
    assert len(seen) == len(FRAME)


def test_persons_are_chosen_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[object] = []
    fairly = keeping.fairly

    def choosing(fields: keeping.Fields, by: str | None, limit: int, key: RowKey) -> Mask:
        chosen.append(key)
        return fairly(fields, by, limit, key)

    monkeypatch.setattr(keeping, "fairly", choosing)
    few = dp.rows(PEOPLE.domain.of, dp.PersonDistance("region")) >> dp.bound_contributions(1)
    total = few >> dp.select(age) >> dp.sum() >> dp.laplace(scale="1/40")
    first, second = (total & total).release(FRAME)
    assert (first, len(chosen)) == (second, 1)


def test_several_groupings_of_duckdb_are_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    alone, sets = DuckDBEngine.rows_of, DuckDBEngine.rows_of_sets

    def one(engine: DuckDBEngine, levels: Levels, group: str | None, figures: Sequence[str]) -> object:
        asked.append(1)
        return alone(engine, levels, group, figures)

    def several(engine: DuckDBEngine, levels: Levels, groups: Sequence[str], figures: Sequence[str]) -> object:
        asked.append(len(groups))
        return sets(engine, levels, groups, figures)

    monkeypatch.setattr(DuckDBEngine, "rows_of", one)
    monkeypatch.setattr(DuckDBEngine, "rows_of_sets", several)
    by_age = PEOPLE >> dp.histogram(age, bins=[17, 30, 31]) >> dp.laplace(scale="1/40")
    by_decade = PEOPLE >> dp.histogram(age // 10, bins=[1, 3, 4, 6]) >> dp.laplace(scale="1/40")
    everything = dp.compose([COUNT, TOTAL, COSTS, BY_REGION, by_age, by_decade, MEAN])
    expected = (3, 153, Fraction(506, 10), [2, 2], [1, 1, 0], [1, 1, 1, 1], {"N": (2, 95), "S": (1, 58)})
    assert everything.release(duckdb.connect().from_arrow(FRAME.to_arrow())) == expected
    assert asked == [3]
    for rows in (0, 1):  # of no rows there is no group
        few = duckdb.connect().from_arrow(FRAME.to_arrow()).limit(rows)
        assert everything.release(few) == everything.release(FRAME.head(rows).to_dicts())
    with pytest.raises(dp.errors.InvalidData, match="field 'region'"):
        everything.release(duckdb.connect().sql("SELECT 1 AS age, NULL::VARCHAR AS region, 0.5::DOUBLE AS cost"))
