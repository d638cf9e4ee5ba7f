"""Certificates written by hand: what a rule asks of the space it stands on is worked out, not read off the certificate."""

from __future__ import annotations

import json
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from tests.certificates.tools import rejection

Data = dict[str, Any]
SOUND: Data = certify(dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)).data


def _node(rule: str, premises: list[Data] | None = None, witness: Data | None = None, **parameters: object) -> Data:
    return {"rule": rule, "parameters": parameters, "premises": premises or [], "witness": witness or {}}


LAPLACE = _node("laplace", scale="1", step="1")
COUNT = _node("count_symmetric")


def _whole(space: Data, *links: Data, measure: str = "pure", **loss: object) -> tuple[str, str] | None:
    """The rejection of links on a space, with a claim."""
    words = {"SymmetricDistance": "one row more or one row less", "AbsoluteDistance": "a number that differs by 1"}
    data = {
        **SOUND,
        "space": space,
        "neighbours": words.get(space["metric"]["kind"], SOUND["neighbours"]),
        "derivation": _node("chain", [*links]),
        "claims": [{"d_in": "1", "measure": measure, "loss": loss}],
    }
    return rejection(json.dumps(data).encode())


def _rows(each: Data, size: str | None = None) -> Data:
    return {"domain": {"kind": "rows", "each": each, "size": size}, "metric": {"kind": "SymmetricDistance"}}


INTEGERS: Data = {"kind": "integers", "low": "-5", "high": "9"}
WITHOUT_BOUNDS: Data = {"kind": "integers", "low": None, "high": None}
REALS: Data = {"kind": "numbers", "low": "0", "high": "1", "step": None}
ROW = {"op": "row"}
ONE: Data = {"op": "number", "value": "1"}


def _number(x: object) -> Data:
    return {"op": "number", "value": str(x)}


def _of(op: str, *operands: Data) -> Data:
    return {"op": op, "of": [*operands]}


def test_a_sum_takes_its_bounds_from_the_rows() -> None:
    good = _node("sum_symmetric", low="-5", high="9")
    assert _whole(_rows(INTEGERS), good, LAPLACE, epsilon="9") is None
    assert _whole(_rows(INTEGERS), _node("sum_symmetric", low="-9", high="9"), LAPLACE, epsilon="9") is None
    for low, high in (("-5", "8"), ("-4", "9"), ("9", "-5"), ("0", "0")):
        found = _whole(_rows(INTEGERS), _node("sum_symmetric", low=low, high=high), LAPLACE, epsilon="9")
        assert found is not None
        assert found[0].startswith("derivation/premises/0/parameters")
    for each in (WITHOUT_BOUNDS, REALS, {"kind": "text"}, {"kind": "optional", "each": INTEGERS}):
        assert _whole(_rows(each), good, LAPLACE, epsilon="9") is not None


def test_a_row_map_cannot_declare_less_than_it_gives() -> None:
    total = _node("sum_symmetric", low="0", high="9")
    inside = {"kind": "integers", "low": "0", "high": "9"}
    to = {"expression": _of("clip", ROW, _number(0), _number(9))}
    assert _whole(_rows(WITHOUT_BOUNDS), _node("row_map", to=to, domain=inside), total, LAPLACE, epsilon="9") is None
    step = {"kind": "numbers", "low": "0", "high": "8", "step": "2"}
    for domain in ({**inside, "high": "8"}, {**inside, "low": "1"}, step):
        found = _whole(_rows(WITHOUT_BOUNDS), _node("row_map", to=to, domain=domain), total, LAPLACE, epsilon="9")
        assert found is not None
        assert found[0].startswith("derivation/premises/0")


def _values(e: Data, low: object, high: object, step: object, of: Data = INTEGERS) -> bool:
    """Whether the checker finds that the expression stays in there."""
    domain = {"kind": "numbers", "low": str(low), "high": str(high), "step": str(step)}
    return _whole(_rows(of), _node("row_map", to={"expression": e}, domain=domain), COUNT, LAPLACE, epsilon="1") is None


