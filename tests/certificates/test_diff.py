"""What changed between two certificates, and what it does to the claim."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates import diff_words
from dpcore.certificates.certificate import Certificate, certify
from dpcore.certificates.diff import MANY, difference

d: Any = dp
ages = d.rows(d.integers())


def total(high: object = 120, scale: object = 120, space: Any = ages) -> Any:
    return space >> d.clamp(0, high) >> d.sum() >> d.laplace(scale)


def _lines(before: Any, after: Any, d_in: tuple[int, int] = (1, 1)) -> list[str]:
    return diff_words.lines(difference(certify(before, d_in[0]), certify(after, d_in[1])))


def test_equal_ones_are_equal() -> None:
    assert _lines(total(), total()) == ["the certificates are equal"]
    assert difference(certify(total()), certify(total())).equal


def test_a_parameter_that_changed() -> None:
    assert _lines(total(), total(scale=60)) == [
        "the derivation",
        "  /premises/2 laplace, scale: 120 -> 60",
        "the claim",
        "  pure, at distance 1: epsilon 1 -> 2 (2 times)",
    ]


def test_a_step_put_in_between_is_one_change() -> None:
    more = ages >> d.filter(d.row() >= 18) >> d.clamp(0, 120) >> d.sum() >> d.laplace(120)
    added = ["the derivation", "  + /premises/0 filter_symmetric (condition row() >= 18)"]
    same = ["the claim", "  pure, at distance 1: epsilon 1, unchanged"]
    assert _lines(total(), more) == added + same
    assert _lines(more, total()) == [added[0], added[1].replace("+", "-", 1), *same]


def test_a_step_put_in_before_one_that_changed() -> None:
    lines = _lines(total(), ages >> d.filter(d.row() >= 18) >> d.clamp(0, 60) >> d.sum() >> d.laplace(120))
    assert lines[1:5] == [
        "  + /premises/0 filter_symmetric (condition row() >= 18)",
        "  /premises/1 row_map, domain: whole numbers from 0 to 120 -> whole numbers from 0 to 60",
        "  /premises/1 row_map, to: row().clip(0, 120) -> row().clip(0, 60)",
        "  /premises/2 sum_symmetric, high: 120 -> 60",
    ]


def test_a_rule_that_was_replaced() -> None:
    lines = _lines(total(), ages >> d.clamp(0, 120) >> d.sum() >> d.gaussian(120))
    assert lines == [
        "the derivation",
        "  /premises/2: laplace (scale 120, step 1) -> gaussian (sigma_squared 14400, step 1)",
        "the claim",
        "  was pure, at distance 1: epsilon 1",
        "  is  zcdp, at distance 1: rho 1/2",
        "  not comparable: the measures are pure and zcdp",
    ]


def test_one_of_many_that_was_taken_out() -> None:
    counts = [ages >> d.count() >> d.laplace(scale) for scale in (1, 2, 3)]
    lines = _lines(d.compose(counts), d.compose([counts[0], counts[2]]))
    assert lines[:2] == ["the derivation", "  - /premises/1 chain, on 2 premises"]
    assert lines[-1] == "  pure, at distance 1: epsilon 11/6 -> 4/3 (8/11 times)"


def test_the_space() -> None:
    lines = _lines(total(space=d.rows(d.integers(0, 150))), total(space=d.rows(d.integers(0, 99))))
    assert lines[:2] == ["the space", "  domain/each/high: 150 -> 99"]
    assert lines[-1] == "  pure, at distance 1: epsilon 1, unchanged"


def test_other_neighbours_are_not_compared() -> None:
    lines = _lines(total(), total(space=d.rows(d.integers(), d.ChangeOneDistance())))
    assert "  metric: SymmetricDistance -> ChangeOneDistance" in lines
    assert lines[-1] == "  not comparable: the neighbours are others"
    person = d.record(who=d.text(), spouse=d.text())

    def of(who: str) -> Any:
        return d.rows(person, d.PersonDistance(who)) >> d.bound_contributions(2) >> d.count() >> d.laplace(1)

    assert _lines(of("who"), of("spouse"))[-1] == "  not comparable: the neighbours are others"


def test_other_distances_are_not_compared() -> None:
    assert _lines(total(), total(), (1, 2))[-1] == "  not comparable: the distances are 1 and 2"


def _mine(x: int) -> int:
    return x


def test_assumptions_and_attention() -> None:
    replaced = d.rows(d.integers(), d.ChangeOneDistance())
    plain, mine = (replaced >> step >> d.count() >> d.laplace(1) for step in (d.filter(d.row() > 3), d.clamp(0, 3)))
    lines = _lines(plain, mine)
    assert any(line.startswith("  + count_change_one: ") for line in lines)
    lines = _lines(total(), total().then(_mine))
    (line,) = (line for line in lines if line.startswith("  + post_process: _mine"))
    assert re.fullmatch(r"  \+ post_process: _mine \(sha256 [0-9a-f]{64}\)", line)


def test_a_curve_is_compared_point_by_point() -> None:
    curves = [
        certify((ages >> d.count() >> d.laplace(scale)).to(d.RenyiDP), at=at)
        for scale, at in ((1, [2, 3]), (2, [2, 4]))
    ]
    lines = diff_words.lines(difference(curves[0], curves[1]))
    assert "  renyi, at distance 1: at 2 1 -> 1/4 (1/4 times)" in lines
    assert "  renyi, at distance 1: at 3 1 -> not claimed" in lines
    assert "  renyi, at distance 1: at 4 not claimed -> 1/2" in lines


def test_a_symbol_that_was_bound() -> None:
    found = certify(total(scale=d.symbol("b")))
    lines = diff_words.lines(difference(found, found.bind(b=60)))
    assert "  /premises/2 laplace, scale: b -> 60" in lines
    assert lines[-1] == "  pure, at distance 1: epsilon not claimed -> 2"


def test_figures_that_are_no_short_numbers() -> None:
    answers = d.value(d.booleans(), d.DiscreteDistance())
    lines = _lines(answers >> d.randomized_response("3/4"), answers >> d.randomized_response("2/3"))
    assert lines[-1].startswith("  pure, at distance 1: epsilon about 1.09861 -> about 0.693147 (about 0.63093 times)")
    assert _lines(total(scale=10**400), total(scale=10**401))[-1].endswith("below 1e-300 -> below 1e-300 (1/10 times)")


def test_from_nothing_there_is_no_ratio() -> None:
    replaced = d.rows(d.integers(), d.ChangeOneDistance())
    free, paid = replaced >> d.count() >> d.laplace(1), replaced >> d.clamp(0, 1) >> d.sum() >> d.laplace(1)
    assert _lines(free, paid)[-1] == "  pure, at distance 1: epsilon 0 -> 1"


def test_other_code_is_a_difference_of_its_own() -> None:
    found = certify(total())
    other = Certificate(found.written.replace(str(found.data["code"]), "0" * 64))
    lines = diff_words.lines(difference(found, other))
    assert lines[0] == "made by"
    assert lines[-1] == "  pure, at distance 1: epsilon 1, unchanged"
    assert not difference(found, other).equal


def test_every_difference_is_seen() -> None:
    """Whatever differs in the text is named, and nothing else is."""
    found = [
        certify(total()),
        certify(total(60)),
        certify(total().to(d.ZCDP)),
        certify(total() & total(7)),
        certify(total(), 2),
    ]
    for before in found:
        for after in found:
            there = difference(before, after)
            assert there.equal == (before == after)
            back = difference(after, before)
            assert len(there.changes) == len(back.changes)
            again = json.loads(diff_words.as_json(there))
            assert again["equal"] == there.equal
            assert len(again["changes"]) == len(there.changes)
            assert again["claims"]["comparable"] == (there.incomparable is None)


@pytest.mark.parametrize("many", [3 * MANY])
def test_many_premises_are_compared_one_by_one(many: int) -> None:
    """Not each with each, which would take hours."""
    of_one = [(ages >> d.count() >> d.laplace(scale)) for scale in (10**6, 10**6 + 1)]
    before = certify(d.compose([of_one[0]] * many))
    after = certify(d.compose([of_one[1]] * many))
    there = difference(before, after)
    assert len(there.changes) == many + 1
    lines = diff_words.lines(there)
    assert len(lines) == diff_words.MANY + 4
    assert lines[-3] == f"  ... and {many - diff_words.MANY} more changes"


def test_names_cannot_move_the_cursor() -> None:
    def named(name: str) -> Any:
        return (
            d.rows(d.record(**{name: d.booleans(), "x": d.integers()}))
            >> d.filter(d.field(name, bool))
            >> d.count()
            >> d.laplace(1)
        )

    assert all(line.isprintable() for line in _lines(named("a"), named("\x1b[2J")))
