"""Measurements made of measurements: together, one after another, each of its part; and of groups."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import dpcore as dp
from dpcore.interaction.filters import FILTER
from dpcore.measures import MEASURES
from proofs.coq.differential.pipelines.choices import answer, published
from proofs.coq.differential.pipelines.measures import CURVES, NUMBERS, ONE_STEP, counted_in, recounted
from proofs.coq.differential.pipelines.promised import much_and_next_to_nothing, nothing
from proofs.coq.differential.pipelines.rows import some_steps
from proofs.coq.differential.pipelines.starts import (
    REGIONS,
    Arrow,
    condition,
    output,
    people,
    person,
    scale,
    small,
)
from proofs.coq.differential.pipelines.vectors import either


def composed(dice: Random) -> Arrow:
    """All on the same rows; of curves that do not add up, one alone."""
    rows = people(dice, either(dice))
    measure = dice.choice((*NUMBERS, ONE_STEP, *CURVES))
    many = 1 if measure in ("profile", "tradeoff") else dice.randint(1, 5)
    return recounted(dice, dp.compose([counted_in(dice, some_steps(dice, rows, 1), measure) for _ in range(many)]), 1)


def several(dice: Random, measure: str) -> list[Arrow]:
    """In PureDP or ApproxDP; sometimes many of one kind."""
    rows = people(dice, either(dice))
    if measure == "pure" and dice.random() < 0.3:
        return [answer(dice)] * dice.randint(1, 12)
    if dice.random() < 0.3:
        return [counted_in(dice, rows, measure)] * dice.randint(2, 12)
    return [counted_in(dice, rows, measure) for _ in range(dice.randint(1, 4))]


def advanced(dice: Random) -> Arrow:
    return recounted(dice, dp.compose_advanced(several(dice, dice.choice(("pure", "approx"))), slack=small(dice)), 1)


def optimal(dice: Random) -> Arrow:
    return recounted(dice, dp.compose_optimal(several(dice, dice.choice(("pure", "approx")))), 1)


def group(dice: Random) -> Arrow:
    if dice.random() < 0.1:
        return recounted(dice, dp.group_privacy(published(dice)))
    if dice.random() < 0.15:  # sums of next to nothing, which the group multiplies
        rows = people(dice, either(dice))
        told: Arrow = dp.measurement(nothing, rows, dp.ApproxDP(), much_and_next_to_nothing)
        return dp.group_privacy(dp.compose([told] * dice.randint(2, 3)))
    measure = dice.choice((*NUMBERS, *CURVES, "profile"))
    return recounted(dice, dp.group_privacy(counted_in(dice, people(dice, either(dice)), measure)), 1)


# ---- by parts ----------------------------------------------------------------------------------------------------------


def parallel(dice: Random) -> Arrow:
    """One measurement for all parts, or one for each."""
    start = people(dice, either(dice))
    replaced = isinstance(start.metric, dp.ChangeOneDistance)
    others = ("renyi",) if replaced else (ONE_STEP, ONE_STEP, "profile", "profile", "renyi")
    return _parts_of(dice, start, dice.choice((*NUMBERS, *others)), alike=dice.random() < 0.5)


def parallel_of_gaussians(dice: Random) -> Arrow:
    """In measures in which few of the parts drawn above can be counted."""
    return _parts_of(dice, people(dice, "symmetric"), dice.choice(("gaussian", "zcdp")), alike=dice.random() < 0.5)


def parallel_alike(dice: Random) -> Arrow:
    """One measurement for all parts, in measures in which few of those drawn above are."""
    start = people(dice, either(dice))
    replaced = isinstance(start.metric, dp.ChangeOneDistance)
    others = ("gaussian", "gaussian") if replaced else (ONE_STEP, ONE_STEP, "profile")
    return _parts_of(dice, start, dice.choice(("renyi", "renyi", "total_variation", *others)), alike=True)


def _parts_of(dice: Random, start: Arrow, measure: str, *, alike: bool) -> Arrow:
    rows: Arrow = dp.rows(start.domain.of)
    by_age = dice.random() < 0.3
    keys = [*range(30, 30 + dice.randint(1, 4))] if by_age else dice.sample(REGIONS, dice.randint(1, 3))

    def part() -> Arrow:
        return counted_in(dice, some_steps(dice, rows, 1), measure)

    parts: Arrow = part() if alike else {key: part() for key in keys}
    found = start >> dp.partition(keys, dp.field("age" if by_age else "region")) >> dp.parallel(parts)
    return recounted(dice, found, 1)


# ---- what is declared --------------------------------------------------------------------------------------------------


def first(seen: tuple[object, ...]) -> object:
    """What a stage chooses is never run here."""
    return None


def second(seen: tuple[object, ...]) -> object:
    return None


LOW = (Fraction(5, 4), Fraction(2), Fraction(5))
HIGH = (Fraction(9), Fraction(60))
"""Orders that a budget may have, and those that it has."""


def cost(dice: Random, measure: str) -> Arrow:
    epsilon = Fraction(dice.randint(0, 60), dice.choice((7, 20)))
    if measure in ("approx", ONE_STEP):
        return (dp.approx if measure == "approx" else dp.zcdp)(epsilon, small(dice))
    if measure == "renyi":
        return dp.renyi({order: epsilon * order for order in [*dice.sample(LOW, dice.randint(0, 3)), *HIGH]})
    makers: dict[str, Arrow] = {"pure": dp.pure, "zcdp": dp.zcdp, "gaussian": dp.gaussian_dp}
    return makers[measure](epsilon) if measure in makers else dp.total_variation(small(dice))


def stages(dice: Random, space: Arrow, measure: str) -> Arrow:
    adaptive: Arrow = dp.adaptive
    many = dice.randint(1, 4)
    return adaptive(space, [(cost(dice, measure), dice.choice((first, second))) for _ in range(many)])


def adaptive(dice: Random) -> Arrow:
    space = people(dice, dice.choice(("symmetric", "change_one", "person")))
    if dice.random() < 0.2:
        space = dp.value(dp.booleans(), dp.DiscreteDistance())
    return recounted(dice, stages(dice, space, dice.choice(NUMBERS)))


def asker(curator: object) -> object:
    """Who asks is never run here."""
    return None


def questions(dice: Random) -> Arrow:
    """A filter, of which something was asked that fits; seldom something that does not."""
    measure = dice.choice((*NUMBERS, ONE_STEP, "renyi"))
    space = people(dice, either(dice))
    asked = [counted_in(dice, some_steps(dice, space, 1), measure) for _ in range(dice.choice((0, 0, 1, 2)))]
    interactive: Arrow = dp.interactive
    found: Arrow = dp.view(interactive(space, cost(dice, measure), asked), asker)
    return recounted(dice, found)


def comparisons(dice: Random) -> Arrow:
    """One above-threshold that is asked query by query: alone, or as something that was asked of a filter in any measure."""
    space = people(dice, either(dice))
    step = dp.above_threshold(
        dice.randint(-9, 9), threshold_scale=scale(dice), query_scale=scale(dice), hits=dice.randint(1, 4)
    )
    interactive: Arrow = dp.interactive
    found: Arrow = dp.view(interactive(space, step), asker)
    if dice.random() < 0.4:
        measure = dice.choice([each for each in MEASURES if each.name in FILTER])
        found = found if measure.name == "pure" else found.to(measure)
        budget = found.loss(1)
        budget = budget.at_orders(HIGH) if measure.name == "renyi" else budget
        found = dp.view(interactive(space, budget, [found]), asker)
    return recounted(dice, found)


def graphs(dice: Random) -> Arrow:
    """Graphs that differ by an edge, or by all edges of a node; what is asked of them is chosen by the way."""
    nodes = dice.randint(2, 30)
    metrics: list[Arrow] = [dp.EdgeDistance(), dp.NodeDistance()]
    dice.shuffle(metrics)
    start: Arrow = dp.value(dp.graphs(nodes), metrics[0])
    if dice.random() < 0.75:
        start = start >> dp.to_metric(metrics[1])
    if dice.random() < 0.5:
        return recounted(dice, _counted(dice, start, nodes))
    measure = dice.choice(NUMBERS)
    asked = [stages(dice, output(start), measure) for _ in range(dice.choice((1, 1, 2)))]
    m = asked[0] if len(asked) == 1 else dp.compose(asked)
    return recounted(dice, start >> m if isinstance(start, dp.types.Transformation) else m)


def _counted(dice: Random, start: Arrow, nodes: int) -> Arrow:
    """Edges, degrees or triangles, with noise."""
    degree = dice.choice((None, dice.randint(1, nodes)))
    steps: list[Arrow] = [dp.edge_count(degree), dp.degree_histogram(degree)]
    by_edge = isinstance(
        output(start).metric if isinstance(start, dp.types.Transformation) else start.metric, dp.EdgeDistance
    )
    return start >> dice.choice([*steps, dp.triangles()] if by_edge else steps) >> dp.laplace(dice.randint(1, 9))


def overlapping(dice: Random) -> Arrow:
    """Several measurements of some of the rows each: which, their filters say."""
    space: Arrow = dp.rows(
        person(99), dp.ChangeOneDistance() if either(dice) == "change_one" else dp.SymmetricDistance()
    )
    measure = dice.choice(NUMBERS)
    kept = [space >> dp.filter(condition(dice)) for _ in range(dice.randint(1, 3))]
    return recounted(dice, dp.compose_jointly([dp.after(t, _measured(dice, output(t), measure)) for t in kept]), 1)


def jointly(dice: Random) -> Arrow:
    """Several data sets made of one, each measured; one person is in some of them only."""
    space: Arrow = dp.rows(
        person(99), dp.ChangeOneDistance() if either(dice) == "change_one" else dp.SymmetricDistance()
    )
    measure, many = dice.choice(NUMBERS), dice.randint(1, 3)
    firsts = [space >> dp.filter(condition(dice)) for _ in range(many)]
    norm: Arrow = {"pure": dp.L1Distance, "zcdp": dp.L2Distance}.get(measure)
    if norm is not None and dice.random() < 0.5:
        firsts[-1] = space >> dp.histogram(dp.field("region"), norm=norm)
    parts = [dp.after(t, _measured(dice, output(t), measure)) for t in firsts]
    alone = [[int(i == j) for i in range(many)] for j in range(many)]
    some = [[Fraction(dice.randint(0, 4), dice.choice((1, 1, 2))) for _ in range(many)] for _ in range(2)]
    whole = [[Fraction(dice.randint(0, 3)) for _ in range(many)]]
    vectors = dice.choice((alone, alone, [[1] * many], [[2] * many, *alone], some, whole))
    return recounted(dice, dp.compose_jointly(parts, joint=vectors), 1)


def _measured(dice: Random, space: Arrow, measure: str) -> Arrow:
    if isinstance(space.metric, dp.L1Distance):
        return space >> dp.laplace(scale=scale(dice))
    if isinstance(space.metric, dp.L2Distance):
        return space >> dp.gaussian(sigma=scale(dice))
    return counted_in(dice, space, measure)
