"""Tables of Ibis, on a backend that ends a stream without a word when it is asked something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import dpcore as dp
from dpcore.engines.frames.ibis_columns import IbisColumns
from dpcore.engines.numpy.coded import Given
from tests.engines.frames.forms import ibis, pa, pl

SIZE = 5


class Counted:
    def to_pyarrow(self) -> object:
        return pa.scalar(SIZE)


class Forgetful:
    """A table of one column, each row a batch. A later query ends an earlier one."""

    columns = ("i",)

    def __init__(self) -> None:
        self.asked = 0

    def select(self, *names: str) -> Forgetful:
        return self

    def count(self) -> Counted:
        self.asked += 1
        return Counted()

    def to_pyarrow_batches(self, *, chunk_size: int) -> Iterator[object]:
        self.asked += 1
        mine = self.asked
        return (pa.record_batch({"i": [i]}) for i in range(SIZE) if mine == self.asked)


def test_a_stream_that_another_query_ends_is_refused() -> None:
    table = Forgetful()
    seen: list[int] = []
    source = IbisColumns(table)
    source.feed(["i"], lambda columns: seen.append(len(columns[0])))
    assert seen == [1] * SIZE

    def meddling(columns: Sequence[Given]) -> None:
        table.count()

    with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
        source.feed(["i"], meddling)


def test_a_name_of_any_kind() -> None:
    table = ibis.polars.connect({"t": pl.DataFrame({"count": [2], 'a."b': [3]})}).table("t")
    for name, value in {"count": 2, 'a."b': 3}.items():
        total = dp.rows(dp.record(**{name: dp.integers(0, 9)})) >> dp.select(dp.field(name, int)) >> dp.sum()
        assert total(table) == value
