"""Private multiplicative weights, query by query: what they cost, how far off they are, what is refused."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.expressions import Expression
from dpcore.expressions.expr import Value
from dpcore.many.foresight import Foreseen, Wanted, foreseen
from dpcore.many.pmw import Moving
from dpcore.many.totals import total_of
from dpcore.many.universe import layout_of, universe_of
from dpcore.noise.bits import SeededBits
from dpcore.types import OnlineWeights, ZCDPLoss
from tests.certificates.tools import checker
from tests.many.boxes import asked, places

PERSON = dp.record(age=dp.integers(0, 9), member=dp.booleans())
PEOPLE = dp.rows(PERSON, dp.ChangeOneDistance(), size=2000)
DATA = [{"age": min(9, i % 13 // 2), "member": i % 3 == 0} for i in range(2000)]
OLD = dp.field("age") >= 5
ASKED = dp.pmw(PEOPLE, dp.pure(4), queries=50, updates=6, threshold="1/10")


def share_of(query: dp.types.Expr[bool]) -> float:
    on = query.structure().on(PERSON)
    return sum(bool(on.on_row(row)) for row in DATA) / len(DATA)


def mean_of(query: Expression) -> float:
    values: list[Any] = [query.on_row(row) for row in DATA]
    return float(sum(values)) / len(DATA)


def random_query(dice: Random, seen: float) -> dp.types.Expr[bool]:
    """Chosen after the last answer: some ages, of members or of all."""
    ages = dp.field("age").isin(*dice.sample(range(10), 3 + round(4 * seen)))
    return ages & dp.field("member", bool) if dice.random() < seen else ages


# ---- what it costs -------------------------------------------------------------------------------------------------------


def test_the_loss_is_exactly_the_budget() -> None:
    for d in (0, 1, 2, 3):
        assert dp.pmw(PEOPLE, dp.pure("40/3"), queries=10).loss(d) == dp.pure(Fraction(40 * d, 3))
    added = dp.pmw(dp.rows(PERSON), dp.approx(40, "1/1000"), queries=10, size=2000)
    assert added.loss(1) == dp.approx(40, "1/1000")


@pytest.mark.parametrize("epsilon", ["1/7", "3", "1000"])
@pytest.mark.parametrize("updates", [1, 2, 37])
def test_the_scales_spend_the_whole_budget(epsilon: str, updates: int) -> None:
    wanted = Wanted(20, 2000, Fraction(epsilon), 100, Fraction(19, 20))
    scales = foreseen(wanted, updates, Fraction(1, 4)).scales
    assert scales.updates == updates
    assert min(scales.of_threshold, scales.of_query, scales.of_answer) > 0
    spent = 1 / scales.of_threshold + 2 * updates / scales.of_query + updates / scales.of_answer
    assert spent == Fraction(epsilon)


@pytest.mark.parametrize("updates", [1, 2, 37])
def test_in_zcdp_there_is_an_above_threshold_for_each_update(updates: int) -> None:
    wanted = Wanted(20, 2000, Fraction(1, 8), 100, Fraction(19, 20), pure=False)
    scales = foreseen(wanted, updates, Fraction(1, 4)).scales
    each = (1 / scales.of_threshold + 2 / scales.of_query) ** 2 / 2 + 1 / (2 * scales.of_answer**2)
    assert Fraction(99999, 800000) <= updates * each <= Fraction(1, 8)


def test_in_zcdp_the_error_is_of_a_lower_order() -> None:
    """The order that the notes have, with a delta: a hundred times the rows, a tenth of the error."""
    wanted = Wanted(10**4, 10**5, Fraction(1, 30), 1000, Fraction(19, 20), pure=False)
    few, many = foreseen(wanted, None, None), foreseen(replace(wanted, size=10**7), None, None)
    error = float(few.within(Fraction(19, 20)))
    assert error < 0.21
    assert float(many.within(Fraction(19, 20))) == pytest.approx(error / 10, rel=0.1)


def test_what_is_asked_is_charged_and_after_the_last_update_all_is_spent() -> None:
    weights = dp.pmw(PEOPLE, dp.pure(4), queries=50, updates=3, threshold="1/2000").start(DATA, bits=SeededBits(1))
    dice = Random(1)
    while not weights.over:
        weights.ask(random_query(dice, 0.5))
    assert weights._curator.left == dp.pure(0)
    assert len(weights._curator.log) == 4
    with pytest.raises(dp.errors.InvalidParameter, match="it is over"):
        weights.ask(OLD)


def test_in_zcdp_all_is_spent_after_the_last_update() -> None:
    asked = dp.pmw(PEOPLE, dp.zcdp("1/2"), queries=50, updates=3, threshold="1/2000")
    assert asked.loss(2) == dp.zcdp(2)
    weights, dice = asked.start(DATA, bits=SeededBits(1)), Random(1)
    while not weights.over:
        weights.ask(random_query(dice, 0.5))
    assert weights._curator.left.rho.upper < Fraction(1, 10**5)
    assert len(weights._curator.log) == 6
    said = checker.verify(dp.certify(weights).text())[0]
    assert said[0].startswith("claim: zcdp: rho <= 1/2, ")
    assert "gaussian (proved)" in said[-1]


@pytest.mark.parametrize("loss", [dp.pure(4), dp.approx(4, "1/1000"), dp.zcdp("1/2")], ids=repr)
def test_it_certifies_before_and_after(loss: Any) -> None:
    asked = dp.pmw(PEOPLE, loss, queries=50, updates=3, threshold="1/10")
    said = checker.verify(dp.certify(asked).text())[0]
    assert "above_threshold_asked_pure (proved)" in said[-1]
    assert "assumed" not in said[-1]
    weights = asked.start(DATA, bits=SeededBits(1))
    for k in range(1, 5):
        weights.ask(dp.field("age") >= k)
    assert 0 < weights.found < 3
    after, noise = dp.certify(weights), "gaussian" if isinstance(loss, ZCDPLoss) else "laplace"
    assert f"{noise} (proved)" in checker.verify(after.text())[0][-1]
    assert after.text().count(f'"rule": "{noise}"'.encode()) == weights.found


def test_numbers_between_0_and_1_are_asked_too() -> None:
    """Each costs at most what a condition costs, is derived from a sum and a guess, and moves the weights as one does."""
    numbers: list[dp.types.Expr[bool] | dp.types.Expr[Value]] = [
        OLD,
        dp.field("age") / 9,
        dp.when(OLD).then(dp.field("age") * dp.ratio(1, 12)).otherwise(dp.ratio(1, 4)),
    ]
    true = [mean_of(query) for query in numbers]
    losses: list[Any] = [dp.pure(4000), dp.zcdp(10**6)]
    for loss in losses:
        asked = dp.pmw(PEOPLE, loss, queries=50, updates=6, threshold="1/50")
        weights = asked.start(DATA, bits=SeededBits(1))
        answers = weights.ask(numbers)
        assert weights.found == 3
        assert answers == pytest.approx(true, abs=0.002)
        assert max(abs(weights.synthetic.answer(q) - share) for q, share in zip(numbers, true, strict=True)) < 0.1
        said = checker.verify(dp.certify(weights).text())[0]
        assert "assumed" not in said[-1]
        assert "sum_change_one (proved)" in said[-1]
        condition, ninths, between = [
            entry.charge.cost[0] for entry in weights._curator.log if "above" not in str(entry.charge.question)
        ]
        assert condition == ninths > between, "which goes from 1/4 to 3/4"


def test_a_number_is_asked_on_a_grid_that_holds_1() -> None:
    """A step of 3/10 alone would make noise that is coarser than what was foreseen is said of."""
    space = dp.rows(dp.record(x=dp.integers(0, 3)), dp.ChangeOneDistance(), size=100)
    total = total_of(dp.field("x") * dp.ratio(3, 10), space)
    assert total.step == Fraction(1, 10)
    assert total.of_rows.output == dp.value(dp.numbers(step="1/10"), dp.AbsoluteDistance())
    assert total.of_rows.stability(1) <= 1
    assert repr(total.errors(33.349)).endswith("absolute_errors('333/10')")


@pytest.mark.parametrize("scale", ["1/5", "1", "7/2", "40"])
@pytest.mark.parametrize("step", ["1/2", "1/3", "1/10"])
def test_noise_on_a_finer_grid_is_no_further_off(scale: str, step: str) -> None:
    """As `foresight` argues: so what is known beforehand of whole noise is known of any."""
    steps: list[Any] = [dp.laplace(scale=scale), dp.gaussian(sigma=scale)]
    for noise in steps:
        whole = dp.value(dp.integers(), dp.AbsoluteDistance) >> noise
        finer = dp.value(dp.numbers(step=step), dp.AbsoluteDistance) >> noise
        for confidence in ("1/10", "1/2", "9/10", "99/100", "999999/1000000"):
            assert finer.accuracy(confidence) <= whole.accuracy(confidence)


# ---- what was told before ------------------------------------------------------------------------------------------------


def test_what_was_told_is_told_again_for_nothing() -> None:
    """Of weights that moved since, or of a noisy answer: as it was, and when it is over, too."""
    weights = dp.pmw(PEOPLE, dp.pure(1000), queries=4, updates=2, threshold="1/8").start(DATA, bits=SeededBits(3))
    two = dp.field("age") >= 2
    first = weights.ask(two)
    assert first == pytest.approx(0.8), "the weights knew nothing yet"
    dear = [OLD, dp.field("age") >= 7]
    told = [weights.ask(query) for query in dear]
    assert weights.over
    charges, asked, drawn = weights._curator.log, weights.told, weights._comparisons[0].told
    assert weights.synthetic.answer(two) != first
    assert [weights.ask(query) for query in dear] == told
    assert weights.ask([two, dp.field("age") >= 2]) == [first, first]
    assert (weights._curator.log, weights.told, weights._comparisons[0].told) == (charges, asked, drawn)
    alike: list[dp.types.Expr[bool]] = [dp.field("age", int) >= 5, ~~OLD]
    for other in alike:
        assert not other.same_as(OLD)
        with pytest.raises(dp.errors.InvalidParameter, match="it is over"):
            weights.ask(other)


def test_a_list_is_asked_in_turn() -> None:
    queries = [dp.field("age") >= k for k in range(1, 10)]
    one_by_one, at_once = ASKED.start(DATA, bits=SeededBits(1)), ASKED.start(DATA, bits=SeededBits(1))
    assert at_once.ask(queries) == [one_by_one.ask(query) for query in queries]
    assert at_once.told == one_by_one.told
    assert at_once.ask([]) == []
    short = dp.pmw(PEOPLE, dp.pure(4), queries=3, updates=6, threshold="1/10").start(DATA, bits=SeededBits(1))
    with pytest.raises(dp.errors.InvalidParameter, match="as many queries were asked"):
        short.ask(queries)
    assert short.ask(queries[:3]) == [share for _, share in short.told]


def test_it_is_read_back_and_moved() -> None:
    for arrow in (ASKED, dp.pmw(dp.rows(PERSON), dp.pure(40), queries=9, size=2000, confidence="0.9")):
        again = eval(repr(arrow), {**vars(dp)})
        assert again == arrow
        assert dp.certify(again).text() == dp.certify(arrow).text()


def test_a_strategy_that_asks_it_is_a_measurement() -> None:
    def asks(weights: OnlineWeights[dp.PureDP]) -> list[float]:
        return [weights.ask(OLD), weights.ask(~OLD)]

    m = dp.view(ASKED, asks)
    assert m.loss(1) == dp.pure(4)
    shares = m.release(DATA, bits=SeededBits(1))
    assert all(0 <= share <= 1 for share in shares)
    both = dp.concurrently([ASKED, ASKED])
    assert both.loss(1) == dp.pure(8)
    first, second = both.start(DATA, bits=SeededBits(1))
    assert 0 <= first.ask(OLD) <= 1 >= second.ask(OLD)


# ---- how far off it is ---------------------------------------------------------------------------------------------------


def test_adaptive_queries_are_answered_within_the_error() -> None:
    """Thirty analysts of forty queries; the confidence is that all forty answers of an analyst are near at once."""
    held = 0
    for seed in range(30):
        weights, dice, worst, seen = ASKED.start(DATA, bits=SeededBits(seed)), Random(seed), 0.0, 0.5
        while len(weights.told) < 40 and not weights.over:
            query = random_query(dice, seen)
            seen = weights.ask(query)
            worst = max(worst, abs(seen - share_of(query)))
        assert weights.found > 0
        held += worst <= weights.accuracy("0.9")
    assert held == 30, "at most 3 in 30 may fail, and the bound adds up what fails seldom at once"


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 100, 5))
def test_a_thousand_adaptive_queries_on_ten_thousand_cells(first: int) -> None:
    """Five of a hundred runs, of conditions and numbers: at 95 % all thousand are answered, each within the error."""
    people = places(100, 100_000)
    begun = dp.pmw(people.space(), dp.pure(1), queries=1000)
    weights = begun.start(people.columns())
    assert weights.lasts("0.95")
    stated = weights.accuracy("0.95")
    assert stated < 0.28
    assert all(asked(people, begun, 1000, seed) <= stated for seed in range(first, first + 5))


@pytest.mark.parametrize("loss", [dp.pure(2), dp.zcdp("1/4")], ids=repr)
def test_sixty_adaptive_queries_on_four_hundred_cells(loss: Any) -> None:
    people = places(20, 20_000)
    begun = dp.pmw(people.space(), loss, queries=60)
    stated = begun.start(people.columns()).accuracy("0.95")
    assert stated < 0.3
    assert all(0 < asked(people, begun, 60, seed) <= stated for seed in range(10))


def test_the_noise_is_bounded_as_often_as_it_says() -> None:
    """Weights that are right are off by nothing: so it is the noise alone that says above, half the time at most."""
    plan = foreseen(Wanted(1, 2000, Fraction(1), 20, Fraction(1, 2)), None, None)
    space = dp.rows(dp.integers(3, 3), dp.ChangeOneDistance(), size=2000)
    asked = dp.pmw(space, dp.pure(1), queries=20, confidence="1/2")
    assert asked.start([3] * 2000).updates == plan.scales.updates
    ended = 0
    for seed in range(60):
        weights = asked.start([3] * 2000, bits=SeededBits(seed))
        for k in range(20):
            if not weights.over:
                weights.ask(dp.row() <= 3 + k)
        ended += len(weights.told) < 20
    assert ended <= 30


def test_whoever_knows_the_data_cannot_wear_it_out() -> None:
    """Each time the query that the weights answer worst, with hardly any noise: fewer updates than there are."""
    cells = 64
    space = dp.rows(dp.integers(0, cells - 1), dp.ChangeOneDistance(), size=1000)
    dice = Random(5)
    for data in ([7] * 1000, [dice.choice((1, 2, 40)) for _ in range(1000)]):
        weights = dp.pmw(space, dp.pure(10**5), queries=300, updates=40).start(data, bits=SeededBits(1))
        assert weights.lasts("0.95")
        true = np.bincount(data, minlength=cells) / 1000
        for _ in range(300):
            apart = true - weights.synthetic.weights
            chosen = [int(cell) for cell in np.flatnonzero(apart > 0)] or [0]
            answer = weights.ask(dp.row().isin(*chosen))
            assert abs(answer - true[chosen].sum()) <= weights.accuracy("0.95")
        assert 0 < weights.found < weights.updates


def test_a_step_brings_the_weights_nearer_by_what_is_argued() -> None:
    """`2 (e^2 - v^2)` of relative entropy, for any weights, query and noise."""
    universe, dice = universe_of(dp.integers(0, 11)), np.random.default_rng(1)
    true = dice.dirichlet(np.full(12, 0.3))

    def entropy(weights: np.ndarray[Any, np.dtype[np.float64]]) -> float:
        return float(np.sum(true * np.log(true / weights)))

    moving = Moving(universe)
    for _ in range(300):
        chosen = [int(x) for x in np.flatnonzero(dice.random(12) < 0.5)] or [3]
        layout = layout_of(universe, [dp.row().isin(*chosen).structure().on(universe.domain)])
        before, said = entropy(moving.now), layout.answer(0, moving.now)
        error = float(true[chosen].sum()) - said
        noise = float(dice.normal(0, 0.05))
        moving.move(layout, error + noise)
        assert before - entropy(moving.now) >= 2 * (error**2 - noise**2) - 1e-9


def test_weights_never_become_nothing() -> None:
    universe = universe_of(dp.booleans())
    moving, layout = Moving(universe), layout_of(universe, [dp.row(bool).structure().on(dp.booleans())])
    for _ in range(1000):
        moving.move(layout, 1.0)
    for _ in range(1000):
        moving.move(layout, -1.0)
    assert np.allclose(moving.now, 0.5)


def test_more_noise_fewer_updates_or_more_queries_are_known_to_be_worse() -> None:
    wanted = Wanted(10**4, 10**5, Fraction(1), 1000, Fraction(19, 20))
    best = foreseen(wanted, None, None)
    error = best.within(wanted.confidence)
    assert best.lasts(wanted.confidence)
    assert not Foreseen(wanted, best.scales, best.threshold - 3).lasts(wanted.confidence)
    assert not best.lasts(Fraction(999, 1000))
    assert error < best.within(Fraction(999, 1000))
    for updates in (best.scales.updates // 2, best.scales.updates * 2):
        assert foreseen(wanted, updates, None).within(wanted.confidence) > error
    noisier = replace(best.scales, of_threshold=2 * best.scales.of_threshold, of_query=2 * best.scales.of_query)
    assert Foreseen(wanted, noisier, best.threshold).within(wanted.confidence) > error


def test_the_error_is_that_of_the_argument() -> None:
    """`sqrt(ln N/(2c) + a^2) + 2 (t + z)/n`, with tails as the formula of Laplace noise has them."""
    wanted = Wanted(10**4, 10**5, Fraction(1), 1000, Fraction(19, 20))
    made = foreseen(wanted, None, None)
    scales = made.scales
    t, z = float(scales.of_threshold) * np.log(80), float(scales.of_query) * np.log(40_000)
    a = float(scales.of_answer) * np.log(80 * scales.updates) / 10**5
    by_hand = np.sqrt(np.log(10**4) / (2 * scales.updates) + a**2) + 2 * (t + z) / 10**5
    assert float(made.within(Fraction(19, 20))) == pytest.approx(by_hand, rel=2e-3)


def test_at_a_threshold_there_are_as_many_updates_as_are_enough() -> None:
    wanted = Wanted(100, 10**6, Fraction(1), 100, Fraction(19, 20))
    made = foreseen(wanted, None, Fraction(1, 5))
    assert made.threshold == 200_000
    assert made.lasts(wanted.confidence)
    assert made.scales.updates < 200


# ---- what it gives -------------------------------------------------------------------------------------------------------


def test_synthetic_data_of_the_answers() -> None:
    weights = dp.pmw(PEOPLE, dp.pure(100), queries=50, updates=20, threshold="1/50").start(DATA, bits=SeededBits(1))
    assert weights.synthetic.answer(OLD) == pytest.approx(0.5)
    assert weights.synthetic.error_bound("0.95") == pytest.approx(float(weights.accuracy("0.95")))
    queries = [dp.field("age") >= k for k in range(1, 10)]
    answers = [weights.ask(query) for query in queries]
    assert [share for _, share in weights.told] == answers
    made = weights.synthetic
    off = max(abs(made.answer(query) - share_of(query)) for query in queries)
    assert off < 0.2
    assert off <= made.error_bound("0.95")
    assert PERSON.member(made.rows(3, bits=SeededBits(1))[0])
    before = made.weights
    weights.ask(dp.field("member", bool))
    assert (made.weights == before).all(), "what was handed over stays as it is"


# ---- what is refused -----------------------------------------------------------------------------------------------------


def test_what_is_refused_when_it_is_built() -> None:
    bad, asks = dp.errors.InvalidParameter, dp.pure(4)
    anything: Any = dp.pmw
    wrong: list[tuple[dict[str, object], str]] = [
        ({"queries": 0}, "queries to be a whole number of at least 1"),
        ({"queries": "5"}, "queries to be a whole number"),
        ({"queries": 5, "updates": 0}, "updates to be a whole number of at least 1"),
        ({"queries": 5, "updates": 10**6}, "at most 100000 updates"),
        ({"queries": 5, "threshold": 1}, "0 < threshold < 1"),
        ({"queries": 5, "threshold": 0}, "0 < threshold < 1"),
        ({"queries": 5, "confidence": 1}, "0 < confidence < 1"),
        ({"queries": 5, "size": 0}, "size to be a whole number of at least 1"),
        ({"queries": 5, "size": 1999}, "another size than that of the space"),
        ({"queries": 5, "threshold": "1/1000"}, "no number of updates is known to be enough"),
    ]
    for options, said in wrong:
        with pytest.raises(bad, match=said):
            anything(PEOPLE, asks, **options)
    for loss in (dp.zcdp(1, "1/9"), dp.gaussian_dp(1), 1):
        with pytest.raises(bad, match="a budget in PureDP, ApproxDP or ZCDP"):
            anything(PEOPLE, loss, queries=5)
    with pytest.raises(bad, match="a budget above 0"):
        dp.pmw(PEOPLE, dp.pure(0), queries=5)
    with pytest.raises(bad, match="no error below 1 can be promised, of 5 queries about 2000 rows"):
        dp.pmw(PEOPLE, dp.pure("1/100"), queries=5)
    with pytest.raises(bad, match="how many rows there are"):
        dp.pmw(dp.rows(PERSON), asks, queries=5)
    with pytest.raises(bad, match="Expected a space"):
        anything(DATA, asks, queries=5)


@pytest.mark.parametrize("loss", [dp.pure, dp.zcdp], ids=["pure", "zcdp"])
def test_numbers_that_no_float_follows_are_refused_and_smaller_ones_are_not(loss: Any) -> None:
    """Choices are looked for in floats. What they do not hold was a ZeroDivisionError, or an OverflowError."""
    public: dict[str, Any] = {"queries": 5, "updates": 2, "threshold": "1/10", "size": 2000}
    failing = Fraction(1, 10**400)
    beyond: list[tuple[Any, dict[str, Any]]] = [
        (10**400, {}),
        (failing, {}),
        (4, {"queries": 10**400}),
        (4, {"size": 10**400}),
        (4, {"confidence": 1 - failing}),
    ]
    for budget, said in beyond:
        with pytest.raises(dp.errors.InvalidParameter, match=r"between 10\^-100 and 10\^100"):
            dp.pmw(dp.rows(PERSON), loss(budget), **{**public, **said})
    for budget in (Fraction(1, 10**100), Fraction(10**100)):
        for size, failing in ((1, Fraction(1, 10**100)), (10**100, Fraction(1, 2))):
            said = {**public, "size": size, "queries": 10**100, "confidence": 1 - failing}
            answer = dp.pmw(dp.rows(PERSON), loss(budget), **said).start(DATA, bits=SeededBits(1)).ask(OLD)
            assert 0 <= answer <= 1


def test_other_data_than_rows_of_a_few_values_are_refused() -> None:
    mismatch, anything, asks = dp.errors.DomainMismatch, dp.pmw, dp.pure(4)
    ask: Any = anything
    with pytest.raises(mismatch, match="need a universe"):
        ask(dp.rows(dp.integers(0), dp.ChangeOneDistance(), size=5), asks, queries=5)
    one = dp.record(few=dp.integers(0, 9_999), many=dp.integers(0, 10_000))
    with pytest.raises(mismatch, match=r"of the field 'many'[\s\S]*at most 10000 values"):
        ask(dp.rows(one, dp.ChangeOneDistance(), size=5), asks, queries=5)
    wide = dp.record(**{f"x{i}": dp.integers(0, 9) for i in range(7)})
    with pytest.raises(mismatch, match="10000000 cells"):
        ask(dp.rows(wide, dp.ChangeOneDistance(), size=5), asks, queries=5)
    with pytest.raises(mismatch, match="about rows"):
        ask(dp.value(dp.integers(0, 4), dp.AbsoluteDistance()), asks, queries=5)
    with pytest.raises(dp.errors.MetricMismatch, match="comes, goes or is replaced"):
        ask(dp.rows(PERSON, dp.PersonDistance("age")), asks, queries=5, size=9)


def test_what_is_no_condition_is_refused_and_costs_nothing() -> None:
    weights = ASKED.start(DATA, bits=SeededBits(1))
    ask: Any = weights.ask
    for query in (3, lambda row: True, "age"):
        with pytest.raises(dp.errors.InvalidParameter, match="Expected expressions of a row as queries"):
            ask(query)
        with pytest.raises(dp.errors.InvalidParameter, match="Expected expressions of a row as queries"):
            ask([OLD, query])
    with pytest.raises(dp.errors.DPError):
        ask(dp.field("height") >= 1)
    age = dp.field("age")
    for number in (age * 2, age / 8, (age - 1) / 10, 1 / (age + 1), dp.when(OLD).then(age / 10).otherwise(None)):
        with pytest.raises(dp.errors.InvalidParameter, match="a number of each that is known to lie between 0 and 1"):
            ask(number)
    assert weights.told == ()
    assert len(weights._curator.log) == 1
    with pytest.raises(dp.errors.InvalidParameter, match="0 < confidence < 1"):
        weights.accuracy(1)


def test_no_more_queries_than_were_announced() -> None:
    weights = dp.pmw(PEOPLE, dp.pure(100), queries=2, updates=5, threshold="1/5").start(DATA, bits=SeededBits(1))
    told = weights.ask([OLD, ~OLD])
    with pytest.raises(dp.errors.InvalidParameter, match="as many queries were asked as were announced"):
        weights.ask(dp.field("member", bool))
    assert weights.ask([~OLD, OLD]) == told[::-1]
    assert 0 <= weights.synthetic.answer(OLD) <= 1


def test_a_copy_has_no_more_answers() -> None:
    weights = ASKED.start(DATA, bits=SeededBits(1))
    for copied in (copy.deepcopy, pickle.dumps):
        with pytest.raises((AttributeError, TypeError)):
            copied(weights)
    other = copy.copy(weights)
    other.ask(OLD)
    assert len(weights.told) == 1


def test_nulls_are_left_out() -> None:
    space = dp.rows(dp.record(yes=dp.optional(dp.booleans())), dp.ChangeOneDistance(), size=90)
    data: list[dict[str, object]] = [{"yes": (None, True, False)[i % 3]} for i in range(90)]
    weights = dp.pmw(space, dp.pure(1000), queries=5, updates=4, threshold="1/10").start(data, bits=SeededBits(1))
    unknown: Any = dp.field("yes", bool)
    assert abs(weights.ask(unknown) - 1 / 3) <= 0.1
    assert isinstance(weights.told[0][0], Expression)


def test_with_no_rows_at_all_nothing_breaks() -> None:
    weights = dp.pmw(dp.rows(PERSON), dp.pure("1/10"), queries=30, updates=5, threshold="1/10", size=10).start(
        [], bits=SeededBits(1)
    )
    for k in range(1, 16):
        if not weights.over:
            assert 0 <= weights.ask(dp.field("age") >= k) <= 1
        if not weights.over:
            assert 0 <= weights.ask(dp.field("age") / (k + 9)) <= 1
    assert np.isfinite(weights.synthetic.weights).all()
    assert weights.accuracy("0.95") == 1
