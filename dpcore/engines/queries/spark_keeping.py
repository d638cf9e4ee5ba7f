"""The rows that a key keeps of each person, chosen by Spark itself: it has AES, so its ranks are those of `docs/tables.md`.

Every row gets the message that stands there, as octets, and the hash of it; then it is numbered among the rows of its
person. What has no block that Spark can write, doubles and free texts, goes the way of batches.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from dpcore.domains import Categories, Domain, Optional, Record
from dpcore.engines.numpy.canonical import DAY, EPOCH, NULL, TRUTH, WHOLE, Block, block_of
from dpcore.engines.numpy.ranked import COPY
from dpcore.engines.queries.dialect import NoWord
from dpcore.engines.queries.sql import SqlDialect
from dpcore.engines.queries.words import COUNTS, DAYS, TEXTS, TRUTHS, Word

MOST: Final = 64
"""Categories that are texts; each is written out with its block."""

OCTETS: Final = 16
"""Of a block of AES."""


def kept(
    dialect: SqlDialect,
    fields: Mapping[str | None, Word[str]],
    domain: Domain,
    condition: str | None,
    by: str | None,
    limit: int,
    key: bytes,
) -> str:
    """Whether a row is one of those kept of its person, among the rows of which the condition is True."""
    if by not in fields or not isinstance(domain, Record):  # without persons, all rows would be numbered in one place
        raise NoWord
    names, inner = sorted(name for name in fields if name is not None), dict(domain.fields)
    blocks = [_block(dialect, fields[name], inner[name]) for name in names]
    held = "TRUE" if condition is None else dialect.let(f"CASE WHEN {condition} THEN TRUE ELSE FALSE END")
    values = ", ".join(fields[name].expr for name in names)
    number = f"{dialect.named('row_number')}()"
    copy = dialect.let(f"CAST({number} OVER (PARTITION BY {held}, {values} ORDER BY 1) AS BIGINT)")
    copies = _tagged(dialect, COPY, dialect.minus(copy, dialect.literal(1, 0)))
    rank = _rank(dialect, [_octets((len(names) + 1, 0)), *blocks, copies], key)
    place = dialect.let(f"{number} OVER (PARTITION BY {held}, {fields[by].expr} ORDER BY {rank}, {values})")
    return f"({place} <= {limit})"


def _rank(dialect: SqlDialect, blocks: list[str], key: bytes) -> str:
    """The first 64 bits of the last block, as octets that stand in the order of the numbers: the greatest first."""
    message = dialect.let(dialect.call("concat", *blocks))
    hidden = dialect.call("aes_encrypt", message, f"X'{key.hex()}'", "'CBC'", "'DEFAULT'", f"X'{bytes(OCTETS).hex()}'")
    # In front of the message stands the initial value; behind it a block that fills up.
    return dialect.let(_turned(dialect, dialect.let(hidden), OCTETS * len(blocks)))


def _turned(dialect: SqlDialect, octets: str, before: int) -> str:
    """Eight octets, so many others before them, from the last to the first."""
    return dialect.call(
        "concat", *(dialect.call("substring", octets, str(before + 8 - place), "1") for place in range(8))
    )


def _block(dialect: SqlDialect, word: Word[str], domain: Domain) -> str:
    null = _octets((NULL, 0))
    return dialect.let(f"CASE WHEN {dialect.is_null(word.expr)} THEN {null} ELSE {_proper(dialect, word, domain)} END")


def _proper(dialect: SqlDialect, word: Word[str], domain: Domain) -> str:
    if word.layout is TRUTHS:
        return f"CASE WHEN {word.expr} THEN {_octets((TRUTH, 1))} ELSE {_octets((TRUTH, 0))} END"
    if word.layout is DAYS:
        return _tagged(dialect, DAY, dialect.plus(dialect.day_number(word.expr), dialect.literal(EPOCH, 0)))
    if word.layout is TEXTS:
        return _category(dialect, word.expr, domain.of if isinstance(domain, Optional) else domain)
    if word.layout is not COUNTS or word.step.denominator != 1:
        raise NoWord
    if max(-word.low, word.high) * word.step >= 1 << 63 and word.step != 1:
        raise NoWord
    step = dialect.literal(int(word.step), 0)
    return _tagged(dialect, WHOLE, word.expr if word.step == 1 else dialect.times(word.expr, step))


def _category(dialect: SqlDialect, text: str, domain: Domain) -> str:
    if not isinstance(domain, Categories) or domain.types() != {str} or len(domain.values) > MOST:
        raise NoWord
    cases = [f"WHEN {dialect.quoted(str(value))} THEN {_octets(block_of(value))}" for value in domain.values]
    # What is no category is found by the checks.
    return f"CASE {text} {' '.join(cases)} ELSE {_octets((NULL, 0))} END"


def _tagged(dialect: SqlDialect, tag: int, number: str) -> str:
    """A tag, and a whole number of 64 bits as it is held, the least octet first."""
    digits = dialect.call("lpad", dialect.call("hex", dialect.let(number)), "16", "'0'")
    turned = _turned(dialect, dialect.let(dialect.call("unhex", digits)), 0)
    return dialect.call("concat", f"X'{struct.pack('<Q', tag).hex()}'", turned)


def _octets(block: Block) -> str:
    return f"X'{struct.pack('<QQ', *block).hex()}'"
