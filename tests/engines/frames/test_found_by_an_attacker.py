"""What an attacker found in tables of other libraries: each by the shape it had, so that the whole class is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import dpcore as dp
from tests.engines.frames.forms import asking, pa, pl

DIGITS = dp.rows(dp.integers(0, 10))
RECORDS = dp.rows(dp.record(x=dp.integers(0, 10)))
SINGLE = {
    "integers": dp.integers(0, 10),
    "optional integers": dp.optional(dp.integers(0, 10)),
    "numbers": dp.numbers(0, 10),
    "booleans": dp.booleans(),
    "categories": dp.categories(0, 10),
}


@pytest.mark.parametrize("domain", SINGLE)
@pytest.mark.parametrize("kind", ["list", "array", "lazy", "pyarrow"])
def test_a_list_in_a_row_is_no_value(domain: str, kind: str) -> None:
    """One row was as many as its list had entries."""
    lists = pl.Series("x", [[10] * 1000, [10] * 1000])
    frame = pl.DataFrame({"x": lists.cast(pl.Array(pl.Int64, 1000)) if kind == "array" else lists})
    given = frame.lazy() if kind == "lazy" else frame.to_arrow() if kind == "pyarrow" else frame
    space = dp.rows(dp.record(x=SINGLE[domain]))
    for question in (space >> dp.count(), space >> dp.filter(dp.field("x").is_null()) >> dp.count()):
        with pytest.raises(dp.errors.InvalidData, match="row 0, field 'x'"):
            asking(question)(given)
    with pytest.raises(dp.errors.InvalidData, match="row 0"):
        asking(dp.rows(SINGLE[domain]) >> dp.count())(lists)


@pytest.mark.parametrize("name", ["^a$", "*", "dpcore made this 0", "group", "0", "", 'a"b', "^.*$"])
def test_a_name_is_no_pattern_and_no_name_of_ours(name: str) -> None:
    frame = pl.DataFrame({name: [1.3, 2.2], "a": [9.0, 9.0]})
    total = (
        dp.rows(dp.record(**{name: dp.numbers(0, 10)}))
        >> dp.filter(dp.field(name, float) < 2)
        >> dp.select(dp.field(name, float))
        >> dp.quantize("0.5")
        >> dp.sum()
    )
    for given in (frame, frame.lazy(), *([frame.to_arrow()] if name else [])):  # Arrow's column without a name gets one
        assert asking(total)(given) == 1.5
    single = dp.rows(dp.numbers(0, 10)) >> dp.quantize("0.5") >> dp.sum()
    assert asking(single)(pl.Series(name, [1.3, 2.2])) == 3.5


class Stream:
    """A table of a library that nobody knows, which can be read once."""

    def __init__(self) -> None:
        self.schema = "told"
        self._left: Iterator[object] = iter([pl.DataFrame({"x": [1, 2, 3]}), pl.DataFrame({"x": [0][:0]})])

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        left: object = next(self._left)
        assert isinstance(left, pl.DataFrame)
        return left.__arrow_c_stream__(requested_schema)


def test_a_stream_of_any_library_is_read_once() -> None:
    stream = Stream()
    count = asking(RECORDS >> dp.count())
    assert count(stream) == 3
    with pytest.raises(dp.errors.InvalidData, match="read before"):
        count(stream)


def changing(first: int, then: int) -> object:
    """A lazy frame that has other rows when it is read again."""
    sizes = iter([first, *[then] * 50])

    def read(*_: object) -> Iterator[object]:
        yield pl.DataFrame({"x": [10] * next(sizes)})

    return pl.io.plugins.register_io_source(lambda *given: read(*given), schema={"x": pl.Int64})


@pytest.mark.parametrize("first", [1, 1000])
def test_a_size_that_was_declared_is_kept_by_a_table_that_changes(first: int) -> None:
    resized = RECORDS >> dp.resize(5, {"x": 1})
    assert asking(resized >> dp.count())(changing(first, 1001 - first)) == 5


def test_queries_are_answered_by_one_reading() -> None:
    """A row counts once in all of them."""
    queries = [dp.field("x") == 10, dp.field("x") != 10]
    both = dp.rows(dp.record(x=dp.integers(0, 10))) >> dp.linear_queries(*queries)
    answers = asking(both)(changing(1, 1000))
    assert answers == [1, 0]


def test_what_raises_anything_at_all_is_kept_from_view(tmp_path: Path) -> None:
    count = asking(RECORDS >> dp.count())
    secret = pl.LazyFrame({"x": [1]}).map_batches(_exit, schema={"x": pl.Int64})
    twice = pa.table([[1], [2]], names=["x", "x"])
    for given in (secret, twice):
        with pytest.raises(dp.errors.InvalidData) as refused:
            count(given)
        assert "secret" not in str(refused.value)
    far = dp.rows(dp.record(x=dp.date())) >> dp.count()
    with pytest.raises(dp.errors.InvalidData, match="the data"):
        asking(far)(pl.DataFrame({"x": pl.Series([3_000_000], dtype=pl.Int32).cast(pl.Date)}))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_octets_that_are_no_text_are_refused_and_do_not_panic() -> None:
    ends, octets = pa.py_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0])), pa.py_buffer(b"\xff\xfe")
    given = pa.table({"x": pa.Array.from_buffers(pa.string(), 2, [None, ends, octets])})
    persons = dp.rows(dp.record(x=dp.text()), dp.PersonDistance("x"))
    with pytest.raises(dp.errors.InvalidData, match="could not be read"):
        asking(persons >> dp.bound_contributions(1) >> dp.count())(given)


def _exit(frame: object) -> object:
    raise SystemExit("secret 42")
