"""The certificates of random pipelines: so many, of every theme, and of any chain that type-checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Set
from fractions import Fraction
from random import Random
from types import ModuleType
from typing import Final, cast
from unittest import mock

import dpcore as dp
from dpcore.conversions import between_curves
from dpcore.conversions.shared import MANY
from proofs.coq.differential import edits
from proofs.coq.differential.json_trees import Json, rules
from proofs.coq.differential.pipelines import choices, measures, promised, together, vectors
from proofs.coq.differential.pipelines import rows as of_rows
from proofs.coq.differential.pipelines.anything.walk import anything
from proofs.coq.differential.pipelines.starts import Arrow, Maker, in_metric

BARE: Final[tuple[tuple[int, Maker], ...]] = (
    (5, of_rows.of_rows),
    (5, of_rows.of_persons),
    (4, of_rows.of_known_number),
    (6, vectors.histogram),
    (9, vectors.of_the_replaced),
    (8, vectors.vector_sum),
    (3, vectors.off_the_grid),
    (4, vectors.linear_queries),
    (3, vectors.marginals),
    (8, vectors.norms),
    (2, choices.answer),
    (4, choices.survey),
    (3, choices.hidden),
    (3, choices.quantile),
    (2, choices.commonest),
    (2, choices.keys),
    (2, choices.published),
)
"""Pipelines whose loss is then, perhaps, counted in other measures, by weight."""

MADE: Final[tuple[tuple[int, Maker], ...]] = (
    (6, together.composed),
    (6, together.advanced),
    (3, together.optimal),
    (7, together.group),
    (12, together.parallel),
    (7, together.parallel_of_gaussians),
    (10, together.parallel_alike),
    (5, together.adaptive),
    (5, together.questions),
    (4, together.comparisons),
    (5, together.graphs),
    (6, together.jointly),
    (5, together.overlapping),
    (5, promised.told),
    (4, promised.made),
    (3, promised.in_weeks),
)


FEW: Final = 4
"""How often each rule is drawn at least, whatever the seed."""

PATIENCE: Final = 8
"""How many times as long it may take to find the rare ones; what is missing then, nothing draws."""

ANY: Final = 0.25
"""The share of pipelines that are drawn by the walk, not by a theme."""


SEARCHED: Final = frozenset({"gaussian_to_tradeoff", "tradeoff_to_profile"})
"""Both together are cut into few pieces: at each of thousands, each line of a Gaussian curve takes the checkers seconds."""

FEW_PIECES: Final = 60


def pipeline(dice: Random) -> Arrow:
    if dice.random() < ANY:
        return anything(dice)
    found = dice.choices([*BARE, *MADE], [weight for weight, _ in (*BARE, *MADE)])[0]
    made = found[1](dice)
    return measures.recounted(dice, made) if found in BARE else made


def distance(dice: Random, m: Arrow) -> Fraction:
    """Mostly near; of a group, at times far, but where each step is worked out after the one before; not whole where the
    metric knows such distances."""
    if in_metric(m.input, dp.DiscreteDistance):
        return Fraction(1)
    rules = m.derivation.rules()
    large = 0.0 if "group_tradeoff" in rules else 0.3 if any(rule.startswith("group_") for rule in rules) else 0.02
    d = Fraction(dice.choice((5, 10, 30, 100) if dice.random() < large else (1, 1, 2, 3)))
    return d if m.input.metric.whole else d / dice.choice((1, 1, 2, 3, 10))


def certificate(dice: Random, known: Set[str]) -> Json | None:
    """The certificate of a random pipeline, where there is one and its rules are known."""
    try:
        m = pipeline(dice)
        points = measures.points(dice, m.measure.name)
        if not m.derivation.rules() <= known:
            return None
        pieces = FEW_PIECES if m.derivation.rules() >= SEARCHED else MANY
        with mock.patch.object(between_curves, "MANY", pieces):
            found = dp.certify(m, distance(dice, m), at=points or None)
    except dp.errors.DPError:  # what does not fit, and what promises nothing
        return None
    return cast(Json, json.loads(as_it_was(found.text())))


def as_it_was(text: bytes) -> bytes:
    """A third as they were made before the choice of rows was fair: of that rule no method makes one today."""
    today, before = b"bound_contributions_fair_person", b"bound_contributions_person"
    return text.replace(today, before) if len(text) % 3 == 0 else text


def certificates(dice: Random, many: int, checker: ModuleType, known: Set[str]) -> list[Json]:
    """So many certificates of the rules that are known, and a few more, of the rules which chance left out."""
    found: list[Json] = []
    while len(found) < many:
        found += _drawn(dice, checker, known)
    seen = Counter(rule for each in found for rule in rules(each))
    for _ in range(PATIENCE * many):
        rare = {rule for rule in known if seen[rule] < max(FEW, many // 160)}  # of thousands 20 are to be verified
        if not rare:
            break
        for each in _drawn(dice, checker, known):
            if rules(each) & rare:
                found.append(each)
                seen.update(rules(each))
    return found


def _drawn(dice: Random, checker: ModuleType, known: Set[str]) -> list[Json]:
    """One or none. A third are changed after dpcore, and claim what holds then."""
    made = certificate(dice, known)
    if made is not None and dice.random() < 0.33:
        made = edits.edited(dice, checker, made)
    return [made] if made is not None and rules(made) <= known else []
