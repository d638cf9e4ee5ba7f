"""`falsify` finds what is wrong, says what it is, makes it small, and finds nothing in what is right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

import dpcore as dp
from dpcore.assurance import falsify
from dpcore.assurance.findings import Kind
from dpcore.core.origins import Arrow
from dpcore.maps import ONE, Number, Numeric, maximum, minimum
from dpcore.maps.bounds import Bound
from tests.assurance import arrows
from tests.assurance.arrows import AB, COIN, NUMBER, ROWS, d, same
from tests.laws.arrows import arrow as arrow_of
from tests.laws.catalogue import EXAMPLES, Example
from tests.laws.examples.functions import ADD_UP

Map = Callable[[Number], Number | Numeric]


def claim(function: Callable[..., object], map: Map = same, output: object = NUMBER) -> Arrow:
    return cast(Arrow, d.transformation(function, ROWS, output, map))


@pytest.mark.parametrize(
    ("arrow", "kind"),
    [
        (claim(arrows.clamped_sum, lambda x: 60 * x), "unstable"),
        (claim(arrows.largest_first, lambda x: 2 * x), "depends on the order of rows"),
        (claim(arrows.shuffled, same, ROWS), "two calls disagree"),
        (claim(arrows.sorted_in_place), "changes its input"),
        (claim(arrows.minus_length, same, d.value(d.integers(0), d.AbsoluteDistance())), "output outside its domain"),
        (claim(arrows.fails_at_three, lambda x: 99 * x), "fails"),
        (claim(len, lambda x: x - 1), "map is negative"),
        (claim(len, lambda x: x + 1), "map is not 0 at 0"),
        (claim(len, lambda x: minimum(x, maximum(4 - x, ONE))), "map is not monotone"),
        (claim(len, lambda x: x / 0), "map fails"),
        (d.measurement(len, ROWS, d.PureDP(), same), "too lossy"),
        (d.measurement(arrows.sorted_in_place, ROWS, d.PureDP(), lambda x: x - 1), "map is negative"),
        (d.measurement(lambda rows: rows.clear(), ROWS, d.PureDP(), same), "changes its input"),
        (claim(arrows.clamped_sum, lambda x: 60 * x) >> d.laplace(scale=10**9), "unstable"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_each_kind_of_fault_is_found_and_named(arrow: Arrow, kind: Kind) -> None:
    result = falsify(arrow)
    assert result.found
    assert kind in [finding.kind for finding in result.findings], str(result)
    assert kind in str(result)


def test_the_counterexample_is_smallest_and_printed_with_both_distances() -> None:
    (finding,) = falsify(claim(arrows.clamped_sum, lambda x: 60 * x)).findings
    assert sorted([finding.x, finding.y], key=str) == [[61], []]
    assert (finding.d_in, finding.d_out, finding.claimed) == (Bound("1"), Bound("61"), Bound("60"))
    said = str(finding)
    assert "x = [61]" in said
    assert "y = []" in said
    assert "d_in    = 1" in said
    assert "true    = 61" in said
    assert "claimed = 60" in said


def test_what_is_claimed_of_the_example_is_true_of_it() -> None:
    f = d.transformation(arrows.clamped_sum, ROWS, NUMBER, lambda x: 60 * x)
    (finding,) = falsify(f).findings
    assert d.SymmetricDistance().distance(finding.x, finding.y) == finding.d_in
    assert abs(f(finding.x) - f(finding.y)) == finding.d_out


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_search_is_deterministic_by_its_seed(seed: int) -> None:
    f = claim(arrows.clamped_sum, lambda x: 60 * x)
    assert falsify(f, seed=seed) == falsify(f, seed=seed)
    assert falsify(f, seed=seed).seed == seed


def test_a_granularity_of_the_users_own_needs_no_strategy() -> None:
    weekly = d.rows(d.integers(0, 9), d.granularity("a week", arrows.weeks, rows=2))
    wrong = d.transformation(len, weekly, NUMBER, same)
    (finding,) = falsify(wrong).findings
    assert finding.kind == "unstable"
    assert (finding.d_in, finding.d_out) == (Bound("1"), Bound("2"))
    assert not falsify(d.transformation(len, weekly, NUMBER, lambda x: 2 * x)).found


def test_constants_of_the_function_are_tried() -> None:
    def trap(rows: list[int]) -> int:
        return 10**6 * sum(row == 271828 for row in rows)

    assert falsify(claim(trap, lambda x: 10**5 * x)).found


def test_the_distribution_decides_where_it_can_be_written_out() -> None:
    loud = d.measurement(lambda rows: len(rows) // 2, ROWS, d.PureDP(), same)
    (finding,) = falsify(loud).findings
    assert finding.d_out == float("inf")
    hidden = falsify(d.measurement(arrows.noisy_length, ROWS, d.PureDP(), same))
    assert not hidden.found
    assert "coins of its own" in hidden.not_looked_at
    wide = falsify(AB >> d.count() >> d.laplace(scale=10**9))
    assert "too wide" in wide.not_looked_at


ASKED = {
    *(
        "filters by turns",
        "pmw",
        "filter approximate zcdp",
        "above_threshold asked, 1",
        "above_threshold asked, 2",
        "above_threshold asked between others",
        "above_threshold asked in approx",
        "above_threshold asked in zcdp",
        "filter renyi",
    ),
    *(f"filter {measure}" for measure in ADD_UP),
}
"""Views: what a strategy asks is foreseen by nobody."""

LATER = {"mwem": "what the later rounds of mwem ask", "synthesize": "what synthesize asks next"}
"""What asks by itself, of which the first question is known."""


@pytest.mark.spread(16)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_nothing_is_found_in_any_arrow_of_the_library(example: Example) -> None:
    result = falsify(arrow_of(example.build()), examples=40)
    assert not result.found, str(result)
    asked = example.name in ASKED
    who = "what the stages" if example.name.startswith("adaptive ") else "what the strategy" if asked else None
    who = LATER.get(example.name, who)
    assert result.not_looked_at.startswith("" if who is None else f"the transformations in {who}")
    assert bool(result.not_looked_at) == (who is not None)
    assert result.tried


@pytest.mark.parametrize("wrong", [None, 3, len, dp.count(), ROWS])
def test_only_arrows_are_taken(wrong: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="transformation or a measurement"):
        falsify(wrong)  # type: ignore[arg-type]


def test_symbols_and_odd_numbers_are_refused() -> None:
    with pytest.raises(dp.errors.FreeSymbols):
        falsify(AB >> d.count() >> d.laplace(scale=d.symbol("b")))
    for examples, seed in ((0, 0), (1, -1), (True, 0), (1.5, 0)):
        with pytest.raises(dp.errors.InvalidParameter):
            falsify(AB >> d.count(), examples=examples, seed=seed)  # type: ignore[arg-type]


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(dp.errors.MissingExtra, match="hypothesis is not installed") as refusal:
        falsify(AB >> d.count())
    assert refusal.value.bridge == "pip install 'dpcore[assurance]'"


def test_hypothesis_is_imported_by_the_search_alone() -> None:
    folder = Path(dp.__file__).parent
    importing = {p.stem for p in folder.rglob("*.py") if "hypothesis import" in p.read_text(encoding="utf-8")}
    assert importing == {"neighbours", "strategies", "suspicions"}


def test_a_small_coin() -> None:
    assert not falsify(COIN >> dp.randomized_response("3/4")).found
