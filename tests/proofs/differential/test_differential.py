"""What the checkers are compared on, as far as the Python checker alone can tell; the comparison is `make proofs`."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dpcore as dp
from proofs.coq.differential import claims, near_misses, run, verdicts
from proofs.coq.differential.balance import Balance
from proofs.coq.differential.faults import FAULTS, Fault
from proofs.coq.differential.json_trees import Json, node, rules
from proofs.coq.differential.mutations import Mutations
from proofs.coq.differential.pipelines.every import certificates
from proofs.coq.differential.side_conditions import values
from proofs.coq.differential.side_conditions.condition import Condition
from proofs.coq.differential.side_conditions.table import conditions

SOURCE = verdicts.CHECKER.read_text(encoding="utf-8")
PYTHON = verdicts.loaded(SOURCE, "checker_in_a_test")
RULES = sorted(tomllib.loads((verdicts.CHECKER.parent / "RULES.toml").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def whole() -> list[Json]:
    """Certificates as they should be; a few are too large for the checker."""
    found = certificates(Random(1), 1500, PYTHON, set(RULES))
    verified = [each for each in found if _verdict(each) == "verified"]
    assert len(verified) > 0.99 * len(found)
    return verified


def _verdict(certificate: Json) -> str:
    return verdicts.by_python(PYTHON, json.dumps(certificate).encode())


def _reason(certificate: Json) -> str:
    try:
        PYTHON.verify(json.dumps(certificate).encode())
    except PYTHON.Rejected as rejected:
        return str(rejected)
    return "verified"


def test_each_rule_has_a_side_condition() -> None:
    assert sorted(conditions()) == RULES


@pytest.mark.parametrize("high", [3, None])
@pytest.mark.parametrize(("norm", "longest"), [(dp.L1Distance, 6), (dp.L2Distance, 4)])
def test_rows_are_clipped_where_the_checker_says_that_they_can_be_longer(
    norm: Any, longest: int, high: int | None
) -> None:
    """Two entries of at most 3 are at most 6 and 3 sqrt(2) long."""
    d: Any = dp
    rows = d.rows(d.vector(d.integers(0, high), 2))
    noise = d.gaussian(sigma=1) if norm is dp.L2Distance else d.laplace(scale=1)
    for bound, clips in ((longest, True), (longest + 1, high is None)):
        clipped = rows >> d.clip_norm(bound, norm=norm)
        summed = clipped >> d.sum(norm=norm) >> noise
        certificate = json.loads(d.certify(summed).written)
        change = values.clipped_shorter(lambda x, whole: True)
        assert change(certificate["derivation"], certificate) is clips


@pytest.mark.long
def test_each_rule_is_reached_and_verified(whole: list[Json]) -> None:
    balance = Balance.of(whole, ["verified"] * len(whole))
    assert set(balance.counts) == set(RULES)
    assert [rule for rule in RULES if balance.counts[rule]["verified"] < 3] == []


@pytest.mark.long
def test_changed_ones_are_verified_and_rejected(whole: list[Json]) -> None:
    mutations = Mutations(Random(1), whole, claims.lenient(SOURCE))
    found = [_verdict(mutations.one()) for _ in range(1000)]
    assert min(found.count("verified"), found.count("rejected")) > 75


def test_what_nothing_was_changed_of_is_no_near_miss() -> None:
    """A promise at distance 0 is no less a billionth nearer."""
    rule, condition = "claimed_transformation", Condition(values.promised_nearer)
    text = '{"derivation": {"rule": "claimed_transformation", "premises": [], "witness": {"promised": [["%s", "0"]]}}}'
    idle, moved = (json.loads(text % distance) for distance in "01")
    found = near_misses.broken([idle, moved], rule, condition)
    assert found == json.loads(text % "999999999/1000000000")
    assert near_misses.broken([idle], rule, condition) is None


@pytest.mark.long
def test_near_misses_are_refused_for_what_was_broken(whole: list[Json]) -> None:
    found = near_misses.chosen(whole, RULES)
    assert sorted(found) == RULES
    for rule, each in found.items():
        assert "worked out" in _reason(each.small), rule
        for certificate in each.broken:
            reason = _reason(certificate)
            assert reason != "verified", rule
            assert "worked out" not in reason, rule


def test_a_delta_of_next_to_nothing_is_no_near_miss() -> None:
    """1e-300 is claimed where nothing may be lost at all; a billionth less is then no claim that is too good."""
    curve = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=1)
    condition = Condition(values.asked_for_less)
    some, none = (dp.certify(curve.to(dp.Profile).to(dp.ApproxDP, epsilon=each), d_in=1).text() for each in (0, 1))
    assert near_misses.broken([json.loads(some)], "profile_to_approx", condition) is not None
    certificate = json.loads(none)
    certificate["claims"][0]["loss"]["delta"] = str(Fraction(1, 10**300))
    assert _verdict(certificate) == "verified"
    assert near_misses.broken([certificate], "profile_to_approx", condition) is None


# ---- the comparison itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_a_fault_can_be_put_into_the_checker_of_today(fault: Fault) -> None:
    assert SOURCE.count(fault.text) == 1
    verdicts.loaded(SOURCE.replace(fault.text, fault.instead), "faulty_in_a_test")


@pytest.fixture
def compared(tmp_path: Path) -> run.Run:
    return run.Run(tmp_path, SOURCE, PYTHON, RULES)


def test_a_difference_is_counted(compared: run.Run) -> None:
    tree: Json = {"derivation": node("chain")}
    assert compared.compared([tree, tree], ["verified", "rejected"], ["verified", "verified"], "a / b") == 1


@pytest.mark.long
def test_an_unnoticed_fault_is_counted(compared: run.Run, monkeypatch: pytest.MonkeyPatch, whole: list[Json]) -> None:
    name = "def chain("
    harmless = Fault("nothing is wrong", name, name, "chain")
    wrong = Fault(
        "every derivation is refused",
        name,
        'def chain(*x: object) -> Arrow: raise Rejected("no")\ndef chain_(',
        "chain",
    )
    data = [json.dumps(each).encode() for each in whole[:50]]
    said = [verdicts.by_python(PYTHON, each) for each in data]
    for faults, expected in (((harmless,), 1), ((wrong,), 0), ((wrong, harmless), 1)):
        monkeypatch.setattr(run, "FAULTS", faults)
        assert compared.faulty(data, said, said) == expected


def test_too_few_of_a_verdict_are_named() -> None:
    some: list[Json] = [{"derivation": node("chain")}] * 60
    assert Balance.of(some, ["verified"] * 30 + ["rejected"] * 30).too_few(["chain"]) == []
    assert Balance.of(some, ["verified"] * 50 + ["rejected"] * 10).too_few(["chain"]) == ["chain"]


@pytest.mark.parametrize("x", ["1/3", f"{2**200}/{3**150}", f"1/{10**250}", f"{10**60 + 1}/{7**80}", "0", "5"])
def test_claims_are_rounded_to_the_safe_side(x: str) -> None:
    exact = Fraction(x)
    low, high = claims.rounded(exact, down=True), claims.rounded(exact, down=False)
    assert low <= exact <= high <= low * (1 + Fraction(1, 10**17))


@pytest.mark.long
def test_a_wrong_derivation_is_refused_for_what_is_wrong_alone(whole: list[Json]) -> None:
    """The lenient checker says what it would cost, and the true one refuses the side condition."""
    lenient, broken = claims.lenient(SOURCE), near_misses.chosen(whole, ["laplace"])["laplace"].broken[0]
    again = claims.worked_out(lenient, broken, [Fraction(1)])
    assert again is not None
    assert "laplace" in rules(again)
    assert _reason(again) == "the values do not lie on the grid of the noise"
