"""What a second attacker found about keys, carriers and functions of the user, each with the class of faults it closes."""

from __future__ import annotations

import copy
import datetime
import pickle
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn, cast

import numpy as np
import pytest

import dpcore as dp
from dpcore.domains import Array
from dpcore.noise.bits import SeededBits
from tests.laws.arrows import transformation

d: Any = dp
PRICE = np.full(1000, 9.99)
HUGE = np.append(PRICE, 1e13)


def objects(rows: Sequence[object]) -> Array:
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


# ---- 1: how a key is written, and how a column is laid out, decide nothing: one form for all keys ---------------------


@pytest.mark.parametrize("of", [dp.numbers(), dp.numbers(0, 10**14, "1e-6")], ids=repr)
@pytest.mark.parametrize("key", [Decimal("9.99"), 9.99, np.float64("9.99"), np.float32("9.99")], ids=repr)
def test_another_row_does_not_move_a_count(of: dp.types.Numbers, key: Hashable) -> None:
    prices = dp.rows(of) >> dp.quantize("0.01")
    counted = transformation(prices >> dp.histogram(bins=[key]))
    parted = transformation(prices >> dp.partition([key]))
    for data in (PRICE, HUGE, PRICE.tolist(), HUGE.tolist(), objects(PRICE.tolist()), objects(HUGE.tolist())):
        assert counted(data) == [1000]
        assert [len(rows) for rows in cast("dict[object, list[object]]", parted(data)).values()] == [1000]


def test_a_decimal_is_found_among_typed_columns_of_whole_numbers() -> None:
    rows = dp.rows(dp.record(x=dp.integers(0, 9), c=dp.categories(1, 2)))
    for field in (dp.field("x"), dp.field("c")):
        h = transformation(rows >> dp.histogram(abs(field - 2.5), bins=[Decimal("0.5")]))
        assert h({"x": np.array([2, 3, 9]), "c": np.array([2, 2, 1])})[0] == 2  # type: ignore[index]


# ---- 2: what a function does to the row it is shown is its own ----------------------------------------------------------


def test_a_condition_cannot_move_rows_to_other_persons() -> None:
    def seen(row: dict[str, object]) -> bool:
        row["person"] = str(row["v"])
        return True

    space = dp.rows(dp.record(person=dp.text(), v=dp.integers(0, 5)), metric=dp.PersonDistance("person"))
    bounded = space >> dp.filter(seen) >> dp.bound_contributions(1)
    rows = [{"person": "A", "v": v} for v in range(6)]
    assert bounded.stability(1) == 1
    assert len(bounded(rows)) == 1
    columns = {"person": np.array(["A"] * 6), "v": np.arange(6)}
    assert (space >> dp.filter(seen))(columns) == rows


# ---- 3: two keys that differ never come out as one ----------------------------------------------------------------------


@pytest.mark.parametrize("of", [
    dp.categories(1, True), dp.categories(0, False, "a"), dp.optional(dp.categories(1, True)),
    dp.vector(dp.categories(0.0, False), 2),
], ids=repr)  # fmt: skip
def test_keys_that_a_dict_takes_for_one_are_not_released(of: dp.types.Domain) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="a dict tells apart"):
        dp.rows(of) >> dp.threshold_release(scale=1, threshold=2)
    with pytest.raises(dp.errors.InvalidParameter, match="a dict tells apart"):
        dp.rows(dp.record(x=of)) >> dp.threshold_release(dp.field("x"), scale=1, threshold=2)


def test_a_function_that_gives_such_keys_is_named() -> None:
    m = dp.rows(dp.categories("1", "True")) >> dp.threshold_release(lambda r: r == "True" or 1, scale=1, threshold=20)
    assert list(m.release(["1"] * 100 + ["True"], bits=SeededBits(0))) == [1]  # what is not released is not told
    assert [*map(repr, m.release(["True"] * 100, bits=SeededBits(0)))] == ["True"]
    with pytest.raises(dp.errors.UserFunctionFailed, match="a dict takes for one"):
        m.release(["1"] * 100 + ["True"] * 50, bits=SeededBits(0))


