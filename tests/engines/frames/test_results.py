"""Of a table of a library, what is by key comes as a frame of that library, and says what the same rows say."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits
from tests.engines.frames.forms import FORMS, SINGLE, pa, pd, pl

PEOPLE: Final = dp.rows(
    dp.record(
        age=dp.integers(0, 120),
        region=dp.categories("N", "E", "S"),
        minutes=dp.numbers(0, 100),
        day=dp.date(datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)),
    )
)
ROWS: Final = [
    {
        "age": i % 100,
        "region": "NES"[i % 3],
        "minutes": i / 2,
        "day": datetime.date(2020, 1, 1 + i % 2),
        "note": "",
        "again": i % 2 == 0,
    }
    for i in range(60)
]
DECLARED: Final = [{name: row[name] for name in ("age", "region", "minutes", "day")} for row in ROWS]

EACH: Final = PEOPLE >> dp.count() >> dp.laplace(scale=1)
MINUTES: Final = (
    PEOPLE >> dp.select(dp.field("minutes", float)) >> dp.quantize("0.5") >> dp.sum() >> dp.laplace(scale=100)
)
RELEASES: Final[Mapping[str, Any]] = {
    "a histogram": PEOPLE >> dp.histogram(dp.field("region")) >> dp.laplace(scale=1),
    "by day": PEOPLE >> dp.histogram(dp.field("day")) >> dp.laplace(scale=1),
    "parts": PEOPLE >> dp.partition(by=dp.field("region")) >> dp.parallel(MINUTES),
    "keys that are found": PEOPLE >> dp.threshold_release(dp.field("region"), scale=1, threshold=5),
}
NAMES: Final = {"by day": "day"}


def made_for(name: str) -> type[object]:
    """The library of what comes out, by the name of what goes in."""
    if name.startswith("pandas"):
        return pd.DataFrame  # type: ignore[no-any-return]
    return pa.Table if name.startswith("pyarrow") else pl.DataFrame  # type: ignore[no-any-return]


def columns(frame: Any) -> dict[str, list[object]]:
    """What a frame holds, however it does."""
    if isinstance(frame, pd.DataFrame):
        frame = pl.DataFrame(frame)
    held: dict[str, list[object]] = pl.DataFrame(frame).to_dict(as_series=False)
    return {
        name: [each.date() if isinstance(each, datetime.datetime) else each for each in column]
        for name, column in held.items()
    }


@pytest.mark.parametrize("name", [name for name in FORMS if not name.startswith("dict")])
@pytest.mark.parametrize("question", RELEASES)
def test_each_library_gets_its_own(name: str, question: str, tmp_path: Path) -> None:
    measurement = RELEASES[question]
    of_rows = measurement.release(DECLARED, bits=SeededBits(5))
    released = measurement.release(FORMS[name](ROWS, tmp_path), bits=SeededBits(5))
    assert type(released) is made_for(name)
    values = list(of_rows.values()) if isinstance(of_rows, dict) else of_rows
    keys = list(of_rows) if isinstance(of_rows, dict) else None
    key = NAMES.get(question, "region")
    found = columns(released)
    assert list(found) == [key, "value"]
    assert found["value"] == values
    assert found[key] == keys or (
        keys is None and found[key] in (["N", "E", "S"], [row["day"] for row in ROWS[:2]] + [datetime.date(2020, 1, 3)])
    )
    assert pl.DataFrame(released).schema["value"] == (pl.Float64 if question == "parts" else pl.Int64)


@pytest.mark.parametrize("name", SINGLE)
def test_single_values_are_keys_themselves(name: str) -> None:
    each = dp.rows(dp.integers(0, 2)) >> dp.histogram() >> dp.laplace(scale=1)
    of_rows = each.release([0, 1, 1], bits=SeededBits(5))
    data: Any = SINGLE[name]([0, 1, 1])
    released: Any = each.release(data, bits=SeededBits(5))
    assert type(released) is made_for(name)
    assert columns(released) == {"key": [0, 1, 2], "value": of_rows}


def holding(values: Sequence[object]) -> Any:
    """A release of a function of each part, which is whatever a function gives."""
    left = iter(values)
    several = dp.rows(dp.integers(0, len(values) - 1))
    each = (several >> dp.count() >> dp.laplace(scale=1)).then(lambda n: next(left))
    return several >> dp.partition() >> dp.parallel(each)


FRAMES: Final[Mapping[str, Callable[[], Any]]] = {
    "polars": lambda: pl.Series([0]),
    "pandas": lambda: pd.Series([0]),
    "pyarrow": lambda: pa.array([0]),
}


@pytest.mark.parametrize("library", FRAMES)
def test_what_a_function_gave_is_in_the_frame(library: str) -> None:
    """Whatever it is; as text, where the library has no type for it."""
    for values in ([True, False], ["a", "b"], [1.5, 2], [[1, 2], [3]], [None, None]):
        assert columns(holding(values).release(FRAMES[library]()))["value"] == values
    for strange in ([1, "a"], [object, 1j]):
        released = dict(_items(holding(strange).release(FRAMES[library]())))
        assert list(released["value"]) in (strange, list(map(repr, strange)))


def _items(frame: Any) -> list[tuple[str, Any]]:
    if isinstance(frame, pa.Table):
        return [(name, frame[name].to_pylist()) for name in frame.column_names]
    return [(name, frame[name].to_list()) for name in frame.columns]


def test_keys_that_may_be_missing_keep_null() -> None:
    for keys in (dp.integers(0, 1), dp.categories("a"), dp.booleans(), dp.categories(0.5)):
        each: Any = dp.rows(dp.optional(keys)) >> dp.histogram() >> dp.laplace(scale=1)
        for frame in (pl.Series([None], dtype=pl.Null), pd.Series([None]), pa.array([None])):
            found = columns(each.release(frame))["key"]
            assert found == list(dp.types.Optional(keys).elements() or ()), (keys, frame)
