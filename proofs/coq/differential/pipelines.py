"""Random measurements of the rules that the verified checker follows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, cast

import dpcore as dp

# A random pipeline has no static type: it is put together by what the dice say, and dpcore refuses at run time what does
# not fit. This is the one door through which such pipelines come.
Arrow = Any

REGIONS = ("N", "E", "S", "W")


def scale(dice: Random) -> Fraction:
    return Fraction(dice.randint(1, 400), dice.choice((1, 1, 2, 3, 7, 10)))


def person(dice: Random) -> Arrow:
    return dp.record(
        who=dp.text(),
        age=dp.integers(0, dice.randint(50, 120)),
        region=dp.categories(*REGIONS),
        spent=dp.optional(dp.numbers(0, 100, "1/10")),
    )


def expression(dice: Random) -> Arrow:
    age = dp.field("age")
    of = dice.randint(1, 60)
    found: list[Arrow] = [
        age >= of,
        age < of,
        dp.field("region").equals("N"),
        (age >= of) & (age < of + 9),
        age + 1 >= of,
    ]
    return dice.choice(found)


def odd(row: object) -> bool:
    return True


def doubled(row: object) -> list[object]:
    return [row, row]


def row_steps(dice: Random, start: Arrow, metric: str) -> Arrow:
    """Some steps that give rows again."""
    found = start
    for _ in range(dice.randint(0, 2)):
        step = dice.choice(("filter", "filter", "function", "drop", "flat"))
        if step == "filter":
            found = found >> dp.filter(expression(dice))
        elif step == "function":
            found = found >> dp.filter(odd)
        elif step == "drop":
            found = found >> dp.drop_nulls("spent")
        elif metric == "symmetric" and "rows" in repr(found)[:4]:
            found = found >> dp.flat_map(doubled, person(Random(5)), limit=dice.randint(1, 3))
    return found


def moved(dice: Random, space: Arrow, norm: Arrow) -> Arrow:
    """A histogram, perhaps in another norm than it was made in, with what that norm allows."""
    bins = dice.sample(REGIONS, dice.randint(1, 4))
    found = space >> dp.histogram(dp.field("region"), bins=bins, norm=norm)
    found = found >> dp.to_metric(dice.choice((dp.L1Distance, dp.L2Distance, dp.LInfDistance, dp.RangeDistance))())
    kind = type(found.output.metric)
    if kind is dp.L1Distance:
        return found >> dp.laplace(scale=scale(dice))
    if kind is dp.L2Distance:
        return found >> dp.gaussian(sigma=scale(dice))
    choose: Arrow = dice.choice((dp.permute_and_flip, dp.exponential))
    return found >> choose(scale=scale(dice))


def vectors(dice: Random) -> Arrow:
    """Counts that go from one norm to another; rows of a known number."""
    metric: Arrow = dice.choice((dp.SymmetricDistance(), dp.ChangeOneDistance()))
    if dice.random() < 0.2:
        sized: Arrow = dp.rows(person(dice), size=dice.randint(1, 50))
        return (
            sized
            >> dp.to_metric(dp.ChangeOneDistance())
            >> dp.histogram(dp.field("region"))
            >> dp.laplace(scale=scale(dice))
        )
    if dice.random() < 0.1:
        replaced: Arrow = dp.rows(person(dice), dp.ChangeOneDistance())
        return replaced >> dp.to_metric(dp.SymmetricDistance()) >> dp.count() >> dp.laplace(scale=scale(dice))
    return moved(
        dice,
        dp.rows(person(dice), metric),
        dice.choice((dp.L1Distance, dp.L2Distance, dp.LInfDistance, dp.RangeDistance)),
    )


def aggregated(dice: Random, rows: Arrow) -> Arrow:
    """A number or a vector, with noise on it."""
    kind = dice.choice(("count", "sum", "sum", "expression", "histogram", "l2", "gaussian", "tenths"))
    noise = dp.laplace(scale=scale(dice))
    if kind == "count":
        return rows >> dp.count() >> noise
    if kind == "histogram":
        return rows >> dp.histogram(dp.field("region"), bins=dice.sample(REGIONS, dice.randint(1, 4))) >> noise
    if kind == "l2":
        norm: Arrow = dp.L2Distance
        return rows >> dp.histogram(dp.field("region"), norm=norm) >> dp.gaussian(sigma=scale(dice))
    if kind == "gaussian":
        return rows >> dp.count() >> dp.gaussian(sigma=scale(dice))
    if kind == "tenths":
        spent = dp.select(dp.field("spent"), dp.optional(dp.numbers(0, 100, "1/10")))
        low, high = sorted(Fraction(dice.randint(-50, 900), 10) for _ in range(2))
        return rows >> spent >> dp.drop_nulls() >> dp.clamp(low, high) >> dp.sum() >> noise
    age: Arrow = dp.field("age")
    made: Arrow = age * dice.randint(1, 3) - dice.randint(0, 9) if kind == "expression" else age
    if dice.random() < 0.1:  # an operation whose values are not followed
        return rows >> dp.select(age // dice.randint(2, 5), dp.integers(0, 99)) >> dp.clamp(0, 50) >> dp.sum() >> noise
    least, most = sorted((dice.randint(-20, 150), dice.randint(-20, 150)))
    return rows >> dp.select(made) >> dp.clamp(least, most) >> dp.sum() >> noise


def measured(dice: Random, depth: int = 2) -> Arrow:
    """A measurement of rows."""
    metric = dice.choice(("symmetric", "symmetric", "change", "person"))
    spaces: dict[str, Callable[[], Arrow]] = {
        "symmetric": lambda: dp.rows(person(dice)),
        "change": lambda: dp.rows(person(dice), dp.ChangeOneDistance()),
        "person": lambda: dp.rows(person(dice), dp.PersonDistance("who")),
    }
    return of_space(dice, spaces[metric](), metric, depth)


def of_space(dice: Random, space: Arrow, metric: str, depth: int) -> Arrow:
    if metric == "person":
        kept = row_steps(dice, space, metric) >> dp.bound_contributions(dice.randint(1, 4))
        return finished(dice, aggregated(dice, kept))
    if depth and dice.random() < 0.25:
        parts = [
            finished(
                dice,
                aggregated(dice, row_steps(dice, dp.rows(person(Random(1))), "symmetric")),
                to=dice.choice(("pure", "approx", "zcdp", "total_variation")),
            )
        ]
        start = dp.rows(person(Random(1)), dp.ChangeOneDistance()) if metric == "change" else dp.rows(person(Random(1)))
        keys = dice.sample(REGIONS, dice.randint(1, 4))
        return start >> dp.partition(keys, dp.field("region")) >> dp.parallel(parts[0])
    if depth and dice.random() < 0.3:
        several = [of_space(dice, space, metric, 0) for _ in range(dice.randint(1, 4))]
        alike = [each for each in several if each.measure == several[0].measure]
        if alike[0].measure.name in ("pure", "approx") and dice.random() < 0.4:
            return finished(dice, dp.compose_advanced(alike, slack=Fraction(1, 10 ** dice.randint(2, 9))))
        return finished(dice, finished(dice, dp.compose(alike)))
    return finished(dice, aggregated(dice, row_steps(dice, space, metric)))


def finished(dice: Random, found: Arrow, to: str = "") -> Arrow:
    """Perhaps processed further, perhaps in another measure."""
    if dice.random() < 0.2:
        found = found.then(str)
    kind = found.measure.name
    goal = to or dice.choice(("", "", "", "approx", "total_variation", "zcdp"))
    if kind == "zcdp" and goal in ("approx", "pure"):
        return found.to(dp.ApproxDP, delta=Fraction(1, 10 ** dice.randint(2, 9)))
    if kind == "pure" and goal == "approx":
        return found.to(dp.ApproxDP)
    if kind == "pure" and goal == "zcdp":
        return found.to(dp.ZCDP)
    if kind == "pure" and goal == "total_variation":
        return found.to(dp.TotalVariation)
    if kind == "approx" and goal == "total_variation":
        return found.to(dp.TotalVariation)
    if kind == "total_variation" and goal == "approx":
        return found.to(dp.ApproxDP)
    return found


def chosen(dice: Random) -> Arrow:
    """A choice among candidates, or an answer that a person randomised alone."""
    kind = dice.choice(("answer", "truth", "quantile", "quantile", "commonest", "commonest", "keys", "shame", "row"))
    if kind == "keys":
        threshold = dice.randint(2, 60)
        return dp.rows(person(dice)) >> dp.threshold_release(
            by=dp.field("region"), scale=scale(dice), threshold=threshold
        )
    if kind == "shame":
        replaced: Arrow = dp.rows(person(dice), dp.ChangeOneDistance())
        return finished(dice, replaced >> dp.name_and_shame(delta=Fraction(1, dice.randint(2, 99))))
    if kind == "row":
        some: Arrow = dp.rows(person(dice), dp.ChangeOneDistance(), size=dice.randint(1, 60))
        return finished(dice, some >> dp.random_row())
    if kind == "answer":
        p = Fraction(dice.randint(30, 99), 100)
        return dp.value(dp.categories(*REGIONS), dp.DiscreteDistance()) >> dp.randomized_response(p)
    if kind == "truth":
        p = Fraction(dice.randint(50, 99), 100)
        return dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response(p)
    metric: Arrow = dice.choice((dp.SymmetricDistance(), dp.ChangeOneDistance()))
    rows = row_steps(dice, dp.rows(person(dice), metric), "")
    choose: Arrow = dice.choice((dp.permute_and_flip, dp.exponential))
    if kind == "quantile":
        candidates = sorted(dice.sample(range(120), dice.randint(1, 8)))
        made: Arrow = dp.field("age")
        level = Fraction(dice.randint(1, 9), 10)
        return finished(
            dice, rows >> dp.select(made) >> dp.quantile_scores(candidates, level) >> choose(scale=scale(dice))
        )
    norm: Arrow = dice.choice((dp.RangeDistance, dp.LInfDistance))
    return finished(dice, rows >> dp.histogram(dp.field("region"), norm=norm) >> choose(scale=scale(dice)))


def certificates(dice: Random, many: int) -> list[dict[str, object]]:
    """So many certificates, as JSON holds them."""
    import json

    from dpcore.errors import DPError

    found: list[dict[str, object]] = []
    makers: list[Callable[[Random], Arrow]] = [measured, measured, measured, chosen, vectors]
    while len(found) < many:
        try:
            certificate = dp.certify(dice.choice(makers)(dice), dice.choice((1, 1, 2, 3)))
        except DPError:
            continue
        written = cast("dict[str, Arrow]", json.loads(certificate.text()))
        claim = written["claims"][0]
        if claim["d_in"] == "1" and "Distance" in repr(written["space"]["metric"]) and dice.random() < 0.1:
            rule = "group_" + claim["measure"]  # what one step costs, as a group of one
            premises = [written["derivation"]]
            written["derivation"] = {"rule": rule, "parameters": {}, "premises": premises, "witness": {}}
        found.append(written)
    return found