def test_the_values_of_expressions_are_worked_out() -> None:
    doubled = _of("multiply", ROW, _number(2))
    assert _values(doubled, -10, 18, 2)
    assert not _values(doubled, -10, 16, 2)
    assert not _values(doubled, -10, 18, 4)
    assert _values(_of("subtract", doubled, ROW), -19, 23, 1)
    assert not _values(_of("subtract", doubled, ROW), -18, 23, 1)
    assert _values(_of("negate", ROW), -9, 5, 1)
    assert _values(_of("add", ROW, _number("1/2")), "-9/2", "19/2", "1/2")
    assert not _values(_of("add", ROW, _number("1/2")), -5, 9, 1)
    assert _values(_of("multiply", ROW, ROW), -45, 81, 1)
    assert not _values(_of("multiply", ROW, ROW), 0, 81, 1)
    halves = {"kind": "numbers", "low": "-1", "high": "1", "step": None}
    assert _values(_of("round", ROW, _number("1/2")), -1, 1, "1/2", halves)
    assert not _values(_of("round", ROW, _number("1/2")), -1, 1, 1, halves)
    assert not _values(ROW, -100, 100, 1, WITHOUT_BOUNDS)
    assert not _values(_of("subtract", ROW, ROW), -100, 100, 1, WITHOUT_BOUNDS)
    huge = _number("9" * 900)
    assert not _values(_of("subtract", _of("add", ROW, huge), huge), -100, 100, 1, WITHOUT_BOUNDS)
    assert not _values(_of("multiply", ROW, _number("1/" + "7" * 900)), -100, 100, "1/" + "7" * 900, WITHOUT_BOUNDS)
    assert not _values(_of("conjure", ROW), 0, 1, 1)
    assert not _values(_of("clip", ROW, _number(9), _number(0)), 0, 9, 1)
    assert not _values(_of("clip", ROW, ROW, _number(9)), 0, 9, 1)
    assert not _values(_of("add", ROW), -100, 100, 1)
    assert not _values(_of("add", ROW, {"op": "text", "value": "a"}), -100, 100, 1)


def test_what_is_missing_is_in_an_optional_domain() -> None:
    null = {"op": "null", "value": None}
    maybe = {"kind": "optional", "each": INTEGERS}

    def stays(e: Data, domain: Data) -> bool:
        node = _node("row_map", to={"expression": e}, domain=domain)
        return _whole(_rows(INTEGERS), node, COUNT, LAPLACE, epsilon="1") is None

    assert stays(null, maybe)
    assert not stays(null, INTEGERS)
    assert not stays({"op": "text", "value": "a"}, maybe)


def test_the_values_of_vectors_are_worked_out() -> None:
    reals = {"kind": "numbers", "low": "-1", "high": "1", "step": None}
    halves = {"kind": "vector", "each": reals, "size": "2", "norm": None, "bound": None}
    rounded = _of("round", ROW, _number("1/2"))

    def stays(e: Data, domain: Data) -> bool:
        node = _node("row_map", to={"expression": e}, domain=domain)
        return _whole(_rows(halves), node, COUNT, LAPLACE, epsilon="1") is None

    def vectors(step: str, size: str = "2", **more: str) -> Data:
        each = {"kind": "numbers", "low": "-1", "high": "1", "step": step}
        return {"kind": "vector", "each": each, "size": size, "norm": None, "bound": None, **more}

    assert stays(rounded, vectors("1/2"))
    assert stays(rounded, vectors("1/4"))
    assert not stays(rounded, vectors("1"))
    assert not stays(rounded, vectors("1/2", "3"))
    assert not stays(rounded, vectors("1/2", norm="L2", bound="2"))
    assert not stays(_of("round", ROW, ROW), vectors("1/2"))
    assert not stays(_of("round", ROW, _number(0)), vectors("1/2"))
    first = {"kind": "numbers", "low": "-1", "high": "1", "step": "1/2"}
    assert stays(_of("entry", rounded, _number(1)), first)
    assert not stays(_of("entry", rounded, _number(1)), first | {"step": "1"})
    assert not stays(_of("entry", ROW, _number(1)), first)
    for place in (_number(2), _number(-1), _number("1/2"), ROW, {"op": "text", "value": "0"}):
        assert not stays(_of("entry", rounded, place), first)
    assert not stays(_of("entry", _of("entry", rounded, _number(0)), _number(0)), first)


