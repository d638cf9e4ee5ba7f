"""One measurement on every part: it costs what as many equal ones cost, and its certificate does not grow with the parts."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from tests.certificates.tools import checker, rejection

NUMBERS = dp.integers(0, 9)
AGES = dp.rows(NUMBERS)
REPLACED: Any = dp.rows(NUMBERS, dp.ChangeOneDistance())
BOTH = pytest.mark.parametrize("rows", [AGES, REPLACED], ids=["added", "replaced"])

MEASURES = ("pure", "approx", "zcdp", "gaussian", "total_variation", "renyi")


def part(measure: str) -> Any:
    """A histogram, which loses twice as much where a row is replaced."""
    noisy = AGES >> dp.histogram(bins=[1, 2]) >> dp.laplace(scale=20)
    to: dict[str, Any] = {
        "approx": dp.ApproxDP,
        "zcdp": dp.ZCDP,
        "gaussian": dp.GaussianDP,
        "total_variation": dp.TotalVariation,
        "renyi": dp.RenyiDP,
    }
    return noisy.to(to[measure]) if measure in to else noisy


def on_parts(rows: Any, keys: Any, parts: Any) -> Any:
    return rows >> dp.partition(keys) >> dp.parallel(parts)


def said(m: Any, d: int) -> object:
    loss = m.loss(d)
    return loss.at_orders([2, 5]) if m.measure == dp.RenyiDP() else loss


@BOTH
@pytest.mark.parametrize("measure", MEASURES)
def test_it_costs_what_one_for_each_part_costs(rows: Any, measure: str) -> None:
    alike = on_parts(rows, [3, 4, 5], part(measure))
    one_by_one = on_parts(rows, [3, 4, 5], {key: part(measure) for key in (3, 4, 5)})
    assert alike.derivation.rules() & {f"parallel_alike_{m}_{measure}" for m in ("symmetric", "change_one")}
    assert [str(said(alike, d)) for d in (1, 2, 3)] == [str(said(one_by_one, d)) for d in (1, 2, 3)]


@BOTH
def test_its_certificate_does_not_grow_with_the_parts(rows: Any) -> None:
    space: Any = dp.rows(dp.integers(0, 10**6), rows.metric)
    of_part = dp.rows(dp.integers(0, 10**6)) >> dp.count() >> dp.laplace(scale=20)
    few, many = [certify(on_parts(space, range(n), of_part)).text() for n in (2, 50_000)]
    assert len(many) < len(few) + 10
    checker.verify(many)


@BOTH
def test_of_a_single_part_nothing_moves_to_another(rows: Any) -> None:
    alone = on_parts(rows, [3], part("pure"))
    assert not any("alike" in rule for rule in alone.derivation.rules())
    assert alone.loss(1) == (dp.pure("1/10") if rows is REPLACED else dp.pure("1/20"))


def test_the_checker_takes_it_of_parts_alone_and_with_its_premises_alone() -> None:
    data: Any = certify(on_parts(REPLACED, range(3), part("pure"))).data
    assert rejection(json.dumps(data).encode()) is None

    def changed(change: Any) -> str:
        other = copy.deepcopy(data)
        parted, alike = other["derivation"]["premises"]
        change(other, parted, alike)
        found = rejection(json.dumps(other).encode())
        assert found is not None
        return found[1]

    def more(other: Any, parted: Any, alike: Any) -> None:
        alike["premises"].append(alike["premises"][0])

    def without_parts(other: Any, parted: Any, alike: Any) -> None:
        other["derivation"] = alike

    def as_if_added(other: Any, parted: Any, alike: Any) -> None:
        alike.update(rule="parallel_alike_symmetric_pure", premises=alike["premises"][:1])

    def cheaper(other: Any, parted: Any, alike: Any) -> None:
        other["claims"][0]["loss"]["epsilon"] = "1/20"

    def backwards(other: Any, parted: Any, alike: Any) -> None:
        parted["parameters"]["range"] = ["2", "0"]

    def too_long(other: Any, parted: Any, alike: Any) -> None:
        parted["parameters"]["range"] = ["0", "65536"]

    def by_a_function(other: Any, parted: Any, alike: Any) -> None:
        parted["parameters"]["by"] = {"function": {"name": "f", "digest": "0" * 64}}

    assert "number of premises" in changed(more)
    assert "parts of these keys" in changed(without_parts)
    assert "parts of these keys" in changed(as_if_added)
    assert "worked out" in changed(cheaper)
    for change in (backwards, too_long):
        assert "the first and the last" in changed(change)
    assert "list of keys" in changed(by_a_function)


@pytest.mark.parametrize(
    ("of", "keys"),
    [(NUMBERS, [2, 1]), (NUMBERS, [1, 3]), (NUMBERS, [1]), (dp.booleans(), [False, True]), (dp.text(), ["1", "2"])],
)
def test_other_keys_are_listed(of: Any, keys: list[Any]) -> None:
    rows: Any = dp.rows(of)
    assert (rows >> dp.partition(keys)).derivation.rules() == {"partition_symmetric"}


def test_a_function_as_the_key_is_kept_with_a_list() -> None:
    found = AGES >> dp.partition([0, 1], lambda age: age % 2)
    assert found.derivation.rules() == {"partition_symmetric"}


def test_its_releases_are_by_key() -> None:
    found = on_parts(AGES, [3, 4], AGES >> dp.count() >> dp.laplace(scale="1/1000")).release([3, 4, 4, 7])
    assert found == {3: 1, 4: 2}
