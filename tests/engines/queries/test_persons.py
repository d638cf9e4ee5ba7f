"""What a key keeps of each person is the same from rows, a frame and a file, and is what the hash that is stated says."""

from __future__ import annotations

import datetime
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.doors import by_rows, table
from dpcore.engines.queries.asked import Asked
from dpcore.noise.bits import SeededBits
from dpcore.noise.row_keys import CipherKey
from tests.thorough import thorough

Row = Mapping[str, object]

VISIT = dp.record(
    who=dp.categories("ann", "bob", ""),
    cost=dp.numbers(-9, 9, step="1/10"),
    real=dp.optional(dp.numbers(-9, 9)),
    age=dp.optional(dp.integers(0, 120)),
    day=dp.date(),
    paid=dp.booleans(),
    note=dp.text(),
)
VISITS = dp.rows(VISIT, dp.PersonDistance("who"))
TYPES: dict[str, type[pl.DataType]] = {
    "who": pl.String, "cost": pl.Float64, "real": pl.Float64, "age": pl.Int16, "day": pl.Date, "paid": pl.Boolean,
    "note": pl.String,
}  # fmt: skip
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.sampled_from(["ann", "ann", "bob", ""]),
            "cost": st.sampled_from([-1.5, 0.0, -0.0, 0.1, 0.3]),
            "real": st.sampled_from([None, 0.125, 1.0, -0.0]),
            "age": st.sampled_from([None, 0, 3]),
            "day": st.just(datetime.date(2024, 2, 29)),
            "paid": st.booleans(),
            "note": st.sampled_from(["", "é", "late"]),
        }
    ),
    max_size=30,
)


def frame_of(rows: Sequence[Row]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=TYPES)


@thorough(60)
@given(ROWS, st.integers(1, 4), st.integers(0, 5))
def test_a_frame_keeps_what_its_rows_keep(rows: list[Row], limit: int, seed: int) -> None:
    few = VISITS >> dp.bound_contributions(limit)
    paid = dp.field("paid", bool)
    by_note = few >> dp.filter(paid) >> dp.histogram(dp.field("note"), bins=["", "é", "late"])
    total = few >> dp.select(dp.field("cost", float), dp.numbers(-9, 9, step="1/10")) >> dp.sum()
    for question in (few, by_note, total, few >> dp.count()):
        from_rows, from_frame = (question(data, bits=SeededBits(seed)) for data in (rows, frame_of(rows)))
        assert from_rows == from_frame


def test_polars_is_asked_before_and_after(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows: list[Row] = [
        {
            "who": "ann",
            "cost": n / 10,
            "real": None,
            "age": n,
            "day": datetime.date(2024, 1, 1),
            "paid": n > 2,
            "note": "",
        }
        for n in range(9)
    ]
    expr = dp.field("age").fill_null(0)
    held = by_rows(rows, VISITS.domain).filter(dp.field("paid", bool)).fairly("who", 4, CipherKey(SeededBits(1)))
    frame_of(rows).write_parquet(tmp_path / "visits.parquet")
    monkeypatch.setattr(Asked, "slow", lambda asked: pytest.fail("polars was not asked"))
    for data in (frame_of(rows), pl.scan_parquet(tmp_path / "visits.parquet")):
        kept = table(data, VISITS.domain).filter(dp.field("paid", bool)).fairly("who", 4, CipherKey(SeededBits(1)))
        assert kept.count() == 4
        assert kept.tally_all(expr) == held.tally_all(expr)


@pytest.mark.parametrize("offence", [{"age": [-1]}, {"paid": [None]}, {"who": ["eve"]}])
def test_an_offence_is_found_before_anything_is_kept(offence: Mapping[str, list[object]], tmp_path: Path) -> None:
    row = {
        "who": "ann",
        "cost": 0.0,
        "real": None,
        "age": 1,
        "day": datetime.date(2024, 1, 1),
        "paid": True,
        "note": "",
    }
    one = frame_of([row])
    frame = frame_of([row] * 3).vstack(
        frame_of([row]).with_columns(**{k: pl.Series(v).cast(one.schema[k]) for k, v in offence.items()})
    )
    frame.write_parquet(tmp_path / "visits.parquet")
    few = VISITS >> dp.bound_contributions(1) >> dp.count()
    for data in (frame, pl.scan_parquet(tmp_path / "visits.parquet")):
        with pytest.raises(dp.errors.InvalidData, match=f"row 3, field '{next(iter(offence))}'"):
            few(data)


# ---- the hash, from its definition in docs/tables.md ------------------------------------------------------------------


def stated(key: bytes, row: Sequence[tuple[int, int]], copy: int) -> int:
    """AES-256 in CBC mode over 1 + k + 1 blocks, the first 64 bits of the last."""
    blocks = [(len(row) + 1, 0), *row, (5, copy)]
    text = b"".join(struct.pack("<QQ", *block) for block in blocks)
    cipher = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor()
    (rank,) = struct.unpack("<Q", cipher.update(text)[-16:-8])
    return cast(int, rank)


def test_what_is_kept_is_what_the_stated_hash_says() -> None:
    bits = SeededBits(7)
    key = bits.bits(256).to_bytes(32, "little")
    day = datetime.date(2024, 2, 29)
    values = [(who, n % 4, n / 8, n % 3 == 0, None if n % 5 else day) for n in range(40) for who in (0, 1 << 40)]
    record = dp.record(a=dp.integers(), b=dp.integers(), c=dp.numbers(), d=dp.booleans(), e=dp.optional(dp.date()))
    frame = pl.DataFrame(values, schema=["a", "b", "c", "d", "e"], orient="row")
    ranked: dict[int, list[tuple[int, tuple[object, ...]]]] = {}
    seen: Counter[object] = Counter()
    for row in values:
        who, n, real, yes, then = row
        whole = (2, int(real)) if real == int(real) else (3, int(np.float64(real).view(np.uint64)))
        blocks = [(2, who), (2, n), whole, (1, int(yes)), (0, 0) if then is None else (4, then.toordinal())]
        ranked.setdefault(who, []).append((stated(key, blocks, seen[row]), row))
        seen[row] += 1
    expected = Counter(row for its in ranked.values() for _, row in sorted(its)[:3])
    few = dp.rows(record, dp.PersonDistance("a")) >> dp.bound_contributions(3)
    kept = few(frame, bits=SeededBits(7))
    assert Counter(tuple(row.values()) for row in kept) == expected
