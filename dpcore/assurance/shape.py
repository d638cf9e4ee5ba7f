"""The shape of a map: never negative, 0 at distance 0, and no less at a larger distance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, TypeAlias

from dpcore.assurance.arrows import AnyMeasurement, AnyTransformation, as_measurement, is_transformation
from dpcore.assurance.comparisons import AT_ORDER, comparisons
from dpcore.assurance.findings import Finding, Kind
from dpcore.errors import DPError, InvalidDistance, InvalidParameter, NoFiniteLoss, Undecided, Vacuous
from dpcore.maps import ends, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures.losses import GaussianLoss, PureLoss, TotalVariationLoss, ZCDPLoss

Figures: TypeAlias = tuple[tuple[str, Bound], ...]
Point: TypeAlias = tuple[int | Fraction, Figures]
"""A distance, and what the map says there."""

WHOLE: Final = (0, 1, 2, 3, 4, 5, 8, 16, 100)
ANY: Final = (0, Fraction(1, 3), Fraction(1, 2), 1, Fraction(3, 2), 2, 4, 100)
UNASKED: Final = (InvalidDistance, Vacuous, NoFiniteLoss, Undecided)
"""What a map raises at a distance of which it claims nothing."""
SLACK: Final = Fraction(1, 10**9)
"""A search for a witness may do a little worse at one distance than at another; every witness is sound."""


def shape_faults(arrow: AnyTransformation | AnyMeasurement) -> Iterator[Finding]:
    """What is wrong with the map at some distances, the least first."""
    before: Point | None = None
    for d in WHOLE if arrow.input.metric.whole else ANY:
        try:
            arrow.input.metric.check(d, arrow.input.domain)
            figures, from_zero = _figures(arrow, d)
            for _, value in figures:
                ends(value.value)  # refused here where nothing is known of it
        except UNASKED:
            continue
        except DPError as error:
            negative = isinstance(error, InvalidParameter) and "at least 0" in error.headline
            note = "" if negative else error.headline
            kind: Kind = "map is negative" if negative else "map fails"
            yield Finding(kind, d_in=Bound(numeral(d)), note=note, has_data=False)
            return
        for fault in _faults_at((d, figures), before, from_zero=from_zero):
            yield fault
            if fault.kind != "map is not 0 at 0":
                return
        before = d, figures


def _faults_at(point: Point, before: Point | None, *, from_zero: bool) -> Iterator[Finding]:
    """What is wrong with the map at one distance, and beside a smaller one."""
    d, figures = point
    shown = Bound(numeral(d))
    for name, value in figures:
        note = f"the {name}"
        if value.upper < 0:
            yield Finding("map is negative", d_in=shown, claimed=value, note=note, has_data=False)
        elif d == 0 and from_zero and value.lower > 0:
            yield Finding("map is not 0 at 0", d_in=shown, claimed=value, note=note, has_data=False)
    if before is None:
        return
    smaller, earlier_figures = before
    if any(name.startswith(AT_ORDER) for name, _ in figures):  # a budget says less of data that are farther apart
        known = dict(earlier_figures)
        figures = tuple([(name, value) for name, value in figures if name in known])
        earlier_figures = tuple([(name, known[name]) for name, _ in figures])
    for (name, value), (_, earlier) in zip(figures, earlier_figures, strict=True):
        if value.upper + SLACK * max(Fraction(1), abs(value.upper)) < earlier.lower:
            note = f"the {name} is {earlier} at distance {smaller}"
            yield Finding("map is not monotone", d_in=shown, claimed=value, note=note, has_data=False)


def _figures(arrow: AnyTransformation | AnyMeasurement, d: int | Fraction) -> tuple[Figures, bool]:
    """The figures of the map at a distance, and whether they must be 0 at distance 0: a delta beside a witness need not."""
    if is_transformation(arrow):
        return (("distance", arrow.stability(d)),), True
    loss = as_measurement(arrow).loss(d)
    if isinstance(loss, (PureLoss, ZCDPLoss, TotalVariationLoss, GaussianLoss)):
        return loss.figures(), True
    return tuple((c.figure, c.claimed) for c in comparisons(loss) if "alpha = 0" not in c.figure), False