# ---- 4: a numpy scalar is the value that it holds, wherever it comes from -------------------------------------------------

DAY = datetime.date(2020, 1, 1)
SCALARS: list[tuple[dp.types.Domain, object, Callable[[Any], object]]] = [
    (dp.text(), "ab", lambda r: np.str_(r)),
    (dp.text(), "ab", lambda r: np.array([r])[0]),
    (dp.date(), DAY, lambda r: np.datetime64(r)),
    (dp.booleans(), True, lambda r: np.bool_(r)),
    (dp.integers(), 3, lambda r: np.uint8(r)),
    (dp.numbers(), 0.5, lambda r: np.float32(r)),
    (dp.text(), ("ab", 1), lambda r: (np.str_(r), np.int64(1))),
    (dp.text(), ("a", "b"), lambda r: np.array([*r])),
]


@pytest.mark.parametrize("case", range(len(SCALARS)))
def test_numpy_scalars_as_keys(case: int) -> None:
    of, expected, by = SCALARS[case]
    row = expected if not isinstance(expected, tuple) else "ab"
    rows = d.rows(of)
    assert (rows >> d.histogram(by, bins=[expected]))([row] * 5) == [5]
    assert (rows >> d.partition([expected], by))([row] * 5)[expected] == [row] * 5
    released = (rows >> d.threshold_release(by, scale="1/100", threshold=3)).release([row] * 5)
    assert [(key, type(key)) for key in released] == [(expected, type(expected))] or released == {expected: 5}


@pytest.mark.parametrize("bad", [np.datetime64("2020-01-01T09", "ns"), np.timedelta64(5)], ids=repr)
def test_a_time_is_no_number(bad: Hashable) -> None:
    """numpy makes an int of a time in nanoseconds, and would have it meet the integers."""
    with pytest.raises(dp.errors.InvalidParameter):
        dp.histogram(bins=[bad])
    with pytest.raises(dp.errors.InvalidParameter):
        dp.histogram(bins=np.array([bad]))
    with pytest.raises(dp.errors.InvalidParameter):
        dp.categories(bad)
    with pytest.raises(dp.errors.UserFunctionFailed, match="cannot be a key"):
        (dp.rows(dp.text()) >> dp.histogram(lambda r: bad, bins=["a"]))(["a"])


# ---- 5: what was accepted when it was built is not refused when it is released --------------------------------------------

TEXT = dp.rows(dp.record(r=dp.text()))
NARROW = dp.record(r=dp.categories("N", "S"))
WITHOUT_E: dict[str, Callable[[], Any]] = {
    "filter": lambda: TEXT >> d.filter(d.field("r") == "E") >> d.count() >> d.laplace(1),
    "isin": lambda: TEXT >> d.filter(d.field("r").isin("E", "W")) >> d.count() >> d.laplace(1),
    "select": lambda: TEXT >> d.select(d.field("r") == "E") >> d.histogram() >> d.laplace(1),
    "record": lambda: TEXT >> d.select(e=d.field("r") != "E") >> d.histogram(d.field("e")) >> d.laplace(1),
    "histogram": lambda: TEXT >> d.histogram(d.field("r") == "E", bins=[True]) >> d.laplace(1),
    "queries": lambda: TEXT >> d.linear_queries(d.field("r") == "E") >> d.laplace(1),
    "threshold": lambda: TEXT >> d.threshold_release(d.field("r") == "E", scale=1, threshold=2),
    "partition": lambda: (
        TEXT >> d.partition([True], d.field("r") == "E") >> d.parallel(TEXT >> d.count() >> d.laplace(1))
    ),
}


