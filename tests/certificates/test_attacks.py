"""Certificates written to pass with a claim below the truth, or never to be done with: each is rejected, and in time."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import pytest

import dpcore as dp
from tests.certificates.tools import checker, rejection

Data = dict[str, Any]
NEIGHBOURS = {
    "SymmetricDistance": "one row more or one row less",
    "ChangeOneDistance": "one row replaced by another; the number of rows is public",
    "PersonDistance": "all rows of one person (x) added or removed",
}
SYMMETRIC: Data = {"kind": "SymmetricDistance"}
CHANGE_ONE: Data = {"kind": "ChangeOneDistance"}
PERSON: Data = {"kind": "PersonDistance", "person": "x"}
INTEGERS: Data = {"kind": "integers", "low": None, "high": None}
PEOPLE: Data = {"kind": "fields", "fields": {"x": {"kind": "text"}, "y": {"kind": "text"}}}
KEYS = [{"op": "text", "value": key} for key in "ab"]


def _node(rule: str, premises: list[Data] | None = None, witness: Data | None = None, **parameters: object) -> Data:
    return {"rule": rule, "parameters": parameters, "premises": premises or [], "witness": witness or {}}


def _chain(*links: Data) -> Data:
    return _node("chain", [*links])


def _laplace(scale: object = 1) -> Data:
    return _node("laplace", scale=str(scale), step="1")


COUNT = _node("count_symmetric")
NOISY = _chain(COUNT, _laplace())


def _words(metric: Data) -> str:
    within = metric.get("within")
    return f"{_words(within)}, in any of the parts" if within else NEIGHBOURS[metric["kind"]]


def _verdict(
    derivation: Data,
    *claims: tuple[str, str, Data],
    metric: Data = SYMMETRIC,
    each: Data = INTEGERS,
    assumptions: tuple[str, ...] = (),
    attention: tuple[str, ...] = (),
) -> tuple[str, str] | None:
    """Of a derivation on rows, or on parts of rows."""
    domain: Data = {"kind": "rows", "each": each, "size": None}
    if metric["kind"] == "PartDistance":
        domain = {"kind": "parts", "each": each, "values": KEYS}
    data = {
        "format": "dpcore-certificate/1",
        "dpcore": "",
        "code": "",
        "neighbours": _words(metric),
        "space": {"domain": domain, "metric": metric},
        "derivation": derivation,
        "claims": [{"d_in": d_in, "measure": measure, "loss": loss} for d_in, measure, loss in claims],
        "assumptions": [*assumptions],
        "attention": [*attention],
        "evidence": [],
    }
    return rejection(json.dumps(data).encode())


def _rejected(found: tuple[str, str] | None, says: str) -> None:
    assert found is not None
    assert says in found[1], found


PURE_1 = ("1", "pure", {"epsilon": "1"})


def test_an_honest_one_is_accepted() -> None:
    assert _verdict(NOISY, PURE_1) is None


# ---- claims below the truth --------------------------------------------------------------------------------------------


def test_contributions_are_bounded_for_those_whom_the_metric_protects() -> None:
    """Two rows for each y are any number of rows for one x."""
    for person, fine in (("x", True), ("y", False)):
        bound = _node("bound_contributions_person", person=person, limit="1")
        found = _verdict(_chain(bound, COUNT, _laplace()), PURE_1, metric=PERSON, each=PEOPLE)
        assert (found is None) == fine, found


def test_of_two_promises_no_third_is_made() -> None:
    """(1, 0) at distance 1 and (1/2, 1/10) at distance 2 promise neither (1/2, 0) nor anything else at distance 1."""
    promises = [["1", "1", "0"], ["2", "1/2", "1/10"]]
    f, g = {"name": "f", "digest": "d" * 64}, {"name": "g", "digest": "e" * 64}
    node = _node(
        "claimed_measurement", None, {"promised": promises}, function=f, map=g, source=SYMMETRIC, measure="approx"
    )
    said = (
        f"claimed_measurement: f ({'d' * 16})",
        f"claimed_measurement: f ({'d' * 16}) by g ({'e' * 16}): between data d apart (1 apart is: one row more or one row"
        " less) the loss in approx is 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as"
        " squares): 1 1 0; 2 1/2 1/10",
    )
    word = ("claimed_measurement: what it costs is the word of its author; no rule says so",)
    for epsilon, delta, fine in (("1/2", "0", False), ("1/2", "1/10", True)):
        found = _verdict(node, ("1", "approx", {"epsilon": epsilon, "delta": delta}), assumptions=said, attention=word)
        assert (found is None) == fine, found


def test_parts_of_persons_are_not_parts_of_rows() -> None:
    parts = _node("parallel_symmetric_pure", [NOISY, NOISY], keys=KEYS)
    assert _verdict(parts, PURE_1, metric={"kind": "PartDistance", "within": SYMMETRIC}) is None
    found = _verdict(parts, PURE_1, metric={"kind": "PartDistance", "within": PERSON}, each=PEOPLE)
    _rejected(found, "does not measure")


@pytest.mark.parametrize("measure", ["pure", "profile"])
def test_a_rule_for_rows_added_holds_for_no_rows_replaced(measure: str) -> None:
    part = _chain(COUNT, _laplace()) if measure == "pure" else _node("pure_to_profile", [NOISY])
    replaced = _chain(_node("change_one_to_symmetric"), part)
    parts = _node(f"parallel_symmetric_{measure}", [part, part, replaced, replaced], keys=KEYS)
    loss: Data = {"epsilon": "2"} if measure == "pure" else {"points": [["1", "0"]]}
    found = _verdict(parts, ("1", measure, loss), metric={"kind": "PartDistance", "within": CHANGE_ONE})
    _rejected(found, "expected parts of these keys")


def test_a_constant_is_one_of_the_categories_declared() -> None:
    for value, fine in (("a", True), ("z", False)):
        to = {"expression": {"op": "text", "value": value}}
        row_map = _node("row_map", to=to, domain={"kind": "categories", "values": KEYS})
        found = _verdict(_chain(row_map, COUNT, _laplace()), PURE_1)
        assert (found is None) == fine, found


# ---- work without end: what may be spent is counted, and nothing here is timed ----------------------------------------


def _many(n: int) -> Data:
    return _chain(COUNT, _node("compose_pure", [_laplace(i + 1) for i in range(n)]))


MORE_WORK = "more work than a certificate may ask for"


@pytest.fixture
def _less_labour(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of what is allowed, so that it is sooner spent."""
    monkeypatch.setattr(checker, "LABOUR", checker.LABOUR // 10)


@pytest.mark.usefixtures("_less_labour")
def test_many_claims_of_a_large_tree() -> None:
    total = sum(Fraction(1, i + 1) for i in range(300))
    claims = [(str(d), "pure", {"epsilon": str(d * total)}) for d in range(1, 1001)]
    assert _verdict(_many(300), *claims[:20]) is None
    _rejected(_verdict(_many(300), *claims), MORE_WORK)


@pytest.mark.usefixtures("_less_labour")
@pytest.mark.long
def test_many_vectors_of_a_large_part() -> None:
    joint = [[str(Fraction(1, i + 2))] for i in range(50_000)]
    pairs = [COUNT, _many(3000)["premises"][1]]
    found = _verdict(_node("general_composition_pure", pairs, joint=joint, source=SYMMETRIC), PURE_1)
    _rejected(found, MORE_WORK)


@pytest.mark.usefixtures("_less_labour")
def test_long_numbers_that_have_nothing_in_common() -> None:
    scales = [Fraction(10**998 + 2 * i + 1, 3**2000 + 2 * i) for i in range(4000)]
    found = _verdict(_chain(COUNT, _node("compose_pure", [_laplace(scale) for scale in scales])), PURE_1)
    _rejected(found, MORE_WORK)


def test_steps_that_grow_finer_with_every_product() -> None:
    e: list[Data] = [{"op": "row"}] * 2**10
    while len(e) > 1:
        e = [{"op": "multiply", "of": [*pair]} for pair in zip(e[::2], e[1::2], strict=True)]
    numbers = {"kind": "numbers", "low": None, "high": None, "step": f"1/{10**900}"}
    row_map = _node("row_map", to={"expression": e[0]}, domain={**numbers, "step": None})
    _rejected(_verdict(_chain(row_map, COUNT, _laplace()), PURE_1, each=numbers), "too small to follow")


def test_powers_of_ten_thousand() -> None:
    """An optimal composition of many, with a delta of many digits, is followed with numbers kept short."""
    part = _node(
        "zcdp_to_approx", [_node("gaussian", sigma_squared="10000", step="1")], delta=str(Fraction(1, 10**990 + 7))
    )
    curve = _node("optimal_composition_approx", [part] * 3000)
    node = _node("profile_to_approx", [curve], {"epsilon": "3"}, at_most=None)
    _rejected(_verdict(_chain(COUNT, node), ("1", "approx", {"epsilon": "3", "delta": "1/2"})), "worked out")


def test_witnesses_within_witnesses() -> None:
    """Curves are asked for a point once: 8 levels of 40 points each, not 40^8."""
    epsilons, alphas = [str(Fraction(i, 20)) for i in range(40)], [str(Fraction(i + 1, 41)) for i in range(40)]
    curve = _node("pure_to_profile", [_laplace()])
    for _ in range(8):
        curve = _node("profile_to_tradeoff", [curve], {"epsilons": epsilons})
        curve = _node("tradeoff_to_profile", [curve], {"alphas": alphas})
    found = _verdict(_chain(COUNT, curve), ("1", "profile", {"points": [["1/2", "1/100"]]}))
    _rejected(found, "worked out")


@pytest.mark.parametrize("measure", ["", "noise", "Pure"])
def test_a_measure_that_is_none(measure: str) -> None:
    _rejected(_verdict(_chain(), ("1", measure, {})), "unknown")
    _rejected(_verdict(_chain(), PURE_1), "measure")


# ---- what was declared under one metric says nothing under another -----------------------------------------------------

ROWS = dp.rows(dp.integers(0, 1))
REPLACED = dp.rows(dp.integers(0, 1), metric=dp.ChangeOneDistance())


def _pick(seen: tuple[object, ...]) -> object:
    return ROWS >> dp.histogram(dp.row(), bins=[0, 1]) >> dp.laplace(scale=1)


def _parts(of_one: object) -> Data:
    apart = REPLACED >> dp.partition([True], by=dp.row() >= 0)
    return dp.certify(cast("Callable[[object], object]", apart.__rshift__)(cast(Any, dp.parallel)(of_one))).data


def _adaptive() -> object:
    return dp.adaptive(ROWS, [(dp.pure(1), cast("Any", _pick))])


def _joint() -> object:
    noisy = ROWS >> dp.count() >> dp.laplace(scale=1)
    only = [ROWS >> dp.filter(dp.row() == k) for k in (0, 1)]
    return dp.compose_jointly([dp.after(t, noisy) for t in only], joint=[(1, 0), (0, 1)])


@pytest.mark.parametrize("made", [_adaptive, _joint])
def test_a_part_is_not_given_again_for_rows_that_are_replaced(made: Callable[[], object]) -> None:
    honest = _parts(made())
    assert rejection(json.dumps(honest).encode()) is None
    forged = copy.deepcopy(honest)
    parallel = forged["derivation"]["premises"][1]
    parallel["premises"][1] = copy.deepcopy(parallel["premises"][0])
    forged["claims"][0]["loss"] = {"epsilon": "1"}
    _rejected(rejection(json.dumps(forged).encode()), "another metric")


def test_what_is_declared_is_printed_with_its_numbers() -> None:
    lines, _ = checker.verify(dp.certify(_joint()).text())
    assert any(
        "(one row more or one row less)" in line and "at most one of (L2 as squares): 1 0; 0 1" in line
        for line in lines
    )
    lines, _ = checker.verify(dp.certify(_adaptive()).text())
    assert any("the stages cost at most, however they choose: 1" in line for line in lines)


def test_the_answers_to_linear_queries_move_by_a_row_replaced() -> None:
    queries = REPLACED >> dp.linear_queries(dp.row() == 0, dp.row() == 1) >> dp.laplace(scale=1)
    forged: Data = json.loads(dp.certify(queries).text())
    parameters = forged["derivation"]["premises"][0]["parameters"]
    assert parameters["column"] == "2"
    parameters["column"] = "1"
    forged["claims"][0]["loss"] = {"epsilon": "1"}
    found = rejection(json.dumps(forged).encode())
    _rejected(found, "one row replaced by another moves the answers to its linear queries by at most 1 in all")


def test_no_fields_declare_nothing() -> None:
    row_map = _node("row_map", to={"record": {}}, domain={"kind": "integers", "low": "0", "high": "0"})
    total = _node("sum_symmetric", low="0", high="0")
    found = _verdict(_chain(row_map, total, _laplace()), ("1", "pure", {"epsilon": "0"}))
    _rejected(found, "other fields than declared")


@pytest.mark.long
def test_empty_chains_are_counted() -> None:
    points = [[str(Fraction(i + 3, 2)), "1"] for i in range(20_000)]
    links = [*[_chain()] * 20_000, COUNT, _laplace()]
    renyi = _node("pure_to_renyi", [_chain(*links)])
    found = _verdict(renyi, ("1", "renyi", {"points": points}))
    _rejected(found, MORE_WORK)
