"""Random pipelines whose right answer is known from the names of the values, on every carrier and beside a huge row."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias, final

import numpy as np

import dpcore as dp
from dpcore.errors import DPError
from dpcore.noise.bits import SeededBits
from tests.carriers.kinds import KINDS, Kind, Writings, as_bin, objects, typed, written

d: Any = dp
SURE = "1/1000"
"""A scale at which noise is 0: another value has a probability below 1e-400."""

Names: TypeAlias = list[str]


@final
@dataclass(frozen=True)
class Case:
    """Rows by the names of their values, a way to compute something of them, and what is right."""

    kind: str
    names: tuple[str, ...]
    what: str
    single: bool
    """Whether rows are single values; otherwise they are records."""
    run: Callable[[object], object]
    expected: object
    shape: str = "plain"


def told(x: object) -> object:
    """What comes out, told apart by type: True is not 1."""
    if isinstance(x, (list, tuple)):
        return tuple(map(told, x))
    if isinstance(x, dict):
        return tuple((told(key), told(value)) for key, value in x.items())
    return type(x).__name__, x


def carriers(case: Case, names: Names, dice: Random) -> Iterator[tuple[str, object]]:
    """The rows, held in every way."""
    kind = KINDS[case.kind]
    if case.shape == "masked":
        vectors = [MASKED[name]() for name in names]
        yield from (("rows", vectors), ("objects", objects(vectors)))
        return
    if case.shape == "records":
        rows = [None if n == "None" else {"k": written(kind, n, dice), "n": i % 5} for i, n in enumerate(names)]
        absent = [row is None for row in rows]
        filled = next((row for row in rows if row is not None), None)
        masked = np.ma.MaskedArray(objects([row or filled for row in rows]), absent)
        yield from (("rows", rows), ("objects", objects(rows)), ("masked", masked if filled else objects(rows)))
        return
    values = [written(kind, name, dice) for name in names]
    if case.single:
        yield from (("rows", values), ("objects", objects(values)), ("columns", typed(kind, names, dice)))
        return
    places = [*range(len(names))]
    yield "rows", [{"k": value, "n": n % 5} for value, n in zip(values, places, strict=True)]
    yield "objects", {"k": objects(values), "n": objects([n % 5 for n in places])}
    yield "columns", {"k": typed(kind, names, dice), "n": np.array(places, dtype=np.int64) % 5}


def cases(dice: Random) -> Case:
    """One of them."""
    name = dice.choice([*KINDS])
    other = dice.random()
    if other < 0.1:
        return records_that_may_be_missing(dice)
    if other < 0.2:
        return vectors_with_a_mask(dice)
    kind = KINDS[name]
    single = dice.random() < 0.5
    names = tuple(dice.choice([*kind.values]) for _ in range(dice.randrange(9)))
    space = d.rows(kind.domain) if single else d.rows(dp.record(k=kind.domain, n=dp.integers(0, 4)))
    return _built(dice, Case(name, names, "", single, told, None), kind, space)


def _built(dice: Random, case: Case, kind: Kind, space: Any) -> Case:
    by: Any = d.row() if case.single else d.field("k")
    function = dice.random() < 0.4
    if function:
        by = _spelled(kind, dice, case.single)
    # A function is not told types apart for: its keys need no domain.
    names = dice.sample([*kind.values], dice.randrange(1, len(kind.values) + 1))
    bins = [as_bin(written(kind, n, dice)) for n in names]
    what = dice.choice(
        ["histogram", "histogram", "partition", "threshold", "isin", "distance", "count", "nulls", "spoiled"]
    )
    counts = Counter(case.names)

    def made(word: str, run: Callable[[object], object], expected: object) -> Case:
        return Case(case.kind, case.names, word, case.single, run, expected)

    if what in ("histogram", "partition") and kind.can_be_bins:
        if what == "histogram":
            return made(f"histogram {bins!r}", space >> d.histogram(by, bins=bins), [counts[n] for n in names])
        try:
            parts = space >> d.partition(bins, by)
        except dp.errors.InvalidParameter:  # 1 and True are no two keys of a dict
            return made("count", space >> d.count(), len(case.names))
        return made(
            f"partition {bins!r}",
            lambda data: [len(rows) for rows in parts(data).values()],
            [counts[n] for n in names],
        )
    if what == "spoiled" and kind.can_be_bins and not case.single and not function:
        spoiled = space >> d.filter(_spoils) >> d.histogram(by, bins=bins)
        return made(f"histogram of what was shown {bins!r}", spoiled, [counts[n] for n in names])
    if what == "threshold":
        return _threshold(made, space, by, kind, counts)
    if what == "isin" and not function and kind.can_be_bins and "vector" not in case.kind:
        plainly = "day" in case.kind or "mixed" in case.kind
        present = [written(kind, n, dice, plainly=plainly) for n in names if n != "None"]
        wanted = sum(counts[n] for n in names if n != "None")
        if present:
            return made(f"isin {present!r}", space >> d.filter(by.isin(*present)) >> d.count(), wanted)
    if what == "distance" and not function and case.kind in ("whole", "small", "grid", "bounded"):
        return _distances(made, dice, case, space, by)
    if what == "nulls" and case.kind.startswith("optional"):
        dropped = space >> (d.drop_nulls() if case.single else d.drop_nulls("k")) >> d.count()
        return made("drop_nulls", dropped, len(case.names) - counts["None"])
    kept = space >> d.filter(lambda row: True) >> d.count()
    return made("count", kept, len(case.names))


def _spoils(row: Any) -> bool:
    """A condition that changes the row which it is shown, and keeps every row."""
    row["k"] = None
    return True


def _distances(made: Callable[..., Case], dice: Random, case: Case, space: Any, by: Any) -> Case:
    """Bins of an expression: how far a number is from another."""
    center = Fraction(dice.choice(["2.5", "0.1", "-0.75", "0.49"]))
    apart = [abs(Fraction(name) - center) for name in case.names]
    bins = [*dict.fromkeys([*apart, abs(3 - center)])]
    spelled = [dice.choice([b, Decimal(b.numerator) / b.denominator, float(b)]) for b in bins]
    histogram = space >> d.histogram(abs(by - center), bins=spelled)
    return made(f"distances {spelled!r}", histogram, [apart.count(b) for b in bins])


def records_that_may_be_missing(dice: Random) -> Case:
    """Records or nothing; those that are there are summed."""
    name = dice.choice(["text", "day", "truth", "grid"])
    kind = KINDS[name]
    names = tuple(dice.choice([*kind.values, "None", "None"]) for _ in range(dice.randrange(6)))
    of = dp.optional(dp.record(k=kind.domain, n=dp.integers(0, 4)))
    there = d.rows(of) >> d.drop_nulls()
    chosen = dice.choice(
        [there >> d.count(), there >> d.select(d.field("n", int)) >> d.sum(),
         there >> d.filter(d.field("n") >= 0) >> d.count()]
    )  # fmt: skip
    counted = not repr(chosen).endswith("sum()")
    numbers = [n % 5 for n, name in enumerate(names) if name != "None"]
    return Case(name, names, f"{chosen!r}", True, chosen, len(numbers) if counted else sum(numbers), "records")


def vectors_with_a_mask(dice: Random) -> Case:
    """Vectors of whole numbers, some of which miss an entry: then they are none."""
    names = tuple(dice.choice(["(3, 4)", "(4, 4)", "(5, masked)"]) for _ in range(dice.randrange(1, 4)))
    summed = d.rows(d.vector(d.integers(3, 5), 2)) >> d.sum(norm=dp.L1Distance)
    expected = (
        "InvalidData"
        if "(5, masked)" in names
        else [3 * names.count("(3, 4)") + 4 * names.count("(4, 4)"), 4 * len(names)]
    )
    return Case("vector", names, "sum of masked vectors", True, summed, expected, "masked")


MASKED: Mapping[str, Callable[[], object]] = {
    "(3, 4)": lambda: np.ma.MaskedArray([3, 4], [False, False]),
    "(4, 4)": lambda: np.array([4, 4]),
    "(5, masked)": lambda: np.ma.MaskedArray([5, 4], [False, True]),
}


def _threshold(made: Callable[..., Case], space: Any, by: Any, kind: Kind, counts: Counter[str]) -> Case:
    try:
        step = space >> d.threshold_release(by, scale=SURE, threshold=2)
    except dp.errors.InvalidParameter:
        return made("count", space >> d.count(), counts.total())
    inner = kind.domain.of if isinstance(kind.domain, dp.types.Optional) else kind.domain
    as_typed = isinstance(inner, dp.types.Categories) and isinstance(by, dp.types.Expr)
    by_name = {_released(kind.values[name], as_typed): name for name in kind.values}
    assert len(by_name) == len(kind.values)

    def run(data: object) -> object:
        released = step.release(data, bits=SeededBits(0))
        return {by_name.get(told(key), repr(key)): n for key, n in released.items() if told(key) in by_name}

    def both() -> bool:
        return counts["1"] > 1 and counts["True"] > 1

    expected = "UserFunctionFailed" if both() else {name: n for name, n in counts.items() if n > 1}
    return made("threshold", run, expected)


def _released(writings: Writings, as_typed: bool) -> object:
    """A value as it is released: numbers are exact but among categories, sequences are tuples, graphs are sets."""
    value = writings[0]()
    if isinstance(value, list):
        other = writings[1]()
        return told(other if isinstance(other, frozenset) else tuple(value))
    if isinstance(value, float) and not as_typed:
        exact = Fraction(repr(value))
        return told(exact.numerator if exact.denominator == 1 else exact)
    return told(value)


def _spelled(kind: Kind, dice: Random, single: bool) -> Callable[[Any], object]:
    """A function of the user that gives the key of a row, written in another way."""
    spell = dice.choice([lambda x: x, lambda x: x, _in_numpy])
    return (lambda row: spell(row)) if single else (lambda row: spell(row["k"]))


def _in_numpy(x: object) -> object:
    if isinstance(x, datetime.date):
        return np.datetime64(x)
    return np.array([x])[0] if isinstance(x, (bool, str)) else np.array(x) if isinstance(x, list) else x


def differences(case: Case, dice: Random) -> list[str]:
    """What the pipeline says that is not right, on any carrier, without and with a huge row beside the others."""
    found: list[str] = []
    kind = KINDS[case.kind]
    huge: Sequence[Names] = [[], [dice.choice([*kind.huge])]] if kind.huge and case.shape == "plain" else [[]]
    for more in huge:
        for carrier, data in carriers(case, [*case.names, *more], dice):
            expected = case.expected
            if more and case.what == "count":
                expected = len(case.names) + 1
            elif more and case.what == "drop_nulls":
                expected = int(str(case.expected)) + 1
            said = _outcome(case.run, data)
            if _unordered(said) != _unordered(expected):
                beside = f" beside {more[0]}" if more else ""
                found.append(f"{case.kind}, {case.what}, {carrier}{beside}: {said!r}, not {expected!r}: {data!r}")
    return found


def _outcome(run: Callable[[object], object], data: object) -> object:
    try:
        return run(data)
    except DPError as error:
        return type(error).__name__


def _unordered(x: object) -> object:
    return sorted(x.items()) if isinstance(x, Mapping) else x
