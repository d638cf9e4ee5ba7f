"""The keys of a release as columns: of one type each, and by the fields where a key has several."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from dpcore.domains import as_typed, real
from dpcore.engines.frames.results import DAYS, FLOATS, INTEGERS, OTHERS, TEXTS, TRUTHS, Kind
from dpcore.errors import all_are

Column: TypeAlias = tuple[Kind, Sequence[object]]

KINDS: Final[Mapping[type, Kind]] = {int: INTEGERS, str: TEXTS, bool: TRUTHS, datetime.date: DAYS}


def key_columns(name: str | tuple[str, ...], keys: Sequence[Hashable]) -> Mapping[str, Column]:
    """A column for each field of keys that are records, for each entry of keys that are sequences, else one."""
    if isinstance(name, tuple):
        entries = zip(*(key for key in keys if isinstance(key, tuple)), strict=True)
        return {each: _typed(column) for each, column in zip(name, entries, strict=True)}
    plain = set(map(type, keys)) <= KINDS.keys()
    split = {name: keys} if plain else _by_field(keys) or _by_entry(name, keys) or {name: keys}
    return {each: _typed(column) for each, column in split.items()}


def _by_field(keys: Sequence[Hashable]) -> Mapping[str, Sequence[object]]:
    """Of records as `value_of` writes them: sets of names with their values."""
    records = [_record(key) for key in keys if isinstance(key, frozenset)]
    if len(records) < len(keys) or len({frozenset(record) for record in records}) != 1:
        return {}
    return {field: [record[field] for record in records] for field in sorted(records[0])}


def _record(key: frozenset[object]) -> Mapping[str, object]:
    pairs = [each for each in key if isinstance(each, tuple) and len(each) == 2]
    fields = {name: value for name, value in pairs if isinstance(name, str)}
    return fields if len(fields) == len(key) else {}


def _by_entry(name: str, keys: Sequence[Hashable]) -> Mapping[str, Sequence[object]]:
    sequences = [key for key in keys if isinstance(key, tuple)]
    if len(sequences) < len(keys) or len(set(map(len, sequences))) != 1:
        return {}
    return {f"{name}_{i}": column for i, column in enumerate(zip(*sequences, strict=True))}


def _typed(keys: Sequence[object]) -> Column:
    """By the one type that all have but for null; else as they are typed, for 1 is not True."""
    types = set(map(type, keys)) - {type(None)}
    kind = KINDS.get(next(iter(types), object)) if len(types) == 1 else None
    if kind is not None and (kind is not INTEGERS or fit(keys)):
        return kind, keys
    doubles = list(map(_double, keys))
    if not types:
        return OTHERS, keys
    if all((key is None) == (double is None) for key, double in zip(keys, doubles, strict=True)):
        return FLOATS, doubles
    return TEXTS, [None if key is None else as_typed(key) for key in keys]


def _double(key: object) -> float | None:
    """The double that is read as this number, if there is one."""
    number = real(key)
    if number is None:
        return None
    double = nearest(number)
    return double if math.isfinite(double) and real(double) == number else None


def fit(numbers: Sequence[object]) -> bool:
    """Whether whole numbers have at most 64 bits."""
    whole = numbers if all_are(numbers, int) else [number for number in numbers if isinstance(number, int)]
    return not whole or (min(whole) >= -(1 << 63) and max(whole) < 1 << 63)


def nearest(number: float | Fraction) -> float:
    """The nearest double; what is beyond all of them is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
