"""On which data each metric is a distance: what it declares, tried on a domain of each kind."""

from __future__ import annotations

from typing import Any

import pytest

import dpcore as dp
from dpcore import domains
from dpcore.domains import Domain, Parts, Rows

d: Any = dp
AGE = dp.integers(0, 9)

NUMBERS: list[Domain] = [AGE, dp.numbers(0, 1, "1/2")]
VALUES: list[Domain] = [
    *(dp.booleans(), dp.categories("a", "b"), dp.text(), dp.date(), dp.optional(AGE), dp.record(age=AGE)),
    dp.graphs(3),
]
VECTORS: list[Domain] = [dp.vector(AGE, 2), dp.vector(dp.numbers(), 2)]
OTHER_VECTORS: list[Domain] = [dp.vector(dp.booleans(), 2), dp.vector(dp.vector(AGE, 2), 2)]
ROWS: list[Domain] = [Rows(AGE), Rows(dp.record(age=AGE), 3)]
PARTS: list[Domain] = [Parts(AGE, (1, 2))]
ALL = [*NUMBERS, *VALUES, *VECTORS, *OTHER_VECTORS, *ROWS, *PARTS]

MEASURED: dict[Any, list[Domain]] = {
    d.SymmetricDistance(): ROWS,
    d.ChangeOneDistance(): ROWS,
    d.PersonDistance("age"): [Rows(dp.record(age=AGE), 3)],
    d.PersonDistance("name"): [],
    d.DiscreteDistance(): [*NUMBERS, *VALUES, *VECTORS, *OTHER_VECTORS],
    d.AbsoluteDistance(): NUMBERS,
    d.L1Distance(): VECTORS,
    d.L2Distance(): VECTORS,
    d.LInfDistance(): VECTORS,
    d.RangeDistance(): VECTORS,
    d.EdgeDistance(): [dp.graphs(3)],
    d.NodeDistance(): [dp.graphs(3)],
    d.types.PartDistance(d.SymmetricDistance): PARTS,
    d.granularity("a week", lambda x, y: 0): ALL,
}


def test_every_kind_of_domain_is_tried() -> None:
    kinds = {kind for kind in vars(domains).values() if isinstance(kind, type) and issubclass(kind, Domain)}
    assert {type(domain) for domain in ALL} == kinds - {Domain, domains.NumberDomain}


@pytest.mark.parametrize("metric", MEASURED, ids=repr)
def test_it_measures_these_and_no_others(metric: Any) -> None:
    assert [domain for domain in ALL if _measures(metric, domain)] == [x for x in ALL if x in MEASURED[metric]]


def _measures(metric: Any, domain: Domain) -> bool:
    try:
        d.types.Space(domain, metric)
    except dp.errors.MetricMismatch:
        return False
    return True