@pytest.mark.parametrize("what", WITHOUT_E)
def test_an_expression_is_typed_once(what: str) -> None:
    m = WITHOUT_E[what]()
    by_field = d.rows(NARROW) >> d.partition(by=d.field("r"))
    left = d.rows(NARROW) >> d.filter(d.field("r") == "S")
    for arrow in (by_field >> d.parallel(m), left >> m) if what != "threshold" else (left >> m,):
        arrow.loss(1)
        for data in ([], [{"r": "S"}] * 3, {"r": np.array(["S", "N"])}):
            arrow.release(data)


def test_sums_of_truths_stay_whole_on_narrower_rows() -> None:
    queries = transformation(TEXT >> dp.linear_queries(dp.field("r") == "E", dp.field("r") == "S"))
    chained = transformation((dp.rows(NARROW) >> dp.filter(dp.field("r") == "S")) >> cast(Any, queries))
    for data in ([{"r": "S"}], {"r": np.array(["S"])}):
        assert [(x, type(x)) for x in cast("list[object]", chained(data))] == [(0, int), (1, int)]


# ---- 6: a bin is what the key of a row is found under, or it is refused when built ----------------------------------------


@pytest.mark.parametrize(
    "of", [dp.vector(dp.integers(0, 5), 2), dp.optional(dp.vector(dp.integers(0, 5), 2))], ids=repr
)
def test_bins_that_are_tuples_find_vectors(of: dp.types.Domain) -> None:
    rows = dp.rows(dp.record(v=of))
    h, p = rows >> dp.histogram(dp.field("v"), bins=[(1, 2)]), rows >> dp.partition([(1, 2)], dp.field("v"))
    data: list[Mapping[str, object]] = [{"v": [1, 2]}, {"v": (1, 2)}, {"v": np.array([2, 1])}]
    for given in (data, {"v": objects([[1, 2], (1, 2), np.array([2, 1])])}):
        assert h(given) == [2]
        assert len(p(given)[1, 2]) == 2
    m = dp.rows(of) >> dp.threshold_release(scale="1/100", threshold=2)
    assert m.release(cast(Any, [[1, 2], (1, 2), np.array([1, 2])])) == {(1, 2): 3}


def test_bins_that_no_row_is_found_under_are_refused() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="no row can have"):
        d.rows(d.graphs(3)) >> d.histogram(bins=[((0, 1),)])
    with pytest.raises(dp.errors.InvalidParameter, match="no row can have"):
        dp.rows(dp.categories((1,), (2,))) >> dp.histogram(bins=[(True,)])


# ---- 7, 8: what is missing is missing on every carrier --------------------------------------------------------------------


def test_optional_records_in_an_array_of_objects() -> None:
    rows: list[object] = [{"x": 1}, None, {"x": 3}]
    space = dp.rows(dp.optional(dp.record(x=dp.integers(0, 5))))
    summed = transformation(space >> dp.drop_nulls() >> dp.select(dp.field("x", int)) >> dp.sum())
    masked = np.ma.MaskedArray(objects([{"x": 1}, {"x": 5}, {"x": 3}]), [False, True, False])
    for data in (rows, objects(rows), masked):
        assert summed(data) == 4


@pytest.mark.parametrize("mask", [[False, True, False], [True, True, True]])
def test_a_masked_entry_is_no_whole_number(mask: list[bool]) -> None:
    vector = np.ma.MaskedArray([3, 4, 5], mask)
    of = dp.vector(dp.integers(3, 5), 3)
    assert not of.member(vector)
    with pytest.raises(dp.errors.InvalidData):
        (dp.rows(of) >> dp.sum(norm=dp.L1Distance))([vector])
    with pytest.raises(dp.errors.InvalidData):
        (dp.value(of, dp.L1Distance()) >> dp.laplace(1)).release(vector)
    missing = dp.vector(dp.optional(dp.integers(3, 5)), 3)
    assert missing.canonical(vector) == [None if m else v for m, v in zip(mask, (3, 4, 5), strict=True)]
    assert of.canonical(np.ma.MaskedArray([3, 4, 5], [False, False, False])) == [3, 4, 5]


