"""Categories, and parts by key, are what their keys are: however a value was written, it is the same category."""

from __future__ import annotations

import datetime
import pickle
import subprocess
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import key
from dpcore.engines.numpy.lists import FEW_ROWS
from tests.carriers.kinds import objects
from tests.laws.arrows import transformation

d: Any = dp
NAMES = {name: getattr(dp, name) for name in dir(dp)}

Written = Callable[[], Hashable]
"""A value, in one of the ways in which it can be written."""


def number(text: str) -> list[Written]:
    exact = Fraction(text)
    found: list[Written] = [lambda: exact, lambda: exact]
    if exact.denominator == 1:
        found += [lambda: int(exact), lambda: np.int64(int(exact)), lambda: Decimal(int(exact)), lambda: float(exact)]
    elif "." in text:
        found += [lambda: Decimal(text), lambda: float(text), lambda: np.float64(text), lambda: np.float32(text)]
    return found


def day(text: str) -> list[Written]:
    return [lambda: datetime.date.fromisoformat(text), lambda: np.datetime64(text)]


def alone(written: Written) -> Written:
    return lambda: (written(),)


SINGLE: dict[str, list[Written]] = {
    **{text: number(text) for text in ("0", "1", "-2", "0.5", "1/3", "0.1", "-2.25")},
    "true": [lambda: True, lambda: np.True_],
    "false": [lambda: False, lambda: np.False_],
    "text 1": [lambda: "1", lambda: np.str_("1")],
    "text": [lambda: "é", lambda: np.str_("é")],
    "none": [lambda: None, lambda: None],
    **{f"day {text}": day(text) for text in ("2020-01-01", "1969-12-31")},
}
MANY: dict[str, list[Written]] = {
    **SINGLE,
    **{f"({name},)": list(map(alone, written)) for name, written in SINGLE.items()},
    "(1, (1/2, day))": [
        lambda: (1, (Fraction(1, 2), datetime.date(2020, 1, 1))),
        lambda: (1.0, (Decimal("0.5"), datetime.date(2020, 1, 1))),
    ],
}


def again(x: object) -> object:
    return eval(repr(x), dict(NAMES))


def told(x: object) -> object:
    """With its type: True is not 1."""
    return tuple(map(told, x)) if isinstance(x, tuple) else (type(x).__name__, x)


names = st.lists(st.sampled_from([*MANY]), min_size=1, max_size=5, unique=True)


@given(names, st.data())
def test_however_they_are_written(chosen: list[str], data: st.DataObject) -> None:
    def spelled() -> list[Hashable]:
        return [data.draw(st.sampled_from(MANY[name]))() for name in chosen]

    first, second = dp.categories(spelled()), dp.categories(spelled())
    assert first == second
    assert hash(first) == hash(second)
    assert repr(first) == repr(second)
    assert list(map(told, first.values)) == list(map(told, second.values))
    for other in (again(first), pickle.loads(pickle.dumps(first))):
        assert other == first
        assert repr(other) == repr(first)
    assert first.includes(second)
    for name in MANY:
        for written in MANY[name]:
            assert first.member(written()) == (name in chosen)
    for value in spelled():
        assert told(first.canonical(value)) in list(map(told, first.values))
        assert key(first.canonical(value)) == key(value)


@given(names, names)
def test_they_are_equal_where_their_keys_are(one: list[str], other: list[str]) -> None:
    x, y = (dp.categories([MANY[name][0]() for name in chosen]) for chosen in (one, other))
    assert (x == y) == (one == other)
    assert x.includes(y) == (set(other) <= set(one))
    parts = [d.types.Parts(dp.integers(), tuple(MANY[name][0]() for name in chosen)) for chosen in (one, other)]
    assert (parts[0] == parts[1]) == (one == other)


def test_one_twice_is_refused_and_true_is_not_one() -> None:
    for written in MANY.values():
        with pytest.raises(dp.errors.InvalidParameter, match="one twice"):
            dp.categories([written[0](), written[-1]()])
    assert dp.categories((1,), (True,)).values == ((1,), (True,))
    assert dp.categories(1, True, "1") != dp.categories(True, 1, "1")


# ---- in data, on every carrier -----------------------------------------------------------------------------------------


