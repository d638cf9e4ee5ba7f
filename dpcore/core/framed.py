"""A release by key as the columns of a frame: one for each field of the keys, then the numbers.

`value` holds whole numbers of 64 bits where all of them fit, else the nearest doubles. Beside it, if asked, `exact` has the
number as text, and `within` the half width of an interval. Of a release of several numbers under each key, each has
columns of its own: `value_0`, `value_1`. A column whose name is taken gets a line behind its own: `value_`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from dpcore.core.accuracies import Accuracies
from dpcore.core.key_columns import Column, fit, key_columns, nearest
from dpcore.core.labels import Labels
from dpcore.engines.frames.results import FLOATS, INTEGERS, OTHERS, TEXTS, Results
from dpcore.maps import upward

Line: TypeAlias = tuple[tuple[Hashable, ...], object, Accuracies | None]
"""Of the frame: keys, what was released, and how accurate it is."""


def columns_of(labels: Labels, released: object, *, exact: bool, within: Accuracies | None) -> Results:
    """The columns of a release, by name."""
    lines = list(_lines(labels, released, within, ()))
    columns: dict[str, Column] = {}
    depths = range(len(lines[0][0]) if lines else 1)
    found = [key_columns(name, [line[0][depth] for line in lines]) for depth, name in zip(depths, labels, strict=False)]
    found += _numbers("", [line[1] for line in lines], exact, [line[2] for line in lines])
    for some in found:
        for name, column in some.items():
            columns[_free(name, columns)] = column
    return columns


def _lines(labels: Labels, released: object, within: Accuracies | None, above: tuple[Hashable, ...]) -> Iterator[Line]:
    if isinstance(released, list):
        pairs: Iterable[tuple[Hashable, object]] = zip(labels.keys or range(len(released)), released, strict=True)
    else:
        assert isinstance(released, dict)
        pairs = released.items()
    widths = within if isinstance(within, dict) else None
    for key, each in pairs:
        accurate = within if widths is None else widths[key]
        if labels.inner is not None and isinstance(each, (list, dict)):
            yield from _lines(labels.inner, each, accurate, (*above, key))
        else:
            yield (*above, key), each, accurate


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += "_"
    return name


def _numbers(
    path: str, released: Sequence[object], exact: bool, within: Sequence[Accuracies | None]
) -> list[Mapping[str, Column]]:
    tuples = [each for each in released if isinstance(each, tuple)]
    if len(tuples) == len(released) and len(set(map(len, tuples))) == 1:
        found: list[Mapping[str, Column]] = []
        for i in range(len(tuples[0])):
            widths = [each[i] if isinstance(each, tuple) else each for each in within]
            found += _numbers(f"{path}_{i}", [each[i] for each in tuples], exact, widths)
        return found
    columns = {f"value{path}": _as_values(released)}
    if exact:
        columns[f"exact{path}"] = TEXTS, list(map(str, released))
    if any(each is not None for each in within):
        columns[f"within{path}"] = FLOATS, [upward(each) for each in within if isinstance(each, Fraction)]
    return [columns]


def _as_values(released: Sequence[object]) -> Column:
    types = set(map(type, released))
    if types <= {int} and fit(released):
        return INTEGERS, released
    if types <= {int, Fraction, float}:
        return FLOATS, [nearest(each) for each in released if isinstance(each, (int, Fraction, float))]
    return OTHERS, released
