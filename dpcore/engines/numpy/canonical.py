"""Values of columns in a form that is the same on every carrier: in an order of all values, and as blocks to be ranked.

`order_of` gives whole numbers that are equal where the values are and stand in the order of `key`; they mean something
within one column only. `blocks_of` gives 128 bits that depend on the value alone:

    (0, 0) null    (1, 0 or 1) truth    (2, n) a whole number of 64 bits    (3, bits) the number whose float this is
    (4, n) day n   anything else: a digest of its key, the first bit set
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from hashlib import blake2b
from typing import Final, TypeAlias

import numpy as np

from dpcore.domains import key, real
from dpcore.engines.numpy.columns import EXACT, Codes, Column, Constant, Days, Floats, Ints, Multiples, Truths
from dpcore.engines.numpy.floats import float_of, is_short
from dpcore.noise.row_keys import Blocks

Block: TypeAlias = tuple[int, int]

NULL, TRUTH, WHOLE, FLOAT, DAY = range(5)
PLAIN: Final = frozenset({type(None), bool, int, float, str, Fraction, Decimal, datetime.date})
DIGEST: Final = 1 << 63
EPOCH: Final = datetime.date(1970, 1, 1).toordinal()
WORD: Final = (1 << 64) - 1


def block_of(value: object) -> Block:
    """The definition: the block of one value."""
    if value is None:
        return NULL, 0
    if isinstance(value, (bool, np.bool_)):
        return TRUTH, int(value)
    if type(value) is datetime.date:
        return DAY, value.toordinal()
    number = real(value)
    if number is not None:
        if number.denominator == 1 and -(1 << 63) <= number < 1 << 63:
            return WHOLE, int(number) & WORD
        near = float_of(number)
        if near is not None:
            return FLOAT, int(np.float64(near).view(np.uint64))
    digest = blake2b(_written(key(value)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little") | DIGEST, int.from_bytes(digest[8:], "little")


def _written(x: object) -> str:
    """A key as a text, different ones differently. Python writes no long numbers but in a base that is a power of 2."""
    if isinstance(x, tuple):
        return f"({','.join(map(_written, x))})"
    if isinstance(x, (int, Fraction)):
        return f"{x.numerator:x}/{x.denominator:x}"
    return repr(x)


def blocks_of(column: Column) -> Blocks:
    """The block of each value."""
    if isinstance(column, Truths):
        found = _tagged(TRUTH, column.values.astype(np.uint64))
    elif isinstance(column, Days):
        days: Ints = column.values.astype("datetime64[D]").astype(np.int64) + EPOCH
        found = _tagged(DAY, days.view(np.uint64))
    elif isinstance(column, Multiples):
        found = _of_multiples(column)
    elif isinstance(column, Floats):
        found = _of_floats(column)
    elif isinstance(column, Codes):
        return _listed([block_of(value) for value in column.table])[column.codes]
    elif isinstance(column, Constant):
        return np.repeat(_listed([block_of(column.value)]), len(column), axis=0)
    else:
        codes, table = _distinct(column.python())
        return _listed([block_of(value) for value in table])[codes]
    null = column.nulls()
    if null is not None:
        found[null] = (NULL, 0)
    return found


def blocks_by_place(column: Column) -> Callable[[Ints], Blocks]:
    """What gives the blocks of the rows at some places. What a column says once is read once."""
    if isinstance(column, Codes):
        table, codes = _listed([block_of(value) for value in column.table]), column.codes
        return lambda rows: table[codes[rows]]
    return lambda rows: blocks_of(column.take(rows))


def _tagged(tag: int, words: Blocks) -> Blocks:
    found = np.empty((len(words), 2), dtype=np.uint64)
    found[:, 0], found[:, 1] = tag, words
    return found


def _listed(blocks: Sequence[Block]) -> Blocks:
    return np.array(blocks, dtype=np.uint64).reshape(-1, 2)


def _of_multiples(column: Multiples) -> Blocks:
    p, q = column.step.numerator, column.step.denominator
    values = column.values
    largest = max(abs(int(values.min())), abs(int(values.max()))) * p if len(values) else 0
    if q == 1 and largest < 1 << 63:
        return _tagged(WHOLE, (values * np.int64(p) if p > 1 else values).view(np.uint64))
    if is_short(largest, q):
        # A decimal of at most 15 digits is the shortest of the float nearest to it, which the quotient is.
        over: Ints = values * np.int64(p)
        whole = over % q == 0
        quotients = np.where(whole, (over // q).view(np.uint64), (over / float(q)).view(np.uint64))
        return np.column_stack([np.where(whole, np.uint64(WHOLE), np.uint64(FLOAT)), quotients])
    distinct, codes = np.unique(values, return_inverse=True)
    return _listed([block_of(Fraction(v * p, q)) for v in distinct.tolist()])[codes]


def _of_floats(column: Floats) -> Blocks:
    values = column.values
    fits = np.abs(values) < EXACT
    whole = fits & (np.rint(values) == values)
    small: Ints = np.where(whole, values, 0).astype(np.int64)
    words = np.where(whole, small.view(np.uint64), values.view(np.uint64))
    found = np.column_stack([np.where(whole, np.uint64(WHOLE), np.uint64(FLOAT)), words])
    for i in np.flatnonzero(~fits).tolist():
        found[i] = np.array(block_of(float(values[i])), dtype=np.uint64)
    return found


def order_of(column: Column) -> Ints:
    """Equal numbers for equal values, in the order of `key`: null first, then truth values, numbers, texts, days."""
    if isinstance(column, Truths):
        found: Ints = column.values.astype(np.int64)
    elif isinstance(column, Days):
        found = column.values.astype("datetime64[D]").astype(np.int64)
    elif isinstance(column, Multiples):
        found = column.values
    elif isinstance(column, Floats):
        found = np.unique(column.values + 0.0, return_inverse=True)[1].astype(np.int64)
    elif isinstance(column, Codes):
        return _of_codes(column)
    elif isinstance(column, Constant):
        return np.zeros(len(column), dtype=np.int64)
    else:
        codes, table = _distinct(column.python())
        return _in_order(table)[codes]
    null = column.nulls()
    if null is None:
        return found
    ranked: Ints = np.unique(found, return_inverse=True)[1].astype(np.int64) + 1
    ranked[null] = 0
    return ranked


def _of_codes(column: Codes) -> Ints:
    if len(column.table) <= len(column.codes):
        return _in_order(column.table)[column.codes]
    used, codes = np.unique(column.codes, return_inverse=True)  # some rows of many
    return _in_order([column.table[code] for code in used.tolist()])[codes]


def _in_order(table: Sequence[object]) -> Ints:
    """The rank of each value of a table, the same for equal ones."""
    places = [key(value) for value in table]
    ranks = {found: rank for rank, found in enumerate(sorted(set(places)))}
    return np.array([ranks[found] for found in places], dtype=np.int64)


def _distinct(values: Sequence[object]) -> tuple[Ints, list[object]]:
    """Where each value stands in a table that holds it, once or a few times."""
    table: list[object] = []
    codes: dict[object, int] = {}
    found: list[int] = []
    for value in values:
        kind = type(value)
        # What holds others is not looked up: (1,) and (True,) are equal to Python.
        code = codes.setdefault((kind, value), len(table)) if kind in PLAIN else len(table)
        if code == len(table):
            table.append(value)
        found.append(code)
    return np.array(found, dtype=np.int64), table
