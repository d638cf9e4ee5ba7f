"""A plan: what each of k questions may cost within one budget, and how noisy the answers are, by each way to share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Final, final

from dpcore.errors import InvalidParameter, is_a
from dpcore.maps import Numeric, exact, integer, is_formula, known
from dpcore.measures.losses import ApproxLoss, PureLoss
from dpcore.pictures import Picture, lines
from dpcore.planning.ways import Asked, Way, ways

MOST: Final = 2000
"""So many questions are planned for."""

RELATIVE: Final = tuple([Fraction(2) ** e for e in range(-3, 4)])
"""The epsilons of a picture, as shares of that of the budget."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """The ways to share a budget, `rows`; the one whose answers are off least, `best`; printed as a table."""

    asked: Asked
    rows: tuple[Way, ...]

    @property
    def best(self) -> Way:
        """The way by which an answer is off least; of several the first."""
        return next(way for way in self.rows if way.best)

    def __getitem__(self, name: str) -> Way:
        """The way of this name: `plan["zCDP"]`."""
        for way in self.rows:
            if way.name == name:
                return way
        raise InvalidParameter(
            f"no way is named {name!r}", produced=name, expected=", ".join(way.name for way in self.rows)
        )

    def __repr__(self) -> str:
        return "\n".join(_lines(self))

    def plot(self, path: str | Path | None = None, *, epsilons: Sequence[Numeric] | None = None) -> Picture:
        """By how much an answer is off, over epsilon, by each way: as SVG, into a file where a path is given."""
        at = [self.asked.epsilon * share for share in RELATIVE] if epsilons is None else _epsilons(epsilons)
        errors: dict[str, list[tuple[Fraction, Fraction]]] = {}
        for epsilon in at:
            for way in ways(replace(self.asked, epsilon=epsilon)):
                errors.setdefault(way.name, []).append((epsilon, way.error))
        title, sure = (
            f"{self.asked.k} questions within one budget",
            f"{_short(self.asked.confidence * 100, ROUND_FLOOR)} %",
        )
        picture = lines(errors, title=title, across="epsilon", up=f"off by at most, at {sure}", logarithmic="xy")
        if path is not None:
            picture.save(path)
        return picture


def plan(k: int, budget: ApproxLoss | PureLoss, *, sensitivity: int = 1, confidence: Numeric = "0.95") -> Plan:
    """What each of k questions may cost within a budget, and how noisy its answer is: `plan(100, approx(1, "1e-6"))`.

    For numbers on a grid that one step of the data moves by at most `sensitivity` grid steps, such as counts. The error is
    that of one answer, at the confidence.
    """
    if not is_a(budget, ApproxLoss) and not is_a(budget, PureLoss):
        raise InvalidParameter(
            f"Expected a budget to plan for, with an epsilon, but got a {type(budget).__name__}",
            produced=budget,
            bridge='approx(epsilon, delta), such as approx(1, "1e-6"), or pure(epsilon)',
        )
    count, d = _whole(k, "k", MOST), _whole(sensitivity, "sensitivity", None)
    epsilon = budget.epsilon.lower
    delta = budget.delta.lower if isinstance(budget, ApproxLoss) else Fraction(0)
    if not epsilon > 0:
        raise InvalidParameter(f"Expected a budget with an epsilon above 0 but got {budget}", produced=budget)
    sure = Fraction(known(exact(confidence, "confidence"), "confidence"))
    asked = Asked(count, d, epsilon, delta, sure)
    found = list(ways(asked))
    least = min(way.error for way in found)
    first = next(i for i, way in enumerate(found) if way.error == least)
    return Plan(asked, tuple([replace(way, best=i == first) for i, way in enumerate(found)]))


def _whole(x: object, name: str, most: int | None) -> int:
    n = integer(x, name)
    if is_formula(n) or n < 1 or (most is not None and n > most):
        limits = "a positive whole number" if most is None else f"1 to {most}"
        raise InvalidParameter(f"Expected {limits} for {name} but got {name}={x!r}", produced=x)
    return int(n)


def _epsilons(given: Sequence[Numeric]) -> list[Fraction]:
    found = sorted({Fraction(known(exact(each, "epsilon"), "epsilon")) for each in given})
    if len(found) < 2 or found[0] <= 0:
        raise InvalidParameter("Expected at least two epsilons above 0 to draw at", produced=given)
    return found


# ---- printed -----------------------------------------------------------------------------------------------------------

HEADS: Final = ("way", "a question may cost", "noise", "scale", "off by at most")


def _lines(plan: Plan) -> Iterator[str]:
    asked = plan.asked
    delta = f", delta = {asked.delta}" if asked.delta else ""
    questions = "question" if asked.k == 1 else "questions"
    yield (
        f"{asked.k} {questions} within epsilon = {asked.epsilon}{delta}; each is moved by at most {asked.d}; errors of "
        f"one answer at {_short(asked.confidence * 100, ROUND_FLOOR)} %; * is the best"
    )
    cells = [HEADS, *(_cells(way) for way in plan.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cells(way: Way) -> tuple[str, ...]:
    cost = ", ".join(f"{name} {_short(bound.upper, ROUND_FLOOR)}" for name, bound in way.loss.figures())
    scale, error = _short(way.scale, ROUND_CEILING), _short(way.error, ROUND_CEILING)
    return f"{way.name}{' *' * way.best}", cost, way.noise.word, scale, error


def _short(x: Fraction, rounding: str) -> str:
    """In 8 digits: what may be spent is not said to be more, and noise and errors not to be less."""
    with localcontext() as context:
        context.prec, context.rounding = 8, rounding
        return f"{float(Decimal(x.numerator) / Decimal(x.denominator)):.8g}"