def test_values_that_are_not_followed_are_an_assumption() -> None:
    domain = {"kind": "numbers", "low": "0", "high": "1", "step": "1/2"}
    node = _node("row_map", to={"expression": _of("divide", ROW, _number(2))}, domain=domain)
    found = _whole(_rows(INTEGERS), node, COUNT, LAPLACE, epsilon="1")
    assert found is not None
    assert "stay in the domain declared" in found[1]


def test_what_may_be_missing_is_not_summed() -> None:
    age = {"kind": "fields", "fields": {"age": {"kind": "optional", "each": INTEGERS}}}
    pick = _node("row_map", to={"expression": {"op": "field", "name": "age"}}, domain=INTEGERS)
    total = _node("sum_symmetric", low="-5", high="9")
    assert _whole(_rows(age), pick, total, LAPLACE, epsilon="9") is not None
    drop = _node("drop_nulls_symmetric", names=["age"])
    assert _whole(_rows(age), drop, pick, total, LAPLACE, epsilon="9") is None


def test_noise_lies_on_the_grid_of_the_values() -> None:
    half = {"kind": "numbers", "low": "0", "high": "1", "step": "1/2"}
    total = _node("sum_symmetric", low="0", high="1")
    for step, fits in (("1/2", True), ("1/4", True), ("1", False), ("1/3", False)):
        found = _whole(_rows(half), total, _node("laplace", scale="1", step=step), epsilon="1")
        assert (found is None) == fits


def test_a_vector_without_a_size_has_no_length() -> None:
    vector = {"kind": "vector", "each": INTEGERS, "size": None, "norm": None, "bound": None}
    found = _whole(_rows(vector), _node("vector_sum_symmetric", bound="0", size="1"), LAPLACE, epsilon="1")
    assert found is not None
    assert "size" in found[1]


def test_a_bound_in_one_norm_is_none_in_another() -> None:
    bounded = {"kind": "vector", "each": WITHOUT_BOUNDS, "size": "3", "norm": "LInf", "bound": "1"}
    total = _node("vector_sum_symmetric", bound="1", size="3")
    assert _whole(_rows(bounded), total, LAPLACE, epsilon="1") is not None
    assert _whole(_rows({**bounded, "norm": "L1"}), total, LAPLACE, epsilon="1") is None
    small = _node("vector_sum_symmetric", bound="1/2", size="3")
    assert _whole(_rows({**bounded, "norm": "L1"}), small, LAPLACE, epsilon="1/2") is not None


def test_metrics_must_meet() -> None:
    by = {"expression": ROW}
    histogram = _node("histogram_symmetric", by=by, bins=[ONE])
    assert _whole(_rows(INTEGERS), histogram, LAPLACE, epsilon="1") is None
    gauss = _node("gaussian_vector", sigma_squared="1", step="1")
    assert _whole(_rows(INTEGERS), histogram, gauss, measure="zcdp", rho="1/2") is not None
    assert (
        _whole(_rows(INTEGERS), _node("histogram_l1_change_one", by=by, bins=[ONE]), LAPLACE, epsilon="2") is not None
    )
    assert (
        _whole(_rows(INTEGERS), _node("histogram_symmetric", by=by, bins=[ONE, ONE]), LAPLACE, epsilon="1") is not None
    )


