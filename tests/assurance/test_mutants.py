"""Slips in our own rules are found by the tools, which are told nothing but the arrow."""

from __future__ import annotations

import pytest

from dpcore.assurance import exhaust, falsify
from dpcore.core.origins import Arrow
from tests.assurance.mutants import MUTANTS, Mutant
from tests.laws.arrows import arrow


def found(arrow: Arrow) -> bool:
    return falsify(arrow).found or not exhaust(arrow).sound


@pytest.mark.spread(6)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.slip)
def test_a_slip_is_found(mutant: Mutant) -> None:
    right = arrow(mutant.build())
    assert not falsify(right, examples=100).found
    assert found(mutant.made()) != mutant.same_everywhere


def test_of_twenty_at_most_one_goes_unseen() -> None:
    assert len(MUTANTS) >= 20
    assert 20 * sum(mutant.same_everywhere for mutant in MUTANTS) <= len(MUTANTS)
