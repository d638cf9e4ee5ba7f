"""What a share costs in error, by how many rows there are: randomised reports beside noise on a count.

The error of an estimate from n reports falls as 1/sqrt(n); that of a count with noise, divided by n, as 1/n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import ceil, floor, log10
from typing import Final, TypeAlias, final

from dpcore.core import Measurement
from dpcore.core.accuracies import accuracy_of_one, estimator_of
from dpcore.core.checks import number_of
from dpcore.core.origins import Chain
from dpcore.domains import Domain
from dpcore.errors import InvalidParameter, is_a
from dpcore.maps import Numeric, exact, known
from dpcore.measurements.shares import Estimator
from dpcore.measures import Measure
from dpcore.metrics import Metric
from dpcore.pictures.charts import lines
from dpcore.pictures.svg import Picture

SomeMeasurement: TypeAlias = Measurement[Domain, Metric, Measure, object]

DIGITS: Final = 4


@final
@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """How far a share may be off, of each release, by the number of rows. It prints as a table."""

    rows: tuple[int, ...]
    confidence: Fraction
    errors: Mapping[str, tuple[Fraction, ...]]
    """Of each release by its name, in the order of the rows. What Hoeffding's inequality says of reports stands beside."""

    @property
    def picture(self) -> Picture:
        """Both axes by powers of ten, so that 1/sqrt(n) and 1/n are straight lines."""
        points = {name: list(zip(self.rows, errors, strict=True)) for name, errors in self.errors.items()}
        up = f"error, with confidence {float(self.confidence):g}"
        return lines(points, title="Error of a share", across="rows", up=up, logarithmic="xy")

    def _table(self) -> list[list[str]]:
        head = ["rows", *self.errors]
        return [head, *([str(n), *(_shown(each[i]) for each in self.errors.values())] for i, n in enumerate(self.rows))]

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join("  ".join(map(str.rjust, row, widths)) for row in table)

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td style='text-align:right'>{escape(cell)}</td>" for cell in row) for row in self._table()]
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def compare(
    releases: Sequence[object] | Mapping[str, object],
    *,
    rows: Sequence[int],
    confidence: Numeric = "0.95",
) -> Comparison:
    """How far off a share is that each release gives, by the number of rows: `compare([survey, count], rows=[10, 100])`.

    What estimates shares from reports has its accuracy over so many rows, and beside it what Hoeffding's inequality says.
    What is a number plus noise is taken for a count, of which the share is one in so many rows.
    """
    if not is_a(rows, Sequence) or is_a(rows, str):
        raise InvalidParameter(
            f"Expected rising numbers of rows, such as [10, 100, 10_000], but got a {type(rows).__name__}",
            produced=rows,
        )
    many = tuple([number_of(each, "rows", 1) for each in rows])
    if not many or list(many) != sorted(set(many)):
        raise InvalidParameter("Expected rising numbers of rows, such as [10, 100, 10_000]", produced=tuple(rows))
    sure = Fraction(known(exact(confidence, "confidence"), "confidence"))
    errors: dict[str, tuple[Fraction, ...]] = {}
    for name, release in _named(releases).items():
        estimator = estimator_of(release)
        if estimator is None:
            off = accuracy_of_one(release, sure)
            errors[name] = tuple(off / n for n in many)
            continue
        errors[name] = tuple(accuracy_of_one(release, sure, n) for n in many)
        if isinstance(estimator, Estimator):
            errors[f"{name}, by Hoeffding"] = tuple(estimator.hoeffding(sure, n) for n in many)
    return Comparison(many, sure, errors)


def _named(releases: Sequence[object] | Mapping[str, object]) -> dict[str, SomeMeasurement]:
    if not (is_a(releases, Mapping) or is_a(releases, Sequence)) or is_a(releases, str):
        raise InvalidParameter(
            f"Expected measurements to compare but got a {type(releases).__name__}", produced=releases
        )
    given = list(releases.items() if isinstance(releases, Mapping) else (("", x) for x in releases))
    named: dict[str, SomeMeasurement] = {}
    for name, release in given:
        if not isinstance(release, Measurement):
            raise InvalidParameter(f"Expected measurements to compare but got a {type(release).__name__}")
        if not isinstance(name, str):
            raise InvalidParameter(f"Expected the names of measurements to be texts but got a {type(name).__name__}")
        word = name or _word(release)
        same = sum(other.partition(" ")[0] == word for other in named)
        named[f"{word} {same + 1}" if same and not name else word] = release
    if not named:
        raise InvalidParameter("Expected measurements to compare but got none")
    return named


def _word(release: SomeMeasurement) -> str:
    """By what the release is made random, in a word."""
    estimator = estimator_of(release)
    if isinstance(estimator, Estimator):
        return estimator.randomizer.word
    origin = release.origin
    while isinstance(origin, Chain):
        origin = origin.arrows[-1].origin
    return origin.word


def _shown(error: Fraction) -> str:
    """A few digits, rounded up."""
    unit = Fraction(10) ** (floor(log10(error)) - DIGITS + 1)
    return f"{float(ceil(error / unit) * unit):.{DIGITS}g}"
