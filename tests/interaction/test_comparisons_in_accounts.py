"""Above-thresholds in accounts of every measure, with other questions in between: what all adversaries together can see."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.distributions import settled
from dpcore.errors import BudgetExceeded, InvalidParameter, MeasureMismatch
from dpcore.report import render
from tests.certificates.tools import checker
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution
from tests.measurements.test_above_threshold import REACH, at_least, geometric

AGES = dp.rows(dp.integers(0, 120))
DATA = [23, 45, 67, 12] * 10
ALL = AGES >> dp.count()
SPARSE = {"threshold_scale": 4, "query_scale": 8}  # 1/4 + 2/8 = 1/2
HALF = dp.view(dp.interactive(AGES, dp.above_threshold(9, threshold_scale=4, query_scale=8)), str)
LETTERS = dp.rows(dp.categories("a", "b"), dp.ChangeOneDistance)
A, B = (LETTERS >> dp.filter(dp.row() == key) >> dp.count() for key in ("a", "b"))
REPORT = LETTERS >> dp.locally(dp.randomized_response("3/4"))
NARROW: dict[str, Any] = {"threshold_scale": "1/4", "query_scale": "1/4"}
BUDGETS: dict[str, Any] = {
    "PureDP": dp.pure(2),
    "ApproxDP": dp.approx(2, "1/1000"),
    "ZCDP": dp.zcdp(1),
    "ApproxZCDP": dp.zcdp(1, "1/1000"),
    "RenyiDP": dp.renyi({"3/2": 1, 2: 1, 8: 4, 32: 16}),
    "GaussianDP": dp.gaussian_dp(2),
    "TotalVariation": dp.total_variation("3/4"),
}
IN = pytest.mark.parametrize("budget", BUDGETS.values(), ids=BUDGETS)


def _counted(question: Any, measure: Any) -> Any:
    return question if question.measure == measure else question.to(measure)


# ---- every adversary ---------------------------------------------------------------------------------------------------
#
# What D_alpha, a hockey stick and the largest ratio are made of adds up, or is largest, over transcripts; and whatever is
# asked after different answers may be chosen for each by itself. So the worst of all adversaries is found from the end.


SCALES, HITS = (1.5, 3.0), 1  # 2/3 + 2/3: an epsilon of 4/3
HEADS = 1 / (1 + math.exp(-4 / 3))  # of a randomized response of as much
TRUTH = 0.75  # of a randomized response that may be asked once, at any time: log(3)
LEVELS = range(-REACH, REACH + 1)
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """Of two data sets: how likely a transcript is with each level of each above-threshold, and at all."""

    p: tuple[Weights, ...]
    q: tuple[Weights, ...]
    asked: tuple[float, float] = (1.0, 1.0)
    left: tuple[int, ...] = ()
    response: bool = True

    def chances(self) -> tuple[float, float]:
        mine, other = self.asked
        return mine * math.prod(map(np.sum, self.p)), other * math.prod(map(np.sum, self.q))


def _begun(many: int) -> Seen:
    r, c = geometric(SCALES[0])
    level = np.array([c * r ** abs(z) for z in LEVELS])
    return Seen((level,) * many, (level,) * many, left=(HITS,) * many)


def _above(number: int) -> Weights:
    return np.array([at_least(z - number, SCALES[1]) for z in LEVELS])


ABOVE = {number: _above(number) for number in range(-3, 4)}


def _next(seen: Seen) -> Iterator[list[Seen]]:
    """What may come of each that may be asked: a comparison of numbers at most 1 apart, or the randomized response."""
    for i, left in enumerate(seen.left):
        for a in (-1, 0, 1) if left else ():
            for b in (a - 1, a, a + 1):
                yield [_answered(seen, i, a, b, above) for above in (True, False)]
    if seen.response:
        mine, other = seen.asked
        said = ((mine * TRUTH, other * (1 - TRUTH)), (mine * (1 - TRUTH), other * TRUTH))
        yield [replace(seen, asked=each, response=False) for each in said]


def _answered(seen: Seen, i: int, a: int, b: int, above: bool) -> Seen:
    chance = [ABOVE[n] if above else 1 - ABOVE[n] for n in (a, b)]
    p = (*seen.p[:i], seen.p[i] * chance[0], *seen.p[i + 1 :])
    q = (*seen.q[:i], seen.q[i] * chance[1], *seen.q[i + 1 :])
    left = (*seen.left[:i], seen.left[i] - above, *seen.left[i + 1 :])
    return replace(seen, p=p, q=q, left=left)


def _worst(of: Callable[[float, float], float], seen: Seen, more: int) -> float:
    """The most that any adversary makes of so many questions more."""
    here = of(*seen.chances())
    if not more:
        return here
    return max([here, *(sum(_worst(of, each, more - 1) for each in after) for after in _next(seen))])


def _losses(measure: Any) -> Any:
    """What is charged, by the library, for one above-threshold and the randomized response."""
    step = dp.above_threshold(0, threshold_scale="3/2", query_scale=3, hits=HITS)
    begun = dp.view(dp.interactive(AGES, step), str)
    return [_counted(each, measure).loss(1) for each in (begun, REPORT)]


@pytest.mark.parametrize(("many", "more"), [(1, 4), (2, 3)])
@pytest.mark.parametrize("alpha", [1.25, 2.0, 8.0, 64.0])
def test_of_all_adversaries_no_renyi_divergence_is_above_what_is_charged(many: int, more: int, alpha: float) -> None:
    """The response is told at its exact divergence, so that what is left is the charge of the above-thresholds."""

    def of(p: float, q: float) -> float:
        return float(p**alpha * q ** (1 - alpha))

    found = math.log(_worst(of, _begun(many), more)) / (alpha - 1)
    response = math.log(of(TRUTH, 1 - TRUTH) + of(1 - TRUTH, TRUTH)) / (alpha - 1)
    rho, _ = (float(loss.rho.upper) for loss in _losses(dp.ZCDP()))
    curve, _ = (float(loss.at_orders([str(alpha)]).parts[0].upper) for loss in _losses(dp.RenyiDP()))
    exact = math.log(of(HEADS, 1 - HEADS) + of(1 - HEADS, HEADS)) / (alpha - 1)
    assert response + 0.01 < found <= response + many * exact + 1e-9
    assert exact <= curve <= alpha * rho + 1e-9


@pytest.mark.parametrize(("many", "more"), [(1, 4), (2, 3)])
def test_of_all_adversaries_none_tells_more_apart_than_is_charged(many: int, more: int) -> None:
    begun, response = (float(loss.delta.upper) for loss in _losses(dp.TotalVariation()))
    first, last = (float(loss.mu.upper) for loss in _losses(dp.GaussianDP()))
    mu = math.sqrt(many * first**2 + last**2)
    for epsilon in (0.0, 0.5, 1.0, 1.25):
        found = _worst(lambda p, q, e=epsilon: max(0.0, p - math.exp(e) * q), _begun(many), more)  # type: ignore[misc]
        assert 0.01 < found <= many * begun + response + 1e-9
        assert found <= _normal(mu / 2 - epsilon / mu) - math.exp(epsilon) * _normal(-mu / 2 - epsilon / mu) + 1e-9


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


# ---- the running code ----------------------------------------------------------------------------------------------------


def _by_turns(report: Any) -> Callable[[Any], object]:
    def asks(curator: Any) -> object:
        comparisons = curator.above_threshold(1, **NARROW)
        first = comparisons.ask(A)
        answer = curator.ask(report)
        if comparisons.over:
            return first, answer
        return first, answer, comparisons.ask(B if answer == ["a"] else A)

    return asks


def test_an_adversary_by_turns_has_the_law_that_is_worked_out_by_hand() -> None:
    """The level goes on from query to query, and a question in between is drawn by itself."""
    report = REPORT.to(dp.ZCDP)
    view = dp.view(dp.interactive(LETTERS, dp.zcdp(10**6)), _by_turns(report))
    found = distribution(measurement(view), ["a"]).masses
    r, c = geometric(0.25)
    level = [(1 + noise, c * r ** abs(noise)) for noise in range(-REACH, REACH + 1)]
    above = {n: np.array([at_least(z - n, 0.25) for z, _ in level]) for n in (0, 1)}
    weight = np.array([p for _, p in level])
    for said, p in (("a", 0.75), ("b", 0.25)):
        assert found[settled((True, [said]))] == pytest.approx(p * (weight * above[1]).sum(), abs=1e-10)
        then = above[0] if said == "a" else above[1]
        for last, q in ((True, then), (False, 1 - then)):
            law = p * (weight * (1 - above[1]) * q).sum()
            assert found[settled((False, [said], last))] == pytest.approx(law, abs=1e-10)
    assert len(found) == 6


@pytest.mark.parametrize("measure", [dp.ZCDP(), dp.RenyiDP(), dp.GaussianDP()], ids=str)
def test_an_adversary_by_turns_sees_no_more_than_the_account_says(measure: Any) -> None:
    begun = dp.view(dp.interactive(LETTERS, dp.above_threshold(1, **NARROW)), str)
    report = REPORT.to(measure)
    budget = dp.compose([begun.to(measure), report]).loss(1)
    if measure == dp.RenyiDP():
        budget = budget.at_orders([2, 8])
    if measure == dp.GaussianDP():
        budget = dp.gaussian_dp(budget.mu.upper + Fraction(1, 1000))
    account: Any = LETTERS
    assert exhaust(dp.view(dp.interactive(account, budget), _by_turns(report)), ("a", "b"), rows=1).sound


# ---- what it costs -------------------------------------------------------------------------------------------------------


@IN
def test_it_is_charged_what_its_epsilon_comes_to_in_the_measure_of_the_account(budget: Any) -> None:
    curator: Any = dp.curator(AGES, DATA, budget=budget)
    comparisons = curator.above_threshold(10**6, **SPARSE)
    due = _counted(HALF, curator.measure).loss(1)
    orders = budget.orders if curator.measure == dp.RenyiDP() else ()
    assert [part.upper for part in curator.spent.parts] == [part.upper for part in due.at_orders(orders).parts]
    spent = curator.spent
    for _ in range(50):
        assert not comparisons.ask(ALL)
    assert curator.spent == spent
    assert len(curator.log) == 1


def test_in_zcdp_it_is_half_the_square_of_its_epsilon() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.zcdp("3/8"))
    first = curator.above_threshold(0, **SPARSE)
    assert curator.spent == dp.zcdp("1/8")
    curator.ask(ALL >> dp.gaussian(sigma=2))
    assert first.ask(ALL)
    curator.above_threshold(0, **SPARSE)
    assert curator.left == dp.zcdp(0)
    with pytest.raises(BudgetExceeded, match="costs ZCDP: rho = 1/8, exactly; left is ZCDP: rho = 0"):
        curator.above_threshold(0, **SPARSE)
    assert len(curator.log) == 3


@IN
def test_after_a_step_it_is_charged_what_a_larger_epsilon_comes_to(budget: Any) -> None:
    three_times = AGES >> dp.flat_map(lambda row: [row] * 3, dp.integers(0, 120), limit=3)
    curator: Any = dp.curator(AGES, DATA, budget=budget)
    whole = three_times >> dp.view(dp.interactive(AGES, dp.above_threshold(0, **SPARSE)), str)
    due = _counted(whole, curator.measure).loss(1).at_orders(budget.orders if curator.measure == dp.RenyiDP() else ())
    if due <= budget:
        curator.after(three_times).above_threshold(0, **SPARSE)
        assert [part.upper for part in curator.spent.parts] == [part.upper for part in due.parts]
    else:
        with pytest.raises(BudgetExceeded):
            curator.after(three_times).above_threshold(0, **SPARSE)


def test_on_parts_the_dearest_counts() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.zcdp(2))
    for part in curator.by(dp.row() % 2, [0, 1]).values():
        part.above_threshold(0, **SPARSE)
    assert curator.spent == dp.zcdp("1/8")
    twice = AGES >> dp.flat_map(lambda row: [row] * 2, dp.integers(0, 120), limit=2)
    for part in curator.after(twice).by(dp.row() % 2, [0, 1]).values():
        part.above_threshold(0, **SPARSE)
    assert curator.spent == dp.zcdp("5/8")


def test_on_parts_that_are_further_apart_there_is_none_in_gaussian_dp() -> None:
    twice = AGES >> dp.flat_map(lambda row: [row] * 2, dp.integers(0, 120), limit=2)
    curator = dp.curator(AGES, DATA, budget=dp.gaussian_dp(9))
    for part in curator.by(dp.row() % 2, [0, 1]).values():
        part.above_threshold(0, **SPARSE)
    log = curator.log
    for part in curator.after(twice).by(dp.row() % 2, [0, 1]).values():
        with pytest.raises(MeasureMismatch, match="further apart than the data"):
            part.above_threshold(0, **SPARSE)
    assert curator.log == log


def test_an_odometer_counts_it() -> None:
    curator = dp.odometer(AGES, dp.ZCDP).start(DATA)
    curator.above_threshold(0, **SPARSE)
    assert curator.spent == dp.zcdp("1/8")


@pytest.mark.parametrize("name", [name for name in BUDGETS if name != "RenyiDP"])
def test_without_data_it_counts_in_the_measure_that_is_named(name: str) -> None:
    measure: Any = getattr(dp, name)
    step = dp.above_threshold(20, threshold_scale=4, query_scale=8)
    begun: Any = dp.interactive(AGES, step, measure=measure)
    assert eval(repr(begun), {**vars(dp)}) == begun
    assert begun.loss(2) == _counted(dp.view(dp.interactive(AGES, step), str), measure()).loss(2)
    both = dp.concurrently([begun, dp.interactive(AGES, BUDGETS[name])])
    comparisons, curator = both.start(DATA)
    comparisons.ask(ALL)
    assert curator.left == BUDGETS[name]
    checker.verify(dp.certify(begun).text())
    checker.verify(dp.certify(both).text())


def test_measures_that_have_no_figures_are_refused() -> None:
    step = dp.above_threshold(20, threshold_scale=4, query_scale=8)
    wrong: list[Any] = [dp.RenyiDP, dp.Tradeoff, dp.Profile, 3, "ZCDP"]
    for measure in wrong:
        with pytest.raises(InvalidParameter, match="figures that add up"):
            dp.interactive(AGES, step, measure=measure)
    account: Any = dp.pure(1)
    with pytest.raises(InvalidParameter, match="a budget says in what it counts"):
        dp.interactive(AGES, account, measure=dp.ZCDP)


# ---- what is kept --------------------------------------------------------------------------------------------------------


@IN
def test_a_curator_is_certified_with_it(budget: Any) -> None:
    curator: Any = dp.curator(AGES, DATA, budget=budget)
    curator.above_threshold(9, **SPARSE).ask(ALL)
    certificate = dp.certify(curator)
    said = checker.verify(certificate.text())[0]
    assert "above_threshold_asked_pure (proved)" in said[-1]
    assert f"filter_{curator.measure.name} (proved)" in said[-1]
    assert "above a threshold" in render(certificate)


def test_more_than_the_budget_is_not_what_was_asked() -> None:
    curator = dp.curator(AGES, DATA, budget=dp.zcdp("1/8"))
    curator.above_threshold(9, **SPARSE)
    data = json.loads(dp.certify(curator).text())
    written = json.dumps(data)
    assert '"hits": "1"' in written
    with pytest.raises(checker.Rejected):
        checker.verify(written.replace('"hits": "1"', '"hits": "2"').encode())


def test_a_ledger_keeps_it_and_goes_on(tmp_path: Path) -> None:
    ledger = tmp_path / "study.ledger"
    dp.curator(AGES, DATA, budget=dp.zcdp(1), ledger=ledger).above_threshold(9, **SPARSE).ask(ALL)
    tuesday = dp.curator(AGES, DATA, budget=dp.zcdp(1), ledger=ledger)
    assert tuesday.left == dp.zcdp("7/8")
    (entry,) = tuesday.log
    assert entry.charge.certificate is not None
    assert checker.verify(entry.charge.certificate.encode())[0][0].startswith("claim: zcdp: rho <= 1/8, ")