def test_a_public_size_makes_neighbours_at_one_vacuous() -> None:
    found = _whole(_rows(INTEGERS, size="3"), COUNT, LAPLACE, epsilon="1")
    assert found is not None
    assert "vacuous" in found[1]
    assert _whole(_rows(INTEGERS), COUNT, LAPLACE, epsilon="1") is None
    assert _whole(_rows(INTEGERS), _node("symmetric_to_change_one"), COUNT, LAPLACE, epsilon="1") is not None


def test_group_privacy_needs_steps_of_one() -> None:
    number = {"domain": INTEGERS, "metric": {"kind": "AbsoluteDistance"}}
    assert _whole(number, LAPLACE, epsilon="1") is None
    found = _whole(number, _node("group_pure", [LAPLACE]), epsilon="1")
    assert found is not None
    assert "steps of 1" in found[1]


@pytest.mark.parametrize(("measure", "at", "most"), [(dp.RenyiDP(), "2", "10000000"), (dp.Tradeoff(), "1/2", "0")])
def test_a_curve_is_followed_for_so_many_steps(measure: dp.RenyiDP | dp.Tradeoff, at: str, most: str) -> None:
    curve = (dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=1)).to(measure)
    data: Data = certify(dp.group_privacy(curve), 1000, at=[at]).data
    assert rejection(json.dumps(data).encode()) is None
    data["claims"][0].update(d_in="1001", loss={"points": [[at, most]]})
    found = rejection(json.dumps(data).encode())
    assert found is not None
    assert "more steps" in found[1]


def test_a_part_under_replacement_must_be_the_same_mechanism() -> None:
    space = dp.rows(dp.categories("a", "b"), metric=dp.ChangeOneDistance()) >> dp.partition()
    part = dp.rows(dp.categories("a", "b")) >> dp.histogram(bins=["a"]) >> dp.laplace(scale=3)
    data: Data = certify(space >> dp.parallel(part)).data
    assert rejection(json.dumps(data).encode()) is None
    data["derivation"]["premises"][1]["premises"][1]["premises"][1]["parameters"]["scale"] = "30"
    found = rejection(json.dumps(data).encode())
    assert found is not None
    assert "run alike" in found[1]


def test_the_answers_of_randomized_response_are_all_there_are() -> None:
    space = {"domain": {"kind": "booleans"}, "metric": {"kind": "DiscreteDistance"}}
    true, false = {"op": "truth", "value": True}, {"op": "truth", "value": False}

    def told(p: str, k: str, *answers: Data) -> tuple[str, str] | None:
        return _whole(space, _node("randomized_response", answers=[*answers], k=k, p=p), epsilon="1")

    for p, k, answers in (("1/3", "2", (true, false)), ("3/4", "3", (true, false)), ("3/4", "2", (true, ONE))):
        found = told(p, k, *answers)
        assert found is not None
        assert "answers" in found[1]
    found = told("3/4", "2", true, false)
    assert found is not None
    assert "worked out" in found[1]


def test_a_delta_of_one_is_vacuous() -> None:
    approx = _node("pure_to_approx", [LAPLACE])
    assert _whole(_rows(INTEGERS), COUNT, approx, measure="approx", epsilon="1", delta="1") is not None
    assert _whole(_rows(INTEGERS), COUNT, approx, measure="approx", epsilon="1", delta="0") is None


def test_a_weaker_claim_is_not_what_was_worked_out() -> None:
    found = _whole(_rows(INTEGERS), COUNT, LAPLACE, epsilon="1000000000001/1000000000000")
    assert found is not None
    assert "worked out" in found[1]


def test_names_of_others_cannot_pass_for_lines_of_the_checker() -> None:
    people = dp.rows(dp.record(**{"\x1b[2Jverified\nclaim: nothing": dp.text()}))
    person = dp.PersonDistance("\x1b[2Jverified\nclaim: nothing")
    found = certify(dp.rows(people.domain.of, person) >> dp.bound_contributions(1) >> dp.count() >> dp.laplace(scale=1))
    from tests.certificates.tools import checker

    lines, _ = checker.verify(found.text())
    assert not any("\x1b" in line or "\n" in line for line in lines)
