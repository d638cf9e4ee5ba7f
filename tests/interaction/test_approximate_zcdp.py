"""One account in (rho, delta): Gaussian noise and releases of unknown keys in one total."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.errors import BudgetExceeded, InvalidParameter, NoFiniteLoss
from tests.certificates.tools import checker
from tests.laws.examples.example import Letters

VISITS = dp.rows(dp.record(who=dp.text(), age=dp.integers(0, 120), region=dp.categories("N", "S")))
ROWS = [{"who": "Ann", "age": 30, "region": "N"}, {"who": "Bob", "age": 50, "region": "S"}]
COUNT = VISITS >> dp.count() >> dp.gaussian(sigma=2)  # rho 1/8
NAMES = VISITS >> dp.threshold_release(dp.field("who"), scale=2, threshold=40)  # epsilon 1/2
RHO = Fraction(1, 4)


def _names_cost() -> dp.types.ApproxZCDPLoss:
    return NAMES.to(dp.ApproxZCDP).loss(1)


def test_keys_that_nobody_listed_fit_into_a_total_of_gaussian_noise() -> None:
    cost = _names_cost()
    assert cost.rho.exact == Fraction(1, 8)
    assert 0 < cost.delta.upper < Fraction(1, 10**6)
    curator = dp.curator(VISITS, ROWS, budget=dp.zcdp(RHO, "1e-6"))
    curator.ask(COUNT.to(dp.ApproxZCDP))
    assert curator.ask(NAMES.to(dp.ApproxZCDP)) == {}
    assert curator.spent.rho.exact == RHO
    assert curator.spent.delta.upper == cost.delta.upper
    with pytest.raises(BudgetExceeded):
        curator.ask(COUNT.to(dp.ApproxZCDP))
    assert len(curator.log) == 2


def test_each_figure_is_kept_to() -> None:
    delta = _names_cost().delta.upper
    curator = dp.curator(VISITS, ROWS, budget=dp.zcdp(100, delta))
    curator.ask(NAMES.to(dp.ApproxZCDP))
    with pytest.raises(BudgetExceeded):
        curator.ask(NAMES.to(dp.ApproxZCDP))
    curator.ask(COUNT.to(dp.ApproxZCDP))
    assert curator.left == dp.zcdp(100 - RHO, 0)


def test_the_total_is_less_than_what_the_epsilons_add_up_to() -> None:
    counts, slack = 40, Fraction(1, 10**6)
    noisy, names = VISITS >> dp.count() >> dp.laplace(scale=10), NAMES
    together = dp.compose([*[noisy.to(dp.ApproxZCDP)] * counts, names.to(dp.ApproxZCDP)])
    plainly = dp.compose([*[noisy.to(dp.ApproxDP)] * counts, names]).loss(1)
    found = together.to(dp.ApproxDP, slack=slack).loss(1)
    assert found.epsilon.upper < plainly.epsilon.lower
    assert plainly.delta.lower + slack <= found.delta.upper <= (plainly.delta.upper + slack) * (1 + Fraction(1, 10**30))


def test_an_odometer_says_what_was_spent() -> None:
    meter = dp.odometer(VISITS, dp.ApproxZCDP).start(ROWS)
    for _ in range(3):
        meter.ask(NAMES.to(dp.ApproxZCDP))
    assert meter.spent.rho.exact == Fraction(3, 8)
    assert meter.spent.delta.upper == 3 * _names_cost().delta.upper


def test_parts_cost_what_the_dearest_does_where_a_row_moves_one() -> None:
    curator = dp.curator(VISITS, ROWS, budget=dp.zcdp("1/8", "1e-6"))
    for part in curator.by(dp.field("region")).values():
        part.ask(COUNT.to(dp.ApproxZCDP))
    assert curator.left == dp.zcdp(0, "1e-6")
    twice = curator.after(VISITS >> dp.flat_map(lambda row: [row, row], VISITS.domain.of, limit=2))
    with pytest.raises(NoFiniteLoss, match="nothing of larger distances"):
        twice.by(dp.field("region"))["N"].ask(COUNT.to(dp.ApproxZCDP))


def test_a_step_before_the_question_is_no_group() -> None:
    """The question itself is known two rows apart, and that is what is converted."""
    curator = dp.curator(VISITS, ROWS, budget=dp.zcdp(1, "1e-3"))
    twice = VISITS >> dp.flat_map(lambda row: [row, row], VISITS.domain.of, limit=2)
    curator.after(twice).ask(NAMES.to(dp.ApproxZCDP))
    assert curator.spent.rho.exact == Fraction(1, 2)
    assert curator.spent.delta.upper > 2 * _names_cost().delta.upper


def test_nothing_is_said_of_groups() -> None:
    both = dp.interactive(VISITS, dp.zcdp("1/2", "1e-6"))
    assert both.loss(1) == dp.zcdp("1/2", "1e-6")
    assert both.loss(0) == dp.zcdp(0, 0)
    with pytest.raises(NoFiniteLoss, match="at distance 1 say nothing of larger distances"):
        both.loss(2)
    with pytest.raises(NoFiniteLoss, match="far more frequent after two"):
        dp.group_privacy(NAMES.to(dp.ApproxZCDP))
    parts = VISITS >> dp.partition(by=dp.field("region")) >> dp.parallel(dict.fromkeys("NS", COUNT.to(dp.ApproxZCDP)))
    assert parts.loss(1) == dp.zcdp("1/8", 0)
    with pytest.raises(NoFiniteLoss, match="at distance 1 say nothing of larger distances"):
        parts.loss(2)


def test_what_was_asked_is_certified_between_neighbours() -> None:
    curator = dp.curator(VISITS, ROWS, budget=dp.zcdp("1/2", "1e-6"))
    curator.ask(NAMES.to(dp.ApproxZCDP))
    for part in curator.by(dp.field("region")).values():
        part.ask(COUNT.to(dp.ApproxZCDP))
    said = checker.verify(dp.certify(curator).text())[0]
    assert said[0].startswith("claim: approximate_zcdp: rho <= 1/2, delta <= 1/1000000, between data 1 apart")
    assert "filter_approximate_zcdp (proved)" in said[-1]
    assert "parallel_symmetric_approximate_zcdp (proved)" in said[-1]
    with pytest.raises(NoFiniteLoss):
        dp.certify(dp.interactive(VISITS, dp.zcdp("1/2", "1e-6")), 2)


def test_an_account_of_another_day_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "study.ledger"
    for left in ("3/8", "1/4"):
        curator = dp.curator(VISITS, ROWS, budget=dp.zcdp("1/2", "1e-6"), ledger=file)
        curator.ask(COUNT.to(dp.ApproxZCDP))
        assert curator.left == dp.zcdp(left, "1e-6")
    with pytest.raises(dp.errors.DPError):
        dp.curator(VISITS, ROWS, budget=dp.approx("1/2", "1e-6"), ledger=file)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        (
            ("1/10000", "1/2"),
            r"after rho, but got rho=1/10000 and delta=1/2.*\n.*zcdp\('1/2', '1/10000'\): rho comes first",
        ),
        (("1/2", "19/20"), "delta=19/20, which promises almost nothing"),
        (("1/2", 2), "0 <= delta <= 1"),
        ((-1, "1e-6"), "rho of at least 0"),
    ],
)
def test_pairs_that_promise_nothing_are_refused(figures: tuple[str | int, str | int], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        dp.zcdp(*figures)


def test_a_pair_prints_as_it_is_typed() -> None:
    pair = dp.zcdp("1/2", "1e-6")
    assert eval(repr(pair), vars(dp)) == pair
    assert str(pair) == "ApproxZCDP: rho = 1/2, delta = 1/1000000, exactly"
    assert pair + pair == dp.zcdp(1, "2e-6")


def test_what_is_tried_is_what_is_claimed() -> None:
    """Pairs of data farther apart than 1 say nothing against it."""
    rows = dp.rows(dp.categories("a", "b"), metric=dp.ChangeOneDistance())

    def twice(curator: dp.types.Curator[Letters, dp.ChangeOneDistance, dp.ApproxZCDP]) -> tuple[object, object]:
        asked = (rows >> dp.name_and_shame("1/4")).to(dp.ApproxDP).to(dp.ApproxZCDP)
        return curator.ask(asked), curator.ask(asked)

    filtered = dp.interactive(rows, dp.zcdp(0, "1/2"))
    seen = dp.view(filtered, twice)
    found = dp.assurance.exhaust(seen, rows=2)
    assert found.sound
    assert {line.steps for line in found.lines} == {0, 1}
    assert found.lines[1].true == dp.types.Bound("7/16")
