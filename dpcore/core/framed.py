"""A release by key as the columns of a frame: one for each field of the keys, then the numbers.

`value` holds whole numbers of 64 bits where all of them fit, else the nearest doubles. Beside it, if asked, `exact` has the
number as text, and `within` the half width of an interval. Of a release of several numbers under each key, each has
columns of its own: `value_0`, `value_1`. A column whose name is taken gets a line behind its own: `value_`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TypeAlias, TypeVar

from dpcore.core.accuracies import Accuracies
from dpcore.core.key_columns import Column, fit, key_columns, nearest
from dpcore.core.labels import Labels
from dpcore.engines.frames.results import FLOATS, INTEGERS, OTHERS, TEXTS, Results
from dpcore.errors import all_are
from dpcore.maps import upward

T = TypeVar("T")

Lines: TypeAlias = tuple[Sequence[Sequence[Hashable]], Sequence[object], Sequence[Accuracies | None]]
"""Of the frame: the keys of each depth, what was released, and how accurate it is."""


def columns_of(labels: Labels, released: object, *, exact: bool, within: Accuracies | None) -> Results:
    """The columns of a release, by name."""
    above, values, widths = _lines(labels, released, within)
    columns: dict[str, Column] = {}
    found = [key_columns(name, keys) for keys, name in zip(above, labels, strict=False)]
    for some in [*found, *_numbers("", values, exact, widths)]:
        for name, column in some.items():
            columns[_free(name, columns)] = column
    return columns


def _lines(labels: Labels, released: object, within: Accuracies | None) -> Lines:
    keys, values = _by_key(labels, released)
    widths = [within[its] for its in keys] if isinstance(within, dict) else [within] * len(keys)
    if labels.inner is None or not set(map(type, values)) <= {list, dict}:
        return [keys], values, widths
    under = [_lines(labels.inner, each, width) for each, width in zip(values, widths, strict=True)]
    repeated = [its for its, lines in zip(keys, under, strict=True) for _ in lines[1]]
    deeper = zip(*(lines[0] for lines in under), strict=True)
    return [repeated, *map(_joined, deeper)], _joined(lines[1] for lines in under), _joined(lines[2] for lines in under)


def _by_key(labels: Labels, released: object) -> tuple[Sequence[Hashable], Sequence[object]]:
    if isinstance(released, list):
        return labels.keys or range(len(released)), released
    assert isinstance(released, dict)
    return list(released), list(released.values())


def _joined(columns: Iterable[Sequence[T]]) -> list[T]:
    return list(chain.from_iterable(columns))


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += "_"
    return name


def _numbers(
    path: str, released: Sequence[object], exact: bool, within: Sequence[Accuracies | None]
) -> list[Mapping[str, Column]]:
    if all_are(released, tuple) and len(set(map(len, released))) == 1:
        found: list[Mapping[str, Column]] = []
        for i in range(len(released[0])):
            widths = [each[i] if isinstance(each, tuple) else each for each in within]
            found += _numbers(f"{path}_{i}", [each[i] for each in released], exact, widths)
        return found
    columns = {f"value{path}": _as_values(released)}
    if exact:
        columns[f"exact{path}"] = TEXTS, list(map(str, released))
    if set(map(type, within)) - {type(None)}:
        columns[f"within{path}"] = FLOATS, [upward(each) for each in within if isinstance(each, Fraction)]
    return [columns]


def _as_values(released: Sequence[object]) -> Column:
    types = set(map(type, released))
    if types <= {int} and fit(released):
        return INTEGERS, released
    if types <= {int, Fraction, float}:
        return FLOATS, [nearest(each) for each in released if isinstance(each, (int, Fraction, float))]
    return OTHERS, released
