"""The columns of a release by key: the keys, the numbers, the exact ones, the half widths."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

PEOPLE = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S"), value=dp.integers(0, 9)))
FRAME = pl.DataFrame({"age": [3, 40, 50] * 20, "region": ["N", "S", "S"] * 20, "value": [1, 2, 9] * 20})
ROWS = FRAME.to_dicts()
EACH = PEOPLE >> dp.count() >> dp.laplace(scale=1)
BY_REGION = PEOPLE >> dp.partition(by=dp.field("region"))
HISTOGRAM = PEOPLE >> dp.histogram(dp.field("region")) >> dp.laplace(scale=1)


def columns(measurement: Any, **options: object) -> dict[str, list[object]]:
    frame = measurement.release(FRAME, bits=SeededBits(3), **options)
    assert type(frame) is pl.DataFrame
    held: dict[str, list[object]] = frame.to_dict(as_series=False)
    return held


def of_rows(measurement: Any) -> Any:
    return measurement.release(ROWS, bits=SeededBits(3))


def test_numbers_stand_beside_their_keys() -> None:
    assert columns(HISTOGRAM) == {"region": ["N", "S"], "value": of_rows(HISTOGRAM)}


def test_exact_numbers_are_text_beside_them() -> None:
    tenths = (
        PEOPLE
        >> dp.select(dp.field("age", int) / 3, dp.numbers(0, 40))
        >> dp.quantize("1/3")
        >> dp.sum()
        >> dp.laplace(scale=40)
    )
    parts = BY_REGION >> dp.parallel(tenths)
    exact = list(of_rows(parts).values())
    assert any(each.denominator > 1 for each in exact)
    assert columns(parts, exact=True) == {
        "region": ["N", "S"],
        "value": list(map(float, exact)),
        "exact": list(map(str, exact)),
    }


def test_what_does_not_fit_into_64_bits_is_the_nearest_double_and_its_digits_are_beside_it() -> None:
    wide = HISTOGRAM.then(dp.row() * ((1 << 63) + 1))
    exact = of_rows(wide)
    assert max(exact) >= 1 << 63
    found = columns(wide, exact=True)
    assert found["value"] == list(map(float, exact))
    assert [int(str(each)) for each in found["exact"]] == exact
    beyond = HISTOGRAM.then(dp.row() * 10**400)
    assert columns(beyond)["value"] == [math.inf if each > 0 else -math.inf for each in of_rows(beyond)]


def test_half_widths_are_what_accuracies_says_rounded_up() -> None:
    parts = BY_REGION >> dp.parallel({"N": EACH, "S": PEOPLE >> dp.count() >> dp.laplace(scale=10)})
    accuracies = parts.accuracies("0.9")
    assert isinstance(accuracies, dict)
    assert columns(parts, confidence="0.9")["within"] == list(accuracies.values())
    assert columns(HISTOGRAM, confidence="0.9")["within"] == [HISTOGRAM.accuracy("0.9")] * 2
    third = HISTOGRAM.then(dp.row() / 3)
    half = third.accuracy("0.9")
    assert isinstance(half, Fraction)
    (width,) = set(columns(third, confidence="0.9")["within"])
    assert isinstance(width, float)
    assert half <= Fraction(width) < half + Fraction(1, 1 << 40)
    with pytest.raises(dp.errors.NoConversion):
        columns(BY_REGION >> dp.parallel(EACH.then(lambda n: n + 1)), confidence="0.9")


def test_several_numbers_of_a_part_have_columns_of_their_own() -> None:
    parts = BY_REGION >> dp.parallel(EACH & (PEOPLE >> dp.count() >> dp.laplace(scale=10)))
    released = of_rows(parts)
    found = columns(parts, confidence="0.9", exact=True)
    assert list(found) == ["region", "value_0", "exact_0", "within_0", "value_1", "exact_1", "within_1"]
    assert list(zip(found["value_0"], found["value_1"], strict=True)) == list(released.values())
    both = parts.accuracies("0.9")
    assert isinstance(both, dict)
    assert list(zip(found["within_0"], found["within_1"], strict=True)) == list(both.values())


def test_a_release_by_key_in_each_part_has_a_row_for_each_of_both_keys() -> None:
    parts = BY_REGION >> dp.parallel(PEOPLE >> dp.histogram(dp.field("age"), bins=[3, 50]) >> dp.laplace(scale=1))
    released = of_rows(parts)
    assert columns(parts) == {
        "region": ["N", "N", "S", "S"],
        "age": [3, 50, 3, 50],
        "value": [*released["N"], *released["S"]],
    }


def test_several_keys_have_columns_of_their_own() -> None:
    """Of a function: its names where it gives records, else numbered."""
    pairs = PEOPLE >> dp.threshold_release(lambda row: (row["region"], row["age"]), scale=1, threshold=5)
    assert columns(pairs)["key_0"] == ["N", "S", "S"]
    assert columns(pairs)["key_1"] == [3, 40, 50]
    records = PEOPLE >> dp.threshold_release(
        lambda row: {"where": row["region"], "old": row["age"]}, scale=1, threshold=5
    )
    assert {name: column for name, column in columns(records).items() if name != "value"} == {
        "old": [3, 40, 50],
        "where": ["N", "S", "S"],
    }


def test_keys_of_several_types_are_written_as_they_are_typed() -> None:
    mixed = dp.rows(dp.categories(True, "a")) >> dp.histogram() >> dp.laplace(scale=1)
    assert mixed.release(pl.Series(["a"]))["key"].to_list() == ["True", "'a'"]
    wide = dp.rows(dp.integers()) >> dp.histogram(bins=[1 << 70, 0]) >> dp.laplace(scale=1)
    assert wide.release(pl.Series([0]))["key"].to_list() == [str(1 << 70), "0"]
    tenths = dp.rows(dp.numbers(0, 1, step="0.1")) >> dp.histogram(bins=[0.1, 0.3]) >> dp.laplace(scale=1)
    assert tenths.release(pl.Series([0.1]))["key"].to_list() == [0.1, 0.3]


def test_a_column_whose_name_is_taken_gets_another() -> None:
    by_value = PEOPLE >> dp.histogram(dp.field("value"), bins=[1, 2]) >> dp.laplace(scale=1)
    assert columns(by_value) == {"value": [1, 2], "value_": of_rows(by_value)}


def test_numbers_that_no_key_names_are_coordinates() -> None:
    pairs = dp.rows(dp.vector(dp.integers(0, 9), 2)) >> dp.sum(norm=dp.L1Distance) >> dp.laplace(scale=1)
    released = pairs.release(pl.Series([[1, 2], [3, 4]]), bits=SeededBits(3))
    assert released.to_dict(as_series=False) == {
        "coordinate": [0, 1],
        "value": pairs.release([[1, 2], [3, 4]], bits=SeededBits(3)),
    }


def test_keys_have_their_names_through_what_leaves_the_coordinates_in_place() -> None:
    counted = PEOPLE >> dp.histogram(dp.field("region")) >> dp.to_metric(dp.L2Distance) >> dp.gaussian(sigma=2)
    for measurement in (counted, counted.to(dp.ApproxDP, delta="1e-6"), dp.group_privacy(HISTOGRAM)):
        assert columns(measurement)["region"] == ["N", "S"]
    assert columns(HISTOGRAM.then(dp.row().round(10)))["region"] == ["N", "S"]


def test_no_key_that_was_found_is_a_frame_without_rows() -> None:
    none = PEOPLE >> dp.threshold_release(dp.field("region"), scale=1, threshold=500)
    assert columns(none, exact=True) == {"region": [], "value": [], "exact": []}


def test_what_a_function_made_is_what_it_gave() -> None:
    parts = BY_REGION >> dp.parallel(EACH)
    kinds: list[type] = []

    def look(released: Any) -> Any:
        kinds.append(type(released))
        return released

    for measurement, kind in ((HISTOGRAM, list), (parts, dict)):
        looked: Any = measurement.then(look)
        assert type(looked.release(FRAME)) is kind
    assert kinds == [list, dict]


def test_parts_of_a_tuple_are_as_they_are_of_rows() -> None:
    both = (HISTOGRAM & EACH) if HISTOGRAM.measure == EACH.measure else None
    assert both is not None
    released = both.release(FRAME, bits=SeededBits(3))
    assert released == both.release(ROWS, bits=SeededBits(3))
    assert type(released[0]) is list


def test_other_releases_and_other_data_stay_as_they_are() -> None:
    assert type(EACH.release(FRAME)) is int
    arrays = {name: FRAME[name].to_numpy() for name in FRAME.columns}
    series = {name: FRAME[name] for name in FRAME.columns}
    for data in (ROWS, arrays, series):
        assert type(HISTOGRAM.release(data)) is list
    asked: list[tuple[Any, object, dict[str, object]]] = [
        (EACH, FRAME, {"exact": True}),
        (EACH, FRAME, {"confidence": "0.9"}),
        (HISTOGRAM, ROWS, {"exact": True}),
    ]
    for measurement, given, options in asked:
        with pytest.raises(dp.errors.InvalidParameter, match="released by key of a frame"):
            measurement.release(given, **options)
    with pytest.raises(dp.errors.InvalidParameter, match="confidence"):
        HISTOGRAM.release(FRAME, confidence=2)


def test_a_distribution_is_of_the_release_as_rows_have_it() -> None:
    few = dp.rows(dp.categories("N", "S")) >> dp.histogram() >> dp.uniform_noise(1)
    frame = few.distribution(pl.Series(["N"]))
    assert dict(frame.masses) == dict(few.distribution(["N"]).masses)