# ---- 9: whatever somebody else's code raises, whenever it does, its kind alone is seen ------------------------------------


def exits(row: object) -> NoReturn:
    raise SystemExit(row)


def exits_late(row: object) -> Iterator[object]:
    yield row
    raise SystemExit(row)


class Exiting(Sequence[int]):
    """A value that ends the program when it is looked at."""

    def __len__(self) -> int:
        raise SystemExit(42)

    def __getitem__(self, index: object) -> NoReturn:
        raise SystemExit(42)


LEAKS: dict[str, Callable[[], object]] = {
    "a generator": lambda: (d.rows(d.integers()) >> d.flat_map(exits_late, d.integers(), 2))([42]),
    "a function": lambda: (d.rows(d.integers()) >> d.flat_map(exits, d.integers(), 2))([42]),
    "a row": lambda: (d.rows(d.integers()) >> d.row_map(lambda r: Exiting(), d.vector(d.integers(), 1)))([42]),
    "rows": lambda: (d.rows(d.integers()) >> d.flat_map(lambda r: Exiting(), d.integers(), 1))([42]),
    "a key": lambda: (d.rows(d.integers()) >> d.histogram(lambda r: [Exiting()], bins=[1]))([42]),
    "a distance": lambda: d.granularity("mine", lambda x, y: exits(x)).distance(42, 43),
    "a claim": lambda: d.transformation(
        lambda rows: Exiting(), d.rows(d.integers()), d.rows(d.integers()), lambda d: d
    )([42]),
}  # fmt: skip


@pytest.mark.parametrize("where", LEAKS)
def test_nothing_leaves_with_an_exit(where: str) -> None:
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        LEAKS[where]()
    assert "42" not in str(refusal.value)
    assert refusal.value.__context__ is None


# ---- 13: what is said, and what is taken ----------------------------------------------------------------------------------

COUNT = dp.rows(dp.integers()) >> dp.count()


def test_bins_and_keys_are_told_apart_by_type() -> None:
    mixed = dp.rows(dp.categories(1, True))
    assert mixed >> dp.histogram(bins=[1]) != mixed >> dp.histogram(bins=[True])
    assert dp.partition([1]) != dp.partition([True])
    assert dp.histogram(bins=[0.5]) == dp.histogram(bins=[Decimal("0.5")])
    assert hash(dp.histogram(bins=[0.5])) == hash(dp.histogram(bins=[Decimal("0.5")]))


def test_a_function_whose_values_are_no_keys_is_named() -> None:
    rows, by = d.rows(d.text()), (lambda r: r.encode())
    for step in (d.histogram(by, ["a"]), d.partition(["a"], by), d.threshold_release(by, scale=1, threshold=2)):
        arrow = rows >> step
        run = arrow.release if isinstance(arrow, dp.types.Measurement) else arrow
        with pytest.raises(dp.errors.UserFunctionFailed, match="returned a bytes which cannot be a key"):
            run(["a"])


def test_a_condition_may_give_a_truth_value_of_numpy() -> None:
    assert (d.rows(d.integers()) >> d.filter(lambda r: np.bool_(r > 0)))([1, -1, 2]) == [1, 2]


@pytest.mark.parametrize("power", [61, 62, 63, 64])
def test_a_step_as_large_as_numpy_can_hold(power: int) -> None:
    counted = transformation(dp.rows(dp.numbers(step=2**power)) >> dp.count())
    for n in (2**power, -(2**power), 0):
        data = np.array([n], dtype=np.int64 if -(2**63) <= n < 2**63 else object)
        assert counted(data) == counted([n]) == 1
    with pytest.raises(dp.errors.InvalidData):
        counted(np.array([2**60]))


