"""Arrays from outside become columns: each entry is checked to be a member of its domain, at once wherever possible.

The first entry that is none is reported by its place alone. Nothing is written into an array of the caller, and an
array that can be used as it is, is not copied.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias, final

import numpy as np

from dpcore.domains import Array, Booleans, Categories, Dates, Domain, Integers, Numbers, Optional, Text
from dpcore.engines.numpy import floats
from dpcore.engines.numpy.coded import Coded, Given, read_coded
from dpcore.engines.numpy.columns import (
    Codes,
    Column,
    Days,
    Floats,
    Ints,
    Mask,
    Multiples,
    Reals,
    Truths,
    coded,
    coded_plain,
    column_of,
    extent,
    together,
)
from dpcore.engines.numpy.matrices import entries, vectors_in
from dpcore.maps import Exact, known


@final
@dataclass(frozen=True, slots=True)
class Offence:
    """The first entry that is no member."""

    index: int


Read: TypeAlias = Column | Offence | None
"""A column, or an offence; None where the entries have to be looked at one by one."""

MOMENTS: Final = frozenset(f"datetime64[{unit}]" for unit in ("D", "s", "ms", "us", "ns"))

FEW_CATEGORIES: Final = 24
"""Up to here, comparing all entries with each category is faster than looking each entry up."""


def split_mask(data: Array) -> tuple[Array, Mask | None]:
    """A masked array as its values and where it is masked."""
    if isinstance(data, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(data)
        return np.asarray(data.data), mask if mask.any() else None
    return np.asarray(data), None


def read(data: Given, domain: Domain) -> Column | Offence:
    """A column of the domain. Masked entries of an array are null, which only optional domains have."""
    if not isinstance(data, Coded):
        return _of_array(data, domain)
    column = read_coded(data, domain)
    return Offence(column) if isinstance(column, int) else column


def _of_array(data: Array, domain: Domain) -> Column | Offence:
    vectors = vectors_in(domain)
    if data.ndim == 2 and vectors is not None:
        return entries(data, vectors, read) or _one_by_one(data, None, domain)
    values, null = split_mask(data)
    if domain.member(None) and values.dtype.kind in "fM":
        null = together(null, _missing(values))
    if null is not None and domain.member(None):
        first_null = len(values)
    else:
        first_null = len(values) if null is None else int(np.argmax(null))
    inner = domain.of if isinstance(domain, Optional) else domain
    reader = READERS.get((type(inner), values.dtype.kind))
    found = None if reader is None or not len(values) else reader(values, null, inner)
    if found is None:
        return _one_by_one(values, null, domain)
    index = found.index if isinstance(found, Offence) else len(values)
    # A null in a domain without null offends as well; the first offence counts.
    return Offence(min(index, first_null)) if min(index, first_null) < len(values) else found


def unread(data: Given, domain: Domain) -> Callable[[], Column] | None:
    """What makes the column of an array that has to be converted, which not every release asks for, as a count does not.

    None where the least and the greatest entry do not say that all are members. They do in a domain that holds all
    between two of its members, for the values lie in the order of the entries: those of floats, their shortest decimals,
    since of two decimals the larger is never rounded to the smaller float. An entry that is NaN is the least of all here.
    """
    inner = domain.of if isinstance(domain, Optional) else domain
    kinds = "iu" if isinstance(inner, Integers) else "iuf" if isinstance(inner, Numbers) and inner.step is None else ""
    if isinstance(data, (Coded, np.ma.MaskedArray)) or data.ndim != 1 or data.dtype.kind not in kinds or not len(data):
        return None
    values = np.asarray(data)
    ready = values.dtype.itemsize >= 8 and values.dtype.kind != "u"
    if ready or not all(inner.member(end) for end in (values.min(), values.max())):
        return None
    if values.dtype.kind == "f":
        return partial(_typed, values)
    return None if int(values.max()) >= 1 << 63 else partial(_counts, values)


def _typed(data: Array) -> Column:
    typed = _doubles(data)
    assert typed is not None
    return Floats(typed)


def _counts(data: Array) -> Column:
    return Multiples(data.astype(np.int64))


def _missing(values: Array) -> Mask | None:
    """Where an array of floats or moments says that nothing was observed."""
    found: Mask = np.isnat(values) if values.dtype.kind == "M" else np.isnan(values)
    return found if found.any() else None


def _one_by_one(values: Array, null: Mask | None, domain: Domain) -> Column | Offence:
    """The definition: `domain.offence` and `domain.canonical` of each entry."""
    found: list[object] = []
    for i in range(len(values)):
        value = None if null is not None and null[i] else values[i]
        if domain.offence(value) is not None:
            return Offence(i)
        found.append(domain.canonical(value))
    inner = domain.of if isinstance(domain, Optional) else domain
    if isinstance(inner, Categories):
        return coded(found)
    return column_of(found)


def _filled(values: Array, null: Mask | None, filler: np.generic | int) -> Array:
    """With a valid entry where null is, in a copy."""
    if null is None:
        return values
    filled = values.copy()
    filled[null] = filler
    return filled


def _first(bad: Mask, null: Mask | None) -> Offence | None:
    found = bad if null is None else bad & ~null
    return Offence(int(np.argmax(found))) if found.any() else None


def _bound(x: Exact | None) -> int | Fraction | None:
    return None if x is None else known(x, "a bound of the domain")


def _whole(values: Array, null: Mask | None) -> Ints | None:
    """As int64, without a copy where it is that already; None where an entry is larger."""
    filled = _filled(values, null, 0)
    if filled.dtype.kind == "u" and filled.dtype.itemsize == 8 and int(filled.max()) >= 1 << 63:
        return None
    return filled.astype(np.int64, copy=False)


def _outside_ints(values: Ints, null: Mask | None, low: Exact | None, high: Exact | None) -> Offence | None:
    """The least and the greatest entry settle almost every case."""
    lowest, highest = _bound(low), _bound(high)
    least, most = extent(values)
    if null is None and (lowest is None or lowest <= least) and (highest is None or most <= highest):
        return None
    bad = np.zeros(len(values), dtype=np.bool_)
    if lowest is not None:
        bad |= values < -(-lowest // 1) if lowest <= most else True
    if highest is not None:
        bad |= values > highest // 1 if highest >= least else True
    return _first(bad, null)


def _integers(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Integers)
    whole = _whole(values, null)
    return None if whole is None else _outside_ints(whole, null, domain.low, domain.high) or Multiples(whole, 1, null)


def _integers_from_floats(values: Array, null: Mask | None, domain: Domain) -> Read:
    """Below 2**53 a float with a whole value is that whole number, by its shortest decimal too."""
    assert isinstance(domain, Integers)
    typed = _doubles(_filled(values, null, 0))
    if typed is None:
        return None
    bad = ~np.isfinite(typed)
    bad |= np.rint(typed) != typed
    kept = np.where(bad, 0.0, typed)
    if max(-float(kept.min()), float(kept.max())) >= 2.0**53:
        return None
    counts: Ints = kept.astype(np.int64)
    return _earliest([_first(bad, null), _outside_ints(counts, together(null, bad), domain.low, domain.high)]) or (
        Multiples(counts, 1, null)
    )


def _numbers_from_ints(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Numbers)
    whole = _whole(values, null)
    if whole is None:
        return None
    offences = [_outside_ints(whole, null, domain.low, domain.high)]
    if domain.step is not None:
        # v is a multiple of p/q in lowest terms exactly if v*q is one of p, exactly if v is.
        p = known(domain.step, "step").numerator
        if p >= 1 << 63:
            return None
        offences.append(_first(whole % p != 0, null))
    return _earliest(offences) or Multiples(whole, 1, null)


def _earliest(offences: list[Offence | None]) -> Offence | None:
    return min((o for o in offences if o is not None), key=lambda o: o.index, default=None)


def _numbers_from_floats(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Numbers)
    typed = _doubles(_filled(values, null, 0))
    if typed is None:
        return None
    finite = np.isfinite(typed)
    offence = None if finite.all() else _first(~finite, null)
    if offence is not None:
        # What lies before it may offend as well, and comes first.
        before = typed[: offence.index]
        earlier = _off(before, None if null is None else null[: offence.index], domain) if before.size else offence
        return offence if isinstance(earlier, Floats | Multiples) else earlier
    return _off(typed, null, domain)


def _doubles(values: Array) -> Reals | None:
    """As float64 with the same shortest decimals."""
    if values.dtype == np.float64:
        return values.astype(np.float64, copy=False)
    if values.dtype.itemsize > 8:
        return None
    return floats.widened(values)


def _off(typed: Reals, null: Mask | None, domain: Numbers) -> Read:
    """Bounds and grid of finite floats."""
    low, high = _bound(domain.low), _bound(domain.high)
    bad = np.zeros(len(typed), dtype=np.bool_)
    if low is not None:
        least = floats.at_least(low)
        if typed.min() < least:
            bad |= typed < least
    if high is not None:
        beyond = floats.above(high)
        if typed.max() >= beyond:
            bad |= typed >= beyond
    if domain.step is None:
        return _first(bad, null) or Floats(typed, null)
    step = known(domain.step, "step")
    counts = floats.rounded(typed, step)
    fits = None if counts is None else floats.on_grid(typed, counts, step)
    if counts is None or fits is None:
        return None
    return _first(bad | ~fits, null) or Multiples(counts, step, null)


def _booleans(values: Array, null: Mask | None, domain: Domain) -> Read:
    return Truths(np.asarray(values, dtype=np.bool_), null)


def _dates(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Dates)
    if values.dtype.name not in MOMENTS:
        return None
    filled = _filled(values, null, np.datetime64("1970-01-01"))
    days = filled.astype("datetime64[D]")
    low = np.datetime64(domain.low or datetime.date.min)
    high = np.datetime64(domain.high or datetime.date.max)
    return _first(~((days >= low) & (days <= high) & (days == filled)), null) or Days(days, null)


def _texts(values: Array, null: Mask | None, domain: Domain) -> Read:
    found: list[object] = values.tolist()
    if null is not None:
        for i in np.flatnonzero(null).tolist():
            found[i] = None
    return coded_plain(found)


def _text_categories(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Categories)
    # numpy drops NUL characters at the end of a text, so no entry can be a category that ends in one.
    table = [v for v in domain.values if isinstance(v, str) and not v.endswith("\0")]
    codes = np.full(len(values), -1, dtype=np.int64)
    if len(table) <= FEW_CATEGORIES:
        for code, value in enumerate(table):
            codes[values == value] = code
    else:
        places = {value: code for code, value in enumerate(table)}
        codes = np.array([places.get(value, -1) for value in values.tolist()], dtype=np.int64)
    if null is not None:
        codes[null] = len(table)
    return _first(codes < 0, null) or Codes(codes, (*table, None) if null is not None else tuple(table))


def _int_categories(values: Array, null: Mask | None, domain: Domain) -> Read:
    assert isinstance(domain, Categories)
    whole = _whole(values, null)
    if whole is None or any(type(v) is int and abs(v) >= 1 << 63 for v in domain.values):
        return None
    inside = np.array([v for v in domain.values if type(v) is int], dtype=np.int64)
    return _first(~np.isin(whole, inside), null) or Multiples(whole, 1, null)


def _distinct_categories(values: Array, null: Mask | None, domain: Domain) -> Read:
    """Each distinct value is looked at once."""
    if null is not None and null.all():
        return None
    filled = values if null is None else _filled(values, null, values[~null][0])
    distinct, codes = np.unique(filled, return_inverse=True)
    members = np.array([domain.member(value) for value in distinct], dtype=np.bool_)
    if not members.all():
        return _first(~members[codes], null)
    table = tuple(map(domain.canonical, distinct))
    if null is None:
        return Codes(codes, table)
    return Codes(np.where(null, len(table), codes), (*table, None))


READERS: Final[dict[tuple[type, str], Callable[[Array, Mask | None, Domain], Read]]] = {
    (Integers, "i"): _integers,
    (Integers, "u"): _integers,
    (Integers, "f"): _integers_from_floats,
    (Numbers, "i"): _numbers_from_ints,
    (Numbers, "u"): _numbers_from_ints,
    (Numbers, "f"): _numbers_from_floats,
    (Booleans, "b"): _booleans,
    (Dates, "M"): _dates,
    (Text, "U"): _texts,
    (Categories, "U"): _text_categories,
    (Categories, "i"): _int_categories,
    (Categories, "u"): _int_categories,
    (Categories, "f"): _distinct_categories,
    (Categories, "b"): _distinct_categories,
    (Categories, "M"): _distinct_categories,
}