TYPED: Mapping[type, str] = {bool: "bool", int: "int64", float: "float64", str: "U9", datetime.date: "datetime64[D]"}
"""What numpy holds values of one type in."""


def carriers(values: Sequence[object]) -> list[tuple[int, object]]:
    """Rows as a list, as many, as an array of objects, and as a typed array where there is one: how many times, and they."""
    found: list[tuple[int, object]] = [(1, list(values)), (FEW_ROWS, list(values) * FEW_ROWS), (1, objects(values))]
    types = {*map(type, values)}
    dtype = TYPED.get(types.pop()) if len(types) == 1 else None
    return [*found, (1, np.array(values, dtype=dtype))] if dtype else found


@given(names, st.data())
def test_counts_on_every_carrier(chosen: list[str], data: st.DataObject) -> None:
    space = d.rows(dp.categories([MANY[name][0]() for name in chosen]))
    bins = [MANY[name][-1]() for name in chosen]
    rows = data.draw(st.lists(st.sampled_from(chosen), min_size=1, max_size=6))
    way = data.draw(st.integers(0, 5))
    values = [MANY[name][min(way, len(MANY[name]) - 1)]() for name in rows]
    for histogram in (d.histogram(), d.histogram(bins=bins), d.histogram(lambda row: row, bins)):
        counted = transformation(space >> histogram)
        for times, held in carriers(values):
            assert counted(cast(Any, held)) == [times * rows.count(name) for name in chosen]


def test_a_mask_over_numbers_is_null() -> None:
    of = dp.optional(dp.categories(Decimal(1), Decimal("2.5")))
    counted = transformation(d.rows(of) >> d.histogram())
    mask = [False, True, False]
    for array in (np.array([1.0, 7.0, 2.5]), objects([Fraction(1), None, Decimal("2.5")])):
        assert counted(np.ma.MaskedArray(array, mask)) == [1, 1, 1]
    whole = transformation(d.rows(dp.optional(dp.categories(1.0, 3))) >> d.histogram())
    assert whole(np.ma.MaskedArray([3, 7, 1], mask)) == whole([3.0, None, 1]) == [1, 1, 1]
    with pytest.raises(dp.errors.InvalidData):
        whole(np.array([2]))


WRITTEN: list[tuple[Hashable, Hashable]] = [
    (0.1, 0.1), (Decimal("0.1"), Decimal("0.1")), (Fraction(1, 10), Fraction(1, 10)), (np.float32("0.1"), 0.1)
]  # fmt: skip
"""A tenth as it is written, and as it is handed out."""


@pytest.mark.parametrize(("written", "typed"), WRITTEN, ids=repr)
def test_a_category_is_handed_out_as_it_was_typed(written: Hashable, typed: Hashable) -> None:
    """Wherever it comes out and however the data wrote it: who typed 0.1 finds it under 0.1, which is no Fraction(1, 10)."""
    of = d.categories(written, 3, None, True, "a")
    others = [written, 0.1, Fraction(1, 10), np.float64("0.1")]
    rows = d.rows(of)
    same = rows >> d.filter(d.row() == 0.1)
    record = d.rows(d.record(k=of, n=d.integers())) >> d.filter(d.field("n") > 0)
    for times, held in carriers(others):
        assert list(map(told, same(held))) == [told(typed)] * 4 * times
        parts = (rows >> d.partition([written, 3]))(held)
        assert list(map(told, parts[typed])) == [told(typed)] * 4 * times
    columns = {"k": objects(others), "n": np.ones(4, dtype=np.int64)}
    assert [told(row["k"]) for row in record(columns)] == [told(typed)] * 4
    found = (d.rows(d.categories(written, 3)) >> d.partition())([written])
    assert list(map(told, found)) == [told(typed), told(3)]
    assert found[typed] == [typed]
    keys = d.rows(d.optional(d.categories(written, 3))) >> d.threshold_release(scale="1/100", threshold=2)
    assert set(map(told, keys.release([*others, None, None, 3, 3.0]))) == {told(typed), told(3), told(None)}
    replaced = d.rows(d.categories(written, 3), d.ChangeOneDistance(), 1)
    assert told((replaced >> d.random_row()).release([written])) == told(typed)
    shown = (d.rows(d.categories(written, 3), d.ChangeOneDistance()) >> d.name_and_shame("0.999999999")).release(
        [written]
    )
    assert list(map(told, shown)) == [told(typed)]
    answers = d.value(d.categories(written, 3), d.DiscreteDistance()) >> d.randomized_response("3/4")
    outcomes = {told(answers.release(0.1)) for _ in range(40)}
    assert outcomes == {told(typed), told(3)}
    assert float(answers.distribution(0.1).probability(typed)) == pytest.approx(0.75)


