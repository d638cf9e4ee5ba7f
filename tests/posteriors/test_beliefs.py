"""What a loss promises of beliefs, against mechanisms and priors of small numbers; and Bayes' rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log, tanh

import pytest

import dpcore as dp
from dpcore.assurance import worst_belief

BITS = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance())
COUNT = BITS >> dp.sum() >> dp.laplace(1)
Rows = tuple[int, ...]
PAIRS: list[Rows] = list(product((0, 1), repeat=2))
HALVES: dict[Rows, str] = {(0, 1): "1/2", (1, 1): "1/2"}


def _erased(x: Rows) -> Rows:
    return (0, *x[1:])


def test_figures_of_a_pure_loss() -> None:
    found = dp.beliefs(dp.pure(1))
    assert float(found.odds) == pytest.approx(exp(1))
    assert float(found.any_statement) == pytest.approx(exp(2))
    assert float(found.total_variation) == pytest.approx(tanh(1 / 2))
    assert float(found.risk_multiplier) == pytest.approx(exp(1))
    assert float(found.risk("0.05")) == pytest.approx(0.05 * exp(1))
    assert found.failing == 0
    assert dp.beliefs(dp.pure(0)).any_statement == dp.beliefs(dp.pure(0)).odds == 1
    assert dp.beliefs(dp.approx(1, 0)).any_statement.upper == found.any_statement.upper
    assert "2.718" in str(found)


def test_figures_of_an_approximate_loss() -> None:
    found = dp.beliefs(dp.approx(1, "1e-6"))
    assert float(found.odds) == pytest.approx(exp(2))
    assert float(found.failing) == pytest.approx(1e-6 * (1 + exp(-2)) / (1 - exp(-1)))
    assert float(found.risk("0.05")) == pytest.approx(0.05 * exp(1) + 1e-6)
    for figure in ("any_statement", "total_variation"):
        with pytest.raises(dp.errors.NoConversion, match="of all beliefs at once"):
            getattr(found, figure)
    with pytest.raises(dp.errors.NoConversion, match="epsilon of 0"):
        dp.beliefs(dp.approx(0, "1/10")).failing
    assert dp.beliefs(dp.approx("1/100", "1/10")).failing == 1
    assert "probability of 1.79" in str(found)


@pytest.mark.parametrize("loss", [dp.zcdp(1), dp.total_variation("1/10"), 1, None])
def test_losses_of_which_nothing_is_said(loss: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a loss of epsilon"):
        dp.beliefs(loss)  # type: ignore[arg-type]


def test_the_worst_prior_reaches_what_is_promised() -> None:
    """The factor e^(2 epsilon) is neared, and the difference tanh(epsilon/2) is reached by the prior that balances it."""
    worst = worst_belief(COUNT, PAIRS, _erased)
    assert worst.claimed == 2
    assert float(worst.supremum) == pytest.approx(2)
    assert 1.9999 < float(worst.found) < 2
    bound = dp.beliefs(COUNT.loss(1))
    # One outcome that is e times likelier with the first row and one data set in which it is e times less likely.
    other = next(x for x in worst.prior if x != worst.data)
    weight = Fraction(1 / (1 + exp(1))).limit_denominator(10**9)
    differences = []
    for w in (weight, 1 - weight):
        prior = {worst.data: w, other: 1 - w}
        with_it = dp.posterior(COUNT, prior, worst.outcome)[worst.data]
        without = dp.posterior(COUNT, prior, worst.outcome, _erased)[worst.data]
        assert with_it <= without * bound.any_statement.upper
        assert with_it - without <= bound.total_variation
        differences.append(float(with_it - without))
    assert max(differences) == pytest.approx(tanh(1 / 2), rel=0.2)


def test_nobody_is_moved_further() -> None:
    """All statements, over a grid of priors and a few outcomes."""
    bound = dp.beliefs(COUNT.loss(1))
    for weights in product((1, 20), repeat=4):
        prior = dict(zip(PAIRS, weights, strict=True))
        for outcome in (-1, 1, 3):
            there, gone = dp.posterior(COUNT, prior, outcome), dp.posterior(COUNT, prior, outcome, _erased)
            for some in ({(1, 1)}, {(1, 1), (1, 0)}, {(0, 0), (1, 1)}):
                p, q = (float(each.belief(lambda x, some=some: x in some)) for each in (there, gone))  # type: ignore[misc]
                assert abs(p - q) <= float(bound.total_variation) + 1e-12
                assert abs(log(p / q)) <= 2 + 1e-12


def test_bayes_rule() -> None:
    seen = dp.posterior(COUNT, HALVES, 2)
    assert float(seen[(1, 1)]) == pytest.approx(exp(1) / (1 + exp(1)))
    assert seen[(0, 0)] == 0
    assert float(seen.belief(lambda x: True)) == pytest.approx(1)
    assert float(seen.belief(lambda x: Fraction(1, 2))) == pytest.approx(1 / 2)
    assert float(dp.posterior(COUNT, {(1, 1): 5, (0, 1): 5}, 2)[(1, 1)]) == float(seen[(1, 1)]), "weights, not shares"
    assert repr(seen) == "<Posterior of 2 data sets>"


def test_what_was_left_out_is_enclosed() -> None:
    """An outcome so rare that one distribution does not list it: its probability is between 0 and what was left out."""
    told = COUNT.distribution([1, 1])
    outermost = max(key for key in (told.outcomes[k] for k in told.masses) if isinstance(key, int))
    seen = dp.posterior(COUNT, {(1, 1): 1, (0, 0): 1}, outermost)
    assert seen[(0, 0)].lower <= Fraction(exp(-2)) * seen[(1, 1)].upper <= seen[(0, 0)].upper * 10**9


@pytest.mark.parametrize(
    ("prior", "outcome"),
    [({}, 2), ({(1, 1): 0}, 2), ({(1, 1): -1, (0, 1): 2}, 2), (HALVES, "x"), (HALVES, 10**6)],
)
def test_what_no_belief_follows_from(prior: dict[tuple[int, int], object], outcome: object) -> None:
    with pytest.raises(dp.errors.DPError):
        dp.posterior(COUNT, prior, outcome)  # type: ignore[arg-type]


def test_statements_that_are_none() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="truth value"):
        dp.posterior(COUNT, HALVES, 2).belief(lambda x: 2)


def test_universes_that_show_nothing() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="at least two"):
        worst_belief(COUNT, PAIRS[:1], _erased)
    shown = dp.rows(dp.text(), dp.ChangeOneDistance(), 2) >> dp.random_row()
    with pytest.raises(dp.errors.NoFiniteLoss, match="without a limit"):
        worst_belief(shown, [("a", "b"), ("b", "b")], lambda x: ("c", x[1]))
    asked = dp.value(dp.categories("a", "b", "c"), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    worst = worst_belief(asked, ["a", "b", "c"], lambda x: "a")
    assert worst.claimed is not None, "two losses that are equal, and enclosed"
    assert worst.supremum.lower <= worst.claimed.upper
    gaussian = BITS >> dp.sum() >> dp.gaussian(3)
    assert worst_belief(gaussian, PAIRS, _erased).claimed is None


def test_where_a_release_tells_nothing_no_belief_is_moved() -> None:
    survey = dp.rows(dp.booleans(), dp.ChangeOneDistance()) >> dp.locally(dp.randomized_response("1/2"))
    universe = [(a, b) for a in (False, True) for b in (False, True)]
    for worst in (
        worst_belief(survey, universe, lambda x: (False, x[1])),
        worst_belief(COUNT, PAIRS, lambda x: x),
    ):
        assert float(worst.supremum) == pytest.approx(0)
        assert float(worst.found) == pytest.approx(0)


@pytest.mark.parametrize("p", ["3/5", "99/100"])
def test_what_is_printed_of_the_supremum_is_not_below_it(p: str) -> None:
    survey = dp.rows(dp.booleans(), dp.ChangeOneDistance()) >> dp.locally(dp.randomized_response(p))
    worst = worst_belief(survey, [(False,), (True,)], lambda x: (False,))
    assert Fraction(repr(worst).split("up to ")[1].split(";")[0]) >= worst.supremum.upper
