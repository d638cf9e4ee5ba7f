"""A release by key as the columns of a frame: one for each field of the keys, then the numbers.

`value` holds whole numbers of 64 bits where all of them fit, else the nearest doubles. Beside it, if asked, `exact` has the
number as text, and `within` the half width of an interval. Of a release of several numbers under each key, each has
columns of its own: `value_0`, `value_1`. A column whose name is taken gets a line behind its own: `value_`.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from dpcore.core.accuracies import Accuracies
from dpcore.core.labels import Labels
from dpcore.domains import as_typed, real
from dpcore.engines.frames.results import DAYS, FLOATS, INTEGERS, OTHERS, TEXTS, TRUTHS, Kind, Results
from dpcore.maps import upward

Line: TypeAlias = tuple[tuple[Hashable, ...], object, Accuracies | None]
"""Of the frame: keys, what was released, and how accurate it is."""


def columns_of(labels: Labels, released: object, *, exact: bool, within: Accuracies | None) -> Results:
    """The columns of a release, by name."""
    lines = list(_lines(labels, released, within, ()))
    columns: dict[str, tuple[Kind, Sequence[object]]] = {}
    here: Labels | None = labels
    for depth in range(len(lines[0][0]) if lines else 1):
        assert here is not None
        for name, keys in _fields(here.name, [line[0][depth] for line in lines]).items():
            columns[_free(name, columns)] = _as_keys(keys)
        here = here.inner
    for name, column in _numbers("", [line[1] for line in lines], exact, [line[2] for line in lines]):
        columns[_free(name, columns)] = column
    return columns


def _lines(labels: Labels, released: object, within: Accuracies | None, above: tuple[Hashable, ...]) -> Iterator[Line]:
    if isinstance(released, list):
        pairs: Iterable[tuple[Hashable, object]] = zip(labels.keys or range(len(released)), released, strict=True)
    else:
        assert isinstance(released, dict)
        pairs = released.items()
    for key, each in pairs:
        accurate = within[key] if isinstance(within, Mapping) else within
        if labels.inner is not None and isinstance(each, (list, dict)):
            yield from _lines(labels.inner, each, accurate, (*above, key))
        else:
            yield (*above, key), each, accurate


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += "_"
    return name


# ---- keys --------------------------------------------------------------------------------------------------------------


def _fields(name: str, keys: Sequence[Hashable]) -> Mapping[str, Sequence[object]]:
    """A column for each field of keys that are records, for each entry of keys that are sequences of one length."""
    records = [_record(key) for key in keys]
    if records and all(record is not None and record.keys() == (records[0] or {}).keys() for record in records):
        return {
            field: [record[field] for record in records if record is not None] for field in sorted(records[0] or ())
        }
    if (
        keys
        and all(isinstance(key, tuple) for key in keys)
        and len({len(key) for key in keys if isinstance(key, tuple)}) == 1
    ):
        return {
            f"{name}_{i}": column
            for i, column in enumerate(zip(*(key for key in keys if isinstance(key, tuple)), strict=True))
        }
    return {name: keys}


def _record(key: Hashable) -> Mapping[str, object] | None:
    """A record as `value_of` writes it: a set of names with their values."""
    pairs = [each for each in key if isinstance(each, tuple) and len(each) == 2] if isinstance(key, frozenset) else []
    fields = {name: value for name, value in pairs if isinstance(name, str)}
    return fields if isinstance(key, frozenset) and len(fields) == len(key) else None


def _as_keys(keys: Sequence[object]) -> tuple[Kind, Sequence[object]]:
    """By the one type that all have but for null; else as they are typed: 1 is not True."""
    types = {type(key) for key in keys} - {type(None)}
    for kind, its in ((INTEGERS, int), (TEXTS, str), (TRUTHS, bool), (DAYS, datetime.date)):
        if types == {its} and (its is not int or _fit(keys)):
            return kind, keys
    numbers = [None if key is None else real(key) for key in keys]
    floats = [None if number is None else _nearest(number) for number in numbers]
    if numbers == [None if each is None else real(each) for each in floats] and _same_nulls(keys, numbers):
        return (FLOATS, floats) if types else (OTHERS, keys)
    return TEXTS, [None if key is None else as_typed(key) for key in keys]


def _same_nulls(keys: Sequence[object], numbers: Sequence[object]) -> bool:
    return all((key is None) == (number is None) for key, number in zip(keys, numbers, strict=True))


# ---- numbers -----------------------------------------------------------------------------------------------------------


def _numbers(
    path: str, released: Sequence[object], exact: bool, within: Sequence[Accuracies | None]
) -> Iterator[tuple[str, tuple[Kind, Sequence[object]]]]:
    tuples = [each for each in released if isinstance(each, tuple)]
    if tuples and len(tuples) == len(released) and len(set(map(len, tuples))) == 1:
        for i in range(len(tuples[0])):
            widths = [each[i] if isinstance(each, tuple) else each for each in within]
            yield from _numbers(f"{path}_{i}", [each[i] for each in tuples], exact, widths)
        return
    yield f"value{path}", _as_values(released)
    if exact:
        yield f"exact{path}", (TEXTS, list(map(str, released)))
    if any(each is not None for each in within):
        yield f"within{path}", (FLOATS, [upward(each) if isinstance(each, Fraction) else None for each in within])


def _as_values(released: Sequence[object]) -> tuple[Kind, Sequence[object]]:
    types = set(map(type, released))
    if types <= {int} and _fit(released):
        return INTEGERS, released
    if types <= {int, Fraction, float}:
        return FLOATS, [_nearest(each) for each in released if isinstance(each, (int, Fraction, float))]
    return OTHERS, released


def _fit(numbers: Sequence[object]) -> bool:
    return all(-(1 << 63) <= number < 1 << 63 for number in numbers if isinstance(number, int))


def _nearest(number: float | Fraction) -> float:
    """The nearest double; what is beyond all of them is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
