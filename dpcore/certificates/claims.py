"""What a certificate claims: the loss at a distance, worked out from a derivation and rounded to the safe side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.calculus import Derivation, Raw
from dpcore.calculus.parameters import lower, upper
from dpcore.certificates.document import Claim
from dpcore.certificates.witnesses import Found, witnessed
from dpcore.errors import InvalidParameter, Vacuous, looked_at, printed
from dpcore.maps import Numeric, at_precision, ends, exact, known, numeral, rational_in
from dpcore.measures import Measure, Profile, Tradeoff
from dpcore.metrics import Metric

BITS = 512
"""Bits of the balls that claims are read from: an auditor must find them tight."""


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a derivation: its loss in a measure, between inputs `d` apart; of a curve, at some points."""

    metric: Metric
    measure: Measure
    d: int | Fraction
    points: tuple[Fraction, ...]

    def unanswered(self) -> Claim:
        """The claim of nothing yet: every figure is null."""
        return self._claim([None] * (len(self.points) or len(self.measure.figures)))

    def answered(self, derivation: Derivation) -> tuple[Claim, bool, Found]:
        """The claim; whether nothing is lost at all; and the witnesses it rests on."""
        sought = any(part.rule.witness for part in derivation.parts())
        found = witnessed(_apart(derivation), self._figures) if sought else Found(derivation)
        figures = self._figures(found.derivation)
        safe = lower if isinstance(self.measure, Tradeoff) else upper
        claimed = [safe(numeral(figure)) for figure in figures]
        deltas = claimed if self.points else claimed[-1:]
        if self.measure.figures[-1] == "delta" and max(deltas) >= 1:
            raise Vacuous("a delta of 1 promises nothing, and no certificate says so", produced=self.measure)
        told = not isinstance(self.measure, (Profile, Tradeoff))  # a point of these curves says little about the others
        lossless = told and all(map(_is_nothing, figures))
        return self._claim(claimed), lossless, found

    def _figures(self, derivation: Derivation) -> list[Raw]:
        return at_precision(BITS, lambda: self._at_working_precision(derivation))

    def _at_working_precision(self, derivation: Derivation) -> list[Raw]:
        raw = derivation.numbers()(self.metric.carry(numeral(self.d)))
        if callable(raw):
            return [raw(numeral(x)) for x in self.points]
        shown = self.measure.shown(raw) if self.measure.rooted else raw
        return list(shown) if isinstance(shown, tuple) else [shown]

    def _claim(self, figures: Sequence[Fraction | None]) -> Claim:
        names = () if self.points else self.measure.figures
        points = tuple(zip(self.points, figures, strict=True)) if self.points else ()
        return Claim(Fraction(self.d), self.measure.name, dict(zip(names, figures, strict=False)), points)


def _is_nothing(figure: Raw) -> bool:
    """Whether a loss is known to be 0."""
    x = numeral(figure)
    value = rational_in(x)
    return not (any(ends(x)) if value is None else value)


def _apart(derivation: Derivation) -> Derivation:
    """A copy in which no part stands at two distances, though the object may have been used twice.

    Each occurrence has witnesses of its own, so equal pipelines have equal certificates, whatever they share.
    """
    at_one_distance = derivation.rule.premises.all_at_one_distance
    keys = [id(premise) if at_one_distance else i for i, premise in enumerate(derivation.premises)]
    copies = {key: _apart(premise) for key, premise in dict(zip(keys, derivation.premises, strict=True)).items()}
    return Derivation(derivation.rule, derivation.parameters, tuple([copies[key] for key in keys]))


def points_of(measure: Measure, at: Sequence[Numeric] | None) -> tuple[Fraction, ...]:
    """The points of a curve at which it is certified."""
    if (measure.variable is None) != (at is None):
        raise InvalidParameter(
            f"Expected points of the curve as at=[...] if the loss is a curve, and only then, but got at={printed(at)}",
            produced=measure,
        )
    given = () if at is None else looked_at(lambda: tuple(at))
    if given is None or isinstance(at, str):
        raise InvalidParameter(f"Expected a list for at but got a {type(at).__name__}", produced=at)
    found = tuple(Fraction(known(exact(x, "at"), "at")) for x in given)
    low, high = {"renyi": (1, None), "profile": (0, None), "tradeoff": (0, 1)}.get(measure.name, (0, None))
    for x in found:
        if x < low or (measure.name == "renyi" and x == 1) or (high is not None and x > high):
            raise InvalidParameter(f"the curve of {measure} has no point at {x}", produced=x)
    if measure.variable is not None and not found:
        raise InvalidParameter("Expected at least one point in at")
    return found
