"""Writes the golden certificates again: python -m tests.certificates.golden, from the root of the checkout.

Names of rules are stable: a certificate made today verifies for ever. So those that are here stay, and new ones are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify

HERE = Path(__file__).parent


def accepted() -> Mapping[str, Certificate]:
    """A few pipelines of the kind that people build."""
    person = dp.record(who=dp.text(), age=dp.integers(0, 120), region=dp.categories("N", "E", "S", "W"))
    rows, persons = dp.rows(person), dp.rows(person, dp.PersonDistance("who"))
    replaced = dp.rows(person, dp.ChangeOneDistance())
    ages = rows >> dp.select(dp.field("age"), dp.integers(0, 120))
    by_region = (
        rows
        >> dp.filter(dp.field("age") >= 18)
        >> dp.histogram(dp.field("region"), norm=dp.L2Distance)
        >> dp.gaussian(sigma=10)
    )
    ages_in_all = ages >> dp.sum() >> dp.gaussian(sigma=500)
    of_part = rows >> dp.count() >> dp.laplace(scale=2)
    answer = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    return {
        "total": certify(dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)),
        "two_gaussians": certify((by_region.then(str) & ages_in_all.then(str)).to(dp.ApproxDP, delta="1e-6")),
        "persons_fairly": certify(persons >> dp.bound_contributions(3) >> dp.count() >> dp.laplace(scale=30), 2),
        "persons_first": certify(
            persons >> dp.bound_contributions(3, dp.first_by("age")) >> dp.count() >> dp.laplace(scale=30), 2
        ),
        "resized": certify(ages >> dp.resize(100, 0) >> dp.sum() >> dp.laplace(scale=120)),
        "median": certify(ages >> dp.quantile_scores(range(0, 121, 10), "1/2") >> dp.permute_and_flip(scale=20)),
        "regions_replaced": certify(
            replaced
            >> dp.partition(by=dp.field("region"))
            >> dp.parallel({key: rows >> dp.count() >> dp.laplace(scale=2) for key in "NESW"})
        ),
        "regions_alike": certify(replaced >> dp.partition(by=dp.field("region")) >> dp.parallel(of_part)),
        "decades": certify(rows >> dp.partition(range(10), dp.field("age") // 10) >> dp.parallel(of_part)),
        "survey_no_more_than_plain": certify(dp.compose_advanced([answer] * 5, slack="1e-3")),
        "words": certify(dp.rows(dp.text()) >> dp.threshold_release(scale=2, threshold=40)),
        "public_size": certify(replaced >> dp.count() >> dp.laplace(scale=1)),
    }


if __name__ == "__main__":
    for name, certificate in accepted().items():
        path = HERE / "accept" / f"{name}.json"
        if not path.exists():
            certificate.save(path)
