"""What a release tells: beliefs with a person's row, and had it not been used."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, tanh

import pytest

import dpcore as dp

BITS = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance())
Rows = tuple[int, ...]


def _erased(x: Rows) -> Rows:
    return (0, *x[1:])


def _unused(x: Rows) -> Rows:
    return x[1:]


class Worlds:
    """Two worlds, equally likely, in which everybody's row is 1 with another probability: one person first, then others."""

    def __init__(self, rates: tuple[str, str], others: int) -> None:
        self.each = [
            {
                (row, *([1] * ones + [0] * (others - ones))): comb(others, ones)
                * rate ** (ones + row)
                * (1 - rate) ** (others - ones + 1 - row)
                for row in (0, 1)
                for ones in range(others + 1)
            }
            for rate in map(Fraction, rates)
        ]
        self.prior: dict[Rows, Fraction] = {x: self.each[0][x] + self.each[1][x] for x in self.each[0]}

    def first(self, x: Rows) -> Fraction:
        """The probability of the first world, the data being known."""
        return self.each[0][x] / self.prior[x]


@pytest.mark.seed("001-2a")
def test_that_smoking_harms_is_learned_with_alice_or_without_her() -> None:
    """Those who smoke fall ill with 0.9, or else with 0.5. Twelve others, epsilon 1/2, 12 ill are reported."""
    worlds = Worlds(("0.9", "0.5"), 12)
    m = dp.rows(dp.integers(0, 1)) >> dp.sum() >> dp.laplace(2)
    assert m.loss(1) == dp.pure("1/2")
    there, gone = dp.posterior(m, worlds.prior, 12), dp.posterior(m, worlds.prior, 12, _unused)
    assert float(there.belief(worlds.first)) == pytest.approx(0.882, abs=5e-4)
    assert float(gone.belief(worlds.first)) == pytest.approx(0.895, abs=5e-4)


@pytest.mark.seed("000-02")
def test_what_is_believed_of_mr_e_is_learned_without_his_row() -> None:
    """0.725 before; 0.945 after; and 0.912 had his row not been used: what others' rows say of him is no breach."""
    worlds = Worlds(("0.95", "0.5"), 12)
    m = dp.rows(dp.integers(0, 1)) >> dp.sum() >> dp.laplace(2)
    before = sum(mass for x, mass in worlds.prior.items() if x[0]) / sum(worlds.prior.values())
    assert before == Fraction("0.725")
    there, gone = dp.posterior(m, worlds.prior, 13), dp.posterior(m, worlds.prior, 13, _unused)
    p, q = (float(each.belief(lambda x: x[0] == 1)) for each in (there, gone))
    assert p == pytest.approx(0.945, abs=5e-4)
    assert q == pytest.approx(0.912, abs=5e-4)
    bound = dp.beliefs(m.loss(1))
    assert p / (1 - p) / (q / (1 - q)) <= float(bound.any_statement)


@pytest.mark.seed("001-2b")
def test_the_belief_after_a_release_and_with_one_entry_erased() -> None:
    """Equations (4), (5) and (6)."""
    m = BITS >> dp.sum() >> dp.laplace(1)
    prior: dict[Rows, str] = {(1, 1): "0.4", (0, 0): "0.4", (0, 1): "0.1", (1, 0): "0.1"}
    assert float(dp.posterior(m, prior, 2)[(1, 1)]) == pytest.approx(0.7580, abs=5e-5)
    assert float(dp.posterior(m, prior, 2, erased=_erased)[(1, 1)]) == pytest.approx(0.5848, abs=5e-5)


@pytest.mark.seed("001-2.1")
def test_no_prior_is_moved_by_more_than_two_epsilon_and_some_nearly_so_far() -> None:
    """Theorem 2.1, Exercise 2.2: proved in Coq as `beliefs_pure`."""
    m = BITS >> dp.sum() >> dp.laplace(1)
    worst = dp.assurance.worst_belief(m, product((0, 1), repeat=2), _erased)
    assert worst.claimed == 2
    assert 1.99999 < float(worst.found) <= 2
    assert float(dp.beliefs(m.loss(1)).any_statement) == pytest.approx(exp(2))


@pytest.mark.seed("003-14")
def test_the_total_variation_of_beliefs() -> None:
    """At epsilon 1/2 the notes lead to tanh(1/2) = 0.4621; the truth is tanh(1/4) = 0.2449, as numerator and denominator
    of Bayes' rule cannot both be moved at once; and some prior nears it."""
    m = BITS >> dp.sum() >> dp.laplace(2)
    bound = float(dp.beliefs(m.loss(1)).total_variation)
    assert bound == pytest.approx(tanh(1 / 4))
    assert bound < tanh(1 / 2) < exp(1 / 2) - 1
    found = 0.0
    for share in (Fraction(k, 20) for k in range(1, 20)):
        prior: dict[Rows, Fraction] = {(1, 0): share, (1, 1): 1 - share}
        there, gone = dp.posterior(m, prior, 1), dp.posterior(m, prior, 1, _erased)
        found = max(found, abs(float(there[(1, 0)]) - float(gone[(1, 0)])))
    assert 0.24 < found <= bound


@pytest.mark.seed("003-15")
def test_whoever_knows_everybody_else() -> None:
    """Odds of one to one become e to one, and no more."""
    m = BITS >> dp.sum() >> dp.laplace(1)
    prior = {(0, 1, 0, 1): 1, (1, 1, 0, 1): 1}
    found = max(float(dp.posterior(m, prior, t)[(1, 1, 0, 1)]) for t in range(-3, 9))
    assert found / (1 - found) == pytest.approx(exp(1))
    assert float(dp.beliefs(dp.pure(1)).odds) == pytest.approx(exp(1))


@pytest.mark.seed("003-17")
def test_epsilon_multiplies_risks() -> None:
    found = dp.beliefs(dp.pure("1/10"))
    assert float(found.risk_multiplier) == pytest.approx(exp(0.1))
    assert float(found.risk("0.01")) == pytest.approx(0.01 * exp(0.1))
    assert float(dp.beliefs(dp.approx("1/10", "1e-6")).risk("0.01")) == pytest.approx(0.01 * exp(0.1) + 1e-6)