@pytest.mark.parametrize("written", [written for written, _ in WRITTEN], ids=repr)
def test_what_is_computed_is_exact_and_certified_alike(written: Hashable) -> None:
    """No float is ever summed: where a float names a category, the number is meant."""
    space = d.rows(d.categories(written, 3))
    plain = d.rows(d.categories(Fraction(1, 10), 3))
    assert d.certify(space >> d.histogram() >> d.laplace(1), 1) == d.certify(plain >> d.histogram() >> d.laplace(1), 1)
    double = d.select(d.row() * 2)
    alone = d.rows(d.categories(written)) >> d.filter(d.row() > 0)
    for arrow in (space >> double, plain >> double, alone >> double):
        for rows in ([written] * 3, [written] * 30, objects([written] * 3), np.array([0.1] * 3)):
            assert arrow(rows) == [Fraction(1, 5)] * len(rows)
    answers = [d.value(d.categories(x, 3), d.DiscreteDistance()) for x in (written, Fraction(1, 10))]
    noisy = [
        d.rows(d.categories(x, 3)) >> d.partition() >> d.parallel(plain >> d.count() >> d.laplace(1))
        for x in (written, Fraction(1, 10))
    ]
    for one, other in (noisy, [each >> d.randomized_response("3/4") for each in answers]):
        assert d.certify(one, 1).text() == d.certify(other, 1).text()


def test_keys_of_parts_are_looked_up_by_key() -> None:
    of = d.types.Parts(dp.integers(0, 9), (1, Fraction(1, 10)))
    counted = d.rows(dp.integers(0, 9)) >> d.count() >> d.laplace(1)
    m = d.value(of, d.types.PartDistance(d.SymmetricDistance())) >> d.parallel(counted)
    assert len(m.release({1.0: [1], Decimal("0.1"): [2]})) == len(m.release({1: [], 0.1: []})) == 2
    others: list[dict[object, list[int]]] = [{True: [], 0.1: []}, {1: []}, {1: [], 0.1: [], 2: []}, {1: [], 0.2: []}]
    for other in others:
        with pytest.raises(dp.errors.InvalidData):
            m.release(other)
    assert eval(repr(of), {**vars(dp), **vars(dp.types)}) == of


def test_nan_is_null_where_null_is_a_category() -> None:
    counted = transformation(d.rows(dp.categories(None, 0.5, 2)) >> d.histogram())
    nan = float("nan")
    for rows in ([nan, None, 0.5, 2.0], [nan, 0.5, 0.5], [nan, nan, None]):
        expected = [sum(x is None or x != x for x in rows), rows.count(0.5), rows.count(2)]
        for held in (rows, objects(rows), np.array(rows, dtype=float)):
            assert counted(held) == expected
        assert counted(rows * FEW_ROWS) == [n * FEW_ROWS for n in expected]
    with pytest.raises(dp.errors.InvalidData, match="row 1, "):
        (d.rows(dp.categories(0.5)) >> d.histogram())(np.array([0.5, nan, 0.7]))


def test_what_can_be_no_key_is_no_category() -> None:
    loop: list[object] = []
    loop.append(loop)
    for x in (object(), b"a", 1j, {}, {"a"}, loop, float("inf"), np.timedelta64(1), [1]):
        assert not dp.categories(1, "a").member(x)
    assert dp.categories(None, 1).member(float("nan"))
    assert not dp.categories(1).member(float("nan"))


def test_what_holds_itself_ends_no_process() -> None:
    """Where Python is allowed more frames than its stack has room for, as pytest and others set it."""
    code = (
        "import sys; import dpcore as dp; sys.setrecursionlimit(10**6); x = []; x.append({1: (x, x)});"
        "print(dp.categories(1, (1, 2)).member(x), dp.categories(1, (1, 2)).member((1, 2)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "False True\n")