@pytest.mark.parametrize("bad", [{"x": np.array([9])}, [{"x": 9}], np.array([1])], ids=repr)
def test_a_bad_entry_of_a_part_is_placed(bad: object) -> None:
    of = d.record(x=d.integers(0, 5))
    parts = d.value(d.types.Parts(of, ("a", "b")), d.types.PartDistance(d.SymmetricDistance()))
    m = parts >> d.parallel(d.rows(of) >> d.count() >> d.laplace(1))
    with pytest.raises(dp.errors.InvalidData) as refusal:
        m.release({"a": {"x": np.array([1])}, "b": bad})
    assert "part 1, " in str(refusal.value)
    assert "dict" not in str(refusal.value)


def test_numbers_off_a_grid_are_no_keys_also_where_they_may_be_missing() -> None:
    for of in (dp.numbers(), dp.optional(dp.numbers())):
        with pytest.raises(dp.errors.InvalidParameter, match="numbers off a grid"):
            dp.rows(of) >> dp.histogram(bins=[1])


@pytest.mark.parametrize("octets", [b"ab", bytearray(b"ab"), memoryview(b"ab")], ids=lambda x: type(x).__name__)
def test_octets_are_no_whole_numbers(octets: object) -> None:
    assert not dp.types.Rows(dp.integers()).member(octets)
    assert not dp.vector(dp.integers(), 2).member(octets)
    with pytest.raises(dp.errors.InvalidData):
        (d.rows(d.integers()) >> d.count())(octets)


def test_parameters_cannot_be_changed() -> None:
    m = COUNT >> dp.laplace(1)
    with pytest.raises(TypeError):
        cast(Any, m.derivation.premises[-1].parameters)["scale"] = 10**9
    for again in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert again == m
        assert again.loss(1) == dp.pure(1)


def test_more_noise_costs_no_more() -> None:
    sigmas = ["1e100", "1e150", "1e155", "1e160", "1e200", "1e400"]
    costs = [(COUNT >> dp.gaussian(sigma=s)).to(dp.ApproxDP, delta="1e-6").loss(1).epsilon.upper for s in sigmas]
    assert max(costs) < Fraction(1, 10**40)


def test_a_probability_is_said_to_be_one_at_most_and_nothing_less_than_zero() -> None:
    shaken = (COUNT >> dp.laplace(scale="1/200")).to(dp.TotalVariation)
    assert str(shaken.loss(1)) == "TotalVariation: delta <= 1.0"
    assert float(shaken.loss(1)) == 1
    alone = dp.rows(dp.booleans(), dp.ChangeOneDistance()) >> dp.name_and_shame("7/10")
    for twice in (alone & alone, dp.compose([alone.to(dp.ApproxDP)] * 2)):
        assert twice.loss(1).delta.exact == 1
        assert twice.loss(1).delta.upper == 1
    own = dp.measurement(len, dp.rows(dp.booleans()), dp.Profile(), lambda d: lambda x: 3 * d / 5)
    assert dp.group_privacy(own).loss(2).delta(0).exact == 1
    exact = dp.group_privacy((COUNT >> dp.laplace(1)).to(dp.ApproxDP)).loss(2)
    assert str(exact) == "ApproxDP: epsilon = 2, delta = 0, exactly"
    curve = (COUNT >> dp.laplace(scale=1)).to(dp.ApproxDP).to(dp.Tradeoff).loss(1)
    assert [curve.beta(alpha).downward >= 0 for alpha in (0, "1/2", 1)] == [True] * 3


@pytest.mark.parametrize("bins", [
    [Decimal("0.5"), Fraction(1, 3)], [0.1, Fraction(3, 2), 7], [DAY, None, True], [(Fraction(1, 3), DAY), ("a",)],
], ids=repr)  # fmt: skip
def test_bins_print_as_what_can_be_typed_again(bins: list[Hashable]) -> None:
    names = {name: getattr(dp, name) for name in dir(dp)}
    for step in (dp.histogram(bins=bins), dp.partition(bins)):
        assert eval(repr(step), dict(names)) == step
        assert repr(eval(repr(step), dict(names))) == repr(step)
