"""Accounts of Renyi curves, at the orders of their budgets: figures, refusals, certificates, ledgers, and adversaries."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.assurance.comparisons import comparisons
from dpcore.commands.cli import main
from dpcore.errors import (
    BudgetExceeded,
    InvalidParameter,
    LedgerRefused,
    MeasureMismatch,
    NoConversion,
    NoFiniteLoss,
)
from dpcore.types import Curator, RenyiLoss
from tests.certificates.tools import checker

AGES = dp.rows(dp.integers(0, 120))
COUNT = AGES >> dp.count()
DATA = [23, 45, 67]
BUDGET = dp.renyi({2: "1/2", 4: 1, 8: 3})
GAUSSIAN = (COUNT >> dp.gaussian(sigma=4)).to(dp.RenyiDP)  # alpha/32
LAPLACE = (COUNT >> dp.laplace(scale=2)).to(dp.RenyiDP)  # at most 1/2, at order 2 1/4

Asker = Curator[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.RenyiDP]


def _said(certificate: dp.types.Certificate) -> list[str]:
    return checker.verify(certificate.text())[0]


# ---- losses at orders ------------------------------------------------------------------------------------------------


def test_a_loss_at_orders_is_typed_printed_added_and_compared() -> None:
    assert eval(repr(BUDGET), {**vars(dp)}) == BUDGET
    assert str(BUDGET) == "RenyiDP: epsilon(2) = 1/2, epsilon(4) = 1, epsilon(8) = 3, exactly"
    assert dp.renyi({8: 6, "2": 1, 4: 2}) == BUDGET + BUDGET
    assert BUDGET <= BUDGET + BUDGET
    assert not BUDGET + BUDGET <= BUDGET
    assert not dp.renyi({2: 0, 4: 2}) <= dp.renyi({2: 1, 4: 1})
    assert dp.budget(dp.renyi({3: 1}), 4) == [dp.renyi({3: "1/4"})] * 4
    assert GAUSSIAN.loss(1).at_orders([2, "5/2"]) == dp.renyi({2: "1/16", "5/2": "5/64"})
    assert len({BUDGET, dp.renyi({2: "1/2", 4: 1, 8: 3})}) == 1
    assert dp.pure(1).at_orders([2]) == dp.pure(1)


def test_between_two_orders_it_is_that_of_the_larger_or_less() -> None:
    assert [BUDGET.epsilon(order) for order in ("3/2", 2, 3, 4, 8)] == [
        BUDGET.epsilon(order) for order in (2, 2, 4, 4, 8)
    ]
    assert dp.renyi({2: 5, 4: 1}).epsilon(2) == dp.renyi({4: 1}).epsilon(4)
    with pytest.raises(NoFiniteLoss, match="orders up to 8"):
        BUDGET.epsilon("81/10")


@pytest.mark.parametrize("points", [{}, {1: 1}, {"1/2": 1}, {2: -1}, {2: 1, "2": 1}, [2, 4], 3], ids=str)
def test_orders_are_different_and_above_one(points: object) -> None:
    with pytest.raises(InvalidParameter):
        dp.renyi(points)  # type: ignore[arg-type]


def test_other_orders_do_not_add_up_and_a_whole_curve_is_asked_for_orders() -> None:
    with pytest.raises(InvalidParameter, match="at other orders"):
        BUDGET + dp.renyi({2: 1})
    curve = GAUSSIAN.loss(1)
    with pytest.raises(NoConversion) as refused:
        curve + curve
    assert "at_orders" in str(refused.value)
    with pytest.raises(NoFiniteLoss) as unbounded:
        dp.curator(AGES, DATA, budget=curve)
    assert "at_orders" in str(unbounded.value)
    assert dp.curator(AGES, DATA, budget=curve.at_orders([2])).left == dp.renyi({2: "1/16"})


# ---- the account -----------------------------------------------------------------------------------------------------


def test_every_order_is_charged_exactly_and_one_that_is_spent_refuses() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.renyi({2: "1/2", 8: 1}))
    for _ in range(4):
        curator.ask(GAUSSIAN)
    assert curator.spent == dp.renyi({2: "1/4", 8: 1})
    assert curator.left == dp.renyi({2: "1/4", 8: 0})
    before = curator.log
    with pytest.raises(
        BudgetExceeded, match=r"costs RenyiDP: epsilon\(2\) = 1/16, epsilon\(8\) = 1/4.*left.*= 0"
    ) as no:
        curator.ask(GAUSSIAN)  # at order 2 there is enough
    assert "at every order" in str(no.value)
    assert curator.log == before
    assert "epsilon(8) 1" in curator._repr_html_()
    assert "renyi({2: '1/4', 8: 1}) of renyi({2: '1/2', 8: 1})" in repr(curator)


def test_after_a_step_each_order_is_that_of_the_curve_there() -> None:
    three_times = AGES >> dp.flat_map(lambda row: [row] * 3, dp.integers(0, 120), limit=3)
    curator = dp.curator(AGES, DATA, budget=dp.renyi({2: 1, 4: 2}))
    curator.after(three_times).ask(GAUSSIAN)
    assert curator.spent == dp.renyi({2: "9/16", 4: "9/8"})


def test_parts_cost_what_the_dearest_does_at_each_order() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.renyi({2: "1/2", 32: 1}))
    even, odd = curator.by(dp.row() % 2, [0, 1]).values()
    even.ask(GAUSSIAN)  # alpha/32
    odd.ask(LAPLACE)  # at most 1/2
    assert even.spent == dp.renyi({2: "1/16", 32: 1})
    assert curator.spent == dp.renyi({2: "1/4", 32: 1})
    assert even.left == dp.renyi({2: "7/16", 32: 0})
    curator.by(dp.row() < 18)[True]  # another partition, whose parts are charged beside those
    odd.ask(LAPLACE)
    assert curator.spent == dp.renyi({2: "1/2", 32: 1})
    with pytest.raises(BudgetExceeded):
        curator.ask(GAUSSIAN)
    said = _said(dp.certify(curator))
    assert said[0].startswith("claim: renyi: at order 2 epsilon <= 1/2, at order 32 epsilon <= 1")
    assert "parallel_symmetric_renyi (proved)" in said[-1]


def test_a_ledger_of_parts_is_certified_whole(tmp_path: Path) -> None:
    ledger = tmp_path / "study.ledger"
    curator = dp.curator(AGES, DATA, budget=BUDGET, ledger=str(ledger))
    for part in curator.by(dp.row() % 2, [0, 1]).values():
        part.ask(GAUSSIAN)
    assert curator.spent == dp.renyi({2: "1/16", 4: "1/8", 8: "1/4"})
    assert "parallel_symmetric_renyi (proved)" in _said(dp.certify(curator))[-1]


def test_parts_of_rows_that_move_several_are_refused() -> None:
    curator = dp.curator(AGES, DATA, budget=BUDGET)
    twice = AGES >> dp.flat_map(lambda row: [row] * 2, dp.integers(0, 120), limit=2)
    with pytest.raises(MeasureMismatch, match="no rule says what parts"):
        curator.after(twice).by(dp.row() % 2, [0, 1])
    assert curator.log == ()


def test_by_turns_at_the_same_orders() -> None:
    both = dp.concurrently([dp.interactive(AGES, dp.renyi({2: 1, 4: 2})), dp.interactive(AGES, dp.renyi({2: 3, 4: 3}))])
    assert both.loss(1).at_orders([2, 4]) == dp.renyi({2: 4, 4: 5})
    with pytest.raises(MeasureMismatch, match="at different orders"):
        dp.concurrently([dp.interactive(AGES, dp.renyi({2: 1})), dp.interactive(AGES, dp.renyi({4: 1}))])


def test_an_odometer_says_what_was_spent_at_its_orders() -> None:
    odometer = dp.odometer(AGES, dp.RenyiDP, orders=[4, 2])
    assert eval(repr(odometer), {**vars(dp)}) == odometer
    curator = odometer.start(DATA)
    curator.ask(GAUSSIAN)
    curator.ask(LAPLACE)
    assert curator.spent == dp.renyi({2: "5/16", 4: "5/8"})
    with pytest.raises(InvalidParameter, match="Expected orders in RenyiDP"):
        dp.odometer(AGES, dp.RenyiDP)
    with pytest.raises(InvalidParameter, match="Expected orders in RenyiDP"):
        dp.odometer(AGES, dp.ZCDP, orders=[2])
    for orders in ("24", 3, {2, 4}):
        with pytest.raises(InvalidParameter, match="Expected several orders"):
            dp.odometer(AGES, dp.RenyiDP, orders=orders)  # type: ignore[arg-type]


# ---- what somebody who asks gets to know -----------------------------------------------------------------------------


LETTERS = dp.rows(dp.categories("a", "b"))


def test_no_adversary_sees_more_than_the_budget_at_any_order() -> None:
    """Adaptive, and refused at the end: the first answer decides about whom he asks next."""
    noisy = (LETTERS >> dp.count() >> dp.laplace(scale=1)).to(dp.RenyiDP)
    of_a = (LETTERS >> dp.filter(dp.row() == "a") >> dp.count() >> dp.laplace(scale="1/2")).to(dp.RenyiDP)
    refused: list[bool] = []

    def asks(curator: Curator[dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance, dp.RenyiDP]) -> object:
        seen = [curator.ask(noisy)]
        seen.append(curator.ask(of_a if seen[0] > 0 else noisy))
        try:
            return [*seen, curator.ask(of_a)]
        except BudgetExceeded:
            refused.append(True)
            return seen

    budget = (noisy.loss(1).at_orders(["5/4", 2, "7/2", 16])) + of_a.loss(1).at_orders(["5/4", 2, "7/2", 16])
    filtered = dp.interactive(LETTERS, budget)
    seen = dp.view(filtered, asks)
    assert exhaust(seen, ("a", "b"), rows=1).sound
    assert refused


def test_what_a_budget_says_is_compared_and_what_it_does_not_say_is_not() -> None:
    """Of orders up to 4, at 5/4, 2 and 7/2; somebody who tells everything is found out there."""
    view = dp.view(dp.interactive(LETTERS, dp.renyi({4: "1/100"})), lambda curator: "x")
    assert [each.figure for each in comparisons(view.loss(1))] == [
        f"epsilon at alpha = {order}" for order in ("5/4", "2", "7/2")
    ]
    telling = dp.measurement(
        lambda rows: len(rows) % 2, LETTERS, dp.RenyiDP, loss=lambda d: lambda alpha: d * alpha / 500
    )
    found = dp.view(dp.interactive(LETTERS, dp.renyi({4: "1/100"})), lambda curator: curator.ask(telling))
    assert not exhaust(found, ("a", "b"), rows=1).sound
    few = dp.view(dp.interactive(LETTERS, dp.renyi({"6/5": 1})), lambda curator: "x")
    assert [each.figure for each in comparisons(few.loss(1))] == ["epsilon at alpha = 65/64"]


def test_the_conversion_takes_the_best_of_the_orders() -> None:
    """3 + ln(7/8) - (ln delta + ln 8)/7 at order 8, which is less than at 2 and 4."""
    converted = dp.view(dp.interactive(AGES, BUDGET), str).to(dp.ApproxDP, delta="1e-6")
    assert float(converted.loss(1).epsilon) == pytest.approx(4.5430498954, abs=1e-9)
    written = json.loads(dp.certify(converted).written)
    assert written["derivation"]["witness"] == {"alpha": "8"}
    of_rho = dp.view(dp.interactive(AGES, dp.zcdp("1/8")), str).to(dp.ApproxDP, delta="1e-6").loss(1).epsilon
    kept = dp.renyi({order: Fraction(order, 8) for order in (5, 8, 10, 11, 12, 14, 20)})
    assert dp.view(dp.interactive(AGES, kept), str).to(dp.ApproxDP, delta="1e-6").loss(1).epsilon <= of_rho + 1


# ---- certificates ----------------------------------------------------------------------------------------------------


def test_a_curator_is_certified_at_the_orders_of_its_budget() -> None:
    curator = dp.curator(AGES, DATA, budget=BUDGET)
    curator.ask(GAUSSIAN)
    curator.ask(LAPLACE)
    certificate = dp.certify(curator)
    said = _said(certificate)
    assert said[0].startswith(
        "claim: renyi: at order 2 epsilon <= 1/2, at order 4 epsilon <= 1, at order 8 epsilon <= 3, "
    )
    assert "come to at most (order, epsilon): 2 1/2; 4 1; 8 3;" in said[1]
    assert certificate == dp.certify(dp.interactive(AGES, BUDGET, [GAUSSIAN, LAPLACE]))
    assert eval(repr(curator.transcript), {**vars(dp)}) == curator.transcript
    assert "filter_renyi (proved)" in said[-1]


def test_farther_apart_the_orders_go_as_far_as_the_group_rule_needs() -> None:
    """Along two steps 3/2 is made of 2 and 3: 3 (eps(2)/2 + eps(3)/3), where 3 is bounded by 4."""
    found = dp.interactive(AGES, BUDGET)
    assert found.loss(2).epsilon("3/2").upper == 3 * (Fraction(1, 4) + Fraction(1, 3))
    _said(dp.certify(found, 2, at=["3/2", 4]))
    with pytest.raises(NoFiniteLoss):
        dp.certify(found, 2, at=["9/2"])


def _changed(**parameters: object) -> bytes:
    data = json.loads(dp.certify(dp.interactive(AGES, BUDGET, [GAUSSIAN])).written)
    data["derivation"]["parameters"].update(parameters)
    for old, new in (("2 1/2; 4 1; 8 3", parameters.get("said")),):
        data["assumptions"] = [each.replace(old, str(new or old)) for each in data["assumptions"]]
    data["derivation"]["parameters"].pop("said", None)
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"budget": ["1/2", "1"]}, "expected a budget in the measure"),
        ({"orders": ["2", "4"]}, "expected a budget in the measure"),
        ({"orders": ["1", "4", "8"]}, "above 1"),
        ({"orders": ["2", "4", "7"], "said": "2 1/2; 4 1; 7 3"}, "an order so large"),
        ({"orders": ["2", "5", "8"], "said": "2 1/2; 5 1; 8 3"}, ""),
        ({"orders": ["3", "4", "8"], "said": "3 1/2; 4 1; 8 3"}, ""),
        ({"budget": ["1/2", "1", "4"], "said": "2 1/2; 4 1; 8 4"}, "not what was worked out"),
        ({"budget": ["1/99", "1", "3"], "said": "2 1/99; 4 1; 8 3"}, "not what was worked out"),
    ],
)
def test_a_checker_takes_what_the_budget_says_and_no_more(parameters: dict[str, object], why: str) -> None:
    changed = _changed(**parameters)
    if not why:  # a budget at a larger order is one at this order, too
        checker.verify(changed)
        return
    with pytest.raises(checker.Rejected) as refused:
        checker.verify(changed)
    assert why in str(refused.value)


# ---- ledgers ---------------------------------------------------------------------------------------------------------


def test_a_ledger_keeps_the_orders(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    curator = dp.curator(AGES, DATA, budget=BUDGET, ledger=path)
    curator.ask(GAUSSIAN)
    again = dp.curator(AGES, DATA, budget=BUDGET, ledger=path)
    assert again.left == dp.renyi({2: "7/16", 4: "7/8", 8: "11/4"})
    with pytest.raises(LedgerRefused, match="was begun for another budget"):
        dp.curator(AGES, DATA, budget=dp.renyi({2: "1/2", 4: 1, 8: 4}), ledger=path)
    for other in (dp.renyi({2: "1/2", 4: 1, 9: 3}), dp.renyi({2: "1/2", 4: 1})):
        with pytest.raises(LedgerRefused, match="was begun at the orders 2, 4, 8, and not 2, 4") as refused:
            dp.curator(AGES, DATA, budget=other, ledger=path)
        assert refused.value.bridge == "the budget that it was begun with, renyi({2: '1/2', 4: 1, 8: 3})"
    assert main(["ledger", "show", str(path)]) == 0
    assert '"RenyiDP" at orders (2, 4, 8), (1/16, 1/8, 1/4) of (1/2, 1, 3) is spent' in capsys.readouterr().out
    assert main(["ledger", "export", str(path)]) == 0
    header = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (header["orders"], header["schema"]) == (["2", "4", "8"], 2)
    assert main(["ledger", "certify", str(path)]) == 0
    assert capsys.readouterr().out.rstrip("\n") == dp.certify(curator).written.rstrip("\n")


def test_a_question_in_another_measure_is_refused() -> None:
    curator = dp.curator(AGES, DATA, budget=BUDGET)
    in_zcdp = COUNT >> dp.gaussian(sigma=4)
    with pytest.raises(MeasureMismatch, match="another measure"):
        curator.ask(in_zcdp)  # type: ignore[arg-type]
    assert isinstance(curator.spent, RenyiLoss)
    assert curator.spent == dp.renyi({2: 0, 4: 0, 8: 0})
